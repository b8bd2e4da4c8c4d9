//! Putting and taking stones: which cells must be looked at again, and what is written down for the
//! way back.

use renju::Color;

use super::{Field, KEYS, Look, Trace};
use crate::cell::{Cell, side};
use crate::lanes::{STRIDES, locate, view};
use crate::shape::{REACH, Shape};

/// How much a shape is worth when moves are ordered.
const ORDER: [i16; Shape::COUNT] = [0, 0, 0, 0, 3, 8, 10, 11, 24, 28, 30, 50, 90, 200];

impl Field {
    pub(super) fn put(&mut self, cell: Cell, color: Color) {
        self.traces.push(Trace::Put(cell, color));
        self.count_out(cell);
        self.delist(cell);
        self.board.put(cell.point(), color);
        self.lanes.toggle(cell, side(color));
        self.hash ^= KEYS[side(color)][cell.index()];
        self.refresh(cell);
    }

    pub(super) fn take(&mut self, cell: Cell, color: Color) {
        // Undoing the move that put this stone counts its cell in again as it was then.
        for (side, look) in self.looks[cell.index()].into_iter().enumerate() {
            self.traces.push(Trace::Under(cell, side as u8, look));
        }
        self.traces.push(Trace::Taken(cell, color));
        self.board.take(cell.point(), color);
        self.lanes.toggle(cell, side(color));
        self.hash ^= KEYS[side(color)][cell.index()];
        self.enter(cell);
        self.refresh(cell);
    }

    /// Looks at an empty cell from nothing and counts it in.
    pub(super) fn enter(&mut self, cell: Cell) {
        let mut looks = [Look::default(); 2];
        for (side, look) in looks.iter_mut().enumerate() {
            for (d, (lane, position)) in locate(cell).into_iter().enumerate() {
                let (own, blocked) = view(self.lanes.lane(lane), side);
                let shape = self.tables[side].shape(own >> position, blocked >> position);
                look.shapes[d] = shape;
                look.counts = look.counts.replace(Shape::Dead, shape);
                look.score += ORDER[shape as usize];
                self.totals.shapes[side][shape as usize] += 1;
            }
            look.class = self.judges[side].class(look.counts);
            self.totals.classes[side][look.class as usize] += 1;
        }
        self.looks[cell.index()] = looks;
        self.enlist(cell);
    }

    fn count_out(&mut self, cell: Cell) {
        for (side, look) in self.looks[cell.index()].iter().enumerate() {
            for shape in look.shapes {
                self.totals.shapes[side][shape as usize] -= 1;
            }
            self.totals.classes[side][look.class as usize] -= 1;
        }
    }

    pub(super) fn enlist(&mut self, cell: Cell) {
        for (side, look) in self.looks[cell.index()].iter().enumerate() {
            self.sets[side][look.class as usize].insert(cell);
            if look.score != 0 {
                self.near.insert(cell);
            }
        }
    }

    pub(super) fn delist(&mut self, cell: Cell) {
        for (side, look) in self.looks[cell.index()].iter().enumerate() {
            self.sets[side][look.class as usize].remove(cell);
        }
        self.near.remove(cell);
    }

    /// Undoes [`Field::change`], but for the totals.
    pub(super) fn restore(&mut self, cell: Cell, side: usize, old: Look) {
        let looks = &mut self.looks[cell.index()];
        let new = looks[side];
        if new.class != old.class {
            self.sets[side][new.class as usize].toggle(cell);
            self.sets[side][old.class as usize].toggle(cell);
        }
        if (new.score == 0) != (old.score == 0) && looks[1 - side].score == 0 {
            self.near.toggle(cell);
        }
        looks[side] = old;
    }

    /// Looks again at every empty cell whose lines run through a cell that has changed.
    fn refresh(&mut self, centre: Cell) {
        for (d, (lane, position)) in locate(centre).into_iter().enumerate() {
            let lane = self.lanes.lane(lane);
            let empty = !(lane[0] | lane[1]) >> position & self.window & !(1 << REACH);
            for side in 0..2 {
                let (own, blocked) = view(lane, side);
                // A colour sees no further than the first cell it cannot stand on.
                let near = blocked >> position & 0x7ff;
                let from = u32::BITS - (near & 0x1f).leading_zeros();
                let to = (near >> (REACH + 1) | 1 << REACH).trailing_zeros() + REACH + 1;
                let mut cells = empty & ((1u32 << to) - (1 << from));
                let table = self.tables[side];
                while cells != 0 {
                    let bit = cells.trailing_zeros();
                    cells &= cells - 1;
                    let offset = bit as i32 - REACH as i32;
                    let cell = Cell((i32::from(centre.0) + offset * STRIDES[d]) as u16);
                    let at = position + bit - REACH;
                    let shape = table.shape(own >> at, blocked >> at);
                    let before = self.looks[cell.index()][side].shapes[d];
                    if shape != before {
                        self.change(cell, side, d, before, shape);
                    }
                }
            }
        }
    }

    /// Writes down that one line of a cell makes another shape now.
    fn change(&mut self, cell: Cell, side: usize, d: usize, before: Shape, shape: Shape) {
        let looks = &mut self.looks[cell.index()];
        let (old, other) = (looks[side], looks[1 - side].score);
        self.traces.push(Trace::Look(cell, side as u8, old));
        let look = &mut looks[side];
        look.shapes[d] = shape;
        look.score = old.score + ORDER[shape as usize] - ORDER[before as usize];
        if other == 0 && (old.score == 0) != (look.score == 0) {
            self.near.toggle(cell);
        }
        self.totals.shapes[side][before as usize] -= 1;
        self.totals.shapes[side][shape as usize] += 1;
        look.counts = old.counts.replace(before, shape);
        if look.counts != old.counts {
            look.class = self.judges[side].class(look.counts);
            if look.class != old.class {
                self.totals.classes[side][old.class as usize] -= 1;
                self.totals.classes[side][look.class as usize] += 1;
                self.sets[side][old.class as usize].toggle(cell);
                self.sets[side][look.class as usize].toggle(cell);
            }
        }
    }
}
