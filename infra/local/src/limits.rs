//! How much of one machine all clients together may use, so that nobody starves the others. On AWS
//! the gateway's throttling and the functions' concurrency do this.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

/// Limits of one arena. What is beyond is refused at once, with a time to come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Open connections. More are closed as soon as they are accepted.
    pub connections: usize,
    /// Requests worked on at once; a poll that waits is not counted.
    pub requests: usize,
    /// Time for a request's body to arrive.
    pub body_time: Duration,
    /// Open duel sockets.
    pub sockets: usize,
    /// Open duel sockets of one address.
    pub sockets_each: usize,
    /// Duel moves thought about at once.
    pub thinking: usize,
    /// Duel moves that wait to be thought about.
    pub thinking_queue: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        // A core is left for everybody else; a thought takes less than half a second.
        let thinking = available_parallelism().map_or(1, NonZero::get).saturating_sub(1).max(1);
        Limits {
            connections: 10_000,
            requests: 128,
            body_time: Duration::from_secs(10),
            sockets: 256,
            sockets_each: 16,
            thinking,
            thinking_queue: 8 * thinking,
        }
    }
}
