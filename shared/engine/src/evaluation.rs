//! Static evaluation, from the shapes either colour could make on every empty cell.

use std::sync::LazyLock;

use renju::{Color, Fouls, Ruleset};

use crate::cell::side;
use crate::class::Class;
use crate::field::Field;
use crate::line::{LineShapes, shape_of};
use crate::score::{EVALUATION_MAX, Score};
use crate::weights::Weights;

/// A score if Black is to move, and one if White is.
pub(crate) type Worth = [i32; 2];

/// Values of lines and classes. The field keeps the sum over all its cells.
pub(crate) struct Worths {
    lines: [Worth; 256],
    classes: [[Worth; Class::COUNT]; 2],
}

impl Worths {
    pub(crate) fn of(ruleset: &Ruleset) -> &'static Worths {
        static FREE: LazyLock<Worths> = LazyLock::new(|| Worths::from([&Weights::FREE; 2]));
        static RENJU: LazyLock<Worths> =
            LazyLock::new(|| Worths::from([&Weights::RENJU_BLACK, &Weights::RENJU_WHITE]));
        match ruleset.fouls {
            Fouls::Black { .. } => &RENJU,
            Fouls::None | Fouls::DoubleThree { .. } => &FREE,
        }
    }

    /// Combines the weights for Black to move and for White to move.
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

    /// Change of the evaluation when a line changes from `old` to `new`.
    pub(crate) fn line(&self, old: LineShapes, new: LineShapes) -> Worth {
        difference(self.lines[usize::from(old)], self.lines[usize::from(new)])
    }

    /// Change of the evaluation when a cell of `side` changes class.
    pub(crate) fn class(&self, side: usize, old: Class, new: Class) -> Worth {
        difference(self.classes[side][old as usize], self.classes[side][new as usize])
    }
}

fn difference(old: Worth, new: Worth) -> Worth {
    [new[0] - old[0], new[1] - old[1]]
}

/// Static score for the player to move; forced sequences are not considered.
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

/// Value for the player to move of pairs captured, and of those that can be captured next.
fn pairs(field: &Field) -> Score {
    let [mine, theirs] = [field.to_move, !field.to_move].map(|color| {
        let taken = i32::from(field.pairs[side(color)]);
        let goal = i32::from(field.ruleset.pairs_to_win.unwrap_or(1)).max(1);
        let takes = field.capturing_cells(color).len() as i32;
        let worth = pairs_worth(taken, goal);
        Pairs { worth, next: pairs_worth(taken + 1, goal) - worth, takes }
    });
    // The player to move captures a pair at once, or saves one in danger but not two.
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

struct Pairs {
    /// Value of the pairs captured.
    worth: Score,
    /// Value the next pair would add.
    next: Score,
    /// Number of points on which a pair can be captured.
    takes: i32,
}

/// Scale: if five pairs win, the first is worth 1.5 of these, the second 2.5, and so on.
const PAIR: Score = 140;

/// Value of a pair that can be captured, in percent of a captured one: the first for the player to
/// move, the only one and the first two for the opponent, and each further one for either.
const TAKE: i32 = 60;
const IN_DANGER: i32 = 20;
const TWO_IN_DANGER: i32 = 50;
const MORE: i32 = 15;

/// Value of `pairs` when `goal` win; each is worth more than the one before.
const fn pairs_worth(pairs: i32, goal: i32) -> Score {
    5 * PAIR * pairs * (5 * pairs + 2 * goal) / (2 * goal * goal)
}
