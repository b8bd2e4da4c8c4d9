//! `house:<level>` and `engine:<ms>`: our own engine, at one of the house levels or at full
//! strength with a time per decision.
//!
//! Levels are limited by positions, so that `house:4@7`, with a seed, plays the same game on every
//! machine that is fast enough for the clock.

use std::time::{Duration, Instant};

use renju::{Phase, Play, Position, Record};
use renju_engine::{Engine, Level, Limits};

use super::random::Random;
use super::{Brain, BrainError, Settings, Unsupported, goes_on};

/// Level that decides for brains that cannot.
const STAND_IN: usize = 4;

/// Size of a transposition table that is kept for a game.
const TABLE_BYTES: usize = 64 << 20;

/// Most time kept in reserve for sending the answer.
const RESERVE_MAX: Duration = Duration::from_millis(50);

/// A house level.
pub(crate) struct House {
    name: String,
    level: &'static Level,
    random: Random,
    openings: u32,
}

impl House {
    /// Reads `2` or `2@7`.
    pub(super) fn open(text: &str) -> Result<House, BrainError> {
        let (level, seed) = match text.split_once('@') {
            Some((level, seed)) => (level, Some(seed)),
            None => (text, None),
        };
        let unknown = |what: &str, most: u64| {
            BrainError::Unknown(format!("house:{text} has no {what} from 0 to {most}"))
        };
        let number = level.parse().ok().and_then(|number: usize| Level::ALL.get(number));
        let level = number.ok_or_else(|| unknown("level", Level::ALL.len() as u64 - 1))?;
        let random = match seed.map(str::parse) {
            None => Random::new(),
            Some(Ok(seed)) => Random::seeded(seed),
            Some(Err(_)) => return Err(unknown("seed", u64::MAX)),
        };
        Ok(House::new(level, random))
    }

    /// Level that decides for brains that cannot, or that failed.
    pub(crate) fn stand_in() -> House {
        House::new(&Level::ALL[STAND_IN], Random::new())
    }

    fn new(level: &'static Level, random: Random) -> House {
        House { name: format!("house:{}", level.number), level, random, openings: 0 }
    }

    /// Chooses a legal play; `None` only if the game is over.
    fn decide(&mut self, position: &Position, limit: Duration) -> Option<Play> {
        let limits = Limits { deadline: Some(deadline(limit)), ..self.level.limits() };
        let choice = self.level.choose(position, &limits, self.random.next(), None);
        choice.map(|choice| choice.play)
    }

    /// Decides for brains that only place stones: swaps, offers, choices, declarations, and stones
    /// of the opening. `None` in free play and after the end.
    pub(super) fn opening(&mut self, position: &Position, limit: Duration) -> Option<Play> {
        let play = match position.phase() {
            Phase::Play | Phase::Over(_) => None,
            _ => self.decide(position, limit),
        };
        self.openings += u32::from(play.is_some());
        play
    }

    /// Number of decisions made by [`opening`](House::opening).
    pub(super) fn openings(&self) -> u32 {
        self.openings
    }
}

impl Brain for House {
    fn choose(&mut self, record: &Record, limit: Duration) -> Result<Play, BrainError> {
        self.decide(record.position(), limit).ok_or_else(game_over)
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// Full strength. Its table is kept until another game begins.
pub(super) struct Timed {
    name: String,
    time: Duration,
    nodes: u64,
    seed: u64,
    game: Option<(Engine, Record)>,
}

impl Timed {
    /// Parses milliseconds.
    pub(super) fn open(text: &str) -> Result<Timed, BrainError> {
        let ms = text.parse().ok().filter(|ms: &u32| *ms > 0);
        let ms = ms.ok_or_else(|| {
            BrainError::Unknown(format!("engine:{text} has no milliseconds, such as engine:500"))
        })?;
        let (name, time) = (format!("engine:{ms}"), Duration::from_millis(ms.into()));
        Ok(Timed { name, time, nodes: u64::MAX, seed: Random::new().next(), game: None })
    }
}

impl Brain for Timed {
    fn choose(&mut self, record: &Record, limit: Duration) -> Result<Play, BrainError> {
        let deadline = (Instant::now() + self.time).min(deadline(limit));
        let kept = self.game.take().filter(|(_, before)| goes_on(before, record));
        let mut engine = kept.map_or_else(|| Engine::new(TABLE_BYTES), |(engine, _)| engine);
        let limits = Limits { deadline: Some(deadline), ..Limits::nodes(self.nodes) };
        let choice = engine.choose(record.position(), &limits, self.seed, None);
        self.game = Some((engine, record.clone()));
        choice.map(|choice| choice.play).ok_or_else(game_over)
    }

    fn configure(&mut self, settings: &Settings) -> Result<(), Unsupported> {
        settings.refuse_options()?;
        self.nodes = settings.nodes.unwrap_or(u64::MAX);
        Ok(())
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// Deadline, with a part of `limit` kept in reserve.
fn deadline(limit: Duration) -> Instant {
    Instant::now() + limit.saturating_sub((limit / 10).min(RESERVE_MAX))
}

fn game_over() -> BrainError {
    BrainError::Gone("the game is over".to_owned())
}
