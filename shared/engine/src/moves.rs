//! Which moves a position calls for, best first: answer what must be answered, else what looks good.

use crate::cell::{Cell, Set, side};
use crate::class::Class;
use crate::field::Field;
use crate::shape::Shape;

/// What the position demands of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Demand {
    /// The opponent wins on this cell next.
    Block(Cell),
    /// With captures: the opponent wins somewhere next, and a capture may stop it.
    BlockOrCapture,
    /// With captures: the opponent has five, and only a capture can break it.
    Break,
    /// The opponent makes a straight four next.
    StopStraight,
    /// Nothing.
    Nothing,
}

/// A move with its place in the order.
pub(crate) type Ranked = (i32, Cell);

/// How much the class of a cell adds to its rank, for the player to move and for the opponent.
const RANK: [[i32; Class::COUNT]; 2] = [
    [0, 0, 10, 60, 130, 200, 90, 180, 900, 1500, 5000, 0],
    [0, 0, 8, 40, 90, 150, 20, 60, 500, 700, 3000, -20],
];

/// Adds the moves that meet `demand` to `moves`, not yet in order, fouls not yet left out.
pub(crate) fn generate(field: &Field, demand: Demand, captures: &Set, moves: &mut Vec<Ranked>) {
    let me = side(field.to_move);
    let mut push = |cell: Cell| moves.push((rank(field, cell, me), cell));
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
            for cell in field.near.iter() {
                let look = &field.looks[cell.index()];
                let fours = |shapes: [Shape; 4]| shapes.iter().any(|&shape| shape >= Shape::Four);
                if fours(look[0].shapes) || fours(look[1].shapes) || captures.contains(cell) {
                    push(cell);
                }
            }
        }
        Demand::Nothing if field.captures() => {
            let mut cells = field.near;
            captures.iter().for_each(|cell| cells.insert(cell));
            cells.iter().for_each(push);
        }
        Demand::Nothing => field.near.iter().for_each(push),
    }
}

fn rank(field: &Field, cell: Cell, me: usize) -> i32 {
    let look = &field.looks[cell.index()];
    let classes = RANK[0][look[me].class as usize] + RANK[1][look[1 - me].class as usize];
    3 * i32::from(look[me].score) + 2 * i32::from(look[1 - me].score) + classes
}

/// Moves the best of `moves[from..]` to `from` and gives it.
pub(crate) fn pick(moves: &mut [Ranked], from: usize) -> Ranked {
    let best = (from..moves.len()).max_by_key(|&n| (moves[n].0, std::cmp::Reverse(moves[n].1)));
    moves.swap(from, best.unwrap_or(from));
    moves[from]
}
