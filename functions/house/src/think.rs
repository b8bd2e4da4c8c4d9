//! The play of a house bot: the engine with a time limit, on a thread of its own.

use std::time::{Duration, Instant};

use arena::{Game, HouseLevel, Timestamp};
use arena_store::now;
use renju::{Play, Position};
use renju_engine::{Level, Limits};

/// Shortest thinking time, so that a bot whose clock has all but run out still plays. The longest
/// is [`Level::TIME`].
const THINK_MS_MIN: i64 = 50;

/// The play of a house bot of this level, which is to act in the game; or an error text.
pub(crate) async fn play(game: Game, level: HouseLevel) -> Result<Play, String> {
    let (position, limit) = (game.position().clone(), limit(&game, now()));
    let thinking = tokio::task::spawn_blocking(move || {
        // Unpredictable, so that no game can be prepared in advance.
        let seed = getrandom::u64().map_err(|error| format!("no random numbers: {error}"))?;
        choose(&position, level, seed, limit)
    });
    thinking.await.unwrap_or_else(|panic| Err(panic.to_string()))
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
    choice.map(|choice| choice.play).ok_or_else(|| "the engine returned no move".to_owned())
}

/// Half of the remaining time, so that the decision is written in time.
fn limit(game: &Game, now: Timestamp) -> Duration {
    let left = game.deadline().map_or(0, |deadline| deadline.since(now));
    let ms = (left / 2).max(THINK_MS_MIN);
    Duration::from_millis(ms.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use renju::{Phase, Ruleset};

    #[test]
    fn every_level_has_a_legal_play_in_every_phase_of_every_ruleset_however_little_time_is_left() {
        assert_eq!(HouseLevel::ALL.len(), Level::ALL.len());
        let mut phases = std::collections::HashSet::new();
        for ruleset in Ruleset::ALL {
            for level in HouseLevel::ALL {
                let mut position = Position::new(ruleset);
                for seed in 0..16 {
                    if let Phase::Over(_) = position.phase() {
                        break;
                    }
                    phases.insert(std::mem::discriminant(&position.phase()));
                    let play = choose(&position, level, seed, Duration::from_millis(2)).unwrap();
                    let place = format!("{} level {} turn {seed}", ruleset.id, level.number());
                    position.advance(play).unwrap_or_else(|why| panic!("{place}: {play}, {why}"));
                }
            }
        }
        // Place, swap, swap or put two, fifth, declare, offer, choose, play.
        assert_eq!(phases.len(), 8);
    }

    #[test]
    fn a_game_that_is_over_is_told_apart() {
        let ruleset = Ruleset::find("gomoku_freestyle").unwrap();
        let mut position = Position::new(ruleset);
        for point in "a1 o1 b1 o2 c1 o3 d1 o4 e1".split(' ') {
            position.advance(point.parse().unwrap()).unwrap();
        }
        let level = HouseLevel::ALL[6];
        assert!(choose(&position, level, 1, Duration::from_millis(2)).is_err());
    }
}
