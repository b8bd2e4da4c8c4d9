//! Time controls: a limit for the game, for each move, and an increment.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::brain::GameClock;

/// Shortest and longest time that can be given, in seconds.
const SECONDS: std::ops::RangeInclusive<f64> = 0.001..=86_400.0;

/// Time of a bot, written `MATCH/TURN+INC` in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// For all moves of the game; `None` is no limit.
    total: Option<Duration>,
    /// For each move.
    turn: Duration,
    /// Added to the time for the game after each move.
    increment: Duration,
}

impl TimeControl {
    /// A limit for each move and none for the game.
    pub const fn per_move(turn: Duration) -> TimeControl {
        TimeControl { total: None, turn, increment: Duration::ZERO }
    }
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let (times, increment) = match text.split_once('+') {
            Some((times, increment)) => (times, Some(increment)),
            None => (text, None),
        };
        let (total, turn) = match times.split_once('/') {
            Some((total, turn)) => (total, Some(seconds(turn)?)),
            None => (times, None),
        };
        let increment = increment.map(seconds).transpose()?.unwrap_or_default();
        if total.trim().parse() == Ok(0.0) {
            return match turn {
                Some(turn) if increment.is_zero() => Ok(TimeControl::per_move(turn)),
                Some(_) => Err("an increment needs a time for the game".to_owned()),
                None => Err("a bot without a time for the game needs one for each move, such \
                             as 0/5"
                    .to_owned()),
            };
        }
        let total = seconds(total)?;
        Ok(TimeControl { total: Some(total), turn: turn.unwrap_or(total), increment })
    }
}

/// Reads a duration in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.trim().parse().map_err(|_| format!("{text:?} is not a number of seconds"))?;
    if SECONDS.contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(format!("a time is from {} to {} seconds", SECONDS.start(), SECONDS.end()))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TimeControl { total, turn, increment } = self;
        write!(f, "{}/{}", total.unwrap_or_default().as_secs_f64(), turn.as_secs_f64())?;
        match increment.is_zero() {
            true => Ok(()),
            false => write!(f, "+{}", increment.as_secs_f64()),
        }
    }
}

/// Clock of one player in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clock {
    control: TimeControl,
    /// Time left for the game, if it is limited.
    left: Option<Duration>,
}

impl Clock {
    pub(super) fn new(control: TimeControl) -> Clock {
        Clock { control, left: control.total }
    }

    /// Limit of the next move.
    pub(super) fn limit(&self) -> Duration {
        self.left.map_or(self.control.turn, |left| left.min(self.control.turn))
    }

    /// Counts a move.
    pub(super) fn spend(&mut self, used: Duration) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(used) + self.control.increment;
        }
    }

    /// Time for the game, as a brain is told.
    pub(super) fn of_game(&self) -> Option<GameClock> {
        let TimeControl { total, increment, .. } = self.control;
        Some(GameClock { total: total?, left: self.left?, increment })
    }

    /// Limit that a late player has exceeded, in words.
    pub(super) fn exceeded(&self) -> String {
        match (self.left, self.control.total) {
            (Some(left), Some(total)) if left < self.control.turn => {
                format!("used up its {} s for the game", total.as_secs_f64())
            }
            _ => format!("gave no answer in {} s", self.control.turn.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_time_control_is_read_as_it_is_written() {
        for (text, total, turn, increment, shown) in [
            ("180/5", Some(180_000), 5_000, 0, "180/5"),
            ("180/5+1", Some(180_000), 5_000, 1_000, "180/5+1"),
            ("60", Some(60_000), 60_000, 0, "60/60"),
            ("60+0.5", Some(60_000), 60_000, 500, "60/60+0.5"),
            ("0/2.5", None, 2_500, 0, "0/2.5"),
        ] {
            let read = control(text);
            let wanted =
                TimeControl { total: total.map(ms), turn: ms(turn), increment: ms(increment) };
            assert_eq!((read, read.to_string().as_str()), (wanted, shown), "{text}");
            assert_eq!(control(shown), read);
        }
        for (text, wanted) in [
            ("", "\"\" is not a number of seconds"),
            ("soon", "\"soon\" is not a number of seconds"),
            ("0", "such as 0/5"),
            ("0/5+1", "an increment needs a time for the game"),
            ("180/0", "from 0.001 to 86400 seconds"),
            ("-1/5", "from 0.001 to 86400 seconds"),
            ("NaN", "from 0.001 to 86400 seconds"),
            ("180/5/1", "\"5/1\" is not a number of seconds"),
        ] {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }

    #[test]
    fn a_move_has_the_rest_of_the_game_at_most() {
        let mut clock = Clock::new(control("10/4+1"));
        assert_eq!(clock.limit(), ms(4_000));
        clock.spend(ms(4_000));
        clock.spend(ms(4_000));
        assert_eq!((clock.left, clock.limit()), (Some(ms(4_000)), ms(4_000)));
        assert_eq!(clock.exceeded(), "gave no answer in 4 s");
        clock.spend(ms(2_500));
        assert_eq!(clock.limit(), ms(2_500));
        assert_eq!(clock.exceeded(), "used up its 10 s for the game");
        clock.spend(ms(9_000));
        assert_eq!(clock.limit(), ms(1_000));
        let of_game = clock.of_game().unwrap();
        assert_eq!((of_game.total, of_game.left), (ms(10_000), ms(1_000)));
    }

    #[test]
    fn without_a_limit_of_the_game_every_move_has_the_same_time() {
        let mut clock = Clock::new(control("0/3"));
        clock.spend(ms(100_000));
        assert_eq!((clock.limit(), clock.of_game()), (ms(3_000), None));
    }
}
