//! Registration and API keys: the only replies that ever show a key.

use arena::Agent;
use arena_lambda::{
    ApiKey, Context, Refusal, Reply, Target, address, body, created, header_key, ok, received_at,
    replayed, required_key,
};
use arena_wire::{
    Code, Endpoint, KeyView, PlainRequest, RegisterRequest, RegisteredView, idempotency_key,
    is_secret,
};
use lambda_http::Request;

/// Answers requests about keys.
pub async fn handle(context: Context, request: Request, target: Result<Target, Refusal>) -> Reply {
    let target = target?;
    match target.endpoint() {
        Endpoint::Register => register(&context, &request).await,
        Endpoint::RotateKey => rotate(&context, &request).await,
        Endpoint::RevokeKey => revoke(&context, &request).await,
        _ => Err(target.elsewhere()),
    }
}

async fn register(context: &Context, request: &Request) -> Reply {
    let wanted: RegisterRequest = body(request)?;
    let name = wanted.agent_name()?;
    let (key, is_repeatable) = match wanted.key(header_key(request))? {
        Some(text) => (ApiKey::derived(&name, text, context.pepper()?), true),
        None => (ApiKey::random(&name).map_err(no_randomness)?, false),
    };
    let (bio, owner) = (wanted.bio.map(|bio| bio.0), wanted.owner.map(|owner| owner.0));
    let agent = Agent { bio, owner, ..Agent::register(name, key.hash(), received_at(request)) };
    let from = (address(request).unwrap_or("unknown"), context.settings().registrations_per_hour);
    let registered = arena_protocol::register(&context.store, agent, is_repeatable, from).await?;
    let view = RegisteredView::new(&registered.agent, key.reveal());
    replayed(created(&view), registered.replayed)
}

async fn rotate(context: &Context, request: &Request) -> Reply {
    let wanted: PlainRequest = body(request)?;
    let idempotency_key = idempotency_key(wanted.idempotency_key.as_deref(), header_key(request))?;
    let presented = required_key(request)?;
    let caller = context.holder(&presented)?;
    let key = match idempotency_key {
        Some(text) => presented.rotated(text, context.pepper()?),
        None => ApiKey::random(&caller.name).map_err(no_randomness)?,
    };
    let (is_secret, now) = (idempotency_key.is_some_and(is_secret), received_at(request));
    let rotated =
        arena_protocol::rotate(&context.store, &caller, key.hash(), is_secret, now).await?;
    context.limiter().replace(caller.key, key.hash());
    replayed(ok(&KeyView::rotated(key.reveal(), rotated.until)), rotated.replayed)
}

async fn revoke(context: &Context, request: &Request) -> Reply {
    arena_protocol::revoke(&context.store, &context.caller(request)?, received_at(request)).await?;
    ok(&KeyView::revoked())
}

fn no_randomness(error: impl std::fmt::Display) -> Refusal {
    Refusal::plain(Code::Internal, format!("no random numbers: {error}"))
}
