//! The one line that a run prints, and what makes it fail.

use std::time::Duration;

use serde::Serialize;

use crate::memory::{Growth, hundredths};
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
    /// Its processor time for each request, in microseconds.
    pub(crate) cpu_us_per_request: Option<f64>,
    /// How many of the machine's processors it kept busy.
    pub(crate) cores_busy: Option<f64>,
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

/// How much of the processors a server used, for each request and all the time.
pub(crate) fn usage(
    before: Option<Duration>,
    after: Option<Duration>,
    window: Duration,
    requests: u64,
) -> (Option<f64>, Option<f64>) {
    let used = after.zip(before).map(|(after, before)| after.saturating_sub(before).as_secs_f64());
    let each = used.filter(|_| requests > 0).map(|used| hundredths(used * 1e6 / requests as f64));
    (each, used.map(|used| hundredths(used / window.as_secs_f64())))
}
