//! How good a position looks, from what either colour could make on every empty cell.

use std::sync::LazyLock;

use renju::{Color, Fouls, Ruleset};

use crate::cell::side;
use crate::class::Class;
use crate::field::Field;
use crate::line::{LineShapes, shape_of};
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
                for line in 0..=LineShapes::MAX {
                    worths.lines[usize::from(line)][mover] +=
                        sign * weights.shapes[n][shape_of(line, side) as usize];
                }
                for class in 0..Class::COUNT {
                    worths.classes[side][class][mover] = sign * weights.classes[n][class];
                }
            }
        }
        worths
    }

    /// What it changes when a line that held `old` holds `new`.
    pub(crate) fn line(&self, old: LineShapes, new: LineShapes) -> Worth {
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
    let score = weights.to_move + field.worth[me];
    let score = if field.captures() { score + pairs(field) } else { score };
    score.clamp(-EVALUATION_MAX, EVALUATION_MAX)
}

/// What captured pairs, and those that can be captured next, are worth to the player to move.
fn pairs(field: &Field) -> Score {
    let [mine, theirs] = [field.to_move, !field.to_move].map(|color| {
        let taken = i32::from(field.pairs[side(color)]);
        let goal = i32::from(field.ruleset.pairs_to_win.unwrap_or(1)).max(1);
        let takes = field.capturing_cells(color).len() as i32;
        let worth = pairs_worth(taken, goal);
        Pairs { worth, next: pairs_worth(taken + 1, goal) - worth, takes }
    });
    // The player to move takes a pair at once, or saves one of those in danger but not two.
    let attack = match mine.takes {
        0 => 0,
        takes => TAKE + MORE * (takes - 1),
    };
    let danger = match theirs.takes {
        0 => 0,
        1 => IN_DANGER,
        takes => TWO_IN_DANGER + MORE * (takes - 2),
    };
    mine.worth - theirs.worth + (mine.next * attack - theirs.next * danger) / 100
}

/// One side's captures.
struct Pairs {
    /// What those are worth that were made.
    worth: Score,
    /// What the next one adds.
    next: Score,
    /// On how many points it can be made.
    takes: i32,
}

/// The scale: of five pairs to win, the first is worth one and a half of these, the second two and a
/// half, and so on.
const PAIR: Score = 140;

/// What a pair is worth that can be taken, in hundredths of one that was: the first by the player to
/// move, the only one and the first two by the opponent, and each one more by either.
const TAKE: i32 = 60;
const IN_DANGER: i32 = 20;
const TWO_IN_DANGER: i32 = 50;
const MORE: i32 = 15;

/// So many pairs of those that win: each is worth more than the one before.
const fn pairs_worth(pairs: i32, goal: i32) -> Score {
    5 * PAIR * pairs * (5 * pairs + 2 * goal) / (2 * goal * goal)
}
