//! Points of the board and the directions of its lines.
//!
//! `x` is the column a..t, `y` the rank 1..20, both from zero; the rest of the code relies on this.

use std::fmt;
use std::str::FromStr;

/// Largest supported board side.
pub const SIZE_MAX: u8 = 20;

/// Side of the largest board when points got their numbers.
const NUMBERED: u8 = 19;

/// Smallest board side: a line of five must fit.
pub const SIZE_MIN: u8 = 5;

/// An intersection of a board of up to 20×20, written `h8`: the column letter (`i` is used), then the rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    // `y` first, so that the derived order is reading order from rank 1.
    y: u8,
    x: u8,
}

impl Point {
    /// The point in column `x` and rank `y`, both from zero; `None` beyond 20×20.
    pub const fn new(x: u8, y: u8) -> Option<Point> {
        if x < SIZE_MAX && y < SIZE_MAX { Some(Point { x, y }) } else { None }
    }

    /// Column, 0 for a.
    pub const fn x(self) -> u8 {
        self.x
    }

    /// Rank, 0 for 1.
    pub const fn y(self) -> u8 {
        self.y
    }

    /// Centre of a board of side `size`: h8 on 15×15, j10 on 19×19.
    ///
    /// # Panics
    /// If `size` is beyond 20.
    pub const fn centre(size: u8) -> Point {
        assert!(size <= SIZE_MAX, "a board has a side of at most 20");
        Point { x: size / 2, y: size / 2 }
    }

    /// Index of the point on a board of side `size` read rank by rank from rank 1: `size * y + x`.
    pub const fn index(self, size: u8) -> usize {
        size as usize * self.y as usize + self.x as usize
    }

    /// The point with this [`index`](Point::index) on a board of side `size`.
    pub const fn from_index(index: usize, size: u8) -> Option<Point> {
        let side = size as usize;
        if size <= SIZE_MAX && index < side * side {
            Some(Point { x: (index % side) as u8, y: (index / side) as u8 })
        } else {
            None
        }
    }

    /// Number of the point, the same for ever, whatever the largest board: `19 * y + x` on 19×19, then
    /// column t upwards, then rank 20 from a, and so on for larger boards.
    pub const fn number(self) -> u16 {
        let (x, y) = (self.x as u16, self.y as u16);
        let ring = if x > y { x } else { y };
        if ring < NUMBERED as u16 {
            NUMBERED as u16 * y + x
        } else if x == ring {
            ring * ring + y
        } else {
            ring * ring + ring + 1 + x
        }
    }

    /// The point with this [`number`](Point::number).
    pub const fn from_number(number: u16) -> Option<Point> {
        let ring = number.isqrt();
        if ring < NUMBERED as u16 {
            return Point::from_index(number as usize, NUMBERED);
        }
        if ring >= SIZE_MAX as u16 {
            return None;
        }
        let rest = number - ring * ring;
        let (x, y) = if rest <= ring { (ring, rest) } else { (rest - ring - 1, ring) };
        Point::new(x as u8, y as u8)
    }

    /// True if the point lies on a board of side `size`.
    pub const fn is_on(self, size: u8) -> bool {
        self.x < size && self.y < size
    }

    /// The point `steps` away along `direction`; `None` beyond 20×20.
    pub const fn step(self, direction: Direction, steps: i8) -> Option<Point> {
        let (dx, dy) = direction.delta();
        let x = self.x as i16 + dx as i16 * steps as i16;
        let y = self.y as i16 + dy as i16 * steps as i16;
        if x < 0 || y < 0 || x > u8::MAX as i16 || y > u8::MAX as i16 {
            return None;
        }
        Point::new(x as u8, y as u8)
    }

    /// Square ring around `centre` the point lies on; ring 0 is the centre itself.
    pub const fn ring(self, centre: Point) -> u8 {
        let dx = self.x.abs_diff(centre.x);
        let dy = self.y.abs_diff(centre.y);
        if dx > dy { dx } else { dy }
    }

    /// Every point of a board of side `size`, rank by rank from a1.
    pub fn all(size: u8) -> impl Iterator<Item = Point> + Clone {
        let size = size.min(SIZE_MAX);
        (0..size).flat_map(move |y| (0..size).map(move |x| Point { x, y }))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.x) as char, self.y + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a point such as `h8`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePointError {
    text: String,
}

impl fmt::Display for ParsePointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a point such as h8", self.text)
    }
}

impl std::error::Error for ParsePointError {}

impl FromStr for Point {
    type Err = ParsePointError;

    /// Reads `h8` or `H8`. The point may lie beyond the board in play.
    fn from_str(text: &str) -> Result<Point, ParsePointError> {
        parse(text).ok_or_else(|| ParsePointError { text: text.chars().take(16).collect() })
    }
}

fn parse(text: &str) -> Option<Point> {
    let (&letter, digits) = text.as_bytes().split_first()?;
    let x = letter.to_ascii_lowercase().checked_sub(b'a')?;
    if digits.is_empty()
        || digits.len() > 2
        || digits[0] == b'0'
        || !digits.iter().all(u8::is_ascii_digit)
    {
        return None;
    }
    let rank = digits.iter().fold(0u8, |rank, digit| rank * 10 + (digit - b'0'));
    Point::new(x, rank - 1)
}

/// The four directions in which lines are examined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Along a rank: a8, b8, c8.
    Horizontal,
    /// Along a column: h1, h2, h3.
    Vertical,
    /// Up and to the right: a1, b2, c3.
    Rising,
    /// Down and to the right: a3, b2, c1.
    Falling,
}

impl Direction {
    /// All four, in the order in which explanations list them.
    pub const ALL: [Direction; 4] =
        [Direction::Horizontal, Direction::Vertical, Direction::Rising, Direction::Falling];

    /// One step: the change of `x` and of `y`.
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Direction::Horizontal => (1, 0),
            Direction::Vertical => (0, 1),
            Direction::Rising => (1, 1),
            Direction::Falling => (1, -1),
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Horizontal => "horizontal",
            Direction::Vertical => "vertical",
            Direction::Rising => "rising",
            Direction::Falling => "falling",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_on_the_largest_board() {
        for point in Point::all(SIZE_MAX) {
            assert_eq!(point.to_string().parse(), Ok(point));
            assert_eq!(point.to_string().to_uppercase().parse(), Ok(point));
            assert_eq!(Point::from_index(point.index(SIZE_MAX), SIZE_MAX), Some(point));
        }
    }

    #[test]
    fn numbers_are_the_same_for_ever() {
        let known = [("a1", 0), ("s1", 18), ("a2", 19), ("h8", 140), ("s19", 360)];
        let added = [("t1", 361), ("t20", 380), ("a20", 381), ("s20", 399)];
        for (name, number) in known.into_iter().chain(added) {
            let point: Point = name.parse().unwrap();
            assert_eq!(point.number(), number, "{name}");
        }
        let numbered: Vec<Point> = (0..=u16::MAX).filter_map(Point::from_number).collect();
        assert_eq!(numbered.len(), 400);
        for (number, point) in numbered.into_iter().enumerate() {
            assert_eq!(usize::from(point.number()), number, "{point}");
        }
    }

    #[test]
    fn texts_that_are_no_points_are_refused_by_name() {
        for text in
            ["", "h", "8", "h0", "h08", "h21", "u1", "h8 ", " h8", "h-1", "hh", "é8", "h100", "{1"]
        {
            let error = text.parse::<Point>().unwrap_err();
            assert_eq!(error.to_string(), format!("{text:?} is not a point such as h8"));
        }
    }

    #[test]
    fn a_step_beyond_the_largest_board_leads_nowhere() {
        let [h8, t20]: [Point; 2] = ["h8", "t20"].map(|name| name.parse().unwrap());
        assert_eq!(h8.step(Direction::Falling, 3), "k5".parse().ok());
        for direction in Direction::ALL {
            assert_eq!(t20.step(direction, i8::MAX), None);
            assert_eq!(h8.step(direction, i8::MIN), None);
        }
    }

    #[test]
    fn rings_are_squares() {
        let centre = Point::centre(15);
        assert_eq!(centre.to_string(), "h8");
        let count = |ring| Point::all(15).filter(|point| point.ring(centre) <= ring).count();
        assert_eq!([count(0), count(1), count(2), count(3), count(4)], [1, 9, 25, 49, 81]);
    }
}
