//! What the field knows about fives and fouls, with the rules asked where shapes alone cannot say.

use renju::{Color, Mark, Position, Precedence};

use super::Field;
use crate::cell::{Cell, Set, side};
use crate::class::{Class, Classes, Judge};
use crate::shape::Shape;

impl Field {
    /// Whether the rules let `color` stand on an empty cell without losing or being rejected.
    pub(crate) fn is_allowed(&self, cell: Cell, color: Color) -> bool {
        self.class_at(cell, color) != Class::Barred || self.ask(cell, color)
    }

    /// Whether a stone of `color` on an empty cell wins at once by its row. Breakable fives are not
    /// looked into.
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

    /// The class of a cell once the rules have been asked: what it makes if it is allowed.
    pub(crate) fn judged(&self, cell: Cell, color: Color) -> Option<Class> {
        match self.class_at(cell, color) {
            Class::Barred if self.ask(cell, color) => {
                Some(Classes::of(Judge::Free).class(self.shapes[cell.index()], side(color)))
            }
            Class::Barred => None,
            class => Some(class),
        }
    }

    /// The cells at which `color` wins at once, up to two of them.
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

    /// Whether a five of `color` may be a foul, so that two winning points need not win.
    pub(crate) fn fives_may_be_fouls(&self, color: Color) -> bool {
        self.judges[side(color)] == Judge::Renju(Precedence::FoulFirst)
    }

    /// Whether `color` makes a four anywhere, fouls not asked for.
    pub(crate) fn has_fours(&self, color: Color) -> bool {
        const FOURS: [Class; 5] =
            [Class::Straight, Class::FourThree, Class::FourPlus, Class::Four, Class::Barred];
        FOURS.into_iter().any(|class| self.count(class, color) > 0)
    }

    /// Whether `color` makes a three or more on the cell in some line.
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

    /// The same stones as the rules see them, with `color` to move.
    pub(crate) fn position(&self, color: Color) -> Position {
        let pairs = renju::ByColor { black: self.pairs[0], white: self.pairs[1] };
        Position::analysis(self.ruleset, self.board, color, pairs)
            .expect("the size was checked when the game began")
    }

    /// The empty cells on which `color` captures a pair.
    pub(crate) fn capturing_cells(&self, color: Color) -> Set {
        self.lanes.captures(side(color))
    }

    /// Whether captures decide here.
    pub(crate) fn captures(&self) -> bool {
        self.ruleset.pairs_to_win.is_some()
    }
}
