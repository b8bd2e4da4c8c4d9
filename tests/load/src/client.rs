//! The crowd's requests: paced, and every answer judged and counted.

use std::sync::{Arc, Mutex, MutexGuard};

use arena_support::{Call, Reply, beginning};
use arena_wire::{Code, Route};
use serde::Deserialize;
use tokio::time::Instant;

use crate::pacer::Pacer;
use crate::tally::Tally;

/// A cheap handle; clones share connections, pace and tally.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    http: arena_support::Client,
    pacer: Pacer,
    epoch: Mutex<Instant>,
    tally: Mutex<Tally>,
    has_outages: bool,
}

/// Fate that a request deserves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// To be granted, unless the game or the clock has moved on.
    Honest,
    /// To be refused: it is wrong on purpose, and granting it is a failure.
    Wrong,
}

/// The parts of a problem that the judge looks at.
#[derive(Deserialize)]
struct ProblemParts {
    status: u16,
    code: Code,
}

impl Client {
    /// A client with so many connections and requests a second. A server with outages may be gone without that
    /// being a failure.
    pub(crate) fn new(url: &str, connections: usize, rate: u32, has_outages: bool) -> Client {
        Client {
            inner: Arc::new(Inner {
                http: arena_support::Client::pooled(url, connections, None),
                pacer: Pacer::new(rate),
                epoch: Mutex::new(Instant::now()),
                tally: Mutex::default(),
                has_outages,
            }),
        }
    }

    pub(crate) fn http(&self) -> &arena_support::Client {
        &self.inner.http
    }

    /// Counts so far, to be held for a moment only.
    pub(crate) fn tally(&self) -> MutexGuard<'_, Tally> {
        self.inner.tally.lock().expect("nobody panics with the tally")
    }

    pub(crate) fn begin(&self) {
        *self.inner.epoch.lock().expect("nobody panics with the time") = Instant::now();
        self.tally().begin();
    }

    pub(crate) async fn send(&self, call: Call) -> Option<Reply> {
        self.inner.pacer.slot().await;
        self.send_now(call).await
    }

    /// Waits for a slot, then sends what is wrong on purpose.
    pub(crate) async fn send_wrong(&self, call: Call) {
        self.inner.pacer.slot().await;
        self.judged(call, Manner::Wrong).await;
    }

    /// Sends without regard to the rate. `None` if there is no answer that could be used: that is a
    /// failure, and counted.
    pub(crate) async fn send_now(&self, call: Call) -> Option<Reply> {
        self.judged(call, Manner::Honest).await
    }

    async fn judged(&self, call: Call, manner: Manner) -> Option<Reply> {
        // The wait for a connection is part of what an agent has to wait.
        let started = Instant::now();
        let route = call.route().expect("the crowd knows its way");
        let reply = match call.try_send().await {
            Ok(reply) => reply,
            Err(error) => {
                let mut tally = self.tally();
                tally.unanswered += 1;
                if !self.inner.has_outages {
                    tally.failure(format!("{call}: {error}"));
                }
                return None;
            }
        };
        let took = started.elapsed();
        let since = *self.inner.epoch.lock().expect("nobody panics with the time");
        let verdict = judge(route, manner, reply.status, &reply.body);
        let mut tally = self.tally();
        let code = verdict.as_ref().ok().copied().flatten();
        tally.answer(route, reply.status, code, took, since.elapsed());
        if let Err(why) = &verdict {
            tally.failure(format!("{call}: {why}"));
        }
        drop(tally);
        (reply.status < 500).then_some(reply)
    }
}

/// Checks that the answer is one that the table of routes documents and that the request deserves; for a refusal,
/// its code.
fn judge(route: &Route, manner: Manner, status: u16, body: &[u8]) -> Result<Option<Code>, String> {
    match (status, manner) {
        (200 | 201, Manner::Wrong) => Err("what is wrong was granted".to_owned()),
        (200, _) if !route.answer.created => Ok(None),
        (201, _) if route.answer.created => Ok(None),
        (304, Manner::Honest) if route.answer.cached => Ok(None),
        (400..=499, _) => refusal(route, manner, status, body).map(Some),
        (status, _) => Err(format!("status {status}: {}", shown(body))),
    }
}

fn refusal(route: &Route, manner: Manner, status: u16, body: &[u8]) -> Result<Code, String> {
    let problem: ProblemParts = serde_json::from_slice(body)
        .map_err(|error| format!("status {status} with no problem: {error}"))?;
    if problem.status != status {
        return Err(format!("status {status} with a problem of {}", problem.status));
    }
    if !route.codes().any(|known| known == problem.code) {
        return Err(format!("{} is not documented here", problem.code.code()));
    }
    // Who plays by the rules may come too late or too often, and nothing else.
    if manner == Manner::Honest && !matches!(status, 409 | 429) {
        return Err(format!("an honest request was refused: {}", shown(body)));
    }
    Ok(problem.code)
}

fn shown(body: &[u8]) -> String {
    beginning(&String::from_utf8_lossy(body), 200).to_owned()
}

#[cfg(test)]
mod tests {
    use arena_wire::Endpoint;

    use super::*;

    #[test]
    fn only_documented_answers_pass() {
        use Endpoint::{Game, Move, Register};
        use Manner::{Honest, Wrong};
        let mismatch = r#"{"status":409,"code":"turn_mismatch"}"#;
        let judged = |endpoint: Endpoint, manner, status, body: &str| {
            judge(endpoint.route(), manner, status, body.as_bytes())
        };
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
