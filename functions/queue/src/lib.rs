//! The queue: join, leave, check the place.

use std::time::Duration;

use arena::{Tag, Timestamp, Wanted};
use arena_lambda::{
    Context, Refusal, Reply, Target, body, give_way, header_key, ok, query, received_at,
    with_retry_after,
};
use arena_protocol::{Backend, InQueue};
use arena_wire::{Endpoint, JoinRequest, LeaveRequest, QueueQuery, QueueView, idempotency_key};
use lambda_http::Request;

/// Pause between two looks of a request that waits for a game.
const LOOK_MS: i64 = 1_000;

/// Answers requests about waiting for an opponent.
pub async fn handle(context: Context, request: Request, target: Result<Target, Refusal>) -> Reply {
    let target = target?;
    match target.endpoint() {
        Endpoint::Join => join(&context, &request).await,
        Endpoint::Leave => leave(&context, &request).await,
        Endpoint::Queue => look(&context, &request).await,
        _ => Err(target.elsewhere()),
    }
}

async fn join(context: &Context, request: &Request) -> Reply {
    let wanted: JoinRequest = body(request)?;
    let key = idempotency_key(wanted.idempotency_key.as_deref(), header_key(request))?;
    let caller = context.caller(request)?;
    let tag = key.map(|key| Tag::of(&caller.name, key));
    let wanted = Wanted {
        division: wanted.division(),
        opponent: wanted.opponent_and_seat()?,
        rated: wanted.rated.unwrap_or(true),
        tag,
    };
    let now = received_at(request);
    show(&arena_protocol::join(&context.store, &caller, wanted, now).await?, now)
}

async fn leave(context: &Context, request: &Request) -> Reply {
    let wanted: LeaveRequest = body(request)?;
    let (caller, now) = (context.caller(request)?, received_at(request));
    let ticket = wanted.ticket.as_deref();
    show(&arena_protocol::leave(&context.store, &caller, ticket, now).await?, now)
}

/// Waits for a game, if asked to, as long as the agent is queued.
async fn look(context: &Context, request: &Request) -> Reply {
    let asked: QueueQuery = query(request)?;
    let wait_ms = (i64::from(asked.wait_s()) * 1_000).min(context.settings().wait_ms_max);
    let (caller, start) = (context.caller(request)?, received_at(request));
    let now = || context.store.now();
    let until = now().plus(wait_ms);
    let mut place = arena_protocol::place(&context.store, &caller, start).await?;
    let mut slot = None;
    while place.agent.ticket(now()).is_some() && until.since(now()) > 0 {
        if slot.is_none() {
            slot = context.wait_as(&caller.name);
            if slot.is_none() {
                break;
            }
            give_way(request);
        }
        let pause_ms = until.since(now()).clamp(0, LOOK_MS);
        tokio::time::sleep(Duration::from_millis(pause_ms.unsigned_abs())).await;
        place = arena_protocol::place(&context.store, &caller, now()).await?;
    }
    show(&place, now())
}

fn show(queue: &InQueue, now: Timestamp) -> Reply {
    let view = QueueView::of(&queue.agent, queue.game.as_ref(), now);
    match &queue.spent {
        Some(ticket) => ok(&view.with_spent(ticket)),
        None => with_retry_after(ok(&view), view.poll_after_ms),
    }
}
