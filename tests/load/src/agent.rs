//! One agent of the crowd: joins, polls by the server's hints, plays, resigns, joins again.

use std::sync::Arc;
use std::time::Duration;

use arena::{AgentName, Tag, TurnNumber};
use arena_support::{Agent as Caller, Call, Random, Reply, resign};
use serde_json::{Value, json};

use crate::crowd::Crowd;
use crate::decision::Decision;

/// Most play the first; the rest are spread over the others.
const RULESETS: [&str; 10] = [
    "renju_taraguchi10_international",
    "renju_taraguchi10_rif",
    "renju_soosorv8",
    "renju_soosorv8_rif",
    "renju_free",
    "gomoku_exact5",
    "gomoku_freestyle",
    "gomoku_swap2_exact5",
    "gomoku_swap2",
    "gomoku_capture",
];
const FIRST_RULESET_PERCENT: u8 = 70;

/// Part of the joins that ask for a house bot where they are accepted, and the number of levels asked for.
const HOUSE_PERCENT: u8 = 60;
const HOUSE_LEVELS: usize = 5;

/// Chance that an agent forgets everything between two polls.
const RESTART_PERCENT: u8 = 1;

/// The turn at which an agent resigns, at the earliest and at the latest.
const PATIENCE: (usize, usize) = (6, 40);

/// Part of the decisions with which an agent does something wrong on purpose.
const MISCHIEF_PERCENT: u8 = 15;

/// The server's hints when to poll are multiplied by this: the crowd is impatient.
const HINTS: f64 = 0.5;

/// The pause after an answer that cannot be used.
const PAUSE_MS: i64 = 1_000;

/// Attempts to be done when the crowd stops.
const FAREWELLS_MAX: usize = 40;

#[derive(Debug)]
pub(crate) struct Agent {
    pub(crate) crowd: Arc<Crowd>,
    pub(crate) caller: Caller,
    pub(crate) random: Random,
    name: AgentName,
    joins: u32,
    /// The last request for a game got no answer: it may be waiting or playing already.
    is_unsure: bool,
}

impl Agent {
    /// Registers an agent; `None` if it was refused, which is counted.
    pub(crate) async fn register(
        crowd: Arc<Crowd>,
        name: AgentName,
        random: Random,
    ) -> Option<Agent> {
        let body = json!({"name": name.as_str(), "bio": "one of a crowd"});
        let call = crowd.http.post("/agents/register").json(&body);
        let view = crowd.read(&crowd.send_now(call).await?)?;
        let caller = Caller::with_key(&crowd.http, name.as_str(), view["api_key"].as_str()?);
        Some(Agent { crowd, caller, random, name, joins: 0, is_unsure: false })
    }

    /// Plays until the crowd stops; then gives up what it is doing. True if it is neither waiting nor
    /// playing in the end.
    pub(crate) async fn live(mut self) -> bool {
        while !self.is_stopping() {
            if let Some(game) = self.find_game().await {
                self.play(&game).await;
            }
        }
        self.give_up().await
    }

    fn is_stopping(&self) -> bool {
        *self.crowd.stop.borrow()
    }

    /// Waits as long as the server says, or until the crowd stops.
    async fn wait(&self, hint_ms: i64) {
        let ms = (hint_ms.max(0) as f64 * HINTS) as u64;
        if ms > 0 {
            let mut stop = self.crowd.stop.subscribe();
            let stopped = stop.wait_for(|stop| *stop);
            // Whichever comes first, the caller looks at the flag.
            let _ = tokio::time::timeout(Duration::from_millis(ms), stopped).await;
        }
    }

    /// Joins and waits for an opponent; `None` if that must be tried again.
    async fn find_game(&mut self) -> Option<String> {
        let mut call = if self.is_unsure { self.caller.get("/queue") } else { self.join_request() };
        while !self.is_stopping() {
            let reply = self.crowd.send(call.clone()).await;
            let Some(reply) = reply.filter(|reply| reply.is_ok() || reply.status == 429) else {
                self.is_unsure = true;
                self.wait(PAUSE_MS).await;
                return None;
            };
            if !reply.is_ok() {
                self.wait(reply.again_ms().unwrap_or(PAUSE_MS)).await;
                return None;
            }
            let view = self.crowd.read(&reply)?;
            self.is_unsure = false;
            match (view["status"].as_str(), view["active_game"].as_str()) {
                (Some("playing"), Some(game)) => return Some(game.to_owned()),
                (Some("queued"), _) => self.wait(hint_ms(&view)).await,
                _ => return None,
            }
            // Some joins are repeated in place of a look; joining twice is joining once.
            if !self.random.percent(5) {
                call = self.caller.get("/queue");
            }
        }
        None
    }

    fn join_request(&mut self) -> Call {
        self.joins += 1;
        let ruleset = if self.random.percent(FIRST_RULESET_PERCENT) {
            RULESETS[0]
        } else {
            RULESETS[1 + self.random.below(RULESETS.len() - 1)]
        };
        let key = format!("join-{}", self.joins);
        let mut body = json!({"ruleset": ruleset, "pool": "fast", "idempotency_key": key});
        if self.crowd.is_soak && self.random.percent(HOUSE_PERCENT) {
            body["house"] = json!(self.random.below(HOUSE_LEVELS));
        }
        self.caller.post("/queue/join").json(&body)
    }

    async fn play(&mut self, game: &str) {
        let (earliest, latest) = PATIENCE;
        let patience = (earliest + self.random.below(latest - earliest + 1)) as u32;
        let mut known: Option<String> = None;
        while !self.is_stopping() {
            if self.random.percent(RESTART_PERCENT) {
                known = None;
                if !self.is_playing(game).await {
                    break;
                }
            }
            let mut look = self.caller.get(&format!("/games/{game}"));
            if let Some(tag) = &known {
                look = look.header("if-none-match", tag);
            }
            let Some(reply) = self.crowd.send(look).await else {
                self.wait(PAUSE_MS).await;
                continue;
            };
            known = reply.header("etag").map(str::to_owned).or(known);
            let view = if reply.status == 200 { self.crowd.read(&reply) } else { None };
            let Some(view) = view else {
                self.wait(reply.again_ms().unwrap_or(PAUSE_MS)).await;
                continue;
            };
            if view["status"] == "over" {
                break;
            }
            let hint_ms = match Decision::choose(&view, game, &mut self.random) {
                Some(decision) if decision.turn >= patience => {
                    self.resign(game).await;
                    break;
                }
                Some(decision) => self.decide(&decision).await,
                None => hint_ms(&view),
            };
            self.wait(hint_ms).await;
        }
        if !self.is_stopping() {
            self.crowd.tally().seats_done += 1;
        }
    }

    /// Asks what a restarted agent asks first.
    async fn is_playing(&self, game: &str) -> bool {
        match self.crowd.send(self.caller.get("/agents/me")).await {
            Some(reply) if reply.is_ok() => {
                self.crowd.read(&reply).is_some_and(|me| me["active_game"] == game)
            }
            _ => true,
        }
    }

    /// Sends a decision, with or without mischief, and says when to look again.
    async fn decide(&mut self, decision: &Decision) -> i64 {
        let is_mischief = self.random.percent(MISCHIEF_PERCENT);
        let mischief = is_mischief.then(|| self.random.below(3));
        if mischief == Some(0) {
            self.err_before(decision).await;
        }
        let reply = match mischief {
            Some(1) => self.send_twice(decision).await,
            _ => self.crowd.send(self.call(decision)).await,
        };
        let Some(reply) = reply.filter(Reply::is_ok) else { return 0 };
        if mischief == Some(2) {
            self.err_after(decision, &reply).await;
        }
        let Some(view) = self.crowd.read(&reply) else { return PAUSE_MS };
        let Decision { game, turn, .. } = decision;
        if view["turn_number"] != turn + 1 {
            let after = &view["turn_number"];
            self.crowd.tally().failure(format!("game {game}: from turn {turn} to {after}"));
        }
        self.grant(game, *turn, &decision.key);
        hint_ms(&view)
    }

    pub(crate) fn call(&self, decision: &Decision) -> Call {
        self.caller.post(&decision.path).json(&decision.body)
    }

    /// Resigns; true if the game is over now.
    async fn resign(&self, game: &str) -> bool {
        let key = format!("{game}-resign");
        let call = self.caller.act_with(game, 0, resign(), &key);
        let Some(reply) = self.crowd.send(call).await else { return false };
        if !reply.is_ok() {
            // It is over, or about to be: the clock has the last word on an overdue turn.
            return false;
        }
        let Some(view) = self.crowd.read(&reply) else { return false };
        match view["turn_number"].as_u64().filter(|_| view["status"] == "over") {
            Some(turn) if turn > 0 => self.grant(game, turn as u32 - 1, &key),
            _ => self.crowd.tally().failure(format!("game {game}: resigned but not over")),
        }
        true
    }

    /// Notes a decision that the arena has granted: it must be in the log for ever.
    fn grant(&self, game: &str, turn: u32, key: &str) {
        let mut tally = self.crowd.tally();
        match game.parse() {
            Ok(id) => tally.granted.push((id, TurnNumber(turn), Tag::of(&self.name, key))),
            Err(_) => tally.failure(format!("{game:?} is no game's id")),
        }
    }

    /// Leaves the queue, or resigns the game that came of it; true if that was done.
    async fn give_up(&self) -> bool {
        for _ in 0..FAREWELLS_MAX {
            let reply = self.crowd.send(self.caller.post("/queue/leave")).await;
            let view = reply.filter(Reply::is_ok).and_then(|reply| self.crowd.read(&reply));
            let view = view.unwrap_or_default();
            if view["status"] == "idle" {
                return true;
            }
            match view["active_game"].as_str() {
                Some(game) if self.resign(game).await => {}
                _ => tokio::time::sleep(Duration::from_millis(PAUSE_MS as u64)).await,
            }
        }
        false
    }
}

/// Time until the next look, as the server says.
fn hint_ms(view: &Value) -> i64 {
    view["poll_after_ms"].as_i64().unwrap_or(PAUSE_MS)
}
