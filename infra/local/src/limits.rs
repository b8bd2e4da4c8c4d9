//! How much of one machine all clients together may use, so that nobody starves the others. On AWS
//! the gateway's throttling and the functions' concurrency do this.

use std::net::IpAddr;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use arena_http::Quota;

/// Limits of one arena. What is beyond is refused at once, with a time to come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Open connections. More are closed as soon as they are accepted.
    pub connections: usize,
    /// Open connections of one address.
    pub connections_each: usize,
    /// Requests that are worked on or wait for their turn; a poll that waits for news is not counted.
    pub requests: usize,
    /// The same for one address.
    pub requests_each: usize,
    /// Requests worked on at once.
    pub working: usize,
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

impl Limits {
    /// Places for connections to one port.
    pub(crate) fn places(&self) -> Quota<IpAddr> {
        Quota::new(self.connections, self.connections_each)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        // A core is left for everybody else; a thought takes less than half a second.
        let thinking = available_parallelism().map_or(1, NonZero::get).saturating_sub(1).max(1);
        Limits {
            connections: 10_000,
            connections_each: 8_000,
            requests: 128,
            requests_each: 96,
            // More than the tables can serve at once, and few enough to be served in time.
            working: 32,
            body_time: Duration::from_secs(10),
            sockets: 256,
            sockets_each: 16,
            thinking,
            thinking_queue: 8 * thinking,
        }
    }
}
