//! How good a position looks, from what either colour could make on every empty cell.

use std::sync::LazyLock;

use renju::{Color, Fouls, Ruleset};

use crate::cell::side;
use crate::class::Class;
use crate::field::Field;
use crate::line::{Both, shape_of};
use crate::score::{EVALUATION_MAX, Score};
use crate::weights::Weights;

/// A score for the case that Black is to move and for the case that White is.
pub(crate) type Worth = [i32; 2];

/// What lines and classes are worth, so that the field can keep the sum over all its cells.
pub(crate) struct Worths {
    lines: [Worth; 256],
    classes: [[Worth; Class::COUNT]; 2],
}

impl Worths {
    /// The table of a ruleset.
    pub(crate) fn of(ruleset: &Ruleset) -> &'static Worths {
        static FREE: LazyLock<Worths> = LazyLock::new(|| Worths::from([&Weights::FREE; 2]));
        static RENJU: LazyLock<Worths> =
            LazyLock::new(|| Worths::from([&Weights::RENJU_BLACK, &Weights::RENJU_WHITE]));
        match ruleset.fouls {
            Fouls::Black { .. } => &RENJU,
            Fouls::None | Fouls::DoubleThree { .. } => &FREE,
        }
    }

    /// The weights for Black to move and for White to move, as sums over both sides.
    fn from(weights: [&Weights; 2]) -> Worths {
        let mut worths = Worths { lines: [[0; 2]; 256], classes: [[[0; 2]; Class::COUNT]; 2] };
        for (mover, weights) in weights.into_iter().enumerate() {
            for side in 0..2 {
                let (n, sign) = if side == mover { (0, 1) } else { (1, -1) };
                for both in 0..=Both::MAX {
                    worths.lines[usize::from(both)][mover] +=
                        sign * weights.shapes[n][shape_of(both, side) as usize];
                }
                for class in 0..Class::COUNT {
                    worths.classes[side][class][mover] = sign * weights.classes[n][class];
                }
            }
        }
        worths
    }

    /// What it changes when a line that held `old` holds `new`.
    pub(crate) fn line(&self, old: Both, new: Both) -> Worth {
        difference(self.lines[usize::from(old)], self.lines[usize::from(new)])
    }

    /// What it changes when a cell of `side` goes from one class to another.
    pub(crate) fn class(&self, side: usize, old: Class, new: Class) -> Worth {
        difference(self.classes[side][old as usize], self.classes[side][new as usize])
    }
}

fn difference(old: Worth, new: Worth) -> Worth {
    [new[0] - old[0], new[1] - old[1]]
}

/// The score of the field for the player to move, as if nothing forced were going on.
pub(crate) fn evaluate(field: &Field) -> Score {
    let weights = match (field.ruleset.fouls, field.to_move) {
        (Fouls::Black { .. }, Color::Black) => &Weights::RENJU_BLACK,
        (Fouls::Black { .. }, Color::White) => &Weights::RENJU_WHITE,
        _ => &Weights::FREE,
    };
    let me = side(field.to_move);
    let pairs = |side: usize| i32::from(field.pairs[side]) * (i32::from(field.pairs[side]) + 2);
    let score = weights.to_move + field.worth[me] + weights.pair * (pairs(me) - pairs(1 - me)) / 2;
    score.clamp(-EVALUATION_MAX, EVALUATION_MAX)
}
