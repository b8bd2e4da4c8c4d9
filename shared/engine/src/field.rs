//! The board as the search sees it: for every empty cell, what either colour would make there.
//!
//! A stone changes only the lines through it, and taking it back restores what was written down,
//! so both cost a fraction of a microsecond. Captures go through the same two doors.

mod change;
#[cfg(test)]
pub(crate) mod tests;

use renju::{Board, Color, Mark, Play, Point, Position, Ruleset};

use crate::cell::{CELLS, Cell, Set, side};
use crate::class::{Class, Counts, Judge};
use crate::lanes::Lanes;
use crate::random::Random;
use crate::shape::{Shape, Table};

/// What one colour would make on an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Look {
    pub(crate) shapes: [Shape; 4],
    counts: Counts,
    pub(crate) score: i16,
    pub(crate) class: Class,
}

/// How often each shape and class stands on the board, for each colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) shapes: [[u16; 16]; 2],
    pub(crate) classes: [[u16; Class::COUNT]; 2],
}

/// What a change wrote over.
#[derive(Clone, Copy)]
enum Trace {
    Look(Cell, u8, Look),
    /// What lay under a stone that was captured: what its cell made when the stone was put there.
    Under(Cell, u8, Look),
    Put(Cell, Color),
    Taken(Cell, Color),
}

/// Where a move began in the list of traces, and what it changed besides.
#[derive(Clone, Copy)]
struct Frame {
    traces: usize,
    totals: Totals,
    hash: u64,
    pairs: [u8; 2],
    last: Cell,
}

/// A board in free play with the shapes of every empty cell, kept up to date move by move.
#[derive(Clone)]
pub struct Field {
    pub(crate) board: Board,
    pub(crate) ruleset: &'static Ruleset,
    pub(crate) looks: Box<[[Look; 2]; CELLS]>,
    pub(crate) sets: [[Set; Class::COUNT]; 2],
    pub(crate) totals: Totals,
    /// Empty cells in line with a stone.
    pub(crate) near: Set,
    pub(crate) hash: u64,
    pub(crate) to_move: Color,
    pub(crate) pairs: [u8; 2],
    pub(crate) last: Cell,
    lanes: Lanes,
    tables: [&'static Table; 2],
    judges: [Judge; 2],
    /// The cells of a window whose shapes a stone in its middle can change.
    window: u32,
    traces: Vec<Trace>,
    frames: Vec<Frame>,
}

impl Field {
    /// The stones of `position`, in free play whatever its phase.
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
        let five = |color: Color| Table::of(ruleset.five[color]);
        let exact = Color::BOTH.iter().any(|&c| ruleset.five[c] == renju::Five::Exactly);
        let mut field = Field {
            board: Board::new(board.size()),
            ruleset,
            looks: Box::new([[Look::default(); 2]; CELLS]),
            sets: Default::default(),
            totals: Totals::default(),
            near: Set::default(),
            hash: 0,
            to_move,
            pairs,
            last: Cell::NONE,
            lanes: Lanes::new(board.size()),
            tables: Color::BOTH.map(five),
            judges: Color::BOTH.map(|color| Judge::of(ruleset, color)),
            window: if exact { 0x7ff } else { 0x3fe },
            traces: Vec::with_capacity(4096),
            frames: Vec::with_capacity(256),
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

    /// The stones.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The colour of the next stone.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// What a stone of `color` on the empty `point` would make in each direction.
    pub fn shapes(&self, point: Point, color: Color) -> [Shape; 4] {
        self.looks[Cell::of(point).index()][side(color)].shapes
    }

    /// What a stone of `color` on the empty `point` is good for.
    pub fn class(&self, point: Point, color: Color) -> Class {
        self.looks[Cell::of(point).index()][side(color)].class
    }

    /// On how many lines of empty points `color` would make `shape`.
    pub fn shape_count(&self, shape: Shape, color: Color) -> u16 {
        self.totals.shapes[side(color)][shape as usize]
    }

    /// On how many empty points `color` would make `class`.
    pub fn class_count(&self, class: Class, color: Color) -> u16 {
        self.totals.classes[side(color)][class as usize]
    }

    /// Places a stone of the colour to move, takes what it captures, and gives the move to the other.
    ///
    /// # Panics
    /// If the point is taken or off the board. Whether the move is legal is not asked.
    pub fn make(&mut self, point: Point) {
        self.play(Cell::of(point));
    }

    /// Takes back the last move.
    ///
    /// # Panics
    /// If none is left.
    pub fn undo(&mut self) {
        let frame = self.frames.pop().expect("a move to take back");
        while self.traces.len() > frame.traces {
            match self.traces.pop() {
                Some(Trace::Look(cell, side, look)) => self.restore(cell, usize::from(side), look),
                Some(Trace::Under(cell, side, look)) => {
                    self.looks[cell.index()][usize::from(side)] = look;
                }
                Some(Trace::Put(cell, color)) => {
                    self.lanes.toggle(cell, side(color));
                    self.board.take(cell.point(), color);
                    self.enlist(cell);
                }
                Some(Trace::Taken(cell, color)) => {
                    self.lanes.toggle(cell, side(color));
                    self.board.put(cell.point(), color);
                    self.delist(cell);
                }
                None => unreachable!("traces are written before frames"),
            }
        }
        self.totals = frame.totals;
        self.hash = frame.hash;
        self.pairs = frame.pairs;
        self.last = frame.last;
        self.to_move = !self.to_move;
    }

    pub(crate) fn play(&mut self, cell: Cell) {
        self.frames.push(Frame {
            traces: self.traces.len(),
            totals: self.totals,
            hash: self.hash,
            pairs: self.pairs,
            last: self.last,
        });
        let color = self.to_move;
        if self.ruleset.pairs_to_win.is_some() {
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

    /// Whether the rules let `color` stand on an empty cell without losing or being rejected.
    pub(crate) fn is_allowed(&self, cell: Cell, color: Color) -> bool {
        self.looks[cell.index()][side(color)].class != Class::Barred || self.ask(cell, color)
    }

    /// Whether a stone of `color` on an empty cell wins at once by its row. Breakable fives are not
    /// looked into.
    pub(crate) fn wins(&self, cell: Cell, color: Color) -> bool {
        let look = &self.looks[cell.index()];
        match (look[side(color)].class, self.judges[side(color)]) {
            (Class::Five, _) => true,
            (Class::Barred, Judge::Renju(precedence)) => {
                look[side(color)].shapes.contains(&Shape::Five)
                    && self.board.mark(cell.point(), color, precedence) == Mark::Five
            }
            _ => false,
        }
    }

    /// The class of a cell once the rules have been asked: what it makes if it is allowed.
    pub(crate) fn judged(&self, cell: Cell, color: Color) -> Option<Class> {
        let look = &self.looks[cell.index()];
        match look[side(color)].class {
            Class::Barred if self.ask(cell, color) => {
                Some(Judge::Free.class(look[side(color)].counts))
            }
            Class::Barred => None,
            class => Some(class),
        }
    }

    /// The cells at which `color` wins at once, up to two of them.
    pub(crate) fn winning_cells(&self, color: Color) -> (Option<Cell>, Option<Cell>) {
        let totals = &self.totals.classes[side(color)];
        if totals[Class::Five as usize] == 0
            && (self.judges[side(color)] != Judge::Renju(renju::Precedence::FoulFirst)
                || self.totals.shapes[side(color)][Shape::Five as usize] == 0)
        {
            return (None, None);
        }
        let sets = &self.sets[side(color)];
        let mut cells = sets[Class::Five as usize]
            .iter()
            .chain(sets[Class::Barred as usize].iter().filter(|&cell| self.wins(cell, color)));
        (cells.next(), cells.next())
    }

    /// How many cells of this class `color` has.
    pub(crate) fn count(&self, class: Class, color: Color) -> u16 {
        self.totals.classes[side(color)][class as usize]
    }

    fn ask(&self, cell: Cell, color: Color) -> bool {
        match self.judges[side(color)] {
            Judge::Free => true,
            Judge::Renju(precedence) => {
                !matches!(self.board.mark(cell.point(), color, precedence), Mark::Foul(_))
            }
            Judge::DoubleThree => self.position(color).play(Play::Place(cell.point())).is_ok(),
        }
    }

    /// The same stones as the rules see them, with `color` to move.
    pub(crate) fn position(&self, color: Color) -> Position {
        let pairs = renju::ByColor { black: self.pairs[0], white: self.pairs[1] };
        Position::analysis(self.ruleset, self.board, color, pairs)
            .expect("the size was checked when the game began")
    }

    /// The empty cells on which `color` captures a pair.
    pub(crate) fn capturing_cells(&self, color: Color) -> Set {
        self.lanes.captures(side(color))
    }

    /// Whether captures decide here.
    pub(crate) fn captures(&self) -> bool {
        self.ruleset.pairs_to_win.is_some()
    }
}

const WHITE_TO_MOVE: u64 = 0x2545_f491_4f6c_dd1d;

fn pairs_key(pairs: [u8; 2]) -> u64 {
    Random::new(u64::from(pairs[0]) << 8 | u64::from(pairs[1])).next()
}

static KEYS: [[u64; CELLS]; 2] = {
    let mut random = Random::new(0x5eed);
    let mut keys = [[0; CELLS]; 2];
    let mut n = 0;
    while n < 2 * CELLS {
        keys[n / CELLS][n % CELLS] = random.next();
        n += 1;
    }
    keys
};
