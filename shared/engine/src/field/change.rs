//! Putting and taking stones: which cells must be looked at again, and what is written down for the
//! way back.

use renju::Color;

use super::{Both, Field, KEYS, Look, Trace};
use crate::cell::{Cell, side};
use crate::class::Class;
use crate::lanes::{STRIDES, empty, locate};

impl Field {
    /// Puts a stone on an empty cell and looks again at the lines through it.
    pub(super) fn put(&mut self, cell: Cell, color: Color) {
        self.rewrite(cell, 0);
        self.stand(cell, color);
        self.hash ^= KEYS[side(color)][cell.index()];
        self.refresh(cell);
    }

    /// Takes a captured stone away and looks again at the lines through it.
    pub(super) fn take(&mut self, cell: Cell, color: Color) {
        self.taken.push(cell);
        self.lift(cell, color);
        self.hash ^= KEYS[side(color)][cell.index()];
        self.enter(cell);
        self.refresh(cell);
    }

    /// A stone stands here now; what it makes of its lines is not looked at.
    pub(super) fn stand(&mut self, cell: Cell, color: Color) {
        self.board.put(cell.point(), color);
        self.lanes.toggle(cell, side(color));
    }

    /// The opposite of [`Field::stand`].
    pub(super) fn lift(&mut self, cell: Cell, color: Color) {
        self.board.take(cell.point(), color);
        self.lanes.toggle(cell, side(color));
    }

    /// Looks at an empty cell from nothing.
    pub(super) fn enter(&mut self, cell: Cell) {
        let look = locate(cell).map(|place| self.lines.look(self.lanes.lane(place) >> place.shift));
        self.rewrite(cell, Look::from_le_bytes(look));
    }

    /// Writes down what a cell holds and makes it hold `look`, in all four lines.
    fn rewrite(&mut self, cell: Cell, look: Look) {
        let old = self.looks[cell.index()];
        self.write_down(cell, old);
        for (old, new) in old.to_le_bytes().into_iter().zip(look.to_le_bytes()) {
            self.add(self.worths.line(old, new));
        }
        self.looks[cell.index()] = look;
        for side in 0..2 {
            self.classify(cell, look, side);
        }
    }

    /// Looks again at every empty cell whose lines run through a cell that has changed.
    fn refresh(&mut self, centre: Cell) {
        for (d, place) in locate(centre).into_iter().enumerate() {
            let lane = self.lanes.lane(place);
            let around = lane >> place.shift;
            let mut cells = empty(around) & self.window & seen(around);
            while cells != 0 {
                let bit = cells.trailing_zeros();
                cells &= cells - 1;
                let offset = bit as i32 / 2 - 5;
                let cell = Cell((i32::from(centre.0) + offset * STRIDES[d]) as u16);
                let both = self.lines.look(lane >> ((u32::from(place.shift) + bit - 10) & 63));
                let old = self.looks[cell.index()];
                let before = (old >> (8 * d)) as Both;
                if both != before {
                    self.change(cell, old, d, before, both);
                }
            }
        }
    }

    /// One line of a cell makes something else now.
    fn change(&mut self, cell: Cell, old: Look, d: usize, before: Both, both: Both) {
        self.write_down(cell, old);
        self.add(self.worths.line(before, both));
        let look = old ^ Look::from(before ^ both) << (8 * d);
        self.looks[cell.index()] = look;
        if (before ^ both) & 0x0f != 0 {
            self.classify(cell, look, 0);
        }
        if (before ^ both) & 0xf0 != 0 {
            self.classify(cell, look, 1);
        }
    }

    /// Finds the class of a cell again.
    fn classify(&mut self, cell: Cell, look: Look, side: usize) {
        let old = self.classes[cell.index()][side];
        let new = self.judged[side].class(look, side);
        if new == old {
            return;
        }
        self.classes[cell.index()][side] = new;
        self.add(self.worths.class(side, old, new));
        if old >= Class::THREAT {
            self.sets[side][old as usize].toggle(cell);
            self.counts[side][old as usize] -= 1;
        }
        if new >= Class::THREAT {
            self.sets[side][new as usize].toggle(cell);
            self.counts[side][new as usize] += 1;
        }
    }

    /// Undoes a change, but for the sums and counts.
    pub(super) fn restore(&mut self, trace: Trace) {
        let Trace { cell, classes, look } = trace;
        self.looks[cell.index()] = look;
        let now = self.classes[cell.index()];
        if now == classes {
            return;
        }
        for side in 0..2 {
            let (old, new) = (now[side], classes[side]);
            if old != new {
                if old >= Class::THREAT {
                    self.sets[side][old as usize].toggle(cell);
                }
                if new >= Class::THREAT {
                    self.sets[side][new as usize].toggle(cell);
                }
            }
        }
        self.classes[cell.index()] = classes;
    }

    fn write_down(&mut self, cell: Cell, look: Look) {
        self.traces.push(Trace { cell, classes: self.classes[cell.index()], look });
    }

    fn add(&mut self, worth: crate::evaluation::Worth) {
        self.worth[0] += worth[0];
        self.worth[1] += worth[1];
    }
}

/// The cells of a window from which its middle can be seen: those not cut off by both a stone of
/// each colour, for a colour sees no further than the first cell it cannot stand on.
fn seen(window: u64) -> u64 {
    const LOW: u64 = 0x155;
    let after = window >> 12;
    let far = |side: u32| (after >> side & LOW | 1 << 10).trailing_zeros();
    let to = 12 + far(0).max(far(1));
    let before = window & 0x3ff;
    let near = |side: u32| u64::BITS - (before >> side & LOW).leading_zeros();
    let from = near(0).min(near(1));
    (1 << to) - (1 << from)
}
