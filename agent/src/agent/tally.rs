//! Count of the decisions of a game by their maker, and of the failures of a brain.

use std::fmt;

use serde_json::{Value, json};

use super::turn::By;

/// Decisions that this process has made in one game.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    game: String,
    brain: u32,
    opening: u32,
    fallback: u32,
    failures: u32,
}

/// Failures since the last game without one.
#[derive(Default, Debug)]
pub(super) struct Failures {
    count: u32,
    last: String,
}

impl Tally {
    /// Continues the count of `game`, or begins it.
    pub(super) fn begin(&mut self, game: &str) {
        if self.game != game {
            *self = Tally { game: game.to_owned(), ..Tally::default() };
        }
    }

    pub(super) fn decided(&mut self, by: By) {
        match by {
            By::Brain => self.brain += 1,
            By::Opening => self.opening += 1,
            By::Fallback => self.fallback += 1,
        }
    }

    pub(super) fn failed(&mut self) {
        self.failures += 1;
    }

    pub(super) fn details(&self) -> [(&'static str, Value); 5] {
        [
            ("game", json!(self.game)),
            (By::Brain.id(), json!(self.brain)),
            (By::Opening.id(), json!(self.opening)),
            (By::Fallback.id(), json!(self.fallback)),
            ("failures", json!(self.failures)),
        ]
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { brain, opening, fallback, failures, .. } = self;
        write!(f, "brain decided {brain} of {}", brain + opening + fallback)?;
        match (opening, fallback) {
            (0, 0) => {}
            (opening, 0) => write!(f, " (opening {opening})")?,
            (0, fallback) => write!(f, " (fallback {fallback})")?,
            (opening, fallback) => write!(f, " (opening {opening}, fallback {fallback})")?,
        }
        write!(f, ", {failures} failure{}", if *failures == 1 { "" } else { "s" })
    }
}

impl Failures {
    pub(super) fn add(&mut self, why: &str) {
        self.count += 1;
        self.last = why.to_owned();
    }

    /// Forgets earlier failures if `game` had none.
    pub(super) fn end_game(&mut self, game: &Tally) {
        if game.failures == 0 {
            self.count = 0;
        }
    }

    /// Number of failures and the last one, if there are at least `most`.
    pub(super) fn reached(&self, most: u32) -> Option<(u32, &str)> {
        (self.count >= most).then_some((self.count, self.last.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_summed_up_in_a_line() {
        let mut tally = Tally::default();
        tally.begin("g1");
        assert_eq!(tally.to_string(), "brain decided 0 of 0, 0 failures");
        tally.decided(By::Brain);
        tally.begin("g1");
        assert_eq!(tally.to_string(), "brain decided 1 of 1, 0 failures");
        tally.decided(By::Opening);
        tally.failed();
        assert_eq!(tally.to_string(), "brain decided 1 of 2 (opening 1), 1 failure");
        tally.decided(By::Fallback);
        assert_eq!(tally.to_string(), "brain decided 1 of 3 (opening 1, fallback 1), 1 failure");
        tally.begin("g2");
        assert_eq!(tally.to_string(), "brain decided 0 of 0, 0 failures");
    }

    #[test]
    fn failures_count_until_a_game_has_none() {
        let (mut failures, mut game) = (Failures::default(), Tally::default());
        for n in 1..=2 {
            game.begin(&format!("g{n}"));
            game.failed();
            failures.add(&format!("late {n}"));
            failures.end_game(&game);
        }
        assert_eq!(failures.reached(2), Some((2, "late 2")));
        assert_eq!(failures.reached(3), None);
        game.begin("clean");
        failures.end_game(&game);
        assert_eq!(failures.reached(1), None);
    }
}
