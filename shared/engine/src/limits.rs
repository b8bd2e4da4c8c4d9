//! How long a search may think, and the one place that looks at a clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What bounds a search. With a node limit and no deadline the same search gives the same answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// When to stop at the latest.
    pub deadline: Option<Instant>,
    /// The most positions to look at.
    pub nodes: u64,
    /// The deepest iteration.
    pub depth: u8,
    /// The size of the transposition table; rounded down to a power of two.
    pub table_bytes: usize,
}

impl Default for Limits {
    /// No deadline, a hundred thousand nodes, a table of 16 MB.
    fn default() -> Limits {
        Limits { deadline: None, nodes: 100_000, depth: 64, table_bytes: 16 << 20 }
    }
}

impl Limits {
    /// The default limits with this many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes, ..Limits::default() }
    }
}

/// Counts nodes against the limits; once it says stop it never says anything else.
pub(crate) struct Budget<'a> {
    pub(crate) nodes: u64,
    most: u64,
    deadline: Option<Instant>,
    stop: Option<&'a AtomicBool>,
    over: bool,
}

/// How many nodes pass between two looks at the clock: a fraction of a millisecond.
const CLOCK_EVERY: u64 = 32;

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: &Limits, stop: Option<&'a AtomicBool>) -> Budget<'a> {
        Budget { nodes: 0, most: limits.nodes, deadline: limits.deadline, stop, over: false }
    }

    /// Counts a node; whether the search must end.
    pub(crate) fn spend(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.most {
            self.over = true;
        } else if self.nodes % CLOCK_EVERY == 1 {
            self.over |= self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
                || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.over
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over
    }
}
