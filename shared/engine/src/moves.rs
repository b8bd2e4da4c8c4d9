//! Which moves a position calls for, best first: answer what must be answered, else what looks good.

use crate::cell::{Cell, Set, side};
use crate::class::Class;
use crate::field::{Field, Look};

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

impl Demand {
    /// Whether the game is lost if it is not met at once.
    pub(crate) const fn is_forced(self) -> bool {
        matches!(self, Demand::Block(_) | Demand::BlockOrCapture | Demand::Break)
    }
}

/// A move with its place in the order.
pub(crate) type Ranked = (i32, Cell);

/// How much the class of a cell adds to its rank, for the player to move and for the opponent.
const RANK: [[i32; Class::COUNT]; 2] =
    [[0, 60, 130, 200, 90, 180, 900, 1500, 5000, 0], [0, 40, 90, 150, 20, 60, 500, 700, 3000, -20]];

/// Adds the moves that meet `demand` to `moves`, not yet in order, fouls not yet left out.
pub(crate) fn generate(field: &Field, demand: Demand, captures: &Set, moves: &mut Vec<Ranked>) {
    let me = side(field.to_move);
    let mut push =
        |cell: Cell| moves.push((rank(field, cell, field.looks[cell.index()], me), cell));
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
            for (cell, look) in field.near() {
                if has_four(look) || captures.contains(cell) {
                    push(cell);
                }
            }
        }
        Demand::Nothing if field.captures() => {
            let mut cells = *captures;
            field.near().for_each(|(cell, _)| cells.insert(cell));
            cells.iter().for_each(push);
        }
        Demand::Nothing => {
            field.near().for_each(|(cell, look)| moves.push((rank(field, cell, look, me), cell)))
        }
    }
}

/// Whether either colour makes a four or more on the cell in some line.
const fn has_four(look: Look) -> bool {
    // Shapes from four up have their upper bit set and one of the next two.
    look & (look << 1 | look << 2) & 0x8888_8888 != 0
}

fn rank(field: &Field, cell: Cell, look: Look, me: usize) -> i32 {
    let classes = field.classes[cell.index()];
    let classes = RANK[0][classes[me] as usize] + RANK[1][classes[1 - me] as usize];
    let lines = look.to_le_bytes().map(|both| ORDER[me][usize::from(both)]);
    classes + i32::from(lines[0] + lines[1] + lines[2] + lines[3])
}

/// How much a shape is worth when moves are ordered.
const SHAPES: [i16; 16] = [0, 0, 0, 0, 3, 8, 10, 11, 24, 28, 30, 50, 90, 200, 0, 0];

/// The same for what both colours would make, with one of them to move.
static ORDER: [[i16; 256]; 2] = {
    let mut order = [[0; 256]; 2];
    let mut both = 0;
    while both < 256 {
        let (black, white) = (SHAPES[both % 16], SHAPES[both / 16]);
        order[0][both] = 3 * black + 2 * white;
        order[1][both] = 3 * white + 2 * black;
        both += 1;
    }
    order
};

/// What a cell is worth to both colours by its lines alone.
pub(crate) fn line_worth(look: Look) -> i32 {
    let worth = |both: u8| i32::from(ORDER[0][usize::from(both)] + ORDER[1][usize::from(both)]) / 5;
    look.to_le_bytes().into_iter().map(worth).sum()
}

/// Moves the best of `moves[from..]` to `from` and gives it.
pub(crate) fn pick(moves: &mut [Ranked], from: usize) -> Ranked {
    let best = (from..moves.len()).max_by_key(|&n| (moves[n].0, std::cmp::Reverse(moves[n].1)));
    moves.swap(from, best.unwrap_or(from));
    moves[from]
}
