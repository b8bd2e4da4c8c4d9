//! Thinking time of a move, from the manager's clocks.

use std::time::Duration;

/// Default time limit of a move.
const TURN: Duration = Duration::from_secs(5);

/// Least and most time kept in reserve for the transfer and a busy machine.
const RESERVE_MIN: Duration = Duration::from_millis(20);
const RESERVE_MAX: Duration = Duration::from_millis(150);

/// Expected number of moves in a game, and the least number assumed to be left.
const MOVES: u32 = 40;
const MOVES_LEFT_MIN: u32 = 12;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clock {
    /// Limit of a move; zero asks for a move at once.
    pub(super) turn: Duration,
    /// Limit of the whole game, if there is one.
    pub(super) game: Option<Duration>,
    /// Time left of it, if the manager keeps count.
    pub(super) left: Option<Duration>,
    /// Time used of it, for managers that do not.
    pub(super) used: Duration,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { turn: TURN, game: None, left: None, used: Duration::ZERO }
    }
}

impl Clock {
    /// Starts a new game; the limits stay.
    pub(super) fn restart(&mut self) {
        (self.left, self.used) = (None, Duration::ZERO);
    }

    /// Thinking time with `own_stones` on the board; zero means as little as possible.
    pub(super) fn thinking_time(&self, own_stones: u32) -> Duration {
        let kept = self.game.map(|game| game.saturating_sub(self.used));
        let of_turn = within(self.turn);
        match self.left.or(kept) {
            None => of_turn,
            Some(left) => {
                let moves = MOVES.saturating_sub(own_stones).max(MOVES_LEFT_MIN);
                of_turn.min(left / moves).min(within(left))
            }
        }
    }
}

/// Usable part of a limit.
fn within(limit: Duration) -> Duration {
    let reserve = (limit / 10).clamp(RESERVE_MIN, RESERVE_MAX);
    limit.saturating_sub(reserve).max(limit / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_part_of_every_turn_is_kept_back() {
        for (turn, wanted) in
            [(30_000, 29_850), (1_000, 900), (500, 450), (100, 80), (20, 5), (4, 1), (0, 0)]
        {
            let clock = Clock { turn: ms(turn), ..Clock::default() };
            assert_eq!(clock.thinking_time(0), ms(wanted), "{turn} ms");
        }
    }

    #[test]
    fn the_time_of_a_game_is_shared_among_the_moves_to_come() {
        let clock = Clock { turn: ms(30_000), left: Some(ms(180_000)), ..Clock::default() };
        assert_eq!(clock.thinking_time(0), ms(4_500));
        assert_eq!(clock.thinking_time(20), ms(9_000));
        assert_eq!(clock.thinking_time(100), ms(15_000));
        let short = Clock { left: Some(ms(120)), ..clock };
        assert_eq!(short.thinking_time(30), ms(10));
        let none = Clock { left: Some(ms(0)), ..clock };
        assert_eq!(none.thinking_time(30), ms(0));
    }

    #[test]
    fn a_manager_that_does_not_count_is_counted_for() {
        let mut clock = Clock { game: Some(ms(40_000)), used: ms(20_000), ..Clock::default() };
        assert_eq!(clock.thinking_time(0), ms(500));
        clock.restart();
        assert_eq!(clock.thinking_time(0), ms(1_000));
    }
}
