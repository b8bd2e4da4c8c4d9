//! Limits on the use of one machine by all clients together. On AWS the gateway's throttling and
//! the functions' concurrency do this.

use std::net::IpAddr;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use arena_lambda::{Gate, Quota};

/// Limits of one arena. Requests beyond them are refused at once, with a `Retry-After`.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Open connections. More are closed as soon as they are accepted.
    pub connections: usize,
    /// Open connections of one address.
    pub connections_each: usize,
    /// Requests with an API key.
    pub with_key: Requests,
    /// Requests without one; they do not count against those with one.
    pub without_key: Requests,
    /// Time for a request's body to arrive.
    pub body_time: Duration,
    pub sockets: usize,
    pub sockets_each: usize,
    /// Duel moves computed at once.
    pub thinking: usize,
    /// Duel moves waiting for a thread.
    pub thinking_queue: usize,
}

/// Limits of one kind of requests. A long poll that is waiting is not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requests {
    /// Running or waiting.
    pub all: usize,
    /// The same for one address.
    pub each: usize,
    /// Running at once.
    pub working: usize,
    /// Longest wait.
    pub patience: Duration,
}

impl Requests {
    /// Running requests are more than the tables can serve at once, and few enough to be served in
    /// time. The wait is well within the grace of the clock, so that a decision received in time is
    /// made before the clock can end the game, unless the machine itself takes seconds for it.
    pub const STANDARD: Requests =
        Requests { all: 64, each: 48, working: 16, patience: Duration::from_secs(2) };

    pub(crate) fn gate(self) -> Gate {
        Gate::new(Quota::new(self.all, self.each), self.working, self.patience)
    }
}

impl Limits {
    pub(crate) fn slots(&self) -> Quota<IpAddr> {
        Quota::new(self.connections, self.connections_each)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        // One core is left for everything else; a move takes less than half a second.
        let thinking = available_parallelism().map_or(1, NonZero::get).saturating_sub(1).max(1);
        Limits {
            connections: 10_000,
            connections_each: 8_000,
            with_key: Requests::STANDARD,
            without_key: Requests::STANDARD,
            body_time: Duration::from_secs(10),
            sockets: 256,
            sockets_each: 16,
            thinking,
            thinking_queue: 8 * thinking,
        }
    }
}
