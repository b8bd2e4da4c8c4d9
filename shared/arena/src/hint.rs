//! When to ask again: a guess from how long the opponent has been thinking so far.

use renju::Seat;

use crate::game::Game;
use crate::ids::Timestamp;

const HINT_MS_MIN: i64 = 1_000;
const HINT_MS_MAX: i64 = 30_000;

/// In how many milliseconds a player (or, with no seat, a spectator) should look at the game
/// again. Zero when it is this player's turn or the game is over.
pub fn poll_after_ms(game: &Game, viewer: Option<Seat>, now: Timestamp) -> i64 {
    let Some(to_act) = game.to_act() else { return 0 };
    if viewer == Some(to_act) {
        return 0;
    }
    // A quarter of the turn at most, so that nobody sleeps through a fast game.
    let most = (i64::from(game.header().turn_ms) / 4).clamp(HINT_MS_MIN, HINT_MS_MAX);
    let waited = now.since(game.last_at()).max(0);
    // Who has thought longer than usual will probably go on as long as a part of that again.
    (think_ms(game, to_act) - waited).max(waited / 4).clamp(HINT_MS_MIN, most)
}

/// A moving average of a seat's thinking times, the latest weighing most.
fn think_ms(game: &Game, seat: Seat) -> i64 {
    let times = game.deciders().into_iter().zip(game.log()).filter(|(decider, _)| *decider == seat);
    times
        .map(|(_, entry)| i64::from(entry.elapsed) * 10)
        .reduce(|mean, time| (mean * 2 + time) / 3)
        .unwrap_or(0)
}
