//! Classification of a stone on an empty point: a five, a foul, or neither.
//!
//! The three kinds of foul and their recursion are docs/rules.md §1 to §5. Nothing here allocates:
//! the recursion plays its stones on one copy of the board and takes them back.

use std::fmt;

use crate::board::{Board, REACH, point_at};
use crate::pattern::Pattern;
use crate::player::Color;
use crate::point::{Direction, Point, SIZE_MAX};

/// A shape that Black may not make in Renju.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two fours with one stone.
    DoubleFour,
    /// Two threes with one stone.
    DoubleThree,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Foul::Overline => "overline",
            Foul::DoubleFour => "double-four",
            Foul::DoubleThree => "double-three",
        })
    }
}

/// Rule for a stone that makes both a foul and a five.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Precedence {
    /// The five wins, as in the rules of the Renju International Federation.
    FiveFirst,
    /// The foul loses: "forbidden move violation has priority over victory".
    FoulFirst,
}

/// Verdict on a stone on a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mark {
    /// Neither a five nor a foul; also every point that is taken.
    #[default]
    Quiet,
    /// Exactly five in a row.
    Five,
    /// A forbidden shape.
    Foul(Foul),
}

impl Mark {
    /// The mark in diagrams: `.` quiet, `5` five, `6` overline, `4` double-four, `3` double-three.
    pub const fn letter(self) -> char {
        match self {
            Mark::Quiet => '.',
            Mark::Five => '5',
            Mark::Foul(Foul::Overline) => '6',
            Mark::Foul(Foul::DoubleFour) => '4',
            Mark::Foul(Foul::DoubleThree) => '3',
        }
    }
}

/// Marks of a whole board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marks {
    size: u8,
    marks: [Mark; POINTS],
}

const POINTS: usize = SIZE_MAX as usize * SIZE_MAX as usize;

impl Marks {
    /// Mark of `point`; quiet off the board.
    pub fn get(&self, point: Point) -> Mark {
        if point.is_on(self.size) { self.marks[point.index(self.size)] } else { Mark::Quiet }
    }

    /// Every point that is not quiet, rank by rank from a1.
    pub fn iter(&self) -> impl Iterator<Item = (Point, Mark)> + '_ {
        Point::all(self.size).zip(self.marks).filter(|&(_, mark)| mark != Mark::Quiet)
    }

    /// Every foul, rank by rank from a1.
    pub fn fouls(&self) -> impl Iterator<Item = (Point, Foul)> + '_ {
        self.iter().filter_map(|(point, mark)| match mark {
            Mark::Foul(foul) => Some((point, foul)),
            _ => None,
        })
    }
}

impl Board {
    /// Verdict on a stone of `color` on `point`, judged as Black is judged in Renju. A point that
    /// is taken or off the board is quiet.
    pub fn mark(&self, point: Point, color: Color, precedence: Precedence) -> Mark {
        if !self.is_empty(point) {
            return Mark::Quiet;
        }
        mark_of(self, point, color, precedence, patterns(self, point, color))
    }

    /// Marks of every empty point for `color`, judged as Black is judged in Renju.
    pub fn marks(&self, color: Color, precedence: Precedence) -> Marks {
        let size = self.size();
        let mut shapes = [[Pattern::NONE; 4]; POINTS];
        for (d, direction) in Direction::ALL.into_iter().enumerate() {
            for (index, &lane) in self.lanes(direction).iter().enumerate() {
                let mut cells = near_two(lane.own(color)) & lane.empty();
                while cells != 0 {
                    let position = cells.trailing_zeros() as u8 - REACH;
                    cells &= cells - 1;
                    let pattern = Pattern::of(lane.window(position, color));
                    if let Some(point) = point_at(direction, index as u8, position) {
                        shapes[point.index(size)][d] = pattern;
                    }
                }
            }
        }
        let mut marks = Marks { size, marks: [Mark::Quiet; POINTS] };
        for (index, &shapes) in shapes[..usize::from(size).pow(2)].iter().enumerate() {
            if shapes != [Pattern::NONE; 4]
                && let Some(point) = Point::from_index(index, size)
            {
                marks.marks[index] = mark_of(self, point, color, precedence, shapes);
            }
        }
        marks
    }

    /// True if a stone of `color` on the empty `point` makes a double-three and no row of five or
    /// more.
    pub(crate) fn is_double_three(&self, point: Point, color: Color) -> bool {
        let shapes = patterns(self, point, color);
        !shapes.iter().any(|shape| shape.is_five() || shape.is_overline())
            && is_double_three(self, point, color, shapes)
    }
}

/// Cells with at least two stones of `own` within three steps; no other cell makes a shape.
fn near_two(own: u32) -> u32 {
    let (mut one, mut two) = (0, 0);
    for step in 1..=3 {
        for shifted in [own << step, own >> step] {
            two |= one & shifted;
            one |= shifted;
        }
    }
    two
}

pub(crate) fn patterns(board: &Board, point: Point, color: Color) -> [Pattern; 4] {
    // Unrolled, so that the compiler folds the arithmetic of each direction.
    let look = |direction| Pattern::of(board.window(point, direction, color));
    [
        look(Direction::Horizontal),
        look(Direction::Vertical),
        look(Direction::Rising),
        look(Direction::Falling),
    ]
}

fn mark_of(
    board: &Board,
    point: Point,
    color: Color,
    precedence: Precedence,
    shapes: [Pattern; 4],
) -> Mark {
    let five = shapes.iter().any(|shape| shape.is_five());
    if five && precedence == Precedence::FiveFirst {
        return Mark::Five;
    }
    if shapes.iter().any(|shape| shape.is_overline()) {
        return Mark::Foul(Foul::Overline);
    }
    if fours(shapes) >= 2 {
        return Mark::Foul(Foul::DoubleFour);
    }
    if is_double_three(board, point, color, shapes) {
        return Mark::Foul(Foul::DoubleThree);
    }
    if five { Mark::Five } else { Mark::Quiet }
}

fn fours(shapes: [Pattern; 4]) -> u8 {
    shapes.iter().map(|shape| shape.fours()).sum()
}

fn is_double_three(board: &Board, point: Point, color: Color, shapes: [Pattern; 4]) -> bool {
    // Most points end here, before anything is copied.
    may_be_double_three(shapes) && makes_two_threes(&mut board.clone(), point, color, shapes)
}

fn may_be_double_three(shapes: [Pattern; 4]) -> bool {
    shapes.iter().filter(|shape| shape.has_three()).count() >= 2
}

/// §4: counts the threes that have a straight-four move which is itself allowed.
fn makes_two_threes(board: &mut Board, point: Point, color: Color, shapes: [Pattern; 4]) -> bool {
    board.put(point, color);
    let mut threes = 0;
    for (direction, shape) in Direction::ALL.into_iter().zip(shapes) {
        let counts = shape.straight_fours().any(|offset| {
            let next =
                point.step(direction, offset).expect("a straight-four point is on the board");
            allows_straight_four(board, next, color)
        });
        threes += u8::from(counts);
        if threes == 2 {
            break;
        }
    }
    board.take(point, color);
    threes == 2
}

/// §4: the straight-four move makes no five at the same time and is not a foul itself, checked the
/// same way with the stones so far on the board.
pub(crate) fn allows_straight_four(board: &mut Board, point: Point, color: Color) -> bool {
    let shapes = patterns(board, point, color);
    !shapes.iter().any(|shape| shape.is_five() || shape.is_overline())
        && fours(shapes) < 2
        && !(may_be_double_three(shapes) && makes_two_threes(board, point, color, shapes))
}
