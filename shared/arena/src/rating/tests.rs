use super::*;

const DAY_MS: i64 = 24 * 3_600_000;

fn rating(value: f64, deviation: f64, volatility: f64) -> Rating {
    Rating { value, deviation, volatility }
}

fn close(found: Rating, value: f64, deviation: f64, volatility: f64) {
    let error = (found.value - value).abs() + (found.deviation - deviation).abs();
    assert!(error < 2e-6, "{found:?}");
    assert!((found.volatility - volatility).abs() < 2e-9, "{found:?}");
}

/// Ratings at, near and far beyond every end of the ranges.
fn extremes() -> Vec<Rating> {
    let numbers = |low: f64, high: f64| {
        [f64::MIN, -1.0, 0.0, 1e-300, low, (low + high) / 2.0, high, high + 1.0, f64::MAX]
    };
    let mut ratings = Vec::new();
    for value in numbers(VALUE.0, VALUE.1) {
        for deviation in numbers(DEVIATION.0, DEVIATION.1) {
            for volatility in numbers(VOLATILITY.0, VOLATILITY.1) {
                ratings.push(rating(value, deviation, volatility));
            }
        }
    }
    ratings
}

/// The paper prints 1464.06, 151.52 and 0.05999, computed from rounded terms.
#[test]
fn the_example_of_the_paper_comes_out() {
    let games = [
        (rating(1400.0, 30.0, 0.06), Score::Win),
        (rating(1550.0, 100.0, 0.06), Score::Loss),
        (rating(1700.0, 300.0, 0.06), Score::Loss),
    ];
    let found = rating(1500.0, 200.0, 0.06).after_all(&games);
    close(found, 1464.050671, 151.516524, 0.059995984);
}

/// Figures from fifty-digit decimal arithmetic, with bisection for the volatility.
#[test]
fn single_games_agree_with_fifty_digits() {
    use Score::{Draw, Loss, Win};
    for (player, opponent, score, expected) in [
        ((1500.0, 200.0, 0.06), (1400.0, 30.0), Win, (1563.564194, 175.402656, 0.059998657)),
        ((1500.0, 200.0, 0.06), (1550.0, 100.0), Loss, (1426.685592, 175.903231, 0.059999039)),
        ((1500.0, 200.0, 0.06), (1700.0, 300.0), Loss, (1455.857667, 186.983276, 0.059999190)),
        ((1500.0, 200.0, 0.06), (1400.0, 30.0), Draw, (1475.410930, 175.402651, 0.059997787)),
        ((1500.0, 350.0, 0.06), (1500.0, 350.0), Win, (1662.310894, 290.318964, 0.059999675)),
        ((1500.0, 60.0, 0.06), (2600.0, 60.0), Win, (1520.925537, 60.891841, 0.060012951)),
        ((2100.0, 45.0, 0.1), (1300.0, 80.0), Loss, (2087.174329, 48.220580, 0.100056711)),
    ] {
        let opponent = rating(opponent.0, opponent.1, 0.06);
        let found = rating(player.0, player.1, player.2).after_all(&[(opponent, score)]);
        close(found, expected.0, expected.1, expected.2);
    }
}

/// Bisection is slow and sure. The greatest upset in range has an expectation of 1e-10.
#[test]
fn the_volatility_found_is_the_root_whatever_the_upset() {
    let check = |phi: f64, sigma: f64, expected: f64| {
        let variance = 1.0 / (expected * (1.0 - expected));
        let delta = variance * (1.0 - expected);
        let start = 2.0 * sigma.ln();
        let slope = |x: f64| {
            let total = phi * phi + variance + x.exp();
            x.exp() * (delta * delta - total) / (2.0 * total * total) - (x - start) / (TAU * TAU)
        };
        let (mut low, mut high) = (start - 1.0, start + 1.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            *(if slope(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        let (found, root) = (solve_volatility(phi, sigma, variance, delta), (low / 2.0).exp());
        assert!((found / root - 1.0).abs() < 1e-9, "{phi} {sigma} {expected}: {found} {root}");
    };
    for phi in [0.25, 0.6, 2.0] {
        for sigma in [VOLATILITY.0, 0.06, VOLATILITY.1] {
            for expected in [0.999999, 0.9, 0.6, 0.5, 0.4, 0.2, 0.1, 0.01, 1e-4, 1e-7, 1e-10] {
                check(phi, sigma, expected);
            }
        }
    }
}

#[test]
fn the_winner_gains_what_an_equal_loser_loses() {
    for deviation in [45.0, 60.0, 110.0, 200.0, 350.0] {
        let player = rating(1500.0, deviation, 0.06);
        let (winner, loser) = (player.after(player, Score::Win), player.after(player, Score::Loss));
        assert_eq!(winner.value - 1500.0, 1500.0 - loser.value);
        assert_eq!(winner.deviation, loser.deviation);
        assert!(winner.value > 1500.0);
    }
}

#[test]
fn a_draw_between_equals_moves_no_value() {
    let player = Rating::NEW.after(Rating::NEW, Score::Draw);
    assert_eq!(player.value, 1500.0);
    assert!(player.deviation < 350.0);
}

#[test]
fn a_better_score_and_a_better_opponent_are_worth_more() {
    let player = rating(1500.0, 80.0, 0.06);
    let gain = |opponent: f64, score| player.after(rating(opponent, 80.0, 0.06), score).value;
    for opponent in (100..3900).step_by(100).map(f64::from) {
        assert!(gain(opponent, Score::Win) > gain(opponent, Score::Draw));
        assert!(gain(opponent, Score::Draw) > gain(opponent, Score::Loss));
        for score in [Score::Win, Score::Draw, Score::Loss] {
            assert!(gain(opponent + 100.0, score) >= gain(opponent, score), "{opponent} {score:?}");
        }
        assert!(gain(opponent, Score::Win) >= 1500.0 && gain(opponent, Score::Loss) <= 1500.0);
    }
}

#[test]
fn no_finite_rating_leads_out_of_the_ranges() {
    let ratings = extremes();
    for (index, &player) in ratings.iter().enumerate() {
        for &opponent in ratings.iter().skip(index % 7).step_by(7) {
            for score in [Score::Win, Score::Draw, Score::Loss] {
                let found = player.after(opponent, score);
                assert_eq!(Rating::from_bytes(&found.to_bytes()), Some(found), "{player:?}");
            }
            let both = player.expected(opponent) + opponent.expected(player);
            assert!((both - 1.0).abs() < 1e-12, "{player:?} {opponent:?}");
        }
        for ms in [i64::MIN, 0, 1, i64::MAX] {
            assert_eq!(player.idle(ms), player.idle(ms).bounded());
        }
    }
}

#[test]
fn playing_equals_settles_near_sixty() {
    let mut player = Rating::NEW;
    for game in 0..500 {
        let score = if game % 2 == 0 { Score::Win } else { Score::Loss };
        player = player.after(player, score);
    }
    assert!((55.0..65.0).contains(&player.deviation), "{player:?}");
    assert!((player.value - 1500.0).abs() < 100.0, "{player:?}");
}

#[test]
fn a_year_of_silence_makes_a_newcomer() {
    let player = rating(2000.0, 60.0, 0.06);
    assert_eq!(player.idle(0), player);
    assert_eq!(player.idle(-DAY_MS), player);
    assert!(player.idle(360 * DAY_MS).deviation < 350.0);
    assert_eq!(player.idle(366 * DAY_MS).deviation, 350.0);
    assert_eq!(player.idle(366 * DAY_MS).value, 2000.0);

    let week = |weeks: i64| player.idle(7 * weeks * DAY_MS).deviation;
    assert!((0..52).all(|weeks| week(weeks) < week(weeks + 1)));
    let twice = player.idle(DAY_MS).idle(DAY_MS);
    assert!((twice.deviation - player.idle(2 * DAY_MS).deviation).abs() < 1e-9);
}

#[test]
fn expectation_follows_the_difference_and_shrinks_with_doubt() {
    let expected = |value: f64, deviation: f64| {
        rating(value, deviation, 0.06).expected(rating(1500.0, deviation, 0.06))
    };
    assert_eq!(expected(1500.0, 60.0), 0.5);
    assert!((expected(1600.0, 60.0) - 0.635_490_318_985).abs() < 1e-12);
    assert!(expected(1600.0, 60.0) > expected(1550.0, 60.0));
    assert!(expected(1600.0, 60.0) > expected(1600.0, 300.0));
    assert!(expected(1600.0, 300.0) > 0.5);
}

#[test]
fn bytes_round_trip_and_nonsense_is_refused() {
    assert_eq!(Rating::NEW.stored(), Rating::NEW);
    for player in extremes() {
        let stored = player.stored();
        assert_eq!(stored.stored(), stored);
        assert_eq!(Rating::from_bytes(&player.to_bytes()), Some(stored));
    }
    let bytes = |value: f32, deviation: f32, volatility: f32| {
        [value.to_le_bytes(), deviation.to_le_bytes(), volatility.to_le_bytes()].concat()
    };
    assert!(Rating::from_bytes(&bytes(1500.0, 350.0, 0.06)).is_some());
    for nonsense in [
        bytes(f32::NAN, 350.0, 0.06),
        bytes(1500.0, f32::INFINITY, 0.06),
        bytes(1500.0, 350.0, f32::NAN),
        bytes(-1.0, 350.0, 0.06),
        bytes(4000.5, 350.0, 0.06),
        bytes(1500.0, 44.9, 0.06),
        bytes(1500.0, 350.1, 0.06),
        bytes(1500.0, 350.0, 0.2),
        bytes(1500.0, 350.0, 0.06)[..11].to_vec(),
        [bytes(1500.0, 350.0, 0.06), vec![0]].concat(),
    ] {
        assert_eq!(Rating::from_bytes(&nonsense), None, "{nonsense:?}");
    }
}

#[test]
fn a_newcomer_is_provisional_and_ranks_by_the_lower_end() {
    assert!(Rating::NEW.is_provisional());
    assert!(!rating(1500.0, 110.0, 0.06).is_provisional());
    assert_eq!(Rating::NEW.conservative(), 800.0);
    assert_eq!([Score::Win, Score::Draw, Score::Loss].map(Score::value), [1.0, 0.5, 0.0]);
}
