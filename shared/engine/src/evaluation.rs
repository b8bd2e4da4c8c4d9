//! How good a position looks, from the number of shapes either colour could make.

use crate::cell::side;
use crate::field::Field;
use crate::score::{EVALUATION_MAX, Score};
use crate::weights::Weights;

/// The score of the field for the player to move, as if nothing forced were going on.
pub(crate) fn evaluate(field: &Field) -> Score {
    let weights = Weights::of(field.ruleset, field.to_move);
    let mut score = weights.to_move;
    for (n, sign) in [(0, 1), (1, -1)] {
        let who = side(field.to_move) ^ n;
        let shapes: i32 = weights.shapes[n]
            .iter()
            .zip(field.totals.shapes[who])
            .map(|(weight, count)| weight * i32::from(count))
            .sum();
        let classes: i32 = weights.classes[n]
            .iter()
            .zip(field.totals.classes[who])
            .map(|(weight, count)| weight * i32::from(count.min(4)))
            .sum();
        let pairs = i32::from(field.pairs[who]);
        score += sign * (shapes + classes + weights.pair * pairs * (pairs + 2) / 2);
    }
    score.clamp(-EVALUATION_MAX, EVALUATION_MAX)
}
