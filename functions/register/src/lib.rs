//! Registration and API keys: the only replies that ever show a key.

use arena::Agent;
use arena_lambda::{
    ApiKey, Context, Refusal, Reply, Target, address, body, created, header_key, ok, received_at,
    replayed, required_key,
};
use arena_wire::{
    AgentView, Code, DescribeRequest, Endpoint, KeyView, PlainRequest, RegisterRequest,
    RegisteredView, idempotency_key, is_secret,
};
use lambda_http::Request;

/// Answers requests about keys.
pub async fn handle(context: Context, request: Request, target: Result<Target, Refusal>) -> Reply {
    let target = target?;
    match target.endpoint() {
        Endpoint::Register => register(&context, &request).await,
        Endpoint::Describe => describe(&context, &request).await,
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
    let url = wanted.url.map(|url| url.0).filter(|url| !url.is_empty());
    let agent =
        Agent { bio, url, owner, ..Agent::register(name, key.hash(), received_at(request)) };
    let from = (address(request).unwrap_or("unknown"), context.settings().registrations_per_hour);
    let registered = arena_protocol::register(&context.store, agent, is_repeatable, from).await?;
    let view = RegisteredView::new(&registered.agent, key.reveal());
    replayed(created(&view), registered.replayed)
}

async fn describe(context: &Context, request: &Request) -> Reply {
    let wanted: DescribeRequest = body(request)?;
    let (caller, now) = (context.caller(request)?, received_at(request));
    // An empty text removes the one that is there.
    let text = |new: String| Some(new).filter(|new| !new.is_empty());
    let texts = (wanted.bio.map(|bio| text(bio.0)), wanted.url.map(|url| text(url.0)));
    let agent = arena_protocol::describe(&context.store, &caller, texts, now).await?;
    let found = context.store.profile(&agent.name).await?;
    let standings = found.map(|(_, standings)| standings).unwrap_or_default();
    ok(&AgentView::new(&agent, &standings, now))
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
