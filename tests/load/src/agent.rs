//! One agent of the crowd: joins, polls by the server's hints, plays, resigns, joins again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arena::{AgentName, GameId, Tag, TurnNumber};
use arena_wire::{Endpoint, GameStatus, StatusName};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;

use crate::Arguments;
use crate::client::{Ask, Client, Reply};
use crate::decision::Decision;
use crate::mischief::Culprit;
use crate::random::Random;
use crate::view::{Place, Registered, Sight};

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

/// How often an agent that accepts house bots asks for one, and for one of how many.
const HOUSE_PERCENT: u8 = 60;
const HOUSE_LEVELS: usize = 5;

/// How often an agent forgets everything between two polls.
const RESTART_PERCENT: u8 = 1;

/// The earliest turn at which an agent resigns.
const PATIENCE_MIN: usize = 6;

/// The pause after an answer that cannot be used.
const PAUSE_MS: i64 = 1_000;

/// How often an agent tries to be done when the crowd stops.
const FAREWELLS_MAX: usize = 40;

/// What all agents share.
#[derive(Debug)]
pub(crate) struct Crowd {
    /// Their connections.
    pub(crate) client: Client,
    /// What the server's hints are multiplied by.
    pub(crate) hints: f64,
    /// The latest turn at which an agent resigns.
    pub(crate) patience: usize,
    /// How often, in a hundred decisions, somebody does something wrong on purpose.
    pub(crate) mischief: u8,
    /// How many games have been seen to end, counted once by each of the two players.
    pub(crate) seats_done: AtomicU64,
    /// How many decisions were granted.
    pub(crate) decisions: AtomicU64,
    /// Whom they play.
    opponents: Play,
}

/// Opponents that a crowd accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Play {
    /// Each other.
    Together,
    /// House bots more often than each other.
    WithHouse,
}

impl Crowd {
    /// A crowd as the arguments say.
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
    /// The game.
    pub(crate) game: GameId,
    /// The turn.
    pub(crate) turn: TurnNumber,
    /// The key it was sent with, and by whom.
    pub(crate) tag: Tag,
}

/// What an agent leaves behind.
#[derive(Debug, Default)]
pub(crate) struct Legacy {
    /// All that it was granted.
    pub(crate) granted: Vec<Granted>,
    /// Whether it is neither waiting nor playing.
    pub(crate) done: bool,
}

/// An agent.
#[derive(Debug)]
pub(crate) struct Agent {
    crowd: Arc<Crowd>,
    name: AgentName,
    key: String,
    random: Random,
    stop: watch::Receiver<bool>,
    joins: u32,
    /// The last request for a game got no answer: it may be waiting or playing already.
    is_unsure: bool,
    legacy: Legacy,
}

/// What to do about a game.
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
        let body = json!({"name": name.as_str(), "bio": "one of a crowd"}).to_string();
        let reply = crowd.client.send_now(Ask::to(Endpoint::Register, "").with(body)).await?;
        let Registered { api_key: key } = read(&crowd.client, &reply)?;
        let legacy = Legacy::default();
        Some(Agent { crowd, name, key, random, stop, joins: 0, is_unsure: false, legacy })
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
        let mut ask =
            if self.is_unsure { Ask::to(Endpoint::Queue, "") } else { self.join_request() };
        while !self.is_stopping() {
            let client = self.crowd.client.clone();
            let reply = client.send(ask.clone().by(&self.key)).await;
            let Some(reply) = reply.filter(|reply| reply.is_ok() || reply.status == 429) else {
                self.is_unsure = true;
                self.wait(PAUSE_MS).await;
                return None;
            };
            if !reply.is_ok() {
                self.wait(reply.again_ms.unwrap_or(PAUSE_MS)).await;
                return None;
            }
            let place: Place = read(&client, &reply)?;
            self.is_unsure = false;
            match (place.status, place.active_game) {
                (StatusName::Playing, Some(game)) => return Some(game),
                (StatusName::Queued, _) => self.wait(place.poll_after_ms).await,
                _ => return None,
            }
            // Some joins are repeated in place of a look; joining twice is joining once.
            if !self.random.percent(5) {
                ask = Ask::to(Endpoint::Queue, "");
            }
        }
        None
    }

    fn join_request(&mut self) -> Ask<'static> {
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
        Ask::to(Endpoint::Join, "").with(body.to_string())
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
            let ask = Ask::to(Endpoint::Game, game).by(&self.key).knowing(known.as_deref());
            let Some(reply) = self.crowd.client.send(ask).await else {
                self.wait(PAUSE_MS).await;
                continue;
            };
            let step = match reply.status {
                304 => Step::Wait(reply.again_ms.unwrap_or(PAUSE_MS)),
                200 => self.step(game, &reply),
                _ => Step::Wait(reply.again_ms.unwrap_or(PAUSE_MS)),
            };
            known = reply.tag.or(known);
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

    /// What a restarted agent asks first.
    async fn is_playing(&self, game: &str) -> bool {
        let ask = Ask::to(Endpoint::Me, "").by(&self.key);
        let place = match self.crowd.client.send(ask).await {
            Some(reply) if reply.is_ok() => read::<Place>(&self.crowd.client, &reply),
            _ => return true,
        };
        place.is_some_and(|place| place.active_game.as_deref() == Some(game))
    }

    fn step(&mut self, game: &str, reply: &Reply) -> Step {
        let Some(sight) = read::<Sight<'_>>(&self.crowd.client, reply) else {
            return Step::Wait(PAUSE_MS);
        };
        if sight.status == GameStatus::Over {
            return Step::Over;
        }
        match Decision::choose(&sight, game, &mut self.random) {
            Some(decision) => Step::Decide(decision),
            None => Step::Wait(sight.poll_after_ms),
        }
    }

    /// Sends a decision, with or without mischief, and says when to look again.
    async fn decide(&mut self, game: &str, decision: &Decision) -> i64 {
        let client = self.crowd.client.clone();
        let key = self.key.clone();
        let culprit = Culprit { client: &client, key: &key, game };
        let mischief = self.random.percent(self.crowd.mischief).then(|| self.random.below(3));
        if mischief == Some(0) {
            culprit.before(decision, &mut self.random).await;
        }
        let reply = if mischief == Some(1) {
            culprit.twice(decision).await
        } else {
            let ask = Ask::to(decision.endpoint, game).by(&key).with(decision.body());
            client.send(ask).await
        };
        let Some(reply) = reply.filter(Reply::is_ok) else { return 0 };
        if mischief == Some(2) {
            culprit.after(decision, &reply, &mut self.random).await;
        }
        let Some(sight) = read::<Sight<'_>>(&client, &reply) else { return PAUSE_MS };
        if sight.turn_number != decision.turn + 1 {
            let turns = (decision.turn, sight.turn_number);
            client.tally().failure(format!("game {game}: from turn {} to {}", turns.0, turns.1));
        }
        self.grant(game, decision.turn, &decision.key);
        sight.poll_after_ms
    }

    /// Resigns; whether the game is over now.
    async fn resign(&mut self, game: &str) -> bool {
        let key = format!("{game}-resign");
        let body = json!({"idempotency_key": key}).to_string();
        let ask = Ask::to(Endpoint::Resign, game).by(&self.key).with(body);
        let Some(reply) = self.crowd.client.send(ask).await else { return false };
        if !reply.is_ok() {
            // It is over, or about to be: the clock has the last word on an overdue turn.
            return false;
        }
        let Some(sight) = read::<Sight<'_>>(&self.crowd.client, &reply) else { return false };
        match (sight.status, sight.turn_number.checked_sub(1)) {
            (GameStatus::Over, Some(turn)) => self.grant(game, turn, &key),
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
            let ask = Ask::to(Endpoint::Leave, "").by(&self.key);
            let reply = self.crowd.client.send(ask).await.filter(Reply::is_ok);
            let place = reply.and_then(|reply| read::<Place>(&self.crowd.client, &reply));
            match place.map(|place| (place.status, place.active_game)) {
                Some((StatusName::Idle, _)) => {
                    self.legacy.done = true;
                    return;
                }
                Some((StatusName::Playing, Some(game))) if self.resign(&game).await => {}
                _ => tokio::time::sleep(Duration::from_millis(PAUSE_MS as u64)).await,
            }
        }
    }
}

/// What an answer says; one that cannot be read is a failure.
fn read<'r, T: Deserialize<'r>>(client: &Client, reply: &'r Reply) -> Option<T> {
    serde_json::from_slice(&reply.body)
        .map_err(|error| client.tally().failure(format!("an answer cannot be read: {error}")))
        .ok()
}
