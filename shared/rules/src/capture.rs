//! Captures: two stones between two of the other colour are taken (docs/rules.md, gomoku_capture).

use crate::board::{Board, REACH};
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
    /// Points that are emptied, pair by pair.
    pub fn points(&self) -> &[Point] {
        &self.points[..usize::from(self.len)]
    }

    /// Number of captured pairs.
    pub const fn pairs(&self) -> u8 {
        self.len / 2
    }
}

/// The two cells after and before the middle of a window, and the ones beyond them.
const AFTER: u32 = 0b11 << (REACH + 1);
const AFTER_END: u32 = 1 << (REACH + 3);
const BEFORE: u32 = 0b11 << (REACH - 2);
const BEFORE_END: u32 = 1 << (REACH - 3);

impl Board {
    /// Stones that a stone of `color` on `point` captures. Moving between two enemy stones captures
    /// nothing.
    pub fn captured_by(&self, point: Point, color: Color) -> Captured {
        let mut captured = Captured { points: [point; 16], len: 0 };
        for direction in Direction::ALL {
            let window = self.window(point, direction, color);
            for (toward, pair, end) in [(1, AFTER, AFTER_END), (-1, BEFORE, BEFORE_END)] {
                // A cell blocked in front of an own stone is not a wall, so it is an enemy stone.
                if window.blocked & pair == pair
                    && window.own & end != 0
                    && let (Some(near), Some(far)) =
                        (point.step(direction, toward), point.step(direction, 2 * toward))
                {
                    let start = usize::from(captured.len);
                    captured.points[start..start + 2].copy_from_slice(&[near, far]);
                    captured.len += 2;
                }
            }
        }
        captured
    }

    /// Puts a stone, removes what it captures, and returns it.
    pub(crate) fn put_and_capture(&mut self, point: Point, color: Color) -> Captured {
        let captured = self.captured_by(point, color);
        self.put(point, color);
        for &taken in captured.points() {
            self.take(taken, !color);
        }
        captured
    }

    /// True if the double-three rule forbids `color` the empty `point`.
    pub fn is_barred(&self, point: Point, color: Color, captures_exempt: bool) -> bool {
        self.is_double_three(point, color)
            && !(captures_exempt && self.captured_by(point, color).pairs() > 0)
    }

    /// True if `color` can answer the five (or more) the opponent has just made: by a legal capture
    /// that breaks every such row, or that reaches `pairs_to_win`.
    pub(crate) fn can_answer_five(
        &self,
        color: Color,
        pairs: ByColor<u8>,
        pairs_to_win: u8,
        fouls: Fouls,
    ) -> bool {
        let is_barred = |point| match fouls {
            Fouls::DoubleThree { captures_exempt } => self.is_barred(point, color, captures_exempt),
            Fouls::None | Fouls::Black { .. } => false,
        };
        self.empty_points().any(|point| {
            let captured = self.captured_by(point, color);
            captured.pairs() > 0
                && !is_barred(point)
                && (pairs[color].saturating_add(captured.pairs()) >= pairs_to_win || {
                    let mut after = *self;
                    after.put_and_capture(point, color);
                    !after.has_five(!color)
                })
        })
    }
}
