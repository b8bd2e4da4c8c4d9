//! The queue: join, leave, check the place, and the game that follows.

use arena::{Agent, Game, Join, Opponent, TicketId, Timestamp, Wanted};

use crate::ATTEMPTS_MAX;
use crate::account::{Caller, authenticate, not_banned};
use crate::backend::{Backend, Chore, Note, Read};
use crate::commit::{Commit, commit};
use crate::fault::Fault;
use crate::game::enforce;
use crate::refused::Refused;

/// Pause before half of a transaction is read again.
const HALF_SEEN_MS: u64 = 60;

const BUSY: &str = "other requests of this agent were faster, or its last game is just ending";

/// An agent and the game it was last seated in.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, PartialEq, Debug)]
pub struct InQueue {
    pub agent: Agent,
    /// Over or not.
    pub game: Option<Game>,
    /// The ticket that the same request to join brought before, if it is used up.
    pub spent: Option<TicketId>,
}

/// Joins a queue, unless the caller is queued or playing already.
pub async fn join<B: Backend>(
    world: &B,
    caller: &Caller,
    wanted: Wanted,
    now: Timestamp,
) -> Result<InQueue, Refused> {
    let mut agent = authenticate(world, caller, now).await?;
    if matches!(wanted.opponent, Opponent::House(_) | Opponent::HouseAs(..))
        && world.pace().house_after_ms.is_none()
    {
        return Err(Refused::NoHouse);
    }
    for _ in 0..ATTEMPTS_MAX {
        // The game is read after the agent, and the standing after the game: the ticket's rating is
        // the one the next game starts with.
        let game = last_game(world, &agent).await?;
        let standings = world.standings(&[&agent.name], wanted.division).await?;
        let standing = standings.first().ok_or(Refused::Busy(BUSY))?;
        let joined = agent.join(wanted, standing, game.as_ref(), now);
        match joined.map_err(Refused::CoolingDown)? {
            Join::Commit(plan, _) => {
                let committed = commit(world, &plan).await?;
                agent = reread(world, &agent).await?;
                if committed == Commit::Done {
                    return in_queue(world, agent).await;
                }
            }
            Join::HalfSeen => world.pause(HALF_SEEN_MS).await,
            Join::Queued(_) | Join::Playing(_) => return Ok(InQueue { agent, game, spent: None }),
            Join::Spent(ticket) => return Ok(InQueue { agent, game, spent: Some(ticket) }),
        }
    }
    Err(Refused::Busy(BUSY))
}

/// Leaves the queue; with a `ticket`, only if that is the caller's current one.
pub async fn leave<B: Backend>(
    world: &B,
    caller: &Caller,
    ticket: Option<&str>,
    now: Timestamp,
) -> Result<InQueue, Refused> {
    let mut agent = authenticate(world, caller, now).await?;
    for _ in 0..ATTEMPTS_MAX {
        let held = agent.ticket(now).map(|ticket| ticket.to_string());
        let is_meant = ticket.is_none() || ticket == held.as_deref();
        let Some(plan) = agent.leave().filter(|_| is_meant) else {
            return in_queue(world, agent).await;
        };
        let committed = commit(world, &plan).await?;
        agent = reread(world, &agent).await?;
        if committed == Commit::Done {
            return in_queue(world, agent).await;
        }
    }
    Err(Refused::Busy(BUSY))
}

/// Reads the caller's place in the queue, and keeps it.
pub async fn place<B: Backend>(
    world: &B,
    caller: &Caller,
    now: Timestamp,
) -> Result<InQueue, Refused> {
    let agent = authenticate(world, caller, now).await?;
    keep(world, &agent, now).await?;
    in_queue(world, agent).await
}

/// Keeps an agent's place in the queue: a request extends its ticket. A ticket that should have
/// been paired by now gets another message, once: the index may have lagged behind its first.
async fn keep<B: Backend>(world: &B, agent: &Agent, now: Timestamp) -> Result<(), Fault> {
    if let Some(plan) = agent.refresh(now) {
        // If stale, the agent was seated or left meanwhile, and its next request will show that.
        commit(world, &plan).await?;
    } else if let Some((ticket, message)) = agent.overlooked(now)
        && world.is_due(Chore::PairAgain(ticket))
    {
        world.send(&[message]).await?;
    }
    Ok(())
}

async fn in_queue<B: Backend>(world: &B, agent: Agent) -> Result<InQueue, Refused> {
    let game = last_game(world, &agent).await?;
    Ok(InQueue { agent, game, spent: None })
}

/// The agent as it is now. It may have been deleted meanwhile, and its name be another's.
async fn reread<B: Backend>(world: &B, agent: &Agent) -> Result<Agent, Refused> {
    let is_same = |found: &Agent| found.created == agent.created;
    let found = world.agent(&agent.name).await?.filter(is_same);
    not_banned(found.ok_or(Refused::Unauthenticated)?)
}

/// The game an agent was last seated in, ended if it is overdue; `None` if it was never seated or
/// that game no longer exists. A damaged game can neither continue nor end, and counts as gone for
/// its players; otherwise they could never play again.
pub(crate) async fn last_game<B: Backend>(
    world: &B,
    agent: &Agent,
) -> Result<Option<Game>, Refused> {
    match find_last_game(world, agent).await {
        Ok(Some(game)) => enforce(world, game).await.map(Some),
        Ok(None) => Ok(None),
        Err(fault) if fault.is_damage() => {
            world.note(Note::Failed(&fault));
            Ok(None)
        }
        Err(fault) => Err(fault.into()),
    }
}

/// Agent and game are written by one transaction, but two separate reads may see half of it: a game
/// that is not there yet. So both are read as of one moment before the game counts as gone.
async fn find_last_game<B: Backend>(world: &B, agent: &Agent) -> Result<Option<Game>, Fault> {
    let Some(id) = agent.game else { return Ok(None) };
    if let Some(stored) = world.game(id, Read::Strong).await? {
        return Ok(Some(stored.game));
    }
    match world.agent_and_game(&agent.name, id).await? {
        (Some(now), None) if now.game != Some(id) => Err(Fault::contention("last_game")),
        (_, game) => Ok(game),
    }
}
