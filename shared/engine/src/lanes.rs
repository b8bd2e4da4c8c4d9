//! The lines of the board as words: two bits a cell, the lower for Black, the upper for White, both
//! for a wall.

use renju::{SIZE_MAX, SIZE_MIN};

use crate::cell::{CELLS, Cell, Set};
use crate::shape::REACH;

const SIDE: usize = SIZE_MAX as usize;
const DIAGONALS: usize = 2 * SIDE - 1;
const LANES: usize = 2 * SIDE + 2 * DIAGONALS;

/// Difference of cell numbers between neighbours, by direction.
pub(crate) const STRIDES: [i32; 4] = [1, SIDE as i32, SIDE as i32 + 1, 1 - SIDE as i32];

/// The lower bit of every cell of a word.
const BLACK: u64 = 0x5555_5555_5555_5555;

/// A line without a cell of the board.
const WALL: u64 = u64::MAX;

/// A line through a cell, and the shift that moves the window around the cell to the lowest bits.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    lane: u8,
    pub(crate) shift: u8,
}

/// All lines of a board in the order of [`renju::Direction::ALL`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lanes([u64; 128]);

impl Lanes {
    /// The lines of an empty board.
    pub(crate) fn new(size: u8) -> Lanes {
        assert!((SIZE_MIN..=SIZE_MAX).contains(&size), "a board has a side of 5 to 20");
        let mut lanes = Lanes([WALL; 128]);
        for y in 0..u16::from(size) {
            for x in 0..u16::from(size) {
                lanes.toggle(Cell(y * SIDE as u16 + x), 0);
                lanes.toggle(Cell(y * SIDE as u16 + x), 1);
            }
        }
        lanes
    }

    /// Adds or removes a stone.
    pub(crate) fn toggle(&mut self, cell: Cell, side: usize) {
        for place in locate(cell) {
            self.0[usize::from(place.lane & 127)] ^=
                1 << ((u32::from(place.shift) + 2 * REACH + side as u32) & 63);
        }
    }

    pub(crate) fn lane(&self, place: Place) -> u64 {
        self.0[usize::from(place.lane & 127)]
    }

    /// The empty cells on which `side` captures a pair.
    pub(crate) fn captures(&self, side: usize) -> Set {
        let mut set = Set::default();
        for (index, &lane) in self.0[..LANES].iter().enumerate() {
            // A line of larger boards.
            if lane == WALL {
                continue;
            }
            let (black, white) = (lane & BLACK, lane >> 1 & BLACK);
            let (own, other) = if side == 0 {
                (black & !white, white & !black)
            } else {
                (white & !black, black & !white)
            };
            let pairs = other & other >> 2;
            let takers = pairs >> 2 & own >> 6 | pairs << 4 & own << 6;
            let mut cells = takers & !(black | white);
            while cells != 0 {
                set.insert(cell_at(index, cells.trailing_zeros() / 2 - REACH));
                cells &= cells - 1;
            }
        }
        set
    }
}

/// Mask of the empty cells of a lane, by their lower bits.
pub(crate) const fn empty(lane: u64) -> u64 {
    !(lane | lane >> 1) & BLACK
}

/// The line through a cell and the position in it, by direction.
pub(crate) fn locate(cell: Cell) -> [Place; 4] {
    PLACES[cell.index()]
}

static PLACES: [[Place; 4]; CELLS] = {
    let mut places = [[Place { lane: 0, shift: 0 }; 4]; CELLS];
    let mut index = 0;
    while index < SIDE * SIDE {
        let (x, y) = (index % SIDE, index / SIDE);
        let found = [
            (y, x),
            (SIDE + x, y),
            (2 * SIDE + x + SIDE - 1 - y, x),
            (2 * SIDE + DIAGONALS + x + y, x),
        ];
        let mut d = 0;
        while d < 4 {
            places[index][d] = Place { lane: found[d].0 as u8, shift: 2 * found[d].1 as u8 };
            d += 1;
        }
        index += 1;
    }
    places
};

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
