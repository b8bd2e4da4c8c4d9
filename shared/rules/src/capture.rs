//! Captures: two stones between two of the other colour are taken (docs/rules.md, gomoku_capture).

use crate::board::Board;
use crate::player::{ByColor, Color};
use crate::point::{Direction, Point};
use crate::ruleset::Fouls;

/// The stones one move takes: at most two in each of eight directions.
#[derive(Clone, Copy)]
pub struct Captured {
    points: [Point; 16],
    len: u8,
}

impl Captured {
    /// The points that are emptied, pair by pair.
    pub fn points(&self) -> &[Point] {
        &self.points[..usize::from(self.len)]
    }

    /// How many pairs are taken.
    pub const fn pairs(&self) -> u8 {
        self.len / 2
    }
}

impl Board {
    /// What a stone of `color` on `point` takes. Moving between two enemy stones takes nothing.
    pub fn captured_by(&self, point: Point, color: Color) -> Captured {
        let mut captured = Captured { points: [point; 16], len: 0 };
        for direction in Direction::ALL {
            for toward in [1i8, -1] {
                let cell = |steps| point.step(direction, toward * steps);
                let holds = |steps, color| cell(steps).is_some_and(|c| self.get(c) == Some(color));
                if let (Some(near), Some(far)) = (cell(1), cell(2))
                    && holds(1, !color)
                    && holds(2, !color)
                    && holds(3, color)
                {
                    let start = usize::from(captured.len);
                    captured.points[start..start + 2].copy_from_slice(&[near, far]);
                    captured.len += 2;
                }
            }
        }
        captured
    }

    /// Puts a stone and takes what it captures; gives back what was taken.
    pub(crate) fn put_and_capture(&mut self, point: Point, color: Color) -> Captured {
        let captured = self.captured_by(point, color);
        self.put(point, color);
        for &taken in captured.points() {
            self.take(taken, !color);
        }
        captured
    }

    /// Whether double-three keeps `color` from placing on the empty `point`.
    pub(crate) fn is_barred(&self, point: Point, color: Color, fouls: Fouls) -> bool {
        let Fouls::DoubleThree { captures_exempt } = fouls else { return false };
        self.is_double_three(point, color)
            && !(captures_exempt && self.captured_by(point, color).pairs() > 0)
    }

    /// Whether `color` has an answer to the five (or more) the opponent has just made: a legal
    /// capture that breaks every such row, or that reaches `pairs_to_win`.
    pub(crate) fn can_answer_five(
        &self,
        color: Color,
        pairs: ByColor<u8>,
        pairs_to_win: u8,
        fouls: Fouls,
    ) -> bool {
        self.empty_points().any(|point| {
            let captured = self.captured_by(point, color);
            captured.pairs() > 0
                && !self.is_barred(point, color, fouls)
                && (pairs[color].saturating_add(captured.pairs()) >= pairs_to_win || {
                    let mut after = *self;
                    after.put_and_capture(point, color);
                    !after.has_five(!color)
                })
        })
    }
}
