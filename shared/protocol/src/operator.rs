//! Operators' commands. They race with requests and messages like any other writer: each is decided
//! again when another was faster.

use std::fmt;

use arena::{
    Actor, Agent, AgentName, Game, GameId, KeyHash, Plan, Playing, Rejection, Ruling, Submission,
};

use crate::ATTEMPTS_MAX;
use crate::backend::Backend;
use crate::commit::{Commit, commit};
use crate::fault::Fault;
use crate::game::{current, settle};
use crate::queue::last_game;
use crate::refused::Refused;

/// Reason why a command is declined. Nothing has changed, except perhaps after a fault.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Debug)]
pub enum Declined {
    NoAgent(AgentName),
    /// The agent plays this game and cannot be deleted before its end.
    Playing(AgentName, GameId),
    NoGame(GameId),
    /// A game that is over stays as it is.
    Over(Box<Game>),
    /// Other writers kept being faster.
    Busy,
    Fault(Fault),
}

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Declined::NoAgent(name) => write!(f, "there is no agent {name}"),
            Declined::Playing(name, game) => write!(f, "{name} plays game {game}"),
            Declined::NoGame(id) => write!(f, "there is no game {id}"),
            Declined::Over(game) => write!(f, "game {} is over", game.id()),
            Declined::Busy => f.write_str("other writers kept being faster"),
            Declined::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for Declined {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Declined::Fault(fault) => fault.source(),
            _ => None,
        }
    }
}

impl From<Fault> for Declined {
    fn from(fault: Fault) -> Declined {
        Declined::Fault(fault)
    }
}

impl From<Refused> for Declined {
    fn from(refused: Refused) -> Declined {
        match refused {
            Refused::Fault(fault) => Declined::Fault(fault),
            Refused::NoGame(id) => Declined::NoGame(id),
            Refused::Rejected(Rejection::GameOver, game, _) => Declined::Over(game),
            _ => Declined::Busy,
        }
    }
}

/// Bans an agent, or changes the reason of its ban. Returns the agent as it was before.
pub async fn ban<B: Backend>(world: &B, name: &AgentName, why: &str) -> Result<Agent, Declined> {
    change(world, name, |agent, game| Ok(Some(agent.banned(why, game)))).await
}

/// Ends the ban of an agent, if there is one. Returns the agent as it was before.
pub async fn unban<B: Backend>(world: &B, name: &AgentName) -> Result<Agent, Declined> {
    change(world, name, |agent, game| Ok(agent.unbanned(game))).await
}

/// Replaces an agent's key by `key` and ends all others at once. Returns the agent as it was
/// before.
pub async fn reset_key<B: Backend>(
    world: &B,
    name: &AgentName,
    key: KeyHash,
) -> Result<Agent, Declined> {
    change(world, name, |agent, game| Ok(Some(agent.reset_key(key, game)))).await
}

/// Deletes an agent that does not play. Returns the agent as it was before.
pub async fn delete<B: Backend>(world: &B, name: &AgentName) -> Result<Agent, Declined> {
    change(world, name, |agent, game| match agent.deleted(game) {
        Ok(plan) => Ok(Some(plan)),
        Err(Playing(game)) => Err(Declined::Playing(name.clone(), game)),
    })
    .await
}

/// Ends a game that is in progress. Returns the game after that.
pub async fn rule<B: Backend>(world: &B, id: GameId, ruling: Ruling) -> Result<Game, Declined> {
    let game = current(world, id).await?;
    let submission = Submission::rule(ruling);
    let settled = settle(world, game, Actor::Operator, submission, world.now()).await?;
    Ok(settled.game)
}

/// Carries out the plan for an agent and the game it was last seated in, if there is one.
async fn change<B: Backend>(
    world: &B,
    name: &AgentName,
    decide: impl Fn(&Agent, Option<&Game>) -> Result<Option<Plan>, Declined>,
) -> Result<Agent, Declined> {
    for _ in 0..ATTEMPTS_MAX {
        let found = world.agent(name).await?;
        let agent = found.ok_or_else(|| Declined::NoAgent(name.clone()))?;
        let game = last_game(world, &agent).await?;
        let Some(plan) = decide(&agent, game.as_ref())? else { return Ok(agent) };
        if commit(world, &plan).await? == Commit::Done {
            return Ok(agent);
        }
    }
    Err(Declined::Busy)
}
