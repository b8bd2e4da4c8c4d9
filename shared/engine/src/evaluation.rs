//! Static evaluation: the net, and with captures the pairs.

use crate::cell::side;
use crate::field::Field;
use crate::score::{EVALUATION_MAX, Score};

/// Static score for the player to move; forced sequences are not considered.
pub(crate) fn evaluate(field: &mut Field) -> Score {
    let score = field.net.score(&field.sum(), side(field.to_move));
    (score + field.pairs_worth()).clamp(-EVALUATION_MAX, EVALUATION_MAX)
}

impl Field {
    /// Value for the player to move of pairs captured, and of those that can be captured next, which
    /// the evaluation adds to that of the net. Zero without captures.
    pub fn pairs_worth(&self) -> Score {
        let Some(goal) = self.ruleset.pairs_to_win.map(i32::from) else { return 0 };
        let [mine, theirs] = [self.to_move, !self.to_move].map(|color| {
            let taken = i32::from(self.pairs[side(color)]);
            let takes = self.capturing_cells(color).len() as i32;
            let [now, then] = [taken, taken + 1].map(|pairs| worth(pairs, goal));
            Pairs { worth: now, next: then - now, takes }
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
const fn worth(pairs: i32, goal: i32) -> Score {
    5 * PAIR * pairs * (5 * pairs + 2 * goal) / (2 * goal * goal)
}

#[cfg(test)]
mod tests {
    use renju::{Board, Color, Point, Ruleset, Symmetry};

    use super::*;
    use crate::random::Random;

    #[test]
    fn a_turned_or_mirrored_board_is_worth_the_same() {
        for ruleset in Ruleset::ALL {
            let mut random = Random::new(3);
            for stones in 1..60 {
                let mut board = Board::new(ruleset.size);
                let mut boards = [board; 8];
                while board.stones() < stones {
                    let mut at = || random.below(u64::from(ruleset.size)) as u8;
                    let point = Point::new(at(), at()).unwrap();
                    let color =
                        if board.stones().is_multiple_of(2) { Color::Black } else { Color::White };
                    if board.is_empty(point) {
                        board.put(point, color);
                        for (turned, symmetry) in boards.iter_mut().zip(Symmetry::ALL) {
                            turned.put(symmetry.apply(point, ruleset.size), color);
                        }
                    }
                }
                for color in Color::BOTH {
                    let worth =
                        |board| evaluate(&mut Field::of(ruleset, board, color, Default::default()));
                    let worths = boards.each_ref().map(worth);
                    assert_eq!(worths, [worths[0]; 8], "{} {stones} {color:?}", ruleset.id);
                }
            }
        }
    }

    #[test]
    fn the_player_with_more_open_lines_is_better() {
        for id in ["renju_free", "gomoku_freestyle", "gomoku_exact5", "gomoku_capture"] {
            let ruleset = Ruleset::find(id).unwrap();
            for color in Color::BOTH {
                let mut board = Board::new(ruleset.size);
                for (point, owner) in ["g7", "h8", "g9"]
                    .map(|point| (point, color))
                    .into_iter()
                    .chain(["a1", "c15", "o2"].map(|point| (point, !color)))
                {
                    board.put(point.parse().unwrap(), owner);
                }
                let worth = |to_move| evaluate(&mut Field::of(ruleset, &board, to_move, [0; 2]));
                assert!(worth(color) > 100 && worth(!color) < -100, "{id} {color:?}");
            }
        }
    }
}
