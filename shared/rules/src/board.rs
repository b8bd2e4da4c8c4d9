//! Stones on a board, kept as bit lanes in all four directions.
//!
//! A lane is one line of the board. A cell is two bits, one in each colour's word: neither set is
//! empty, one is a stone, both is a wall. Walls pad every lane, so looking past the edge needs no
//! check: a point's neighbourhood in a direction is one shift and one mask.

use std::fmt;

use crate::player::Color;
use crate::point::{Direction, Point, SIZE_MAX, SIZE_MIN};

/// Cells a window reaches to each side of its point.
pub(crate) const REACH: u8 = 5;

/// A window: the point in the middle and [`REACH`] cells to each side.
const WINDOW: u32 = (1 << (2 * REACH + 1)) - 1;

const SIDE: usize = SIZE_MAX as usize;
const DIAGONALS: usize = 2 * SIDE - 1;
const LANES: usize = 2 * SIDE + 2 * DIAGONALS;

/// Stones on a square board of side 5 to 20. Knows no rule: any arrangement is a board.
///
/// Two boards are equal when they have the same side and the same stones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    lanes: [Lane; LANES],
    size: u8,
    stones: u16,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lane {
    black: u32,
    white: u32,
}

impl Lane {
    const WALL: Lane = Lane { black: u32::MAX, white: u32::MAX };

    /// The stones of `color`, without walls.
    pub(crate) const fn own(self, color: Color) -> u32 {
        match color {
            Color::Black => self.black & !self.white,
            Color::White => self.white & !self.black,
        }
    }

    /// Cells `color` can never occupy: the other colour's stones and the walls.
    const fn blocked(self, color: Color) -> u32 {
        match color {
            Color::Black => self.white,
            Color::White => self.black,
        }
    }

    pub(crate) const fn empty(self) -> u32 {
        !(self.black | self.white)
    }
}

/// Surroundings of a point in one direction as `color` sees them: bit [`REACH`] is the point
/// itself.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) own: u32,
    pub(crate) blocked: u32,
}

impl Board {
    /// An empty board.
    ///
    /// # Panics
    /// If `size` is not within 5..=20; sizes from outside are checked by `Ruleset::check_size`.
    pub const fn new(size: u8) -> Board {
        assert!(size >= SIZE_MIN && size <= SIZE_MAX, "a board has a side of 5 to 20");
        EMPTY[(size - SIZE_MIN) as usize]
    }

    /// Side of the board.
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Number of stones on the board.
    pub const fn stones(&self) -> u16 {
        self.stones
    }

    /// True if no empty point is left.
    pub const fn is_full(&self) -> bool {
        self.stones == self.size as u16 * self.size as u16
    }

    /// The stone on `point`, if the point is on the board and one stands there.
    pub const fn get(&self, point: Point) -> Option<Color> {
        let lane = self.lanes[point.y() as usize];
        let bit = 1 << (point.x() + REACH);
        match (lane.black & bit != 0, lane.white & bit != 0) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        }
    }

    /// True if `point` is on the board and empty.
    pub const fn is_empty(&self, point: Point) -> bool {
        self.lanes[point.y() as usize].empty() & (1 << (point.x() + REACH)) != 0
    }

    /// Puts a stone on an empty point.
    ///
    /// # Panics
    /// If the point is off the board or taken.
    pub fn put(&mut self, point: Point, color: Color) {
        assert!(self.is_empty(point), "{point} must be an empty point of the board");
        self.toggle(point, color);
        self.stones += 1;
    }

    /// Removes a stone.
    ///
    /// # Panics
    /// If no stone of that colour stands there.
    pub fn take(&mut self, point: Point, color: Color) {
        assert!(self.get(point) == Some(color), "{point} must hold a {color} stone");
        self.toggle(point, color);
        self.stones -= 1;
    }

    fn toggle(&mut self, point: Point, color: Color) {
        for direction in Direction::ALL {
            let (index, position) = locate(point, direction);
            let lane = &mut self.lanes[index];
            let word = match color {
                Color::Black => &mut lane.black,
                Color::White => &mut lane.white,
            };
            *word ^= 1 << (position + REACH);
        }
    }

    /// Every empty point, rank by rank from a1.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + '_ {
        Point::all(self.size).filter(|&point| self.is_empty(point))
    }

    /// Every stone of `color`, rank by rank from a1.
    pub fn stones_of(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        Point::all(self.size).filter(move |&point| self.get(point) == Some(color))
    }

    /// Length of the unbroken row of `color` through `point` in `direction`, counting the point
    /// itself.
    pub fn row_through(&self, point: Point, direction: Direction, color: Color) -> u8 {
        let (index, position) = locate(point, direction);
        let own = self.lanes[index].own(color);
        let middle = position + REACH;
        let after = (own >> (middle + 1)).trailing_ones();
        let before = (own << (u32::BITS - middle as u32)).leading_ones();
        (before + 1 + after) as u8
    }

    /// True if `color` has five or more in a row anywhere.
    pub fn has_five(&self, color: Color) -> bool {
        self.lanes.iter().any(|lane| {
            let own = lane.own(color);
            let pairs = own & own >> 1;
            pairs & pairs >> 2 & own >> 4 != 0
        })
    }

    /// Window of `color` around `point` in `direction`.
    pub(crate) fn window(&self, point: Point, direction: Direction, color: Color) -> Window {
        let (index, position) = locate(point, direction);
        let lane = self.lanes[index];
        Window {
            own: lane.own(color) >> position & WINDOW,
            blocked: lane.blocked(color) >> position & WINDOW,
        }
    }

    /// The lanes of one direction, in the order [`point_at`] counts them.
    pub(crate) fn lanes(&self, direction: Direction) -> &[Lane] {
        let start = first_lane(direction);
        let len = if start < 2 * SIDE { SIDE } else { DIAGONALS };
        &self.lanes[start..start + len]
    }
}

impl Lane {
    /// The window around bit `position + REACH` of this lane.
    pub(crate) fn window(self, position: u8, color: Color) -> Window {
        Window {
            own: self.own(color) >> position & WINDOW,
            blocked: self.blocked(color) >> position & WINDOW,
        }
    }
}

/// The point at `position` of lane `lane` of `direction`: the inverse of [`locate`].
pub(crate) const fn point_at(direction: Direction, lane: u8, position: u8) -> Option<Point> {
    match direction {
        Direction::Horizontal => Point::new(position, lane),
        Direction::Vertical => Point::new(lane, position),
        Direction::Rising => Point::new(position, (position + SIZE_MAX - 1).wrapping_sub(lane)),
        Direction::Falling => Point::new(position, lane.wrapping_sub(position)),
    }
}

const fn first_lane(direction: Direction) -> usize {
    match direction {
        Direction::Horizontal => 0,
        Direction::Vertical => SIDE,
        Direction::Rising => 2 * SIDE,
        Direction::Falling => 2 * SIDE + DIAGONALS,
    }
}

/// The index of the lane through `point` and the position of the point in it.
const fn locate(point: Point, direction: Direction) -> (usize, u8) {
    let (x, y) = (point.x() as usize, point.y() as usize);
    let (lane, position) = match direction {
        Direction::Horizontal => (y, x),
        Direction::Vertical => (x, y),
        Direction::Rising => (x + SIDE - 1 - y, x),
        Direction::Falling => (x + y, x),
    };
    (first_lane(direction) + lane, position as u8)
}

/// The empty boards of side 5 to 20, so that a new board is one copy.
static EMPTY: [Board; (SIZE_MAX - SIZE_MIN + 1) as usize] = {
    let mut boards = [Board { lanes: [Lane::WALL; LANES], size: 0, stones: 0 }; _];
    let mut size = SIZE_MIN;
    while size <= SIZE_MAX {
        boards[(size - SIZE_MIN) as usize] = cleared(size);
        size += 1;
    }
    boards
};

const fn cleared(size: u8) -> Board {
    let mut board = Board { lanes: [Lane::WALL; LANES], size, stones: 0 };
    let mut index = 0;
    while let Some(point) = Point::from_index(index, size) {
        let mut d = 0;
        while d < 4 {
            let (lane, position) = locate(point, Direction::ALL[d]);
            let bit = 1 << (position + REACH);
            board.lanes[lane].black &= !bit;
            board.lanes[lane].white &= !bit;
            d += 1;
        }
        index += 1;
    }
    board
}

impl fmt::Debug for Board {
    /// Prints ranks from the top, as a person reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..self.size).rev() {
            for x in 0..self.size {
                let stone = Point::new(x, y).and_then(|point| self.get(point));
                write!(f, "{}", stone.map_or('.', Color::letter))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_hold_what_the_points_hold_on_every_size() {
        for size in SIZE_MIN..=SIZE_MAX {
            let mut board = Board::new(size);
            assert_eq!(board.empty_points().count(), usize::from(size) * usize::from(size));
            for point in Point::all(size).filter(|point| (point.x() + 2 * point.y()) % 3 == 0) {
                board.put(point, if point.x() % 2 == 0 { Color::Black } else { Color::White });
            }
            for point in Point::all(size) {
                for direction in Direction::ALL {
                    let window = board.window(point, direction, Color::Black);
                    for offset in -(REACH as i8)..=REACH as i8 {
                        let cell = point.step(direction, offset).filter(|cell| cell.is_on(size));
                        let bit = 1 << (offset + REACH as i8);
                        let stone = cell.and_then(|cell| board.get(cell));
                        assert_eq!(window.own & bit != 0, stone == Some(Color::Black));
                        assert_eq!(
                            window.blocked & bit != 0,
                            cell.is_none() || stone == Some(Color::White)
                        );
                    }
                    let (lane, position) = locate(point, direction);
                    let lane = (lane - first_lane(direction)) as u8;
                    assert_eq!(point_at(direction, lane, position), Some(point));
                }
            }
        }
    }

    #[test]
    fn taking_back_restores_the_board() {
        let mut board = Board::new(15);
        let before = board;
        let centre = Point::centre(15);
        board.put(centre, Color::White);
        assert_eq!((board.get(centre), board.stones()), (Some(Color::White), 1));
        board.take(centre, Color::White);
        assert_eq!(board, before);
    }

    #[test]
    fn rows_are_counted_from_edge_to_edge() {
        let mut board = Board::new(20);
        for x in 0..20 {
            board.put(Point::new(x, 3).unwrap(), Color::Black);
        }
        let row = |x, y| {
            board.row_through(Point::new(x, y).unwrap(), Direction::Horizontal, Color::Black)
        };
        assert_eq!([row(0, 3), row(9, 3), row(19, 3), row(9, 4)], [20, 20, 20, 1]);
        assert!(board.has_five(Color::Black) && !board.has_five(Color::White));
    }
}
