//! Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013) with one game as one rating period,
//! as on lichess. Reads no clock: idle time is an argument.
//!
//! Ratings are rounded to their stored form after every game, so that calculations use exactly the
//! stored values and replaying a game gives the same bits.

use std::f64::consts::PI;

/// Points per unit of Glickman's internal scale.
const SCALE: f64 = 173.7178;

/// Limit on the change of volatility. Glickman advises 0.3 to 1.2, less where upsets are rarer; 0.5
/// is the value of his example.
const TAU: f64 = 0.5;

/// An idle rating period. With this length, a player at volatility 0.06 and deviation 60 (where
/// playing equals settles) is back at 350 after 1 094 periods, which is a year.
const PERIOD_MS: f64 = 8.0 * 3_600_000.0;

/// Ratings stay in this range. The floor keeps the leaderboard's keys free of a sign; the ceiling
/// is higher than any chess engine's rating; no expected score underflows between the two.
const VALUE: (f64, f64) = (0.0, 4000.0);

/// Deviations stay in this range: an agent may be replaced by a better one under the same name, so
/// a rating never freezes (45, as on lichess); a newcomer has the maximum (350).
const DEVIATION: (f64, f64) = (45.0, 350.0);

/// Volatilities stay in this range, generous around 0.06. The ends of all three ranges are exact in
/// `f32`, so rounding never leaves them.
const VOLATILITY: (f64, f64) = (0.015625, 0.125);

/// Above this deviation a rating is shown as provisional and kept off the leaderboard.
const PROVISIONAL: f64 = 110.0;

/// The volatility's logarithm is solved to this error; Illinois needs about five steps of the
/// hundred allowed.
const TOLERANCE: f64 = 1e-9;
const STEPS_MAX: usize = 100;

/// Estimate of a player's strength.
///
/// Every method reads numbers outside the ranges of this module as the nearest end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The estimate, in points; 1500 is a newcomer's.
    pub value: f64,
    /// Its standard error, in points.
    pub deviation: f64,
    /// Degree to which the results fluctuate.
    pub volatility: f64,
}

/// A result, as seen by one of the two players.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    Win,
    Draw,
    Loss,
}

impl Score {
    /// 1 for a win, ½ for a draw, 0 for a loss.
    pub const fn value(self) -> f64 {
        match self {
            Score::Win => 1.0,
            Score::Draw => 0.5,
            Score::Loss => 0.0,
        }
    }
}

impl Rating {
    /// A newcomer's rating.
    pub const NEW: Rating =
        Rating { value: 1500.0, deviation: DEVIATION.1, volatility: 0.06_f32 as f64 };

    /// The rating after one game, rounded as [`stored`](Rating::stored). Both ratings are those
    /// before the game, each made [`idle`](Rating::idle) up to its start. Finite if both are.
    #[must_use]
    pub fn after(self, opponent: Rating, score: Score) -> Rating {
        self.bounded().after_all(&[(opponent.bounded(), score)]).stored()
    }

    /// The rating after `ms` milliseconds without a game: the deviation grows, to 350 at most.
    /// Negative times count as none.
    #[must_use]
    pub fn idle(self, ms: i64) -> Rating {
        let rating = self.bounded();
        let periods = ms.max(0) as f64 / PERIOD_MS;
        let deviation = rating.deviation.hypot(rating.volatility * SCALE * periods.sqrt());
        Rating { deviation, ..rating }.bounded()
    }

    /// The score to expect against `opponent`, from 0 to 1. The two players' expectations add up
    /// to 1.
    pub fn expected(self, opponent: Rating) -> f64 {
        let (player, opponent) = (self.bounded(), opponent.bounded());
        let doubt = player.deviation.hypot(opponent.deviation) / SCALE;
        logistic(weight(doubt) * (player.value - opponent.value) / SCALE)
    }

    /// Lower bound of the rating (value − 2 × deviation); the leaderboard sorts by it.
    pub fn conservative(self) -> f64 {
        self.value - 2.0 * self.deviation
    }

    /// True while the deviation is too large for the leaderboard.
    pub fn is_provisional(self) -> bool {
        self.deviation > PROVISIONAL
    }

    /// The rating as stored: each number rounded to `f32`. Idempotent.
    #[must_use]
    pub fn stored(self) -> Rating {
        let Rating { value, deviation, volatility } = self.bounded();
        let round = |number: f64| f64::from(number as f32);
        Rating { value: round(value), deviation: round(deviation), volatility: round(volatility) }
    }

    /// Value, deviation and volatility as little-endian `f32`, rounded as
    /// [`stored`](Rating::stored).
    pub fn to_bytes(self) -> [u8; 12] {
        let Rating { value, deviation, volatility } = self.stored();
        let mut bytes = [0; 12];
        for (chunk, number) in bytes.chunks_exact_mut(4).zip([value, deviation, volatility]) {
            chunk.copy_from_slice(&(number as f32).to_le_bytes());
        }
        bytes
    }

    /// Reads the result of [`to_bytes`](Rating::to_bytes); `None` unless these are twelve bytes of
    /// three numbers in range.
    pub fn from_bytes(bytes: &[u8]) -> Option<Rating> {
        let (&[value, deviation, volatility], []) = bytes.as_chunks::<4>() else {
            return None;
        };
        let number = |bytes| f64::from(f32::from_le_bytes(bytes));
        let rating = Rating {
            value: number(value),
            deviation: number(deviation),
            volatility: number(volatility),
        };
        (rating == rating.bounded()).then_some(rating)
    }

    /// Glickman's steps 2 to 8: one period with at least one game, neither bounded nor rounded.
    fn after_all(self, games: &[(Rating, Score)]) -> Rating {
        let phi = self.deviation / SCALE;

        let (mut information, mut surprise) = (0.0, 0.0);
        for (opponent, score) in games {
            let weight = weight(opponent.deviation / SCALE);
            let expected = logistic(weight * (self.value - opponent.value) / SCALE);
            information += weight * weight * expected * (1.0 - expected);
            surprise += weight * (score.value() - expected);
        }
        let variance = 1.0 / information;
        let volatility = solve_volatility(phi, self.volatility, variance, variance * surprise);

        let precision = 1.0 / (phi * phi + volatility * volatility) + information;
        Rating {
            value: self.value + SCALE * surprise / precision,
            deviation: SCALE / precision.sqrt(),
            volatility,
        }
    }

    fn bounded(self) -> Rating {
        Rating {
            value: self.value.clamp(VALUE.0, VALUE.1),
            deviation: self.deviation.clamp(DEVIATION.0, DEVIATION.1),
            volatility: self.volatility.clamp(VOLATILITY.0, VOLATILITY.1),
        }
    }
}

/// Glickman's g: the weight of a result against an opponent of this deviation.
fn weight(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Glickman's step 5, by the Illinois variant of regula falsi.
fn solve_volatility(phi: f64, sigma: f64, variance: f64, delta: f64) -> f64 {
    let start = (sigma * sigma).ln();
    let excess = delta * delta - phi * phi - variance;
    let slope = |x: f64| {
        let total = phi * phi + variance + x.exp();
        x.exp() * (excess - x.exp()) / (2.0 * total * total) - (x - start) / (TAU * TAU)
    };

    // The root is less than TAU away. There the second term is ±1/TAU, and the first, at least
    // -1/2, is at most exp(x)/2 times the square of delta / variance, which one game keeps below 1.
    // (Glickman's own upper end, the logarithm of `excess`, takes in further roots after the
    // greatest upsets.)
    let (mut a, mut b) = (start, if slope(start) > 0.0 { start + TAU } else { start - TAU });
    let (mut slope_a, mut slope_b) = (slope(a), slope(b));
    for _ in 0..STEPS_MAX {
        if (b - a).abs() <= TOLERANCE || slope_a == slope_b {
            break;
        }
        let c = a + (a - b) * slope_a / (slope_b - slope_a);
        let slope_c = slope(c);
        if slope_c * slope_b <= 0.0 {
            (a, slope_a) = (b, slope_b);
        } else {
            slope_a /= 2.0;
        }
        (b, slope_b) = (c, slope_c);
    }
    (b / 2.0).exp()
}

#[cfg(test)]
mod tests;
