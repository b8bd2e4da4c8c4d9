//! Coordinates of points in the picture.

use renju::Point;

/// Distance between two lines.
pub(crate) const CELL: u16 = 32;
/// Margin left of the first column and below the first rank, for the coordinates.
pub(crate) const WIDE: u16 = 40;
/// Margin right of the last column and above the last rank.
const NARROW: u16 = 24;

/// Side of the picture of a board of side `size`.
pub(crate) fn side(size: u8) -> u16 {
    WIDE + span(size) + NARROW
}

/// Distance from the first line to the last.
pub(crate) fn span(size: u8) -> u16 {
    CELL * u16::from(size.saturating_sub(1))
}

/// Centre of a point, from the left and from the top.
pub(crate) fn middle(point: Point, size: u8) -> (u16, u16) {
    (column(point.x()), rank(point.y(), size))
}

/// Position of a column from the left.
pub(crate) fn column(x: u8) -> u16 {
    WIDE + CELL * u16::from(x)
}

/// Position of a rank from the top; rank 1 is at the bottom.
pub(crate) fn rank(y: u8, size: u8) -> u16 {
    NARROW + CELL * u16::from((size - 1).saturating_sub(y))
}

/// Star points of a board: the centre, and if there is room the corners of a square around it (and
/// on 19×19 the middles of its sides).
pub(crate) fn stars(size: u8) -> Vec<(u8, u8)> {
    let middle = size / 2;
    let mut stars = vec![(middle, middle)];
    if size < 13 || size.is_multiple_of(2) {
        return stars;
    }
    let near = 3;
    let far = size - 1 - near;
    stars.extend([(near, near), (near, far), (far, near), (far, far)]);
    if size == 19 {
        stars.extend([(near, middle), (far, middle), (middle, near), (middle, far)]);
    }
    stars
}
