//! Cells and sets of cells, numbered as on the largest board for every board size.

use renju::{Color, Point, SIZE_MAX};

/// Room for every cell of the largest board: the next power of two, so that a masked index needs no
/// check.
pub(crate) const CELLS: usize = (SIZE_MAX as usize * SIZE_MAX as usize).next_power_of_two();

/// A point as an index: `20 * y + x`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) struct Cell(pub(crate) u16);

impl Cell {
    /// Filler for tables.
    pub(crate) const NONE: Cell = Cell(u16::MAX);

    pub(crate) const fn of(point: Point) -> Cell {
        Cell(point.index(SIZE_MAX) as u16)
    }

    /// The point of the cell; meaningless for [`Cell::NONE`].
    pub(crate) fn point(self) -> Point {
        POINTS[self.index()]
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize & (CELLS - 1)
    }

    /// The larger of the two distances along rank and column.
    pub(crate) const fn distance(self, other: Cell) -> u16 {
        let side = SIZE_MAX as u16;
        let dx = (self.0 % side).abs_diff(other.0 % side);
        let dy = (self.0 / side).abs_diff(other.0 / side);
        if dx > dy { dx } else { dy }
    }
}

static POINTS: [Point; CELLS] = {
    let mut points = [Point::centre(SIZE_MAX); CELLS];
    let mut index = 0;
    while let Some(point) = Point::from_index(index, SIZE_MAX) {
        points[index] = point;
        index += 1;
    }
    points
};

/// Index of a colour in an array of two.
pub(crate) const fn side(color: Color) -> usize {
    color as usize
}

const WORDS: usize = CELLS / 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Set([u64; WORDS]);

impl Set {
    pub(crate) fn toggle(&mut self, cell: Cell) {
        self.0[cell.index() / 64] ^= 1 << (cell.index() % 64);
    }

    pub(crate) fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
    }

    pub(crate) const fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The cells in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Cell> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |n| {
            let mut word = words[n];
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                (word != 0).then(|| {
                    word &= word - 1;
                    Cell((64 * n) as u16 + bit as u16)
                })
            })
        })
    }
}
