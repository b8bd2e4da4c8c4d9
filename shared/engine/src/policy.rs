//! Move ordering before the search, from the tables the tuner fits.

use std::sync::LazyLock;

use renju::{Fouls, Ruleset};

use crate::cell::Cell;
use crate::class::Class;
use crate::field::{CellShapes, Field};
use crate::line::shape_of;
use crate::weights::Order;

/// The tables of one ruleset with one colour to move.
pub(crate) struct Policy {
    me: usize,
    lines: [i16; 256],
    classes: [[i16; Class::COUNT]; 2],
    distance: [i16; 8],
}

impl Policy {
    /// The tables for Black and for White to move.
    pub(crate) fn of(ruleset: &Ruleset) -> &'static [Policy; 2] {
        static FREE: LazyLock<[Policy; 2]> =
            LazyLock::new(|| [0, 1].map(|me| Policy::from(&Order::FREE, me)));
        static RENJU: LazyLock<[Policy; 2]> = LazyLock::new(|| {
            [Policy::from(&Order::RENJU_BLACK, 0), Policy::from(&Order::RENJU_WHITE, 1)]
        });
        match ruleset.fouls {
            Fouls::Black { .. } => &RENJU,
            Fouls::None | Fouls::DoubleThree { .. } => &FREE,
        }
    }

    fn from(order: &Order, me: usize) -> Policy {
        let mut policy =
            Policy { me, lines: [0; 256], classes: order.classes, distance: order.distance };
        for line in 0..=u8::MAX {
            policy.lines[usize::from(line)] = order.shapes[0][shape_of(line, me) as usize]
                + order.shapes[1][shape_of(line, 1 - me) as usize];
        }
        policy
    }

    pub(crate) fn rank(&self, field: &Field, cell: Cell, shapes: CellShapes) -> i32 {
        let classes = field.classes[cell.index()];
        let lines = shapes.to_le_bytes().map(|line| self.lines[usize::from(line)]);
        let near = if field.last == Cell::NONE { 0 } else { field.last.distance(cell).min(7) };
        i32::from(lines[0] + lines[1] + lines[2] + lines[3])
            + i32::from(self.classes[0][classes[self.me] as usize])
            + i32::from(self.classes[1][classes[1 - self.me] as usize])
            + i32::from(self.distance[usize::from(near)])
    }
}
