//! Cost of a million games: counters measured on the real functions, prices pinned in a file.

mod bill;
mod measure;
mod reference;
mod table;

pub use bill::{Bill, Prices};
pub use measure::measure;
pub use table::{differs, documented, table, write_documented};

/// Decisions of the reference game.
pub const DECISIONS: u32 = 40;
/// Time of each decision.
pub const THINK_S: f64 = 20.0;
/// Time from look to look of an agent that waits.
pub const POLL_S: f64 = 22.5;

/// The reference game, measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Its operations.
    pub steps: Vec<Step>,
    /// Number of times that a player had to wait for the other: fewer than decisions, because the opening lets
    /// a player decide twice in a row.
    pub waits: f64,
    /// Size in the table when it is over.
    pub stored_bytes: f64,
    /// Size of a poll with news without gzip.
    pub plain_bytes: f64,
}

/// An operation of the reference game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Name in the table.
    pub what: &'static str,
    /// True if an agent asks for it, through the gateway.
    pub is_request: bool,
    /// Number of calls in a game.
    pub times: f64,
    /// Mean of its calls.
    pub each: Spent,
}

/// Units, messages and bytes of a call.
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

/// Number of looks in a game by players that look every so many seconds while they wait: the news
/// comes at some moment between two looks.
fn polls(waits: f64, every_s: f64) -> f64 {
    f64::from(DECISIONS) * THINK_S / every_s + waits / 2.0
}
