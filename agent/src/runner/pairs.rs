//! Statistics of pairs of games.
//!
//! Two games with the same opening and exchanged colours are one observation: an opening that
//! favours a colour then adds no noise. Pure.

use super::elo::{Elo, Z, elo};

/// Elo in one natural unit of the logistic curve; twice as many normalized Elo are one standard
/// deviation of a game.
pub(super) const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Score of each kind of pair, per game.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Number of pairs in which one side got 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pentanomial(pub [u32; 5]);

/// Strength of one side compared with the other, from pairs of games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Difference in Elo.
    pub elo: Elo,
    /// Difference in normalized Elo: the score above one half in standard deviations of a game.
    /// Unlike Elo, it does not depend on how many games are drawn or how unequal the openings are.
    pub normalized: f64,
    /// Half of the 95 % interval of `normalized`.
    pub normalized_error: f64,
    /// Probability that the side is the stronger one (LOS).
    pub superiority: f64,
}

impl Pentanomial {
    /// Counts a pair in which the side got this many half points.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u32 {
        self.0.iter().sum()
    }

    /// `None` if all pairs had the same result: their spread is then unknown.
    pub fn estimate(&self) -> Option<Estimate> {
        if self.0.iter().filter(|count| **count > 0).count() < 2 {
            return None;
        }
        let pairs = f64::from(self.pairs());
        let shares = self.0.map(|count| f64::from(count) / pairs);
        let (mean, variance) = moments(&shares);
        let of_mean = (variance / pairs).sqrt();
        // Both games of a pair together have half of the variance of one.
        let of_game = (2.0 * variance).sqrt();
        Some(Estimate {
            elo: Elo {
                estimate: elo(mean),
                low: elo(mean - Z * of_mean),
                high: elo(mean + Z * of_mean),
            },
            normalized: 2.0 * SCALE * (mean - 0.5) / of_game,
            normalized_error: 2.0 * SCALE * Z / (2.0 * pairs).sqrt(),
            superiority: normal((mean - 0.5) / of_mean),
        })
    }
}

/// Mean and variance of a distribution over [`SCORES`].
pub(super) fn moments(shares: &[f64; 5]) -> (f64, f64) {
    let expected = |value: &dyn Fn(f64) -> f64| -> f64 {
        shares.iter().zip(SCORES).map(|(share, score)| share * value(score)).sum()
    };
    let mean = expected(&|score| score);
    (mean, expected(&|score| (score - mean).powi(2)))
}

/// Probability that a standard normal variable is below `x`.
fn normal(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    // The integral of the density from zero as a power series: x + x³/3 + x⁵/(3·5) + …, times the
    // density at x.
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-16 {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(is: f64, wanted: f64, by: f64) {
        assert!((is - wanted).abs() <= by, "{is} is not {wanted}");
    }

    #[test]
    fn a_published_test_of_a_chess_engine_has_its_published_figures() {
        let estimate = Pentanomial([379, 10_170, 21_828, 10_640, 343]).estimate().unwrap();
        close(estimate.normalized, 3.05, 0.005);
        close(estimate.normalized_error, 2.31, 0.005);
        assert!(estimate.superiority > 0.995 && estimate.superiority < 0.996);
        assert!(estimate.elo.low > 0.0 && estimate.elo.high < 3.0, "{:?}", estimate.elo);
    }

    #[test]
    fn a_pair_by_hand() {
        // Two pairs of 1½ points, two of ½: mean 0.5, variance 1/16, of a game 1/8.
        let even = Pentanomial([0, 2, 0, 2, 0]).estimate().unwrap();
        assert_eq!((even.normalized, even.elo.estimate, even.superiority), (0.0, 0.0, 0.5));
        // Three and one: mean 0.625, variance 3/64; of a game √(3/32) = 0.306; 0.125/0.306 = 0.408.
        let ahead = Pentanomial([0, 1, 0, 3, 0]).estimate().unwrap();
        close(ahead.normalized, 0.408_248 * 800.0 / std::f64::consts::LN_10, 1e-3);
        close(ahead.elo.estimate, 88.74, 0.01);
    }

    #[test]
    fn the_other_side_sees_the_same_with_the_sign_changed() {
        let here = Pentanomial([1, 5, 2, 7, 3]).estimate().unwrap();
        let there = Pentanomial([3, 7, 2, 5, 1]).estimate().unwrap();
        close(here.normalized, -there.normalized, 1e-9);
        close(here.superiority, 1.0 - there.superiority, 1e-9);
        close(here.elo.low, -there.elo.high, 1e-9);
    }

    #[test]
    fn pairs_that_are_all_alike_tell_no_spread() {
        for counts in [[0; 5], [0, 0, 0, 0, 10], [7, 0, 0, 0, 0], [0, 0, 3, 0, 0]] {
            assert_eq!(Pentanomial(counts).estimate(), None, "{counts:?}");
        }
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        for (x, wanted) in [(0.0, 0.5), (1.0, 0.841_345), (1.96, 0.975_002), (3.0, 0.998_650)] {
            close(normal(x), wanted, 1e-6);
            close(normal(-x), 1.0 - wanted, 1e-6);
        }
        assert_eq!((normal(40.0), normal(f64::NEG_INFINITY)), (1.0, 0.0));
        assert!(normal(7.9) <= 1.0 && normal(-7.9) >= 0.0);
    }
}
