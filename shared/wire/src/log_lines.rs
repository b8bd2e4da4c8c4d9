//! Lines of the log: one JSON object each, for people who search and for CloudWatch, which reads the
//! metrics out of the same line (Embedded Metric Format).
//!
//! A line can hold nothing but what these types hold: there is no field for a key, a body or an
//! idempotency key.
#![allow(missing_docs, reason = "plain data")]

use arena::{AgentName, GameId, Timestamp, TurnNumber};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::problem::Code;
use crate::route::Method;
use crate::time::TimeView;

/// CloudWatch namespace of the metrics.
pub const METRICS_NAMESPACE: &str = "RenjuArena";

/// The most values of one metric that CloudWatch takes from a line.
const VALUES_MAX: usize = 100;

/// Facts noted while a request or a message was handled.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Noted {
    /// Owner of the key, once the key was verified.
    pub agent: Option<AgentName>,
    pub game: Option<GameId>,
    /// The turn of the decision, or of the game when it was read.
    pub turn: Option<TurnNumber>,
    /// Delay of each game that the clock ended, from its deadline.
    pub deadline_lag_ms: Vec<i64>,
    pub matches: u32,
    /// Time in the queue of each agent that was seated.
    pub queue_wait_ms: Vec<i64>,
    /// Number of stored items skipped because they cannot be read.
    pub unreadable: u32,
}

/// Fields at the start of every line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Origin<'a> {
    pub at: Timestamp,
    /// The function's name in the deployment: the dimension of every metric.
    pub function: &'a str,
    pub request_id: Option<&'a str>,
    pub trace_id: Option<&'a str>,
    pub micros: u64,
}

/// A request and its reply.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RequestLine<'a> {
    pub origin: Origin<'a>,
    pub method: Option<Method>,
    /// The path in the table of routes; never the path that was sent.
    pub route: Option<&'static str>,
    pub status: u16,
    pub code: Option<Code>,
    /// Number of requests like this that the line stands for; written if it is not 1.
    pub one_in: u32,
    pub noted: &'a Noted,
}

/// A message to the referee and its outcome.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MessageLine<'a> {
    pub origin: Origin<'a>,
    /// First word of the message's text.
    pub message: &'static str,
    /// False if the message will be delivered again.
    pub done: bool,
    pub noted: &'a Noted,
}

impl Serialize for RequestLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_map(None)?;
        // A fault is logged as an error on a line of its own.
        self.origin.write(&mut line, if self.status < 500 { "info" } else { "warn" })?;
        entry(&mut line, "method", self.method.map(Method::as_str))?;
        entry(&mut line, "route", self.route)?;
        line.serialize_entry("status", &self.status)?;
        entry(&mut line, "code", self.code)?;
        entry(&mut line, "one_in", Some(self.one_in).filter(|&count| count > 1))?;
        self.noted.end(line, self.origin.at, self.code.is_some())
    }
}

impl Serialize for MessageLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_map(None)?;
        self.origin.write(&mut line, "info")?;
        line.serialize_entry("message", self.message)?;
        line.serialize_entry("done", &self.done)?;
        self.noted.end(line, self.origin.at, false)
    }
}

impl Origin<'_> {
    fn write<M: SerializeMap>(&self, line: &mut M, level: &str) -> Result<(), M::Error> {
        line.serialize_entry("timestamp", &TimeView(self.at))?;
        line.serialize_entry("level", level)?;
        line.serialize_entry("function", self.function)?;
        entry(line, "request_id", self.request_id)?;
        entry(line, "trace_id", self.trace_id)?;
        line.serialize_entry("ms", &(self.micros as f64 / 1_000.0))
    }
}

impl Noted {
    /// True if the line of a request has metrics even if it succeeds.
    pub fn has_metrics(&self) -> bool {
        !self.metrics().is_empty()
    }

    /// Writes the facts, the metrics and, if there are any, the directives for CloudWatch.
    /// Lambda counts the calls.
    fn end<M: SerializeMap>(
        &self,
        mut line: M,
        at: Timestamp,
        is_rejection: bool,
    ) -> Result<M::Ok, M::Error> {
        entry(&mut line, "agent", self.agent.as_ref().map(AgentName::as_str))?;
        entry(&mut line, "game", self.game.map(|id| id.to_string()))?;
        entry(&mut line, "turn", self.turn.map(|turn| turn.0))?;
        let noted = self.metrics();
        let rejections = is_rejection.then(|| Metric::count("rejections", 1));
        for metric in noted.iter().chain(&rejections) {
            line.serialize_entry(metric.name, &metric.value)?;
        }
        let noted = Some(noted).filter(|noted| !noted.is_empty());
        let mut metrics: Vec<Directive> =
            noted.map(|noted| Directive::new(&[&["function"]], noted)).into_iter().collect();
        metrics.extend(rejections.map(|one| Directive::new(&[&["function", "code"]], vec![one])));
        if !metrics.is_empty() {
            line.serialize_entry("_aws", &Metadata { timestamp: at.ms(), metrics })?;
        }
        line.end()
    }

    fn metrics(&self) -> Vec<Metric> {
        let mut metrics = Vec::new();
        if !self.deadline_lag_ms.is_empty() {
            metrics.push(Metric::milliseconds("deadline_lag_ms", &self.deadline_lag_ms));
        }
        if !self.queue_wait_ms.is_empty() {
            metrics.push(Metric::count("matches", self.matches));
            metrics.push(Metric::milliseconds("queue_wait_ms", &self.queue_wait_ms));
        }
        if self.unreadable > 0 {
            metrics.push(Metric::count("unreadable", self.unreadable));
        }
        metrics
    }
}

fn entry<M: SerializeMap, T: Serialize>(
    line: &mut M,
    name: &'static str,
    value: Option<T>,
) -> Result<(), M::Error> {
    match value {
        Some(value) => line.serialize_entry(name, &value),
        None => Ok(()),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metadata {
    timestamp: i64,
    #[serde(rename = "CloudWatchMetrics")]
    metrics: Vec<Directive>,
}

/// Names of the fields that are metrics, and their dimensions.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Directive {
    namespace: &'static str,
    dimensions: &'static [&'static [&'static str]],
    metrics: Vec<Metric>,
}

impl Directive {
    fn new(dimensions: &'static [&'static [&'static str]], metrics: Vec<Metric>) -> Directive {
        Directive { namespace: METRICS_NAMESPACE, dimensions, metrics }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metric {
    name: &'static str,
    unit: &'static str,
    #[serde(skip)]
    value: Value,
}

impl Metric {
    fn count(name: &'static str, count: u32) -> Metric {
        Metric { name, unit: "Count", value: count.into() }
    }

    /// At most [`VALUES_MAX`] of the values, evenly spaced.
    fn milliseconds(name: &'static str, values: &[i64]) -> Metric {
        let sample = values.iter().copied().step_by(values.len().div_ceil(VALUES_MAX).max(1));
        Metric { name, unit: "Milliseconds", value: sample.collect() }
    }
}

/// Something that failed on our side, with all its causes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FaultLine {
    /// Always `error`.
    pub level: &'static str,
    /// The error and its causes, outermost first.
    pub fault: Vec<String>,
}

/// Something worth knowing that is nobody's fault.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NoticeLine<'a> {
    /// Always `notice`.
    pub level: &'static str,
    pub what: &'a str,
    pub detail: &'a str,
}
