//! Adding and removing stones: which cells to update, and what to save for undo.

use renju::Color;

use super::{CellShapes, Field, HOT, KEYS, LineShapes, Trace};
use crate::cell::{Cell, Set, side};
use crate::class::Class;
use crate::lanes::{STRIDES, empty, locate};

impl Field {
    /// Puts a stone on an empty cell and updates the lines through it.
    pub(super) fn put(&mut self, cell: Cell, color: Color) {
        self.rewrite(cell, 0);
        self.stand(cell, color);
        self.hash ^= KEYS[side(color)][cell.index()];
        self.refresh(cell);
    }

    /// Removes a captured stone and updates the lines through it.
    pub(super) fn take(&mut self, cell: Cell, color: Color) {
        self.taken.push(cell);
        self.lift(cell, color);
        self.hash ^= KEYS[side(color)][cell.index()];
        self.enter(cell);
        self.refresh(cell);
    }

    /// Sets a stone without updating its lines.
    pub(super) fn stand(&mut self, cell: Cell, color: Color) {
        self.board.put(cell.point(), color);
        self.lanes.toggle(cell, side(color));
    }

    /// Inverse of [`Field::stand`].
    pub(super) fn lift(&mut self, cell: Cell, color: Color) {
        self.board.take(cell.point(), color);
        self.lanes.toggle(cell, side(color));
    }

    /// Computes an empty cell from scratch.
    pub(super) fn enter(&mut self, cell: Cell) {
        let shapes =
            locate(cell).map(|place| self.lines.shapes(self.lanes.lane(place) >> place.shift));
        self.rewrite(cell, CellShapes::from_le_bytes(shapes));
    }

    /// Saves all four lines of a cell and sets them to `shapes`.
    fn rewrite(&mut self, cell: Cell, shapes: CellShapes) {
        self.hold(cell, self.shapes[cell.index()], shapes);
    }

    /// Updates every empty cell in line with a changed cell.
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
                let line = self.lines.shapes(lane >> ((u32::from(place.shift) + bit - 10) & 63));
                let old = self.shapes[cell.index()];
                let before = (old >> (8 * d)) as LineShapes;
                if line != before {
                    self.hold(cell, old, old ^ CellShapes::from(before ^ line) << (8 * d));
                }
            }
        }
    }

    /// Saves a cell and sets it to `shapes`.
    #[inline(always)]
    fn hold(&mut self, cell: Cell, old: CellShapes, shapes: CellShapes) {
        let before = self.classes[cell.index()];
        self.traces.push(Trace { cell, classes: before, shapes: old });
        self.shapes[cell.index()] = shapes;
        // Most cells are quiet and stay quiet.
        if (old | shapes) & HOT != 0 {
            let after = [self.judged[0].class(shapes, 0), self.judged[1].class(shapes, 1)];
            self.classes[cell.index()] = after;
            for side in 0..2 {
                let (before, after) = (before[side], after[side]);
                if before != after {
                    relist(&mut self.sets[side], cell, before, after);
                    self.counts[side][before as usize] -= u16::from(before != Class::Quiet);
                    self.counts[side][after as usize] += u16::from(after != Class::Quiet);
                }
            }
        }
    }

    /// Undoes every change since the list of traces had this length, except counts.
    pub(super) fn restore(&mut self, from: usize) {
        let Field { traces, shapes: kept, classes, sets, .. } = self;
        for trace in traces.drain(from..).rev() {
            let Trace { cell, classes: before, shapes } = trace;
            let old = std::mem::replace(&mut kept[cell.index()], shapes);
            if (old | shapes) & HOT != 0 {
                let now = std::mem::replace(&mut classes[cell.index()], before);
                for side in 0..2 {
                    if now[side] != before[side] {
                        relist(&mut sets[side], cell, now[side], before[side]);
                    }
                }
            }
        }
    }
}

/// Moves a cell from the set of one class to that of another.
fn relist(sets: &mut [Set; Class::COUNT], cell: Cell, old: Class, new: Class) {
    if old != Class::Quiet {
        sets[old as usize].toggle(cell);
    }
    if new != Class::Quiet {
        sets[new as usize].toggle(cell);
    }
}

/// Cells of a window from which its middle can be seen: those not cut off by a stone of each
/// colour, because a colour sees no further than the first cell it cannot occupy.
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
