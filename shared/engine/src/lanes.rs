//! The lines of the board as words: one bit a cell in each colour's word, both bits for a wall.

use renju::{SIZE_MAX, SIZE_MIN};

use crate::cell::Cell;
use crate::shape::REACH;

const SIDE: usize = SIZE_MAX as usize;
const DIAGONALS: usize = 2 * SIDE - 1;
const LANES: usize = 2 * SIDE + 2 * DIAGONALS;

/// How far apart, as cell numbers, the neighbours in each direction are.
pub(crate) const STRIDES: [i32; 4] = [1, SIDE as i32, SIDE as i32 + 1, 1 - SIDE as i32];

/// Every line of a board in all four directions, as [`renju::Direction::ALL`] orders them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lanes([[u32; 2]; LANES]);

impl Lanes {
    /// The lines of an empty board.
    pub(crate) fn new(size: u8) -> Lanes {
        assert!((SIZE_MIN..=SIZE_MAX).contains(&size), "a board has a side of 5 to 19");
        let mut lanes = Lanes([[u32::MAX; 2]; LANES]);
        for y in 0..u16::from(size) {
            for x in 0..u16::from(size) {
                lanes.toggle(Cell(y * SIDE as u16 + x), 0);
                lanes.toggle(Cell(y * SIDE as u16 + x), 1);
            }
        }
        lanes
    }

    /// Puts or takes a stone of one side.
    pub(crate) fn toggle(&mut self, cell: Cell, side: usize) {
        for (lane, position) in locate(cell) {
            self.0[lane][side] ^= 1 << (position + REACH);
        }
    }

    /// The words of the line through a cell, Black's and White's.
    pub(crate) fn lane(&self, lane: usize) -> [u32; 2] {
        self.0[lane]
    }
}

/// What `side` sees of a line: its own stones, and where it can never stand.
pub(crate) const fn view(lane: [u32; 2], side: usize) -> (u32, u32) {
    (lane[side] & !lane[1 - side], lane[1 - side])
}

/// For each direction, the line through a cell and the place of the cell in it.
pub(crate) fn locate(cell: Cell) -> [(usize, u32); 4] {
    PLACES[cell.index()]
}

static PLACES: [[(usize, u32); 4]; SIDE * SIDE] = {
    let mut places = [[(0, 0); 4]; SIDE * SIDE];
    let mut index = 0;
    while index < SIDE * SIDE {
        let (x, y) = (index % SIDE, index / SIDE);
        places[index] = [
            (y, x as u32),
            (SIDE + x, y as u32),
            (2 * SIDE + x + SIDE - 1 - y, x as u32),
            (2 * SIDE + DIAGONALS + x + y, x as u32),
        ];
        index += 1;
    }
    places
};

impl Lanes {
    /// The empty cells on which `side` captures a pair.
    pub(crate) fn captures(&self, side: usize) -> crate::cell::Set {
        let mut set = crate::cell::Set::default();
        for (index, &lane) in self.0.iter().enumerate() {
            let (own, _) = view(lane, side);
            let (other, _) = view(lane, 1 - side);
            let pairs = other & other >> 1;
            let takers = pairs >> 1 & own >> 3 | pairs << 2 & own << 3;
            let mut cells = takers & !(lane[0] | lane[1]);
            while cells != 0 {
                set.insert(cell_at(index, cells.trailing_zeros() - REACH));
                cells &= cells - 1;
            }
        }
        set
    }
}

/// The cell at a place of a line: the inverse of [`locate`].
fn cell_at(lane: usize, position: u32) -> Cell {
    let position = position as usize;
    let (x, y) = if lane < SIDE {
        (position, lane)
    } else if lane < 2 * SIDE {
        (lane - SIDE, position)
    } else if lane < 2 * SIDE + DIAGONALS {
        (position, position + SIDE - 1 - (lane - 2 * SIDE))
    } else {
        (position, lane - 2 * SIDE - DIAGONALS - position)
    };
    Cell((y * SIDE + x) as u16)
}
