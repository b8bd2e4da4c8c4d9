//! Limits of a search, and the only place that reads the clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Limits of a search. Without a deadline the same search gives the same answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time at which the search stops.
    pub deadline: Option<Instant>,
    /// Number of positions that may be searched.
    pub nodes: u64,
    /// Deepest iteration.
    pub depth: u8,
    /// Size of the transposition table; rounded down to a power of two.
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

/// Counts nodes against the limits; once over, it stays over.
pub(crate) struct Budget<'a> {
    pub(crate) nodes: u64,
    most: u64,
    deadline: Option<Instant>,
    stop: Option<&'a AtomicBool>,
    over: bool,
}

/// Nodes between two readings of the clock: a fraction of a millisecond.
const CLOCK_EVERY: u64 = 32;

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: &Limits, stop: Option<&'a AtomicBool>) -> Budget<'a> {
        Budget { nodes: 0, most: limits.nodes, deadline: limits.deadline, stop, over: false }
    }

    /// Counts a node; true if the search must end.
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
