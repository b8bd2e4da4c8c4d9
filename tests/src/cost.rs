//! What a million games cost: counters measured on the real functions, prices pinned in a file.

mod bill;
mod measure;
mod reference;
mod table;

pub use bill::{Bill, Prices};
pub use measure::measure;
pub use table::{differs, documented, table, write_documented};

/// Decisions of the reference game.
pub const DECISIONS: u32 = 40;
/// How long each takes.
pub const THINK_S: f64 = 20.0;
/// How often an agent that waits looks.
pub const POLL_S: f64 = 22.5;

/// The reference game, measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Its operations.
    pub steps: Vec<Step>,
    /// How often a player had to wait for the other: fewer than decisions, because the opening lets
    /// a player decide twice in a row.
    pub waits: f64,
    /// What it takes in the table when it is over.
    pub stored_bytes: f64,
    /// What a poll with news takes without gzip.
    pub plain_bytes: f64,
}

/// An operation of the reference game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// What it is.
    pub what: &'static str,
    /// Whether an agent asks for it, through the gateway.
    pub is_request: bool,
    /// How often a game.
    pub times: f64,
    /// What each call spends.
    pub each: Spent,
}

/// What a call spends.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spent {
    /// DynamoDB write units.
    pub write_units: f64,
    /// DynamoDB read units.
    pub read_units: f64,
    /// Messages sent to SQS.
    pub messages: f64,
    /// Bytes that leave for the internet.
    pub reply_bytes: f64,
}

/// How often players look in a game when they look every so many seconds while they wait: the news
/// comes at some moment between two looks.
fn polls(waits: f64, every_s: f64) -> f64 {
    f64::from(DECISIONS) * THINK_S / every_s + waits / 2.0
}
