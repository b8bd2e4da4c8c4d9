//! Polling hints: an estimate from the opponent's thinking times so far.

use renju::Seat;

use crate::game::Game;
use crate::ids::Timestamp;

const HINT_MS_MIN: i64 = 1_000;
const HINT_MS_MAX: i64 = 30_000;

/// Milliseconds until a player (or a spectator, without a seat) should poll again. Zero when it is
/// this player's turn or the game is over.
pub fn poll_after_ms(game: &Game, viewer: Option<Seat>, now: Timestamp) -> i64 {
    let Some(to_act) = game.to_act() else { return 0 };
    if viewer == Some(to_act) {
        return 0;
    }
    // A quarter of the turn at most, so that a poller does not miss most of a fast game.
    let most = (i64::from(game.header().turn_ms) / 4).clamp(HINT_MS_MIN, HINT_MS_MAX);
    let waited = now.since(game.last_at()).max(0);
    // A player that has thought longer than usual will probably think another quarter of that.
    (think_ms(game, to_act) - waited).max(waited / 4).clamp(HINT_MS_MIN, most)
}

/// Moving average of a seat's thinking times; the latest weighs most.
fn think_ms(game: &Game, seat: Seat) -> i64 {
    let times = game.deciders().into_iter().zip(game.log()).filter(|(decider, _)| *decider == seat);
    times
        .map(|(_, entry)| i64::from(entry.elapsed) * 10)
        .reduce(|mean, time| (mean * 2 + time) / 3)
        .unwrap_or(0)
}
