//! Carries out a plan: first its messages, then its writes.

use arena::{Agent, Game, Plan, Standing};

use crate::backend::Backend;
use crate::fault::Fault;

/// Attempts of a write that conflicts with other transactions.
const CONFLICTS_MAX: u32 = 6;

/// Longest pause before the second attempt; it doubles with every further one.
const PAUSE_MS: u64 = 10;
const PAUSE_MS_MAX: u64 = 160;

/// Outcome of a plan.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, PartialEq, Debug)]
pub enum Commit {
    Done,
    /// Nothing is written: the conditions of these writes do not hold.
    Stale(Vec<Stale>),
}

/// A write whose condition does not hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Stale {
    /// Index in the plan's writes.
    pub write: usize,
    /// The item found instead.
    pub current: Current,
}

/// The item that a failed condition found.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, PartialEq, Debug)]
pub enum Current {
    Absent,
    Agent(Box<Agent>),
    Standing(Box<Standing>),
    Game(Box<Game>),
}

impl Commit {
    /// The item found by the write at `index`, if its condition failed.
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
/// Messages come first so that no crash can leave a write without the message it needs; a message
/// without its write has no effect. After a fault the same plan may be committed again: the
/// condition of every write fails once it has been made.
pub async fn commit<B: Backend>(world: &B, plan: &Plan) -> Result<Commit, Fault> {
    if !plan.messages.is_empty() {
        world.send(&plan.messages).await?;
    }
    if plan.writes.is_empty() {
        return Ok(Commit::Done);
    }
    let mut pause_ms = PAUSE_MS;
    for attempt in 1..=CONFLICTS_MAX {
        if let Some(commit) = world.write(&plan.writes).await? {
            return Ok(commit);
        }
        if attempt < CONFLICTS_MAX {
            world.pause(pause_ms).await;
            pause_ms = (pause_ms * 2).min(PAUSE_MS_MAX);
        }
    }
    Err(Fault::contention("commit"))
}
