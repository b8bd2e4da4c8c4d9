//! Shapes a stone makes in one line, from nothing to a five, from a table.
//!
//! The definitions are those of docs/rules.md, widened downwards for the evaluation. Each shape is
//! defined by the best shape one more stone leads to, so the whole table follows from the five.

use renju::Five;

/// Cells considered to each side of a cell.
pub(crate) const REACH: u32 = 5;

/// Best shape a stone makes in one line, the stone included. Later is stronger, except for the
/// last.
///
/// The numbers matter: from [`Shape::OpenThree`] on the fourth bit is set, so that a mask finds
/// threats, and from [`Shape::Two`] on one of the upper two, so that a mask finds other stones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Shape {
    /// Can never become a five.
    #[default]
    Dead,
    /// A single stone that can never become an open three.
    One,
    /// A single stone with room on both sides.
    OpenOne,
    /// A single stone with room for at least three wide open twos.
    WideOne,
    /// Two stones that can only become a closed three.
    Two,
    /// Two stones that can become an open three.
    OpenTwo,
    /// An open two with at least three ways to become an open three.
    WideTwo,
    /// Three stones that one more makes a simple four.
    Three,
    /// Three stones that one more makes a straight four.
    OpenThree,
    /// An open three with two ways to become a straight four.
    WideThree,
    /// Four stones with one winning point.
    Four,
    /// Two fours in one line, for a colour that needs exactly five.
    DoubleFour,
    /// A four with two winning points.
    StraightFour,
    /// A winning row.
    Five,
    /// Six or more, for a colour that needs exactly five.
    Overline,
}

impl Shape {
    /// Number of shapes.
    pub const COUNT: usize = 15;

    /// All shapes, weakest first except for the last.
    pub const ALL: [Shape; Shape::COUNT] = [
        Shape::Dead,
        Shape::One,
        Shape::OpenOne,
        Shape::WideOne,
        Shape::Two,
        Shape::OpenTwo,
        Shape::WideTwo,
        Shape::Three,
        Shape::OpenThree,
        Shape::WideThree,
        Shape::Four,
        Shape::DoubleFour,
        Shape::StraightFour,
        Shape::Five,
        Shape::Overline,
    ];
}

/// Number of distinct codes of the cells to one side of a stone: those before the first blocked
/// cell, with a leading one that marks their number.
pub(crate) const HALVES: usize = 2 << REACH;

/// Shape of a stone between two halves of a line, for every pair of halves.
pub(crate) fn shapes(five: Five) -> Vec<Shape> {
    let mut shapes = vec![Shape::Dead; HALVES * HALVES];
    // One more stone increases the code of its half, so the results it leads to are already known.
    for before in (1..HALVES).rev() {
        for after in (1..HALVES).rev() {
            shapes[before * HALVES + after] = define(&shapes, five, before, after);
        }
    }
    shapes
}

fn define(shapes: &[Shape], five: Five, before: usize, after: usize) -> Shape {
    let (near, far) = (before.ilog2(), after.ilog2());
    let lower = (before as u32 ^ 1 << near) << (REACH - near);
    let own = lower | 1 << REACH | (after as u32 ^ 1 << far) << (REACH + 1);
    let below = (!(own << (u32::BITS - REACH))).leading_zeros();
    let above = (!(own >> (REACH + 1))).trailing_zeros();
    let row = below + 1 + above;
    if five.is_won_by(row as u8) {
        return Shape::Five;
    }
    if row > 5 {
        return Shape::Overline;
    }
    let mut ways = [0u8; Shape::COUNT];
    let first_own = REACH - near;
    for bit in (first_own..=REACH + far).filter(|bit| own >> bit & 1 == 0) {
        let next = if bit < REACH {
            shapes[(before | 1 << (bit - first_own)) * HALVES + after]
        } else {
            shapes[before * HALVES + (after | 1 << (bit - REACH - 1))]
        };
        ways[next as usize] += 1;
    }
    let ways = |shape: Shape| ways[shape as usize];
    let open_threes = ways(Shape::OpenThree) + ways(Shape::WideThree);
    match ways(Shape::Five) {
        0 => {}
        1 => return Shape::Four,
        _ if five == Five::OrMore || row == 4 => return Shape::StraightFour,
        _ => return Shape::DoubleFour,
    }
    match ways(Shape::StraightFour) {
        0 => {}
        1 => return Shape::OpenThree,
        _ => return Shape::WideThree,
    }
    if ways(Shape::Four) + ways(Shape::DoubleFour) > 0 {
        return Shape::Three;
    }
    match open_threes {
        0 => {}
        1..=2 => return Shape::OpenTwo,
        _ => return Shape::WideTwo,
    }
    if ways(Shape::Three) > 0 {
        Shape::Two
    } else if ways(Shape::WideTwo) >= 3 {
        Shape::WideOne
    } else if ways(Shape::OpenTwo) + ways(Shape::WideTwo) > 0 {
        Shape::OpenOne
    } else if ways(Shape::Two) > 0 {
        Shape::One
    } else {
        Shape::Dead
    }
}
