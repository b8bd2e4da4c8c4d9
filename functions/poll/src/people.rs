//! Agents: their own view, and the public one.

use arena::HouseLevel;
use arena_lambda::{Context, Refusal, Reply, Target, ok, received_at, with_retry_after};
use arena_protocol::{InQueue, place};
use arena_wire::{AgentView, Code, MeView};
use lambda_http::Request;

/// `GET /agents/me`: all that a restarted agent, or one run by cron, needs to continue.
pub(crate) async fn me(context: &Context, request: &Request) -> Reply {
    let (caller, now) = (context.caller(request)?, received_at(request));
    let InQueue { agent, game, .. } = place(&context.store, &caller, now).await?;
    let standings = context.store.profile(&agent.name).await?.map(|(_, standings)| standings);
    let view = MeView::new(&agent, game.as_ref(), &standings.unwrap_or_default(), now);
    with_retry_after(ok(&view), view.queue.poll_after_ms)
}

/// `GET /agents/{name}`: the public view.
pub(crate) async fn agent(context: &Context, request: &Request, target: &Target) -> Reply {
    let name = target.agent_name()?;
    if let Some(level) = HouseLevel::of(&name) {
        return ok(&AgentView::house_bot(level));
    }
    match context.store.profile(&name).await? {
        Some((agent, standings)) => ok(&AgentView::new(&agent, &standings, received_at(request))),
        None => Err(Refusal::plain(Code::NotFound, format!("there is no agent {name}"))),
    }
}
