//! HTTP for a crowd: many agents over a few kept-alive connections, every answer judged and counted.

use std::error::Error;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use arena_wire::{Code, Endpoint, Route};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{self};
use hyper_util::rt::TokioExecutor;
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::pacer::Pacer;
use crate::tally::Tally;

/// A request without an answer for so long has none.
const ANSWER_MAX: Duration = Duration::from_secs(30);

/// A cheap handle; clones share connections, pace and tally.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    http: legacy::Client<HttpConnector, Full<Bytes>>,
    url: String,
    connections: Semaphore,
    pacer: Pacer,
    epoch: Mutex<Instant>,
    tally: Mutex<Tally>,
    has_outages: bool,
}

/// Whether a request should be granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// Yes, unless the game or the clock has moved on.
    Honest,
    /// No: it is wrong on purpose, and granting it is a failure.
    Wrong,
}

/// A request to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Ask<'a> {
    route: &'static Route,
    path: String,
    key: Option<&'a str>,
    body: Bytes,
    kind: &'static str,
    known: Option<&'a str>,
    manner: Manner,
}

impl<'a> Ask<'a> {
    /// A request to an endpoint; `part` stands for the braces of its path.
    pub(crate) fn to(endpoint: Endpoint, part: &str) -> Ask<'a> {
        let route = endpoint.route();
        Ask {
            route,
            path: route.path_with(part),
            key: None,
            body: Bytes::new(),
            kind: "application/json",
            known: None,
            manner: Manner::Honest,
        }
    }

    /// With this API key.
    pub(crate) fn by(self, key: &'a str) -> Ask<'a> {
        Ask { key: Some(key), ..self }
    }

    /// With this body.
    pub(crate) fn with(self, body: impl Into<Bytes>) -> Ask<'a> {
        Ask { body: body.into(), ..self }
    }

    /// With another content type than JSON.
    pub(crate) fn of_kind(self, kind: &'static str) -> Ask<'a> {
        Ask { kind, ..self }
    }

    /// With this query.
    pub(crate) fn asking(self, query: &str) -> Ask<'a> {
        Ask { path: format!("{}?{query}", self.path), ..self }
    }

    /// By somebody who knows the answer with this tag.
    pub(crate) fn knowing(self, tag: Option<&'a str>) -> Ask<'a> {
        Ask { known: tag, ..self }
    }

    /// Wrong on purpose.
    pub(crate) fn wrongly(self) -> Ask<'a> {
        Ask { manner: Manner::Wrong, ..self }
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// The HTTP status.
    pub(crate) status: u16,
    /// The body.
    pub(crate) body: Bytes,
    /// The tag, if the answer has one.
    pub(crate) tag: Option<String>,
    /// When to come again, if the answer says.
    pub(crate) again_ms: Option<i64>,
    /// Whether the answer had been given before.
    pub(crate) replayed: bool,
}

impl Reply {
    /// Whether the request was granted.
    pub(crate) fn is_ok(&self) -> bool {
        matches!(self.status, 200 | 201)
    }
}

/// The parts of a problem that the judge looks at.
#[derive(Deserialize)]
struct ProblemParts {
    status: u16,
    code: Code,
}

impl Client {
    /// A crowd's client with so many connections and requests a second.
    pub(crate) fn new(url: &str, connections: usize, rate: u32) -> Client {
        Client::from_address(None, url, connections, rate)
    }

    /// The same, from an address of this machine.
    pub(crate) fn from_address(
        address: Option<IpAddr>,
        url: &str,
        connections: usize,
        rate: u32,
    ) -> Client {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        connector.set_local_address(address);
        let http = legacy::Client::builder(TokioExecutor::new())
            .pool_max_idle_per_host(connections)
            .build(connector);
        Client {
            inner: Arc::new(Inner {
                http,
                url: url.trim_end_matches('/').to_owned(),
                connections: Semaphore::new(connections),
                pacer: Pacer::new(rate),
                epoch: Mutex::new(Instant::now()),
                tally: Mutex::default(),
                has_outages: false,
            }),
        }
    }

    /// The same for a server that is sometimes gone, which is no failure then.
    pub(crate) fn through_outages(self) -> Client {
        let inner = Arc::try_unwrap(self.inner).expect("nobody has the client yet");
        Client { inner: Arc::new(Inner { has_outages: true, ..inner }) }
    }

    /// What has been seen so far. To be held for a moment only.
    pub(crate) fn tally(&self) -> MutexGuard<'_, Tally> {
        // A poisoned lock holds numbers only: they are as good as any.
        self.inner.tally.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Starts to measure.
    pub(crate) fn begin(&self) {
        *self.inner.epoch.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Instant::now();
        self.tally().begin();
    }

    /// Waits for a slot, then sends.
    pub(crate) async fn send(&self, ask: Ask<'_>) -> Option<Reply> {
        self.inner.pacer.slot().await;
        self.send_now(ask).await
    }

    /// Sends without regard to the rate. `None` if there is no answer that could be used: that is a
    /// failure, and counted.
    pub(crate) async fn send_now(&self, ask: Ask<'_>) -> Option<Reply> {
        // The wait for a connection is part of what an agent has to wait.
        let started = Instant::now();
        let route = ask.route;
        let manner = ask.manner;
        let what = format!("{} {}", route.method.as_str(), ask.path);
        let reply = match self.ask(ask).await {
            Ok(reply) => reply,
            Err(error) => {
                let mut tally = self.tally();
                tally.unanswered += 1;
                if !self.inner.has_outages {
                    tally.failure(format!("{what}: {error}"));
                }
                return None;
            }
        };
        let took = started.elapsed();
        let since = *self.inner.epoch.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let verdict = judge(route, manner, &reply);
        let mut tally = self.tally();
        let code = verdict.as_ref().ok().copied().flatten();
        tally.answer(route, reply.status, code, took, since.elapsed());
        if let Err(why) = &verdict {
            tally.failure(format!("{what}: {why}"));
        }
        drop(tally);
        (reply.status < 500).then_some(reply)
    }

    /// Sends without regard to the rate, and neither judges nor counts the answer.
    pub(crate) async fn ask(&self, ask: Ask<'_>) -> Result<Reply, String> {
        match tokio::time::timeout(ANSWER_MAX, self.exchange(ask)).await {
            Ok(reply) => reply.map_err(|error| error.to_string()),
            Err(_) => Err(format!("no answer in {} s", ANSWER_MAX.as_secs())),
        }
    }

    async fn exchange(&self, ask: Ask<'_>) -> Result<Reply, Box<dyn Error + Send + Sync>> {
        let _connection = self.inner.connections.acquire().await?;
        let mut request = hyper::Request::builder()
            .method(ask.route.method.as_str())
            .uri(format!("{}{}", self.inner.url, ask.path));
        if let Some(key) = ask.key {
            request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
        }
        if let Some(tag) = ask.known {
            request = request.header(header::IF_NONE_MATCH, tag);
        }
        if !ask.body.is_empty() {
            request = request.header(header::CONTENT_TYPE, ask.kind);
        }
        let response = self.inner.http.request(request.body(Full::new(ask.body))?).await?;
        let (parts, body) = response.into_parts();
        let text = |name| text(&parts.headers, name);
        let seconds: Option<i64> = text("retry-after").and_then(|seconds| seconds.parse().ok());
        Ok(Reply {
            status: parts.status.as_u16(),
            body: body.collect().await?.to_bytes(),
            tag: text("etag").map(str::to_owned),
            again_ms: seconds.map(|seconds| seconds * 1_000),
            replayed: text("idempotency-replayed") == Some("true"),
        })
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// Whether the answer is one that the table of routes documents and that the request deserves; for
/// a refusal, its code.
fn judge(route: &Route, manner: Manner, reply: &Reply) -> Result<Option<Code>, String> {
    match (reply.status, manner) {
        (200 | 201, Manner::Wrong) => Err("what is wrong was granted".to_owned()),
        (200, _) if !route.answer.created => Ok(None),
        (201, _) if route.answer.created => Ok(None),
        (304, Manner::Honest) if route.answer.cached => Ok(None),
        (400..=499, _) => refusal(route, manner, reply).map(Some),
        (status, _) => Err(format!("status {status}: {}", shown(&reply.body))),
    }
}

fn refusal(route: &Route, manner: Manner, reply: &Reply) -> Result<Code, String> {
    let problem: ProblemParts = serde_json::from_slice(&reply.body)
        .map_err(|error| format!("status {} with no problem: {error}", reply.status))?;
    let code = problem.code.code();
    if problem.status != reply.status {
        return Err(format!("status {} with a problem of {}", reply.status, problem.status));
    }
    if !route.codes().any(|known| known == problem.code) {
        return Err(format!("{code} is not documented here"));
    }
    // Who plays by the rules may come too late or too often, and nothing else.
    if manner == Manner::Honest && !matches!(reply.status, 409 | 429) {
        return Err(format!("an honest request was refused: {}", shown(&reply.body)));
    }
    Ok(problem.code)
}

fn shown(body: &[u8]) -> String {
    String::from_utf8_lossy(body).chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(
        endpoint: Endpoint,
        manner: Manner,
        status: u16,
        body: &str,
    ) -> Result<Option<Code>, String> {
        let body = Bytes::copy_from_slice(body.as_bytes());
        let reply = Reply { status, body, tag: None, again_ms: None, replayed: false };
        judge(endpoint.route(), manner, &reply)
    }

    #[test]
    fn only_documented_answers_pass() {
        use Endpoint::{Game, Move, Register};
        use Manner::{Honest, Wrong};
        let mismatch = r#"{"status":409,"code":"turn_mismatch"}"#;
        assert_eq!(judged(Move, Honest, 200, ""), Ok(None));
        assert_eq!(judged(Register, Honest, 201, ""), Ok(None));
        assert_eq!(judged(Game, Honest, 304, ""), Ok(None));
        assert_eq!(judged(Move, Wrong, 409, mismatch), Ok(Some(Code::TurnMismatch)));
        for (endpoint, manner, status, body) in [
            (Move, Wrong, 200, ""),
            (Move, Honest, 201, ""),
            (Move, Honest, 304, ""),
            (Move, Honest, 500, r#"{"status":500,"code":"internal"}"#),
            (Move, Honest, 503, r#"{"status":503,"code":"busy"}"#),
            (Move, Honest, 400, r#"{"status":400,"code":"malformed"}"#),
            (Move, Wrong, 400, mismatch),
            (Move, Wrong, 409, r#"{"status":409,"code":"name_taken"}"#),
            (Move, Wrong, 409, "conflict"),
            (Move, Wrong, 302, ""),
        ] {
            assert!(
                judged(endpoint, manner, status, body).is_err(),
                "{endpoint:?} {status} {body}"
            );
        }
    }
}
