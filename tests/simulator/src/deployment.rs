//! Settings of the deployed functions and queues. A test compares them with the template.

#![allow(missing_docs, reason = "the names say it")]

/// Timeout of the functions behind the gateway.
pub const LIFETIME_MS: i64 = 3_000;

/// Timeouts of the functions behind queues.
pub const REFEREE_LIFETIME_MS: i64 = 20_000;
pub const HOUSE_LIFETIME_MS: i64 = 30_000;

/// Visibility timeout of a message, for deadlines and matchmaking and for house bots.
pub const VISIBILITY_MS: i64 = 120_000;
pub const HOUSE_VISIBILITY_MS: i64 = 180_000;

/// Deliveries of a message, in all.
pub const RECEIVES_MAX: u32 = 5;

/// Mapping from a queue to the referee.
#[derive(Debug)]
pub struct Source {
    /// Name of the queue; the capacity model lists the referee's runs by it.
    pub queue: &'static str,
    pub batch_max: usize,
    pub window_ms: i64,
    pub runs_max: usize,
}

/// Deadlines and the sweep, then matchmaking. House bots have a queue too, in batches of one; the
/// number of their runs at once is not simulated.
pub const SOURCES: [Source; 2] = [
    Source { queue: "referee", batch_max: 10, window_ms: 0, runs_max: 100 },
    Source { queue: "match", batch_max: 1_000, window_ms: 1_000, runs_max: 4 },
];
