//! The eight symmetries of the square.

use crate::point::Point;

/// One of the eight rotations and reflections of the board about its centre.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry {
    transpose: bool,
    flip_x: bool,
    flip_y: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry { transpose: false, flip_x: false, flip_y: false }; 8];
        let mut n = 0;
        while n < 8 {
            all[n] = Symmetry { transpose: n & 4 != 0, flip_x: n & 2 != 0, flip_y: n & 1 != 0 };
            n += 1;
        }
        all
    };

    /// Image of `point` on a board of side `size`.
    ///
    /// # Panics
    /// If the point is not on such a board.
    pub const fn apply(self, point: Point, size: u8) -> Point {
        assert!(point.is_on(size), "a symmetry maps the points of its board");
        let last = size - 1;
        let (x, y) = if self.transpose { (point.y(), point.x()) } else { (point.x(), point.y()) };
        let x = if self.flip_x { last - x } else { x };
        let y = if self.flip_y { last - y } else { y };
        match Point::new(x, y) {
            Some(point) => point,
            None => unreachable!(),
        }
    }
}

/// Least of the eight images of `point`; equal for symmetric points.
pub(crate) fn class(point: Point, size: u8) -> Point {
    Symmetry::ALL.iter().map(|symmetry| symmetry.apply(point, size)).min().unwrap_or(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_are_different_and_keep_the_centre() {
        let point: Point = "c2".parse().unwrap();
        let mut images = Symmetry::ALL.map(|symmetry| symmetry.apply(point, 15)).to_vec();
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
        let centre = Point::centre(15);
        assert!(Symmetry::ALL.iter().all(|symmetry| symmetry.apply(centre, 15) == centre));
    }

    #[test]
    fn a_board_of_15_has_36_classes_of_points() {
        let mut classes: Vec<_> = Point::all(15).map(|point| class(point, 15)).collect();
        classes.sort();
        classes.dedup();
        assert_eq!(classes.len(), 36);
    }
}
