//! The crowd's record: answers by route and status, how long they took, what went wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use arena::{GameId, Tag, TurnNumber};
use arena_wire::{Code, Route};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::process::hundredths;

/// So many failures are kept word for word; all are counted.
const FAILURES_KEPT: usize = 20;

/// The width of the windows in which the rate must hold.
const WINDOW_S: usize = 5;

/// Answers so far. Failures count whenever they happen; how long an answer took, only while it is measured.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Begin of the measurement, as long as it lasts.
    pub(crate) measured_since: Option<Instant>,
    /// By route: how long answers took in microseconds, and their statuses.
    routes: BTreeMap<String, (Vec<u32>, BTreeMap<u16, u64>)>,
    codes: BTreeMap<&'static str, u64>,
    per_second: Vec<u32>,
    /// Every answer, measured or not.
    pub(crate) requests: u64,
    /// Requests without any answer.
    pub(crate) unanswered: u64,
    pub(crate) failures: u64,
    /// The first failures, word for word.
    pub(crate) failed: Vec<String>,
    /// Games seen to end, counted once by each of the two players.
    pub(crate) seats_done: u64,
    pub(crate) granted: Vec<Granted>,
}

/// A decision that was granted: its game, its turn, and the key it was sent with and by whom.
pub(crate) type Granted = (GameId, TurnNumber, Tag);

impl Tally {
    /// Counts an answer that came `at` this time.
    pub(crate) fn answer(
        &mut self,
        route: &Route,
        status: u16,
        code: Option<Code>,
        took: Duration,
        at: Instant,
    ) {
        self.requests += 1;
        let Some(since) = self.measured_since else { return };
        let name = format!("{} {}", route.method.as_str(), route.path);
        let (micros, statuses) = self.routes.entry(name).or_default();
        micros.push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
        *statuses.entry(status).or_default() += 1;
        if let Some(code) = code {
            *self.codes.entry(code.code()).or_default() += 1;
        }
        let second = (at - since).as_secs() as usize;
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

    /// Figures of a window of this length: the rate, that of its slowest five seconds, and the latencies.
    pub(crate) fn measured(&self, window: Duration) -> Value {
        let mut all = Vec::new();
        let mut routes = BTreeMap::new();
        for (name, (micros, statuses)) in &self.routes {
            all.extend_from_slice(micros);
            let mut route = latencies(micros.clone());
            route["statuses"] = json!(statuses);
            routes.insert(name, route);
        }
        let whole = (window.as_secs() as usize).min(self.per_second.len());
        let windows = self.per_second[..whole].chunks_exact(WINDOW_S);
        let least = windows.map(|window| window.iter().sum::<u32>()).min().unwrap_or(0);
        let rate = all.len() as f64 / window.as_secs_f64();
        let mut measured = latencies(all);
        measured["per_second"] = json!(hundredths(rate));
        measured["per_second_least"] = json!(hundredths(f64::from(least) / WINDOW_S as f64));
        measured["routes"] = json!(routes);
        measured["codes"] = json!(self.codes);
        measured
    }
}

fn latencies(micros: Vec<u32>) -> Value {
    let requests = micros.len();
    let [p50_ms, p99_ms, max_ms] = percentiles(micros);
    json!({"requests": requests, "p50_ms": p50_ms, "p99_ms": p99_ms, "max_ms": max_ms})
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
        let begin = Instant::now();
        let answer = |tally: &mut Tally, second: u64, status| {
            let (took, at) = (Duration::from_millis(second), Duration::from_secs(second));
            tally.answer(Endpoint::Move.route(), status, None, took, begin + at);
        };
        answer(&mut tally, 1, 500);
        tally.measured_since = Some(begin);
        for second in 0..10 {
            for _ in 0..=second {
                answer(&mut tally, second, 200);
            }
        }
        tally.measured_since = None;
        answer(&mut tally, 11, 500);
        let measured = tally.measured(Duration::from_secs(10));
        assert_eq!((tally.requests, &measured["requests"]), (57, &json!(55)));
        assert_eq!(
            json!([measured["per_second"], measured["per_second_least"]]),
            json!([5.5, 3.0])
        );
        let route = json!({"requests": 55, "p50_ms": 6.0, "p99_ms": 9.0, "max_ms": 9.0, "statuses": {"200": 55}});
        assert_eq!(measured["routes"]["POST /games/{id}/move"], route);
    }
}
