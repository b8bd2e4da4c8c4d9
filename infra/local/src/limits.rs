//! How much of one machine all clients together may use, so that nobody starves the others. On AWS
//! the gateway's throttling and the functions' concurrency do this.

use std::net::IpAddr;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use arena_lambda::{Gate, Quota};

/// Limits of one arena. What is beyond is refused at once, with a time to come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Open connections. More are closed as soon as they are accepted.
    pub connections: usize,
    /// Open connections of one address.
    pub connections_each: usize,
    /// Requests with an API key.
    pub with_key: Requests,
    /// Requests without one, which take no place of those with one.
    pub without_key: Requests,
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

/// Limits of one kind of requests. A poll that waits for news is not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requests {
    /// Worked on, or waiting for their turn.
    pub all: usize,
    /// The same for one address.
    pub each: usize,
    /// Worked on at once.
    pub working: usize,
    /// Time to wait for one's turn.
    pub patience: Duration,
}

impl Requests {
    /// Worked on are more than the tables can serve at once, and few enough to be served in time. The patience
    /// is well within the grace of the clock, so that a decision that came in time is made before the
    /// clock may end the game, unless the machine itself takes seconds for it.
    pub const STANDARD: Requests =
        Requests { all: 64, each: 48, working: 16, patience: Duration::from_secs(2) };

    pub(crate) fn gate(self) -> Gate {
        Gate::new(Quota::new(self.all, self.each), self.working, self.patience)
    }
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
