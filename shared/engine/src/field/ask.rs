//! Questions about fives and fouls; the rules are asked if shapes alone cannot answer.

use renju::{Color, Mark, Position, Precedence};

use super::Field;
use crate::cell::{Cell, Set, side};
use crate::class::{Class, Classes, Judge};
use crate::shape::Shape;

impl Field {
    /// Says if `color` may play an empty cell without losing or being rejected.
    pub(crate) fn is_allowed(&self, cell: Cell, color: Color) -> bool {
        self.class_at(cell, color) != Class::Barred || self.ask(cell, color)
    }

    /// Says if a stone of `color` on an empty cell wins at once by its row. Captures that could
    /// break the five are ignored.
    pub(crate) fn wins(&self, cell: Cell, color: Color) -> bool {
        match (self.class_at(cell, color), self.judges[side(color)]) {
            (Class::Five, _) => true,
            (Class::Barred, Judge::Renju(precedence)) => {
                self.shapes_at(cell, color).contains(&Shape::Five)
                    && self.board.mark(cell.point(), color, precedence) == Mark::Five
            }
            _ => false,
        }
    }

    /// Class of a cell checked against the rules; `None` if it is not allowed.
    pub(crate) fn judged(&self, cell: Cell, color: Color) -> Option<Class> {
        match self.class_at(cell, color) {
            Class::Barred if self.ask(cell, color) => {
                Some(Classes::of(Judge::Free).class(self.shapes[cell.index()], side(color)))
            }
            Class::Barred => None,
            class => Some(class),
        }
    }

    /// Up to two cells at which `color` wins at once.
    pub(crate) fn winning_cells(&self, color: Color) -> (Option<Cell>, Option<Cell>) {
        let foul_first = self.fives_may_be_fouls(color) && self.count(Class::Barred, color) > 0;
        if self.count(Class::Five, color) == 0 && !foul_first {
            return (None, None);
        }
        let sets = &self.sets[side(color)];
        let barred = if foul_first { sets[Class::Barred as usize] } else { Set::default() };
        let mut cells = sets[Class::Five as usize]
            .iter()
            .chain(barred.iter().filter(|&cell| self.wins(cell, color)));
        (cells.next(), cells.next())
    }

    /// Says if a five of `color` may be a foul, so that two winning points need not win.
    pub(crate) fn fives_may_be_fouls(&self, color: Color) -> bool {
        self.judges[side(color)] == Judge::Renju(Precedence::FoulFirst)
    }

    /// Says if `color` can make a four anywhere; fouls are not checked.
    pub(crate) fn has_fours(&self, color: Color) -> bool {
        const FOURS: [Class; 5] =
            [Class::Straight, Class::FourThree, Class::FourPlus, Class::Four, Class::Barred];
        FOURS.into_iter().any(|class| self.count(class, color) > 0)
    }

    /// Says if `color` makes a three or more on the cell.
    pub(crate) fn has_three(&self, cell: Cell, color: Color) -> bool {
        self.shapes_at(cell, color)
            .into_iter()
            .any(|shape| (Shape::Three..=Shape::Five).contains(&shape))
    }

    fn ask(&self, cell: Cell, color: Color) -> bool {
        match self.judges[side(color)] {
            Judge::Free => true,
            Judge::Renju(precedence) => {
                !matches!(self.board.mark(cell.point(), color, precedence), Mark::Foul(_))
            }
            Judge::DoubleThree { captures_exempt } => {
                !self.board.is_barred(cell.point(), color, captures_exempt)
            }
        }
    }

    /// The same stones as a [`Position`] with `color` to move.
    pub(crate) fn position(&self, color: Color) -> Position {
        let pairs = renju::ByColor { black: self.pairs[0], white: self.pairs[1] };
        Position::analysis(self.ruleset, self.board, color, pairs)
            .expect("the size was checked when the game began")
    }

    /// The empty cells on which `color` captures a pair.
    pub(crate) fn capturing_cells(&self, color: Color) -> Set {
        self.lanes.captures(side(color))
    }

    /// Says if the ruleset has captures.
    pub(crate) fn captures(&self) -> bool {
        self.ruleset.pairs_to_win.is_some()
    }
}
