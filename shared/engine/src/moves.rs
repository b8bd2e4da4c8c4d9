//! Move generation: forced replies if the position demands one, else every cell near a stone.

use crate::cell::{Cell, Set, side};
use crate::class::Class;
use crate::field::{CellShapes, Field};

/// Threat the player to move must answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Demand {
    /// The opponent wins on this cell next.
    Block(Cell),
    /// With captures: the opponent wins somewhere next; a capture may stop it.
    BlockOrCapture,
    /// With captures: the opponent has five, and only a capture can break it.
    Break,
    /// The opponent makes a straight four next.
    StopStraight,
    Nothing,
}

impl Demand {
    /// Says if ignoring it loses at once.
    pub(crate) const fn is_forced(self) -> bool {
        matches!(self, Demand::Block(_) | Demand::BlockOrCapture | Demand::Break)
    }
}

/// A move with its rank; higher is tried first.
pub(crate) type Ranked = (i32, Cell);

/// Adds the moves that meet `demand` to `moves`, unordered and with fouls.
pub(crate) fn generate(field: &Field, demand: Demand, captures: &Set, moves: &mut Vec<Ranked>) {
    let policy = &field.policy[side(field.to_move)];
    let mut push =
        |cell: Cell| moves.push((policy.rank(field, cell, field.shapes[cell.index()]), cell));
    match demand {
        Demand::Block(cell) => push(cell),
        Demand::Break => captures.iter().for_each(push),
        Demand::BlockOrCapture => {
            let five = Class::Five as usize;
            let mut cells = *captures;
            for cell in field.sets[0][five].iter().chain(field.sets[1][five].iter()) {
                cells.insert(cell);
            }
            cells.iter().for_each(push);
        }
        Demand::StopStraight => {
            for (cell, shapes) in field.near() {
                if has_four(shapes) || captures.contains(cell) {
                    push(cell);
                }
            }
        }
        Demand::Nothing if field.captures() => {
            let mut cells = *captures;
            field.near().for_each(|(cell, _)| cells.insert(cell));
            cells.iter().for_each(push);
        }
        Demand::Nothing => field
            .near()
            .for_each(|(cell, shapes)| moves.push((policy.rank(field, cell, shapes), cell))),
    }
}

/// Says if either colour makes a four or more on the cell.
const fn has_four(shapes: CellShapes) -> bool {
    // Shapes from four up have their upper bit set and one of the next two.
    shapes & (shapes << 1 | shapes << 2) & 0x8888_8888 != 0
}

/// Moves the best of `moves[from..]` to `from` and returns it.
pub(crate) fn pick(moves: &mut [Ranked], from: usize) -> Ranked {
    let best = (from..moves.len()).max_by_key(|&n| (moves[n].0, std::cmp::Reverse(moves[n].1)));
    moves.swap(from, best.unwrap_or(from));
    moves[from]
}
