//! The one line that a run prints, and what makes it fail.

use std::time::Duration;

use serde::Serialize;

use crate::process::{Growth, cpu_time, cpu_wait, hundredths};
use crate::tables::TablesReport;
use crate::tally::Measured;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) ok: bool,
    pub(crate) violations: Vec<String>,
    pub(crate) agents: u32,
    pub(crate) seconds: f64,
    pub(crate) requests_all: u64,
    pub(crate) registration_s: f64,
    pub(crate) decisions: u64,
    pub(crate) measured: Measured,
    /// Answers that were none, or not what they should be, at any time.
    pub(crate) failures: u64,
    pub(crate) failed: Vec<String>,
    pub(crate) server: Option<ServerReport>,
    pub(crate) tables: Option<TablesReport>,
}

/// The server's side of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ServerReport {
    pub(crate) memory: Option<Growth>,
    pub(crate) processor: Option<Processor>,
    pub(crate) complaints: u64,
    pub(crate) stop: Option<String>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Goals {
    pub(crate) rate: u32,
    /// The most that memory may grow, in percent a minute.
    pub(crate) growth_percent: f64,
}

impl Report {
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

/// Processor use of a server.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Processor {
    /// For each request, in microseconds.
    pub(crate) us_per_request: f64,
    pub(crate) cores_busy: f64,
    /// Processors that it would have kept busy besides, had they been free: where this is not small, the machine
    /// was measured and not the server.
    pub(crate) cores_missed: f64,
}

/// Processor time and waiting time of a process so far.
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

    /// Difference to `before`, over a window in which it answered so many requests.
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
