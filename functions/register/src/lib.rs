//! Registration and API keys: the only replies that ever show a key.

use arena::{Agent, KEY_OVERLAP_MS, Plan, Timestamp, Write};
use arena_http::{
    ApiKey, App, Refusal, Reply, address, bearer, body, created, header_key, now, ok, received_at,
    replayed, target,
};
use arena_store::{Admission, Commit, Current};
use arena_wire::{
    Code, Endpoint, KeyView, PlainRequest, RegisterRequest, RegisteredView, idempotency_key,
    is_secret,
};
use lambda_http::Request;

/// The window in which an address's registrations are counted.
const WINDOW_S: u32 = 3_600;

/// Answers what has to do with keys.
pub async fn handle(app: App, request: Request) -> Reply {
    match target(&request)?.endpoint {
        Endpoint::Register => register(&app, &request).await,
        Endpoint::RotateKey => rotate(&app, &request).await,
        Endpoint::RevokeKey => revoke(&app, &request).await,
        other => Err(misrouted(other)),
    }
}

async fn register(app: &App, request: &Request) -> Reply {
    let wanted: RegisterRequest = body(request)?;
    let name = wanted.agent_name()?;
    let now = received_at(request);
    let again = |first: &Agent, key: &ApiKey| {
        let is_same = first.is_same_registration(key.hash(), now);
        is_same.then(|| replayed(created(&RegisteredView::new(first, key.reveal())), true))
    };
    let key = match wanted.key(header_key(request))? {
        Some(text) => {
            let key = ApiKey::derived(&name, text, app.pepper()?);
            // A repetition takes no place among the address's registrations.
            let first = app.store.agent(&name).await?;
            if let Some(reply) = first.and_then(|first| again(&first, &key)) {
                return reply;
            }
            key
        }
        None => ApiKey::random(&name).map_err(no_randomness)?,
    };
    admit(app, request).await?;

    let (bio, owner) = (wanted.bio, wanted.owner);
    let agent = Agent { bio, owner, ..Agent::register(name, key.hash(), now) };
    let plan = Plan { bells: Vec::new(), writes: vec![Write::Register(Box::new(agent.clone()))] };
    match app.store.commit(&plan, now).await? {
        Commit::Done => created(&RegisteredView::new(&agent, key.reveal())),
        stale => {
            // The key tells: either the request was repeated at once, or its own write had been made
            // although the service reported an error.
            let reply = match stale.stale(0) {
                Some(Current::Agent(first)) => again(first, &key),
                _ => None,
            };
            let taken = || Refusal::plain(Code::NameTaken, format!("{} is taken", agent.name));
            reply.unwrap_or_else(|| Err(taken()))
        }
    }
}

async fn admit(app: &App, request: &Request) -> Result<(), Refusal> {
    let now = now();
    let limit = app.settings().registrations_per_hour;
    let address = address(request).unwrap_or("unknown");
    match app.store.admit(address, WINDOW_S, limit, now).await? {
        Admission::Granted => Ok(()),
        Admission::Refused { until } => Err(Refusal::Later(
            Code::RateLimited,
            format!("at most {limit} agents an hour can be registered from one address"),
            until.since(now),
        )),
    }
}

async fn rotate(app: &App, request: &Request) -> Reply {
    let agent = app.authenticate(request).await?;
    let wanted: PlainRequest = body(request)?;
    let idempotency_key = idempotency_key(wanted.idempotency_key.as_deref(), header_key(request))?;
    let presented = bearer(request)?.ok_or_else(changed_meanwhile)?;
    let key = match idempotency_key {
        Some(text) => presented.rotated(text, app.pepper()?),
        None => ApiKey::random(&agent.name).map_err(no_randomness)?,
    };
    let now = received_at(request);
    if let (true, Some((_, until))) = (key.has_hash(&agent.keys.current), agent.keys.previous)
        && is_repetition(idempotency_key, until, now)
    {
        // The reply to the first request was lost: the same key is derived and shown again.
        return replayed(ok(&KeyView::rotated(key.reveal(), until)), true);
    }
    require_current(&agent, &presented)?;
    let game = app.last_game(&agent).await?;
    let plan = agent.rotate(key.hash(), game.as_ref(), now);
    match app.store.commit(&plan, now).await? {
        Commit::Done => ok(&KeyView::rotated(key.reveal(), now.plus(KEY_OVERLAP_MS))),
        Commit::Stale(_) => Err(changed_meanwhile()),
    }
}

async fn revoke(app: &App, request: &Request) -> Reply {
    let agent = app.authenticate(request).await?;
    let presented = bearer(request)?.ok_or_else(changed_meanwhile)?;
    require_current(&agent, &presented)?;
    if let Some(plan) = agent.revoke_previous()
        && app.store.commit(&plan, now()).await? != Commit::Done
    {
        return Err(changed_meanwhile());
    }
    ok(&KeyView::revoked())
}

/// How long a rotation may be repeated with a short idempotency key. Whoever has the replaced key
/// could guess it; a secret one may be used as long as the replaced key is good.
const SHORT_REPLAY_MS: i64 = 10 * 60_000;

/// Whether a rotation whose replaced key is good until then may still be repeated.
fn is_repetition(idempotency_key: Option<&str>, until: Timestamp, now: Timestamp) -> bool {
    let rotated = until.plus(-KEY_OVERLAP_MS);
    idempotency_key.is_some_and(is_secret) || now.since(rotated) < SHORT_REPLAY_MS
}

/// A key that was replaced, perhaps because it leaked, decides nothing about keys any more.
fn require_current(agent: &Agent, presented: &ApiKey) -> Result<(), Refusal> {
    if presented.has_hash(&agent.keys.current) {
        return Ok(());
    }
    let why = "this key was replaced: only the current key can change keys. A rotation whose reply \
               was lost is repeated with its own idempotency_key";
    Err(Refusal::plain(Code::Forbidden, why))
}

fn changed_meanwhile() -> Refusal {
    Refusal::Later(Code::Busy, "the keys were changed by another request".to_owned(), 1_000)
}

fn no_randomness(error: impl std::fmt::Display) -> Refusal {
    Refusal::plain(Code::Internal, format!("no random numbers: {error}"))
}

fn misrouted(endpoint: Endpoint) -> Refusal {
    Refusal::plain(Code::NotFound, format!("{endpoint:?} is not answered here"))
}
