//! Carries out a plan: first its messages, then its writes.

use arena::{Agent, Game, Plan, Standing};

use crate::backend::Backend;
use crate::fault::Fault;

/// Attempts of a transaction that meets others.
const ATTEMPTS_MAX: u32 = 6;

/// Longest pause before the second attempt; it doubles with every further one.
const PAUSE_MS: u64 = 10;
const PAUSE_MS_MAX: u64 = 160;

/// What became of a plan.
#[derive(Clone, PartialEq, Debug)]
pub enum Commit {
    /// All of it is written.
    Done,
    /// Nothing is written: the conditions of these writes do not hold.
    Stale(Vec<Stale>),
}

/// A write whose condition does not hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Stale {
    /// Its place among the plan's writes.
    pub write: usize,
    /// The item that is there instead.
    pub current: Current,
}

/// The item that a failed condition found.
#[derive(Clone, PartialEq, Debug)]
pub enum Current {
    /// No such item.
    Absent,
    /// This agent.
    Agent(Box<Agent>),
    /// This standing.
    Standing(Box<Standing>),
    /// This game.
    Game(Box<Game>),
}

impl Commit {
    /// The item that is there instead of what the plan's write at `index` requires, if that failed.
    pub fn stale(&self, index: usize) -> Option<&Current> {
        match self {
            Commit::Done => None,
            Commit::Stale(stale) => {
                stale.iter().find(|stale| stale.write == index).map(|stale| &stale.current)
            }
        }
    }
}

/// Sends the plan's messages, then makes its writes, all or none.
///
/// Messages come first so that no crash can leave a write without the message it needs; one whose
/// write never happens finds nothing to do. After a fault the same plan may be committed again: the
/// condition of every write fails once it has been made.
pub async fn commit<B: Backend>(world: &B, plan: &Plan) -> Result<Commit, Fault> {
    if !plan.messages.is_empty() {
        world.send(&plan.messages).await?;
    }
    if plan.writes.is_empty() {
        return Ok(Commit::Done);
    }
    let mut pause_ms = PAUSE_MS;
    for attempt in 1..=ATTEMPTS_MAX {
        if let Some(commit) = world.write(&plan.writes).await? {
            return Ok(commit);
        }
        if attempt < ATTEMPTS_MAX {
            world.pause(pause_ms).await;
            pause_ms = (pause_ms * 2).min(PAUSE_MS_MAX);
        }
    }
    Err(Fault::contention("commit"))
}
