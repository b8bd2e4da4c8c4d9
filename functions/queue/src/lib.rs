//! The queue: join, leave, look.

use std::time::Duration;

use arena::{Agent, Game, Join, Opponent, Tag, Timestamp};
use arena_http::{
    App, Refusal, Reply, body, header_key, ok, received_at, target, with_retry_after,
};
use arena_store::Commit;
use arena_wire::{Code, Endpoint, JoinRequest, LeaveRequest, QueueView, idempotency_key};
use lambda_http::Request;

/// How often a decision is made anew when another request was faster.
const ATTEMPTS_MAX: usize = 4;

/// Pause before what was half of a transaction is read again.
const HALF_SEEN: Duration = Duration::from_millis(30);

/// Answers what has to do with waiting for an opponent.
pub async fn handle(app: App, request: Request) -> Reply {
    match target(&request)?.endpoint {
        Endpoint::Join => join(&app, &request).await,
        Endpoint::Leave => leave(&app, &request).await,
        Endpoint::Queue => look(&app, &request).await,
        other => Err(Refusal::plain(Code::NotFound, format!("{other:?} is not answered here"))),
    }
}

async fn join(app: &App, request: &Request) -> Reply {
    let mut agent = app.authenticate(request).await?;
    let wanted: JoinRequest = body(request)?;
    let key = idempotency_key(wanted.idempotency_key.as_deref(), header_key(request))?;
    let tag = key.map(|key| Tag::of(&agent.name, key));
    let (division, opponent) = (wanted.division(), wanted.opponent);
    if let (Opponent::House(_), None) = (opponent, app.pace().house_after_ms) {
        return Err(Refusal::plain(
            Code::Malformed,
            "house is a level, but this arena has no house bots",
        ));
    }
    let now = received_at(request);
    for _ in 0..ATTEMPTS_MAX {
        let game = app.last_game(&agent).await?;
        let standing = app.store.standing(&agent.name, division).await?;
        let decision = agent
            .join(division, opponent, &standing, tag, game.as_ref(), now)
            .map_err(|why| Refusal::cooling_down(why, now))?;
        match decision {
            Join::Commit(plan, _) => {
                let committed = app.store.commit(&plan, now).await?;
                agent = reread(app, &agent).await?;
                if committed == Commit::Done {
                    let game = app.last_game(&agent).await?;
                    return view(&agent, game.as_ref(), now);
                }
            }
            Join::HalfSeen => tokio::time::sleep(HALF_SEEN).await,
            Join::Queued(_) | Join::Playing(_) => return view(&agent, game.as_ref(), now),
            Join::Spent(ticket) => {
                return ok(&QueueView::of(&agent, game.as_ref(), now).with_spent(&ticket));
            }
        }
    }
    Err(busy())
}

async fn leave(app: &App, request: &Request) -> Reply {
    let mut agent = app.authenticate(request).await?;
    let wanted: LeaveRequest = body(request)?;
    let now = received_at(request);
    for _ in 0..ATTEMPTS_MAX {
        let asked = |agent: &Agent| {
            let ticket = agent.ticket(now).map(|ticket| ticket.to_string());
            wanted.ticket.is_none() || wanted.ticket == ticket
        };
        let left = match agent.leave().filter(|_| asked(&agent)) {
            Some(plan) => app.store.commit(&plan, now).await? == Commit::Done,
            None => {
                let game = app.last_game(&agent).await?;
                return view(&agent, game.as_ref(), now);
            }
        };
        agent = reread(app, &agent).await?;
        if left {
            let game = app.last_game(&agent).await?;
            return view(&agent, game.as_ref(), now);
        }
    }
    Err(busy())
}

/// Shows the place in the queue, and keeps it.
async fn look(app: &App, request: &Request) -> Reply {
    let agent = app.authenticate(request).await?;
    let now = received_at(request);
    app.keep_place(&agent, now).await?;
    let game = app.last_game(&agent).await?;
    view(&agent, game.as_ref(), now)
}

async fn reread(app: &App, agent: &Agent) -> Result<Agent, Refusal> {
    let again = app.store.agent(&agent.name).await?;
    again.ok_or_else(|| Refusal::plain(Code::NotFound, format!("{} is gone", agent.name)))
}

fn view(agent: &Agent, game: Option<&Game>, now: Timestamp) -> Reply {
    let view = QueueView::of(agent, game, now);
    with_retry_after(ok(&view), view.poll_after_ms)
}

fn busy() -> Refusal {
    Refusal::Later(
        Code::Busy,
        "other requests of this agent were faster, or its last game is just ending".to_owned(),
        1_000,
    )
}
