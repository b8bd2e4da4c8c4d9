//! Sequential probability ratio test: play until the results decide between two differences in
//! strength. Pure.
//!
//! The ratio is the generalized one: the likelihood of the counted pairs under the distribution
//! that fits them best and has the difference of H1, over the same for H0.

use std::fmt;
use std::str::FromStr;

use super::pairs::{Pentanomial, SCALE, SCORES, moments};

/// Count of a kind of pair that has not occurred: with none, no distribution that expects one
/// could be compared.
const UNSEEN: f64 = 1e-3;

/// Largest difference that can be tested, in Elo of either kind.
const ELO_MAX: f64 = 200.0;

/// A test of H0, a difference of `elo0`, against H1, one of `elo1`.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs, reason = "the names are those of the command line")]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// Probability to accept H1 if H0 is true.
    pub alpha: f64,
    /// Probability to accept H0 if H1 is true.
    pub beta: f64,
    pub model: Model,
}

/// Scale of `elo0` and `elo1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// Elo in units of the standard deviation of a game; see
    /// [`Estimate::normalized`](super::pairs::Estimate).
    Normalized,
    /// Elo as in ratings.
    Logistic,
}

/// Result of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Hypothesis {
    H0,
    H1,
}

impl Sprt {
    /// Logarithms of the ratio at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Logarithm of the likelihood ratio (LLR): above zero if H1 fits the pairs better than H0.
    pub fn ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| f64::from(count).max(UNSEEN));
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let (h0, h1) = (self.fitted(&seen, self.elo0), self.fitted(&seen, self.elo1));
        let gain = |kind: usize| counts[kind] * (h1[kind] / h0[kind]).ln();
        (0..5).map(gain).sum()
    }

    /// `None` until the ratio reaches a bound.
    pub fn decide(&self, pairs: &Pentanomial) -> Option<Hypothesis> {
        let (low, high) = self.bounds();
        let ratio = self.ratio(pairs);
        if ratio >= high {
            Some(Hypothesis::H1)
        } else if ratio <= low {
            Some(Hypothesis::H0)
        } else {
            None
        }
    }

    fn fitted(&self, seen: &[f64; 5], elo: f64) -> [f64; 5] {
        match self.model {
            Model::Logistic => fit_mean(seen, 1.0 / (1.0 + (-elo / SCALE).exp())),
            // Both games of a pair together have half of the variance of one.
            Model::Normalized => fit_deviations(seen, 2.0_f64.sqrt() * elo / (2.0 * SCALE)),
        }
    }
}

/// Most likely distribution with this mean.
fn fit_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    fit_zero(seen, &SCORES.map(|score| score - mean))
}

/// Most likely distribution whose mean is `deviations` standard deviations above one half.
fn fit_deviations(seen: &[f64; 5], deviations: f64) -> [f64; 5] {
    const ROUNDS_MAX: usize = 100;
    /// Later rounds go only half of the way, in case the rounds go back and forth.
    const ROUNDS_WHOLE: usize = 20;
    let mut fit = [0.2; 5];
    for round in 0..ROUNDS_MAX {
        // The constraint is linear in the shares once mean and deviation are taken from the last
        // round: the derivative of `mean - ½ - deviations · deviation` by each share.
        let (mean, variance) = moments(&fit);
        let deviation = variance.sqrt();
        let slopes = SCORES.map(|score| {
            let from_mean = (score - mean) / deviation;
            score - 0.5 - deviations * deviation / 2.0 * (1.0 + from_mean.powi(2))
        });
        let next = fit_zero(seen, &slopes);
        let change = (0..5).map(|kind| (next[kind] - fit[kind]).abs()).fold(0.0, f64::max);
        let step = if round < ROUNDS_WHOLE { 1.0 } else { 0.5 };
        for kind in 0..5 {
            fit[kind] += step * (next[kind] - fit[kind]);
        }
        if change < 1e-8 {
            break;
        }
    }
    fit
}

/// Most likely distribution under which `values` have the mean zero. Lagrange's method gives
/// `seen / (1 + x · value)`, with the `x` at which the mean is zero.
fn fit_zero(seen: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return *seen;
    }
    // The mean falls from +∞ to -∞ between these, so there is one such `x`. Newton's method finds it
    // in a few steps; a step that leaves the interval is replaced by its middle.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..100 {
        let (mut mean, mut slope) = (0.0, 0.0);
        for (share, value) in seen.iter().zip(values) {
            let part = value / (1.0 + x * value);
            mean += share * part;
            slope -= share * part * part;
        }
        if mean > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - mean / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        let done = (next - x).abs() <= 1e-13 * (1.0 + x.abs());
        x = next;
        if done {
            break;
        }
    }
    std::array::from_fn(|kind| seen[kind] / (1.0 + x * values[kind]))
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads `elo0=0,elo1=10`, and optionally `alpha`, `beta` and `model`, in any order.
    fn from_str(text: &str) -> Result<Sprt, String> {
        let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, None, 0.05, 0.05);
        let mut model = Model::Normalized;
        for part in text.split(',') {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| format!("{part:?} is not of the form name=value"))?;
            let number = || {
                let number = value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
                number.ok_or_else(|| format!("{value:?} is not a number"))
            };
            match name.trim() {
                "elo0" => elo0 = number()?,
                "elo1" => elo1 = Some(number()?),
                "alpha" => alpha = number()?,
                "beta" => beta = number()?,
                "model" => {
                    model = match value.trim() {
                        "normalized" => Model::Normalized,
                        "logistic" => Model::Logistic,
                        other => {
                            return Err(format!(
                                "there is no model {other:?}; models are normalized and logistic"
                            ));
                        }
                    }
                }
                other => {
                    return Err(format!(
                        "there is no {other:?}; a test has elo0, elo1, alpha, beta and model"
                    ));
                }
            }
        }
        let elo1 = elo1.ok_or("elo1 is missing: the difference you hope for, such as elo1=10")?;
        if elo0 >= elo1 || elo0 < -ELO_MAX || elo1 > ELO_MAX {
            return Err(format!("elo0 must be below elo1, both from -{ELO_MAX} to {ELO_MAX}"));
        }
        if !(0.0001..=0.4).contains(&alpha) || !(0.0001..=0.4).contains(&beta) {
            return Err("alpha and beta must be from 0.0001 to 0.4".to_owned());
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
        })
    }
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brain::Random;

    fn test(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    #[test]
    fn a_published_test_of_a_chess_engine_has_its_published_ratio() {
        let pairs = Pentanomial([379, 10_170, 21_828, 10_640, 343]);
        let sprt = test("elo0=0,elo1=2,alpha=0.05,beta=0.05");
        let ratio = sprt.ratio(&pairs);
        assert!((ratio - 2.946).abs() < 0.001, "{ratio}");
        assert_eq!(sprt.decide(&pairs), Some(Hypothesis::H1));
        let (low, high) = sprt.bounds();
        assert!((low + 2.944).abs() < 0.001 && (high - 2.944).abs() < 0.001, "{low} {high}");
    }

    #[test]
    fn a_fit_has_what_its_hypothesis_says_and_no_neighbour_is_more_likely() {
        let seen = [0.1, 0.2, 0.35, 0.25, 0.1];
        let likelihood = |fit: &[f64; 5]| -> f64 {
            seen.iter().zip(fit).map(|(share, fit)| share * fit.ln()).sum()
        };
        let mean = fit_mean(&seen, 0.55);
        assert!((moments(&mean).0 - 0.55).abs() < 1e-9 && (mean.iter().sum::<f64>() - 1.0) < 1e-9);
        let off = fit_deviations(&seen, 0.2);
        let (of_mean, variance) = moments(&off);
        assert!(((of_mean - 0.5) / variance.sqrt() - 0.2).abs() < 1e-7, "{off:?}");
        // A change that keeps sum and mean: from the middle to both neighbours.
        for step in [-0.01, 0.01] {
            let mut other = mean;
            other[1] += step;
            other[2] -= 2.0 * step;
            other[3] += step;
            assert!(likelihood(&other) < likelihood(&mean));
        }
    }

    #[test]
    fn the_ratio_is_near_that_of_a_normal_distribution_for_many_pairs() {
        // For a mean with a normal error, LLR = N (s1 - s0) (2 s - s0 - s1) / (2 variance).
        let pairs = Pentanomial([900, 5_000, 10_000, 5_400, 1_000]);
        let shares = pairs.0.map(|count| f64::from(count) / f64::from(pairs.pairs()));
        let (mean, variance) = moments(&shares);
        let score = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let (s0, s1) = (score(0.0), score(5.0));
        let wanted =
            f64::from(pairs.pairs()) * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ratio = test("elo1=5,model=logistic").ratio(&pairs);
        assert!((ratio - wanted).abs() < 0.01 * wanted.abs(), "{ratio} {wanted}");
    }

    #[test]
    fn one_sided_matches_are_decided() {
        for text in ["elo1=10", "elo1=10,model=logistic", "elo0=-3,elo1=1", "elo1=200"] {
            let sprt = test(text);
            for (kind, wanted) in [(4, Hypothesis::H1), (0, Hypothesis::H0)] {
                let mut pairs = Pentanomial::default();
                assert_eq!(sprt.decide(&pairs), None);
                while sprt.decide(&pairs).is_none() {
                    assert!(pairs.pairs() < 1_000, "{text}: {}", sprt.ratio(&pairs));
                    pairs.add(kind);
                }
                assert_eq!(sprt.decide(&pairs), Some(wanted), "{text}");
            }
        }
        // Twenty wins in a row, as ten pairs.
        let ratio = test("elo1=100").ratio(&Pentanomial([0, 0, 0, 0, 10]));
        assert!(ratio > 2.944, "{ratio}");
    }

    #[test]
    fn no_counts_break_the_ratio() {
        let mut random = Random::seeded(1);
        let sizes = [0, 0, 1, 2, 50, 1_000, 100_000];
        for _ in 0..2_000 {
            let pairs = Pentanomial(std::array::from_fn(|_| sizes[random.below(7) as usize]));
            for text in ["elo0=-200,elo1=200", "elo1=1", "elo0=-200,elo1=200,model=logistic"] {
                assert!(test(text).ratio(&pairs).is_finite(), "{text}: {pairs:?}");
            }
        }
    }

    /// Share of simulated matches that accept H1 if pairs really have these shares.
    fn accepted(sprt: &Sprt, shares: &[f64; 5], matches: u32, random: &mut Random) -> f64 {
        let accepted =
            (0..matches).filter(|_| simulate(sprt, shares, random) == Hypothesis::H1).count();
        accepted as f64 / f64::from(matches)
    }

    fn simulate(sprt: &Sprt, shares: &[f64; 5], random: &mut Random) -> Hypothesis {
        let mut pairs = Pentanomial::default();
        loop {
            let mut draw = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
            let kind = shares.iter().position(|share| {
                draw -= share;
                draw < 0.0
            });
            pairs.add(kind.unwrap_or(4));
            if let Some(hypothesis) = sprt.decide(&pairs) {
                return hypothesis;
            }
        }
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        let mut random = Random::seeded(7);
        let even = [0.05, 0.2, 0.5, 0.2, 0.05];
        for (model, matches) in [("normalized", 10_000), ("logistic", 2_000)] {
            let sprt = test(&format!("elo0=0,elo1=100,model={model}"));
            let wrong = accepted(&sprt, &even, matches, &mut random);
            assert!(wrong <= 0.055, "{model}: H1 was accepted in {wrong}");
            assert!(wrong >= 0.015, "{model}: a test that never errs plays too long: {wrong}");
            let better = sprt.fitted(&even, 100.0);
            let right = accepted(&sprt, &better, 2_000, &mut random);
            assert!(right >= 0.935, "{model}: H1 was accepted in {right}");
        }
    }

    #[test]
    fn a_test_is_read_as_it_is_written() {
        let sprt = test("elo1=10");
        assert_eq!(sprt.to_string(), "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized");
        assert_eq!(test(&sprt.to_string()), sprt);
        let other = test("model=logistic, beta=.1, alpha=0.01, elo1=3.5, elo0=-1.5");
        assert_eq!(test(&other.to_string()), other);
        for (text, wanted) in [
            ("", "not of the form name=value"),
            ("elo0=0", "elo1 is missing"),
            ("elo1=ten", "\"ten\" is not a number"),
            ("elo1=inf", "\"inf\" is not a number"),
            ("elo0=5,elo1=5", "elo0 must be below elo1"),
            ("elo1=201", "from -200 to 200"),
            ("elo1=5,alpha=0", "alpha and beta"),
            ("elo1=5,beta=0.5", "alpha and beta"),
            ("elo1=5,model=elo", "there is no model \"elo\""),
            ("elo1=5,gamma=1", "there is no \"gamma\""),
        ] {
            let error = text.parse::<Sprt>().unwrap_err();
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }
}
