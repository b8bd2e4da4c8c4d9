//! Board of the search: for every empty cell, the shapes either colour would make there.
//!
//! A stone changes only the lines through it, and undoing it restores the saved values, so both
//! together cost a quarter of a microsecond. Captured stones are handled the same way.

mod ask;
mod change;
mod sum;
#[cfg(test)]
pub(crate) mod tests;

use renju::{Board, Color, Point, Position, Ruleset};

use self::sum::Summed;
use crate::cell::{CELLS, Cell, Set, side};
use crate::class::{Class, Classes, Judge};
use crate::lanes::Lanes;
use crate::line::{LineShapes, Lines, shape_of};
use crate::net::Net;
use crate::policy::Policy;
use crate::random::Random;
use crate::shape::Shape;

/// Shapes both colours would make on a cell: a [`LineShapes`] per direction, the first in the
/// lowest bits. Zero on a stone and off the board.
pub(crate) type CellShapes = u32;

/// Mask: nonzero if a stone in line can be part of a five with the cell.
const NEAR: CellShapes = 0xcccc_cccc;

/// Mask: zero if no line holds a threat or a foul, so that the cell is quiet for both colours.
const HOT: CellShapes = 0x8888_8888;

/// Saved values of a changed cell.
#[derive(Clone, Copy)]
struct Trace {
    cell: Cell,
    classes: [Class; 2],
    shapes: CellShapes,
}

/// Saved state of a move: lengths of the lists, and the values it changed.
#[derive(Clone, Copy)]
struct Frame {
    traces: usize,
    taken: usize,
    counts: [[u16; Class::COUNT]; 2],
    hash: u64,
    pairs: [u8; 2],
    last: Cell,
}

/// A board in free play with the shapes of every empty cell, kept up to date move by move.
#[derive(Clone)]
pub struct Field {
    pub(crate) board: Board,
    pub(crate) ruleset: &'static Ruleset,
    pub(crate) shapes: [CellShapes; CELLS],
    pub(crate) classes: [[Class; 2]; CELLS],
    /// Cells of each class except the quiet one.
    pub(crate) sets: [[Set; Class::COUNT]; 2],
    /// Sizes of these sets.
    counts: [[u16; Class::COUNT]; 2],
    pub(crate) hash: u64,
    pub(crate) to_move: Color,
    pub(crate) pairs: [u8; 2],
    pub(crate) last: Cell,
    lanes: Lanes,
    lines: &'static Lines,
    judges: [Judge; 2],
    judged: [&'static Classes; 2],
    pub(crate) net: &'static Net,
    pub(crate) policy: &'static [Policy; 2],
    /// Mask of the cells of a window whose shapes a stone in the middle can change, by their lower
    /// bits.
    window: u64,
    traces: Vec<Trace>,
    taken: Vec<Cell>,
    frames: Vec<Frame>,
    /// Last sum taken after each number of moves; valid if its hash is that of the position.
    sums: Vec<Summed>,
}

impl Field {
    /// The stones of `position` in free play; its phase is ignored.
    pub fn new(position: &Position) -> Field {
        Field::of(position.ruleset(), position.board(), position.to_move(), {
            let pairs = position.pairs();
            [pairs.black, pairs.white]
        })
    }

    pub(crate) fn of(
        ruleset: &'static Ruleset,
        board: &Board,
        to_move: Color,
        pairs: [u8; 2],
    ) -> Field {
        let exact = Color::BOTH.iter().any(|&c| ruleset.five[c] == renju::Five::Exactly);
        let judges = Color::BOTH.map(|color| Judge::of(ruleset, color));
        let mut field = Field {
            board: Board::new(board.size()),
            ruleset,
            shapes: [0; CELLS],
            classes: [[Class::Quiet; 2]; CELLS],
            sets: Default::default(),
            counts: Default::default(),
            hash: 0,
            to_move,
            pairs,
            last: Cell::NONE,
            lanes: Lanes::new(board.size()),
            lines: Lines::of(ruleset.five),
            judges,
            judged: judges.map(Classes::of),
            net: Net::of(ruleset),
            policy: Policy::of(ruleset),
            window: if exact { 0x15_5155 } else { 0x5_5154 } & !(1 << 10),
            traces: Vec::with_capacity(8192),
            taken: Vec::with_capacity(256),
            frames: Vec::with_capacity(512),
            sums: Vec::new(),
        };
        for point in Point::all(board.size()) {
            field.enter(Cell::of(point));
        }
        for color in Color::BOTH {
            for point in board.stones_of(color) {
                field.put(Cell::of(point), color);
            }
        }
        field.traces.clear();
        field.hash ^= if to_move == Color::White { WHITE_TO_MOVE } else { 0 };
        field.hash ^= pairs_key(pairs);
        field
    }

    /// Board without the shapes.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Colour of the next stone.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Shapes a stone of `color` on the empty `point` would make, by direction.
    pub fn shapes(&self, point: Point, color: Color) -> [Shape; 4] {
        self.shapes_at(Cell::of(point), color)
    }

    pub(crate) fn shapes_at(&self, cell: Cell, color: Color) -> [Shape; 4] {
        self.shapes[cell.index()].to_le_bytes().map(|line| shape_of(line, side(color)))
    }

    /// Combined strength of a stone of `color` on the empty `point`.
    pub fn class(&self, point: Point, color: Color) -> Class {
        self.class_at(Cell::of(point), color)
    }

    pub(crate) fn class_at(&self, cell: Cell, color: Color) -> Class {
        self.classes[cell.index()][side(color)]
    }

    /// Number of cells in the class for `color`; zero for the quiet class.
    pub(crate) fn count(&self, class: Class, color: Color) -> u16 {
        self.counts[side(color)][class as usize]
    }

    /// The empty cells in line with a stone that could take part in a five.
    pub(crate) fn near(&self) -> impl Iterator<Item = (Cell, CellShapes)> + '_ {
        let cells = self.shapes.iter().enumerate();
        cells
            .filter(|(_, shapes)| **shapes & NEAR != 0)
            .map(|(n, &shapes)| (Cell(n as u16), shapes))
    }

    /// Places a stone of the colour to move, removes what it captures, and passes the turn.
    ///
    /// # Panics
    /// If the point is taken or off the board. Legality is not checked.
    pub fn make(&mut self, point: Point) {
        self.play(Cell::of(point));
    }

    pub(crate) fn play(&mut self, cell: Cell) {
        self.frames.push(Frame {
            traces: self.traces.len(),
            taken: self.taken.len(),
            counts: self.counts,
            hash: self.hash,
            pairs: self.pairs,
            last: self.last,
        });
        let color = self.to_move;
        if self.captures() {
            let captured = self.board.captured_by(cell.point(), color);
            self.put(cell, color);
            for &point in captured.points() {
                self.take(Cell::of(point), !color);
            }
            self.hash ^= pairs_key(self.pairs);
            self.pairs[side(color)] = self.pairs[side(color)].saturating_add(captured.pairs());
            self.hash ^= pairs_key(self.pairs);
        } else {
            self.put(cell, color);
        }
        self.to_move = !color;
        self.last = cell;
        self.hash ^= WHITE_TO_MOVE;
    }

    /// Hash after a stone of the colour to move on an empty cell, if it captures nothing.
    pub(crate) fn hash_after(&self, cell: Cell) -> u64 {
        self.hash ^ KEYS[side(self.to_move)][cell.index()] ^ WHITE_TO_MOVE
    }

    /// Passes the turn without a stone; a second call undoes it.
    pub(crate) fn pass(&mut self) {
        self.to_move = !self.to_move;
        self.hash ^= WHITE_TO_MOVE;
    }

    /// Takes back the last move.
    ///
    /// # Panics
    /// If none is left.
    pub fn undo(&mut self) {
        let frame = self.frames.pop().expect("a move to take back");
        let color = !self.to_move;
        for n in (frame.taken..self.taken.len()).rev() {
            self.stand(self.taken[n], !color);
        }
        self.taken.truncate(frame.taken);
        self.lift(self.last, color);
        self.restore(frame.traces);
        self.counts = frame.counts;
        self.hash = frame.hash;
        self.pairs = frame.pairs;
        self.last = frame.last;
        self.to_move = color;
    }
}

const WHITE_TO_MOVE: u64 = 0x2545_f491_4f6c_dd1d;

fn pairs_key(pairs: [u8; 2]) -> u64 {
    Random::new(u64::from(pairs[0]) << 8 | u64::from(pairs[1])).next()
}

/// Keys of stones, drawn by the number of the point, so that a larger board leaves every search as it
/// was.
static KEYS: [[u64; CELLS]; 2] = {
    let mut random = Random::new(0x5eed);
    let mut keys = [[0; CELLS]; 2];
    let mut n = 0;
    while n < 2 * CELLS {
        let key = random.next();
        if let Some(point) = Point::from_number((n % CELLS) as u16) {
            keys[n / CELLS][Cell::of(point).index()] = key;
        }
        n += 1;
    }
    keys
};
