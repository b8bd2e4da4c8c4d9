//! What a house bot plays: the engine, off the thread that talks to the services, within a time.

use std::fmt;
use std::time::{Duration, Instant};

use arena::{Game, GameId, HouseLevel, Timestamp, TurnNumber};
use renju::{IllegalPlay, Play, Position};
use renju_engine::{Level, Limits};

/// The longest a bot thinks: far below what the function may take, so that a slow machine plays
/// worse instead of not at all.
const THINK_MS_MAX: i64 = 8_000;

/// The least: a bot whose time is all but gone still plays something.
const THINK_MS_MIN: i64 = 50;

/// A house bot that did not come up with a play that the rules allow.
#[derive(Debug)]
pub(crate) enum NoPlay {
    /// The engine had none, or broke down.
    None { game: GameId, turn: TurnNumber, level: HouseLevel, why: String },
    /// The rules refuse it.
    Illegal { game: GameId, turn: TurnNumber, level: HouseLevel, play: Play, why: IllegalPlay },
}

impl fmt::Display for NoPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPlay::None { game, turn, level, why } => {
                write!(f, "{} has no play at turn {turn} of game {game}: {why}", level.name())
            }
            NoPlay::Illegal { game, turn, level, play, why } => {
                let name = level.name();
                write!(f, "{name} plays {play} at turn {turn} of game {game}, but {why}")
            }
        }
    }
}

impl std::error::Error for NoPlay {}

/// The play of a house bot of this level, which is to act in the game.
pub(crate) async fn play(game: &Game, level: HouseLevel, now: Timestamp) -> Result<Play, NoPlay> {
    let (position, seed, limit) = (game.position().clone(), seed(game), limit(game, now));
    let thinking = tokio::task::spawn_blocking(move || choose(&position, level, seed, limit));
    let chosen = thinking.await.unwrap_or_else(|panic| Err(panic.to_string()));
    chosen.map_err(|why| NoPlay::None { game: game.id(), turn: game.turn(), level, why })
}

fn choose(
    position: &Position,
    level: HouseLevel,
    seed: u64,
    limit: Duration,
) -> Result<Play, String> {
    let number = level.number();
    let level = Level::ALL.iter().find(|level| level.number == number);
    let level = level.ok_or_else(|| format!("the engine has no level {number}"))?;
    let limits = Limits { deadline: Some(Instant::now() + limit), ..level.limits() };
    let choice = level.choose(position, &limits, seed, None);
    choice.map(|choice| choice.play).ok_or_else(|| "the engine is silent".to_owned())
}

/// The same turn of the same game is always thought about alike.
fn seed(game: &Game) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = game.id().bytes();
    u64::from_be_bytes([a, b, c, d, e, f, g, h]) ^ u64::from(game.turn().0).rotate_left(32)
}

/// Half of what the clock leaves, so that the decision is written in time.
fn limit(game: &Game, now: Timestamp) -> Duration {
    let left = game.deadline().map_or(0, |deadline| deadline.since(now));
    let ms = (left / 2).clamp(THINK_MS_MIN, THINK_MS_MAX);
    Duration::from_millis(ms.unsigned_abs())
}
