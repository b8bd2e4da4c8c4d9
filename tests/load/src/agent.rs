//! One agent of the crowd: joins, polls by the server's hints, plays, resigns, joins again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arena::{AgentName, GameId, Tag, TurnNumber};
use arena_support::{Agent as Caller, Call, Random, Reply, resign};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::Arguments;
use crate::client::Client;
use crate::decision::Decision;
use crate::mischief::Culprit;

/// Most play the first; the rest are spread over the others.
const RULESETS: [&str; 9] = [
    "renju_taraguchi10_international",
    "renju_taraguchi10_rif",
    "renju_soosorv8",
    "renju_soosorv8_rif",
    "renju_free",
    "gomoku_exact5",
    "gomoku_freestyle",
    "gomoku_swap2",
    "gomoku_capture",
];
const FIRST_RULESET_PERCENT: u8 = 70;

/// Part of the joins that ask for a house bot where they are accepted, and the number of levels asked for.
const HOUSE_PERCENT: u8 = 60;
const HOUSE_LEVELS: usize = 5;

/// Chance that an agent forgets everything between two polls.
const RESTART_PERCENT: u8 = 1;

/// The earliest turn at which an agent resigns.
const PATIENCE_MIN: usize = 6;

/// The pause after an answer that cannot be used.
const PAUSE_MS: i64 = 1_000;

/// Attempts to be done when the crowd stops.
const FAREWELLS_MAX: usize = 40;

/// State that all agents share.
#[derive(Debug)]
pub(crate) struct Crowd {
    pub(crate) client: Client,
    /// Factor for the server's hints.
    pub(crate) hints: f64,
    pub(crate) patience: usize,
    /// Decisions in a hundred with which somebody does something wrong on purpose.
    pub(crate) mischief: u8,
    /// Games seen to end, counted once by each of the two players.
    pub(crate) seats_done: AtomicU64,
    pub(crate) decisions: AtomicU64,
    opponents: Play,
}

/// Opponents that a crowd accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Play {
    Together,
    /// House bots more often than each other.
    WithHouse,
}

impl Crowd {
    pub(crate) fn new(client: Client, arguments: &Arguments, opponents: Play) -> Crowd {
        Crowd {
            client,
            hints: arguments.hints,
            patience: arguments.patience as usize,
            mischief: arguments.mischief,
            seats_done: AtomicU64::new(0),
            decisions: AtomicU64::new(0),
            opponents,
        }
    }
}

/// A decision that the arena has granted: it must be in the log for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Granted {
    pub(crate) game: GameId,
    pub(crate) turn: TurnNumber,
    /// The key it was sent with, and by whom.
    pub(crate) tag: Tag,
}

/// Results of an agent.
#[derive(Debug, Default)]
pub(crate) struct Legacy {
    pub(crate) granted: Vec<Granted>,
    /// Neither waiting nor playing.
    pub(crate) done: bool,
}

#[derive(Debug)]
pub(crate) struct Agent {
    crowd: Arc<Crowd>,
    name: AgentName,
    caller: Caller,
    random: Random,
    stop: watch::Receiver<bool>,
    joins: u32,
    /// The last request for a game got no answer: it may be waiting or playing already.
    is_unsure: bool,
    legacy: Legacy,
}

/// Next thing to do about a game.
enum Step {
    Wait(i64),
    Decide(Decision),
    Over,
}

impl Agent {
    /// Registers an agent; `None` if it was refused, which is counted.
    pub(crate) async fn register(
        crowd: Arc<Crowd>,
        name: AgentName,
        random: Random,
        stop: watch::Receiver<bool>,
    ) -> Option<Agent> {
        let body = json!({"name": name.as_str(), "bio": "one of a crowd"});
        let call = crowd.client.http().post("/agents/register").json(&body);
        let view = read(&crowd.client, &crowd.client.send_now(call).await?)?;
        let key = view["api_key"].as_str()?;
        let caller = Caller::with_key(crowd.client.http(), name.as_str(), key);
        let legacy = Legacy::default();
        Some(Agent { crowd, name, caller, random, stop, joins: 0, is_unsure: false, legacy })
    }

    /// Plays until the crowd stops; then gives up what it is doing.
    pub(crate) async fn live(mut self) -> Legacy {
        while !self.is_stopping() {
            if let Some(game) = self.find_game().await {
                self.play(&game).await;
            }
        }
        self.give_up().await;
        self.legacy
    }

    fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Waits as long as the server says, or until the crowd stops.
    async fn wait(&mut self, hint_ms: i64) {
        let ms = (hint_ms.max(0) as f64 * self.crowd.hints) as u64;
        if ms > 0 {
            let stopped = self.stop.wait_for(|stop| *stop);
            // Whichever comes first, the caller looks at the flag.
            let _ = tokio::time::timeout(Duration::from_millis(ms), stopped).await;
        }
    }

    /// Joins and waits for an opponent; `None` if that must be tried again.
    async fn find_game(&mut self) -> Option<String> {
        let mut call = if self.is_unsure { self.caller.get("/queue") } else { self.join_request() };
        while !self.is_stopping() {
            let client = self.crowd.client.clone();
            let reply = client.send(call.clone()).await;
            let Some(reply) = reply.filter(|reply| reply.is_ok() || reply.status == 429) else {
                self.is_unsure = true;
                self.wait(PAUSE_MS).await;
                return None;
            };
            if !reply.is_ok() {
                self.wait(reply.again_ms().unwrap_or(PAUSE_MS)).await;
                return None;
            }
            let view = read(&client, &reply)?;
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
        if self.crowd.opponents == Play::WithHouse && self.random.percent(HOUSE_PERCENT) {
            body["house"] = json!(self.random.below(HOUSE_LEVELS));
        }
        self.caller.post("/queue/join").json(&body)
    }

    async fn play(&mut self, game: &str) {
        let reach = self.crowd.patience.saturating_sub(PATIENCE_MIN) + 1;
        let patience = (PATIENCE_MIN + self.random.below(reach)) as u32;
        let mut known: Option<String> = None;
        while !self.is_stopping() {
            if self.random.percent(RESTART_PERCENT) {
                known = None;
                if !self.is_playing(game).await {
                    break;
                }
            }
            let look = self.caller.get(&format!("/games/{game}"));
            let look = match &known {
                Some(tag) => look.header("if-none-match", tag),
                None => look,
            };
            let Some(reply) = self.crowd.client.send(look).await else {
                self.wait(PAUSE_MS).await;
                continue;
            };
            let step = match reply.status {
                200 => self.step(game, &reply),
                _ => Step::Wait(reply.again_ms().unwrap_or(PAUSE_MS)),
            };
            known = reply.header("etag").map(str::to_owned).or(known);
            match step {
                Step::Wait(hint_ms) => self.wait(hint_ms).await,
                Step::Decide(decision) if decision.turn >= patience => {
                    self.resign(game).await;
                    break;
                }
                Step::Decide(decision) => {
                    let hint_ms = self.decide(game, &decision).await;
                    self.wait(hint_ms).await;
                }
                Step::Over => break,
            }
        }
        if !self.is_stopping() {
            self.crowd.seats_done.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Asks what a restarted agent asks first.
    async fn is_playing(&self, game: &str) -> bool {
        match self.crowd.client.send(self.caller.get("/agents/me")).await {
            Some(reply) if reply.is_ok() => {
                read(&self.crowd.client, &reply).is_some_and(|me| me["active_game"] == game)
            }
            _ => true,
        }
    }

    fn step(&mut self, game: &str, reply: &Reply) -> Step {
        let Some(view) = read(&self.crowd.client, reply) else { return Step::Wait(PAUSE_MS) };
        if view["status"] == "over" {
            return Step::Over;
        }
        match Decision::choose(&view, game, &mut self.random) {
            Some(decision) => Step::Decide(decision),
            None => Step::Wait(hint_ms(&view)),
        }
    }

    /// Sends a decision, with or without mischief, and says when to look again.
    async fn decide(&mut self, game: &str, decision: &Decision) -> i64 {
        let client = self.crowd.client.clone();
        let caller = self.caller.clone();
        let culprit = Culprit { client: &client, agent: &caller, game };
        let mischief = self.random.percent(self.crowd.mischief).then(|| self.random.below(3));
        if mischief == Some(0) {
            culprit.before(decision, &mut self.random).await;
        }
        let reply = if mischief == Some(1) {
            culprit.twice(decision).await
        } else {
            client.send(caller.post(&decision.path).json(&decision.body())).await
        };
        let Some(reply) = reply.filter(Reply::is_ok) else { return 0 };
        if mischief == Some(2) {
            culprit.after(decision, &reply, &mut self.random).await;
        }
        let Some(view) = read(&client, &reply) else { return PAUSE_MS };
        if view["turn_number"] != decision.turn + 1 {
            let (before, after) = (decision.turn, &view["turn_number"]);
            client.tally().failure(format!("game {game}: from turn {before} to {after}"));
        }
        self.grant(game, decision.turn, &decision.key);
        hint_ms(&view)
    }

    /// Resigns; true if the game is over now.
    async fn resign(&mut self, game: &str) -> bool {
        let key = format!("{game}-resign");
        let call = self.caller.act_with(game, 0, resign(), &key);
        let Some(reply) = self.crowd.client.send(call).await else { return false };
        if !reply.is_ok() {
            // It is over, or about to be: the clock has the last word on an overdue turn.
            return false;
        }
        let Some(view) = read(&self.crowd.client, &reply) else { return false };
        match view["turn_number"].as_u64().filter(|_| view["status"] == "over") {
            Some(turn) if turn > 0 => self.grant(game, turn as u32 - 1, &key),
            _ => self.crowd.client.tally().failure(format!("game {game}: resigned but not over")),
        }
        true
    }

    fn grant(&mut self, game: &str, turn: u32, key: &str) {
        self.crowd.decisions.fetch_add(1, Ordering::Relaxed);
        match game.parse() {
            Ok(game) => {
                let (turn, tag) = (TurnNumber(turn), Tag::of(&self.name, key));
                self.legacy.granted.push(Granted { game, turn, tag });
            }
            Err(_) => self.crowd.client.tally().failure(format!("{game:?} is no game's id")),
        }
    }

    /// Leaves the queue, or resigns the game that came of it.
    async fn give_up(&mut self) {
        for _ in 0..FAREWELLS_MAX {
            let reply = self.crowd.client.send(self.caller.post("/queue/leave")).await;
            let view = reply.filter(Reply::is_ok).and_then(|it| read(&self.crowd.client, &it));
            let view = view.unwrap_or_default();
            if view["status"] == "idle" {
                self.legacy.done = true;
                return;
            }
            match view["active_game"].as_str() {
                Some(game) if self.resign(game).await => {}
                _ => tokio::time::sleep(Duration::from_millis(PAUSE_MS as u64)).await,
            }
        }
    }
}

/// Reads an answer; one that cannot be read is a failure.
fn read(client: &Client, reply: &Reply) -> Option<Value> {
    serde_json::from_slice(&reply.body)
        .map_err(|error| client.tally().failure(format!("an answer cannot be read: {error}")))
        .ok()
}

/// Time until the next look, as the server says.
fn hint_ms(view: &Value) -> i64 {
    view["poll_after_ms"].as_i64().unwrap_or(PAUSE_MS)
}
