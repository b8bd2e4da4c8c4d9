//! What the crowd has seen: answers by route and status, how long they took, what went wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use arena_wire::{Code, Route};
use serde::Serialize;

use crate::process::hundredths;

/// So many failures are kept word for word; all are counted.
const FAILURES_KEPT: usize = 20;

/// The width of the windows in which the rate must hold.
const WINDOW_S: usize = 5;

/// Answers so far. Only those that came between [`Tally::begin`] and [`Tally::end`] are measured;
/// failures count whenever they happen.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    measuring: bool,
    routes: BTreeMap<(&'static str, &'static str), Answers>,
    codes: BTreeMap<&'static str, u64>,
    per_second: Vec<u32>,
    /// Every answer, measured or not.
    pub(crate) requests: u64,
    /// Requests without any answer.
    pub(crate) unanswered: u64,
    pub(crate) failures: u64,
    /// The first failures, word for word.
    pub(crate) failed: Vec<String>,
}

#[derive(Debug, Default)]
struct Answers {
    statuses: BTreeMap<u16, u64>,
    micros: Vec<u32>,
}

/// One route's answers, as reported.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct RouteReport {
    pub(crate) requests: u64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
    pub(crate) statuses: BTreeMap<u16, u64>,
}

/// All that was measured, as reported.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Measured {
    pub(crate) requests: u64,
    pub(crate) per_second: f64,
    /// The rate of the slowest five seconds.
    pub(crate) per_second_least: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
    pub(crate) routes: BTreeMap<String, RouteReport>,
    pub(crate) codes: BTreeMap<&'static str, u64>,
}

impl Tally {
    pub(crate) fn begin(&mut self) {
        self.measuring = true;
    }

    pub(crate) fn end(&mut self) {
        self.measuring = false;
    }

    /// Counts an answer that came `at` so long after the start of the measurement.
    pub(crate) fn answer(
        &mut self,
        route: &'static Route,
        status: u16,
        code: Option<Code>,
        took: Duration,
        at: Duration,
    ) {
        self.requests += 1;
        if !self.measuring {
            return;
        }
        let answers = self.routes.entry((route.method.as_str(), route.path)).or_default();
        *answers.statuses.entry(status).or_default() += 1;
        answers.micros.push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
        if let Some(code) = code {
            *self.codes.entry(code.code()).or_default() += 1;
        }
        let second = at.as_secs() as usize;
        if self.per_second.len() <= second {
            self.per_second.resize(second + 1, 0);
        }
        self.per_second[second] += 1;
    }

    /// Notes something that must not happen.
    pub(crate) fn failure(&mut self, what: String) {
        self.failures += 1;
        if self.failed.len() < FAILURES_KEPT {
            self.failed.push(what);
        }
    }

    /// Figures of a window of this length.
    pub(crate) fn measured(&self, window: Duration) -> Measured {
        let mut all = Vec::new();
        let mut routes = BTreeMap::new();
        for ((method, path), answers) in &self.routes {
            all.extend_from_slice(&answers.micros);
            let [p50_ms, p99_ms, max_ms] = percentiles(answers.micros.clone());
            let (requests, statuses) = (answers.micros.len() as u64, answers.statuses.clone());
            let report = RouteReport { requests, p50_ms, p99_ms, max_ms, statuses };
            routes.insert(format!("{method} {path}"), report);
        }
        let requests = all.len() as u64;
        let [p50_ms, p99_ms, max_ms] = percentiles(all);
        let whole = (window.as_secs() as usize).min(self.per_second.len());
        let windows = self.per_second[..whole].chunks_exact(WINDOW_S);
        let least = windows.map(|window| window.iter().sum::<u32>()).min().unwrap_or(0);
        Measured {
            requests,
            per_second: hundredths(requests as f64 / window.as_secs_f64()),
            per_second_least: hundredths(f64::from(least) / WINDOW_S as f64),
            p50_ms,
            p99_ms,
            max_ms,
            routes,
            codes: self.codes.clone(),
        }
    }
}

/// The median, the 99th percentile and the maximum in milliseconds; of nothing, zeros.
pub(crate) fn percentiles(mut micros: Vec<u32>) -> [f64; 3] {
    micros.sort_unstable();
    [50, 99, 100].map(|percent| {
        let rank = (micros.len() * percent).div_ceil(100).max(1);
        hundredths(f64::from(micros.get(rank - 1).copied().unwrap_or(0)) / 1_000.0)
    })
}

#[cfg(test)]
mod tests {
    use arena_wire::Endpoint;

    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        assert_eq!(
            percentiles((1..=200).map(|n| n * 1_000).rev().collect()),
            [100.0, 198.0, 200.0]
        );
        assert_eq!(percentiles(vec![1_500]), [1.5, 1.5, 1.5]);
        assert_eq!(percentiles(Vec::new()), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn only_the_window_is_measured() {
        let mut tally = Tally::default();
        let route = Endpoint::Move.route();
        let answer = |tally: &mut Tally, second: u64, status| {
            let took = Duration::from_millis(second);
            tally.answer(route, status, None, took, Duration::from_secs(second));
        };
        answer(&mut tally, 1, 500);
        tally.begin();
        for second in 0..10 {
            for _ in 0..=second {
                answer(&mut tally, second, 200);
            }
        }
        tally.end();
        answer(&mut tally, 11, 500);
        let measured = tally.measured(Duration::from_secs(10));
        assert_eq!((tally.requests, measured.requests), (57, 55));
        assert_eq!((measured.per_second, measured.per_second_least), (5.5, 3.0));
        let report = &measured.routes["POST /games/{id}/move"];
        assert_eq!(report.statuses, BTreeMap::from([(200, 55)]));
        assert_eq!((report.p50_ms, report.max_ms), (6.0, 9.0));
    }
}
