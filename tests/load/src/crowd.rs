//! Shared state of all agents: the arena, the pace, and a judge who counts every answer.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use arena_support::{Call, Client, Reply, beginning};
use arena_wire::{Code, Route};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::Arguments;
use crate::tally::Tally;

/// Connections that the crowd shares.
const CONNECTIONS: usize = 64;

#[derive(Debug)]
pub(crate) struct Crowd {
    pub(crate) arguments: Arguments,
    /// The server is killed now and then, which is no failure, and house bots play too.
    pub(crate) is_soak: bool,
    pub(crate) http: Client,
    /// True when the agents are to go home.
    pub(crate) stop: watch::Sender<bool>,
    /// The next request may be sent then.
    slot: Mutex<Instant>,
    tally: Mutex<Tally>,
}

/// Fate that a request deserves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// To be granted, unless the game or the clock has moved on.
    Honest,
    /// To be refused: it is wrong on purpose, and granting it is a failure.
    Wrong,
}

impl Crowd {
    pub(crate) fn new(url: &str, arguments: &Arguments, is_soak: bool) -> Crowd {
        Crowd {
            arguments: arguments.clone(),
            is_soak,
            http: Client::pooled(url, CONNECTIONS, None),
            stop: watch::Sender::new(false),
            slot: Mutex::new(Instant::now()),
            tally: Mutex::default(),
        }
    }

    /// Counts so far, to be held for a moment only.
    pub(crate) fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().expect("nobody panics with the tally")
    }

    pub(crate) async fn send(&self, call: Call) -> Option<Reply> {
        self.slot().await;
        self.send_now(call).await
    }

    /// Waits for a slot, then sends what is wrong on purpose.
    pub(crate) async fn send_wrong(&self, call: Call) {
        self.slot().await;
        self.judged(call, Manner::Wrong).await;
    }

    /// Sends without regard to the rate. `None` if there is no answer that could be used: that is a
    /// failure, and counted.
    pub(crate) async fn send_now(&self, call: Call) -> Option<Reply> {
        self.judged(call, Manner::Honest).await
    }

    /// Reads an answer; one that cannot be read is a failure.
    pub(crate) fn read(&self, reply: &Reply) -> Option<Value> {
        serde_json::from_slice(&reply.body)
            .map_err(|error| self.tally().failure(format!("an answer cannot be read: {error}")))
            .ok()
    }

    /// Waits for the next of evenly spaced slots. Slots that nobody took are lost: a stall is not made up
    /// for by a burst, so the rate that is measured is the rate that was held.
    async fn slot(&self) {
        let Some(gap) = Duration::from_secs(1).checked_div(self.arguments.rate) else { return };
        let slot = {
            let mut next = self.slot.lock().expect("nobody panics with the slot");
            let slot = (*next).max(Instant::now());
            *next = slot + gap;
            slot
        };
        tokio::time::sleep_until(slot).await;
    }

    async fn judged(&self, call: Call, manner: Manner) -> Option<Reply> {
        // The wait for a connection is part of what an agent has to wait.
        let started = Instant::now();
        let route = call.route().expect("the crowd knows its way");
        let answer = call.try_send().await;
        let now = Instant::now();
        let mut tally = self.tally();
        let reply = match answer {
            Ok(reply) => reply,
            Err(error) => {
                tally.unanswered += 1;
                if !self.is_soak {
                    tally.failure(format!("{call}: {error}"));
                }
                return None;
            }
        };
        let verdict = judge(route, manner, reply.status, &reply.body);
        let code = verdict.as_ref().ok().copied().flatten();
        tally.answer(route, reply.status, code, now - started, now);
        if let Err(why) = verdict {
            tally.failure(format!("{call}: {why}"));
        }
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
    #[derive(Deserialize)]
    struct Problem {
        status: u16,
        code: Code,
    }
    let problem: Problem = serde_json::from_slice(body)
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
    use arena_wire::Endpoint::{self, Game, Move, Register};
    use clap::Parser;

    use super::Manner::{Honest, Wrong};
    use super::*;

    #[test]
    fn only_documented_answers_pass() {
        let mismatch = r#"{"status":409,"code":"turn_mismatch"}"#;
        let judged = |endpoint: Endpoint, manner, status, body: &str| {
            judge(endpoint.route(), manner, status, body.as_bytes())
        };
        assert_eq!(judged(Move, Honest, 200, ""), Ok(None));
        assert_eq!(judged(Register, Honest, 201, ""), Ok(None));
        assert_eq!(judged(Game, Honest, 304, ""), Ok(None));
        assert_eq!(judged(Move, Wrong, 409, mismatch), Ok(Some(Code::TurnMismatch)));
        for (manner, status, body) in [
            (Wrong, 200, ""),
            (Honest, 201, ""),
            (Honest, 304, ""),
            (Honest, 500, r#"{"status":500,"code":"internal"}"#),
            (Honest, 503, r#"{"status":503,"code":"busy"}"#),
            (Honest, 400, r#"{"status":400,"code":"malformed"}"#),
            (Wrong, 400, mismatch),
            (Wrong, 409, r#"{"status":409,"code":"name_taken"}"#),
            (Wrong, 409, "conflict"),
            (Wrong, 302, ""),
        ] {
            assert!(judged(Move, manner, status, body).is_err(), "{status} {body}");
        }
    }

    #[tokio::test]
    async fn slots_are_evenly_spaced() {
        let url = "http://127.0.0.1:1";
        let arguments = Arguments::parse_from(["arena-load", "--url", url, "--rate", "1000"]);
        let crowd = Crowd::new(url, &arguments, false);
        let start = Instant::now();
        for _ in 0..50 {
            crowd.slot().await;
        }
        assert!(start.elapsed() >= Duration::from_millis(48));
    }
}
