//! The one line that a run prints, and what makes it fail.

use std::time::Duration;

use serde::Serialize;

use crate::process::{Growth, cpu_time, cpu_wait, hundredths};
use crate::tables::TablesReport;
use crate::tally::Measured;

/// A run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Report {
    /// Whether nothing is wrong.
    pub(crate) ok: bool,
    /// What is wrong, one line each.
    pub(crate) violations: Vec<String>,
    /// How many agents there were.
    pub(crate) agents: u32,
    /// How long it was measured.
    pub(crate) seconds: f64,
    /// How many requests were sent in all, before, during and after.
    pub(crate) requests_all: u64,
    /// How long it took to register all agents.
    pub(crate) registration_s: f64,
    /// How many decisions were granted in all.
    pub(crate) decisions: u64,
    /// What was measured.
    pub(crate) measured: Measured,
    /// How many answers were none, or not what they should be, at any time.
    pub(crate) failures: u64,
    /// The first of them.
    pub(crate) failed: Vec<String>,
    /// The server, if it was ours.
    pub(crate) server: Option<ServerReport>,
    /// Its tables, if they could be opened.
    pub(crate) tables: Option<TablesReport>,
}

/// The server's side of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ServerReport {
    /// Its memory while it was measured.
    pub(crate) memory: Option<Growth>,
    /// What it took of the processors while it was measured.
    pub(crate) processor: Option<Processor>,
    /// How many lines it wrote to standard error.
    pub(crate) complaints: u64,
    /// Why it did not stop well.
    pub(crate) stop: Option<String>,
}

/// What a run must reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goals {
    /// Requests a second.
    pub(crate) rate: u32,
    /// The most that memory may grow, in percent a minute.
    pub(crate) growth_percent: f64,
}

impl Report {
    /// The same with its verdict.
    pub(crate) fn judged(self, goals: Goals, agents_lost: u32) -> Report {
        let mut violations = Vec::new();
        let mut unless = |good: bool, what: String| {
            if !good {
                violations.push(what);
            }
        };
        let rate = self.measured.per_second;
        unless(rate >= f64::from(goals.rate), format!("{rate} requests/s, not {}", goals.rate));
        unless(self.failures == 0, format!("{} failures", self.failures));
        unless(agents_lost == 0, format!("{agents_lost} agents are not done"));
        if let Some(server) = &self.server {
            unless(server.complaints == 0, format!("{} complaints", server.complaints));
            unless(server.stop.is_none(), server.stop.clone().unwrap_or_default());
            if let Some(growth) = server.memory {
                let percent = growth.slope_percent_per_min;
                let flat = percent <= goals.growth_percent;
                unless(flat, format!("memory grows by {percent} % a minute"));
            }
        }
        if let Some(tables) = &self.tables {
            unless(tables.is_clean(), "the tables are not as they should be".to_owned());
        }
        Report { ok: violations.is_empty(), violations, ..self }
    }
}

/// What a server took of the processors.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Processor {
    /// For each request, in microseconds.
    pub(crate) us_per_request: f64,
    /// How many it kept busy.
    pub(crate) cores_busy: f64,
    /// How many more it would have kept busy if others had not: where this is not small, the machine
    /// was measured and not the server.
    pub(crate) cores_missed: f64,
}

/// What a process has had of the processors so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Had {
    time: Duration,
    wait: Duration,
}

impl Had {
    /// `None` where the system does not tell.
    pub(crate) fn by(pid: u32) -> Option<Had> {
        Some(Had { time: cpu_time(pid)?, wait: cpu_wait(pid)? })
    }

    /// What it has had since `before`, in a window in which it answered so many requests.
    pub(crate) fn since(self, before: Had, window: Duration, requests: u64) -> Processor {
        let time = self.time.saturating_sub(before.time).as_secs_f64();
        let wait = self.wait.saturating_sub(before.wait).as_secs_f64();
        Processor {
            us_per_request: hundredths(time * 1e6 / requests.max(1) as f64),
            cores_busy: hundredths(time / window.as_secs_f64()),
            cores_missed: hundredths(wait / window.as_secs_f64()),
        }
    }
}
