//! Proof of a verdict: the lines and points that make a point a five, a foul or neither.
//!
//! Slow, verbose counterpart of `foul`: it finds the same shapes point by point and keeps them. A
//! test checks that the two always agree.

use std::fmt;

use crate::board::Board;
use crate::foul::{Foul, Mark, Precedence, allows_straight_four};
use crate::player::Color;
use crate::point::{Direction, Point};

/// All shapes a stone on one point would make, and the verdict that follows.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Explanation {
    pub point: Point,
    pub mark: Mark,
    /// Rows of five or more that the stone completes.
    pub rows: Vec<Row>,
    /// The different fours that contain the stone.
    pub fours: Vec<Four>,
    /// Threes that contain the stone, at most one per direction, including those that do not count.
    pub threes: Vec<Three>,
}

/// An unbroken row of five or more.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Row {
    pub direction: Direction,
    pub stones: Vec<Point>,
}

/// Four stones that one more makes an exact five.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Four {
    pub direction: Direction,
    pub stones: [Point; 4],
    /// Points that complete a five: two for a straight four, else one.
    pub wins: Vec<Point>,
}

/// A candidate three: it counts when one of its straight-four moves is allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Three {
    pub direction: Direction,
    pub moves: Vec<StraightFourMove>,
}

impl Three {
    /// True if the three counts toward a double-three.
    pub fn counts(&self) -> bool {
        self.moves.iter().any(|next| next.refusal.is_none())
    }
}

/// One way to turn a three into a straight four.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StraightFourMove {
    /// The three stones it starts from.
    pub stones: [Point; 3],
    /// Point of the fourth stone.
    pub point: Point,
    /// The two points that complete a five.
    pub wins: [Point; 2],
    /// Reason the fourth stone is not allowed; `None` if it is.
    pub refusal: Option<Refusal>,
}

/// Reason a straight-four move does not count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It makes a five at the same time.
    Five,
    /// It is a foul itself, proved in the same way with the stones so far on the board. After four
    /// such steps the verdict comes without its proof, because proofs of proofs can grow without
    /// limit on a constructed board.
    Foul(Foul, Option<Box<Explanation>>),
}

impl Board {
    /// Explains what a stone of `color` on `point` would make, judged as Black is judged in Renju.
    /// `None` if the point is taken or off the board.
    pub fn explain(
        &self,
        point: Point,
        color: Color,
        precedence: Precedence,
    ) -> Option<Explanation> {
        self.is_empty(point).then(|| explain(self, point, color, precedence, DEPTH_MAX))
    }
}

/// Limit of proofs nested in each other.
const DEPTH_MAX: u8 = 4;

fn explain(
    board: &Board,
    point: Point,
    color: Color,
    precedence: Precedence,
    depth: u8,
) -> Explanation {
    let mark = board.mark(point, color, precedence);
    let mut board = *board;
    board.put(point, color);
    let mut explanation =
        Explanation { point, mark, rows: Vec::new(), fours: Vec::new(), threes: Vec::new() };
    for direction in Direction::ALL {
        let line = Line { board: &board, point, direction, color };
        explanation.rows.extend(line.row());
        explanation.fours.extend(line.fours());
        let moves: Vec<_> = line
            .straight_four_moves()
            .map(|(stones, next, wins)| {
                let refusal = refusal(&board, next, color, precedence, depth);
                StraightFourMove { stones, point: next, wins, refusal }
            })
            .collect();
        if !moves.is_empty() {
            explanation.threes.push(Three { direction, moves });
        }
    }
    explanation
}

fn refusal(
    board: &Board,
    next: Point,
    color: Color,
    precedence: Precedence,
    depth: u8,
) -> Option<Refusal> {
    if allows_straight_four(&mut board.clone(), next, color) {
        return None;
    }
    // A five that is also a foul is refused as a five, whatever the precedence.
    match board.mark(next, color, Precedence::FiveFirst) {
        Mark::Foul(foul) => {
            let proof = || Box::new(explain(board, next, color, precedence, depth - 1));
            Some(Refusal::Foul(foul, (depth > 0).then(proof)))
        }
        Mark::Five | Mark::Quiet => Some(Refusal::Five),
    }
}

/// One line through the new stone, which is on the board.
struct Line<'a> {
    board: &'a Board,
    point: Point,
    direction: Direction,
    color: Color,
}

impl Line<'_> {
    fn cell(&self, offset: i8) -> Option<Point> {
        let size = self.board.size();
        self.point.step(self.direction, offset).filter(|cell| cell.is_on(size))
    }

    fn is_own(&self, offset: i8) -> bool {
        self.cell(offset).is_some_and(|cell| self.board.get(cell) == Some(self.color))
    }

    fn is_empty(&self, offset: i8) -> bool {
        self.cell(offset).is_some_and(|cell| self.board.is_empty(cell))
    }

    /// The one empty cell among `len` cells from `start` and the stones, if all others are own
    /// stones.
    fn all_but_one<const STONES: usize>(&self, start: i8) -> Option<([Point; STONES], Point)> {
        let offsets = start..=start + STONES as i8;
        let mut empty = offsets.clone().filter(|&offset| self.is_empty(offset));
        let (gap, None) = (empty.next()?, empty.next()) else { return None };
        let stones: Vec<Point> =
            offsets.filter(|&offset| self.is_own(offset)).filter_map(|o| self.cell(o)).collect();
        Some((stones.try_into().ok()?, self.cell(gap)?))
    }

    fn row(&self) -> Option<Row> {
        let before = (1..).take_while(|&n| self.is_own(-n)).count() as i8;
        let after = (1..).take_while(|&n| self.is_own(n)).count() as i8;
        let stones: Vec<Point> = (-before..=after).filter_map(|n| self.cell(n)).collect();
        (stones.len() >= 5).then_some(Row { direction: self.direction, stones })
    }

    fn fours(&self) -> Vec<Four> {
        let mut fours: Vec<Four> = Vec::new();
        for start in -4..=0 {
            if self.is_own(start - 1) || self.is_own(start + 5) {
                continue;
            }
            let Some((stones, win)) = self.all_but_one::<4>(start) else { continue };
            match fours.iter_mut().find(|four| four.stones == stones) {
                Some(four) => four.wins.push(win),
                None => fours.push(Four { direction: self.direction, stones, wins: vec![win] }),
            }
        }
        fours
    }

    fn straight_four_moves(&self) -> impl Iterator<Item = ([Point; 3], Point, [Point; 2])> + '_ {
        (-3..=0).filter_map(|start| {
            let open = self.is_empty(start - 1) && self.is_empty(start + 4);
            if !open || self.is_own(start - 2) || self.is_own(start + 5) {
                return None;
            }
            let (stones, next) = self.all_but_one::<3>(start)?;
            Some((stones, next, [self.cell(start - 1)?, self.cell(start + 4)?]))
        })
    }
}

impl fmt::Display for Explanation {
    /// A sentence for the verdict, then an indented line for every shape.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl Explanation {
    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let pad = depth * 2;
        match self.mark {
            Mark::Quiet => write!(f, "{:pad$}{} is neither a five nor a foul", "", self.point)?,
            Mark::Five => write!(f, "{:pad$}{} makes five", "", self.point)?,
            Mark::Foul(foul) => write!(f, "{:pad$}{} is a foul: {foul}", "", self.point)?,
        }
        let pad = pad + 2;
        for Row { direction, stones } in &self.rows {
            write!(f, "\n{:pad$}{direction} row of {}: {}", "", stones.len(), list(stones))?;
        }
        for Four { direction, stones, wins } in &self.fours {
            let (stones, wins) = (list(stones), list(wins));
            write!(f, "\n{:pad$}{direction} four {stones}, five at {wins}", "")?;
        }
        for Three { direction, moves } in &self.threes {
            for StraightFourMove { stones, point, wins, refusal } in moves {
                let (stones, wins) = (list(stones), list(wins));
                write!(f, "\n{:pad$}{direction} three {stones}, ", "")?;
                match refusal {
                    None => write!(f, "straight four by {point}, then five at {wins}")?,
                    Some(Refusal::Five) => write!(f, "but {point} makes a five at once")?,
                    Some(Refusal::Foul(foul, None)) => {
                        write!(f, "but {point} would be a foul ({foul})")?;
                    }
                    Some(Refusal::Foul(foul, Some(proof))) => {
                        writeln!(f, "but {point} would be a foul ({foul}):")?;
                        proof.write(f, depth + 2)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn list(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}
