//! What a stone makes in one line, from nothing to a five, looked up in a table.
//!
//! The definitions are those of docs/rules.md, widened downwards for the evaluation. Each shape is
//! defined by the best shape one more stone leads to, so the whole table follows from the five.

use renju::Five;

/// How far a line is looked at to each side of a cell.
pub(crate) const REACH: u32 = 5;

/// The best a stone makes in one line, the stone included. Later is stronger, but for the last.
///
/// The numbers matter: from [`Shape::OpenThree`] on the fourth bit is set, so that a mask finds what
/// threatens, and from [`Shape::Two`] on one of the upper two, so that a mask finds company.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Shape {
    /// Never a five.
    #[default]
    Dead,
    /// Alone, and never an open three.
    One,
    /// Alone, with room on both sides.
    OpenOne,
    /// Alone, with room for at least three open twos that are wide.
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
    /// How many shapes there are.
    pub const COUNT: usize = 15;

    /// Every shape, the weakest first, but for the last.
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

/// How many numbers the cells to one side of a stone are told apart by: those nearer than the first
/// blocked cell, with a leading one that tells how many they are.
pub(crate) const HALVES: usize = 2 << REACH;

/// What a stone makes between two halves of a line, for every pair of halves and one meaning of five.
pub(crate) fn shapes(five: Five) -> Vec<Shape> {
    let mut shapes = vec![Shape::Dead; HALVES * HALVES];
    // One more stone makes the number of its half larger, so every line that one more stone leads
    // to has been looked at before.
    for before in (1..HALVES).rev() {
        for after in (1..HALVES).rev() {
            shapes[before * HALVES + after] = define(&shapes, five, before, after);
        }
    }
    shapes
}

/// The definitions.
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
