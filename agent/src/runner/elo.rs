//! Elo difference from the results of a match.

use std::fmt;

use serde::Serialize;

/// Standard deviations in half of a 95 % interval.
pub(super) const Z: f64 = 1.959_964;

/// Results from the point of view of one side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Tally {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl Tally {
    /// Number of games.
    pub const fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points per game; zero before the first game.
    pub fn score(self) -> f64 {
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        points / f64::from(self.games().max(1))
    }

    /// Difference in Elo; `None` before the first game.
    pub fn elo(self) -> Option<Elo> {
        let games = f64::from(self.games());
        if self.games() == 0 {
            return None;
        }
        let (wins, draws, losses) =
            (f64::from(self.wins), f64::from(self.draws), f64::from(self.losses));
        let score = self.score();
        // If all results are the same the spread is zero and says nothing. The bound is then the
        // score at which such a run still happens once in forty times: exact, and one-sided.
        let (low, high) = if self.wins == self.games() {
            (0.025_f64.powf(1.0 / games), 1.0)
        } else if self.losses == self.games() {
            (0.0, 1.0 - 0.025_f64.powf(1.0 / games))
        } else {
            let square = |result: f64| (result - score).powi(2);
            // Half a win and half a loss are added, so that a few draws do not look like certainty.
            let spread =
                ((wins + 0.5) * square(1.0) + draws * square(0.5) + (losses + 0.5) * square(0.0))
                    / (games + 1.0);
            let reach = Z * (spread / games).sqrt();
            (score - reach, score + reach)
        };
        Some(Elo { estimate: elo(score), low: elo(low), high: elo(high) })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: u32, one: &str, many: &str| {
            format!("{count} {}", if count == 1 { one } else { many })
        };
        let wins = counted(self.wins, "win", "wins");
        let draws = counted(self.draws, "draw", "draws");
        let losses = counted(self.losses, "loss", "losses");
        write!(f, "{wins}, {draws}, {losses}")
    }
}

/// A difference in Elo with its 95 % interval; a missing bound is infinite.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "`low` and `high` are the interval")]
pub struct Elo {
    /// Difference at which these results are expected.
    pub estimate: f64,
    pub low: f64,
    pub high: f64,
}

impl fmt::Display for Elo {
    /// Writes `+191 ± 40 (95 %)`; with only one bound, `+382 (95 %: above +136)` or, after a clean
    /// sweep, `above +140 (95 %)`. `{:.2}` adds decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Elo { estimate, low, high } = *self;
        let decimals = f.precision().unwrap_or(0);
        // Avoids a negative zero.
        let unit = 0.1_f64.powi(decimals as i32);
        let estimate = if estimate.abs() < unit / 2.0 { 0.0 } else { estimate };
        match (low.is_finite(), high.is_finite()) {
            (true, true) => {
                write!(f, "{estimate:+.decimals$} ± {:.decimals$} (95 %)", (high - low) / 2.0)
            }
            (true, false) if estimate.is_infinite() => write!(f, "above {low:+.decimals$} (95 %)"),
            (false, true) if estimate.is_infinite() => write!(f, "below {high:+.decimals$} (95 %)"),
            (true, false) => write!(f, "{estimate:+.decimals$} (95 %: above {low:+.decimals$})"),
            (false, true) => write!(f, "{estimate:+.decimals$} (95 %: below {high:+.decimals$})"),
            (false, false) => f.write_str("unknown, too few games"),
        }
    }
}

/// Difference at which a player is expected to score this much per game.
pub(super) fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u32, draws: u32, losses: u32) -> Tally {
        Tally { wins, draws, losses }
    }

    fn told(wins: u32, draws: u32, losses: u32) -> String {
        tally(wins, draws, losses).elo().unwrap().to_string()
    }

    #[test]
    fn known_scores_have_the_elo_of_the_tables() {
        for (score, wanted) in
            [(0.5, 0.0), (0.6, 70.4), (0.75, 190.8), (0.909_090_9, 400.0), (0.25, -190.8)]
        {
            assert!((elo(score) - wanted).abs() < 0.1, "{score}: {}", elo(score));
        }
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn the_interval_is_that_of_the_mean_of_the_results() {
        // By hand: score 0.75, spread 0.1882 with the half games, standard deviation of the mean
        // 0.0217, so 0.7075 to 0.7925 and 153.4 to 232.9 Elo.
        let Elo { estimate, low, high } = tally(300, 0, 100).elo().unwrap();
        assert!((estimate - 190.8).abs() < 0.1, "{estimate}");
        assert!((low - 153.4).abs() < 0.5, "{low}");
        assert!((high - 232.9).abs() < 0.5, "{high}");
        assert_eq!(told(300, 0, 100), "+191 ± 40 (95 %)");
    }

    #[test]
    fn draws_narrow_the_interval_and_games_narrow_it_by_their_root() {
        let width = |wins, draws, losses| {
            let elo = tally(wins, draws, losses).elo().unwrap();
            elo.high - elo.low
        };
        assert!(width(25, 50, 25) < width(50, 0, 50));
        let ratio = width(50, 0, 50) / width(5_000, 0, 5_000);
        assert!((ratio - 10.0).abs() < 0.5, "{ratio}");
    }

    #[test]
    fn the_other_side_sees_the_same_with_the_sign_changed() {
        for (wins, draws, losses) in [(7, 2, 1), (10, 0, 0), (0, 5, 0), (1, 0, 3), (0, 1, 1)] {
            let here = tally(wins, draws, losses).elo().unwrap();
            let there = tally(losses, draws, wins).elo().unwrap();
            let close = |one: f64, other: f64| one == other || (one - other).abs() < 1e-6;
            assert!(close(here.estimate, -there.estimate), "{here:?} {there:?}");
            assert!(close(here.low, -there.high) && close(here.high, -there.low));
            assert!(here.low <= here.estimate && here.estimate <= here.high);
        }
    }

    #[test]
    fn a_clean_sweep_gives_a_bound_and_no_game_gives_nothing() {
        assert_eq!(tally(0, 0, 0).elo(), None);
        // 0.025^(1/10) = 0.6915.
        assert_eq!(told(10, 0, 0), "above +140 (95 %)");
        assert_eq!(told(0, 0, 10), "below -140 (95 %)");
        // By hand: spread 0.1191, so 0.9 ± 0.214.
        assert_eq!(told(9, 0, 1), "+382 (95 %: above +136)");
        assert_eq!(told(0, 10, 0), "+0 ± 66 (95 %)");
        assert_eq!(told(1, 0, 1), "unknown, too few games");
    }
}
