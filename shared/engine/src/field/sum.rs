//! The sum that the net judges, from that of a position shortly before if it is known.
//!
//! A move changes about 26 cells and there are about a hundred near stones, so a position one or two
//! moves before saves most of the work.

use super::{CellShapes, Field, NEAR};
use crate::cell::Set;
use crate::net::{Net, Sum};

/// Sum of the position with this hash.
#[derive(Clone, Copy, Default)]
pub(super) struct Summed {
    hash: u64,
    sum: Sum,
}

/// Largest number of moves back from which a sum is derived; from further back a new one costs as much.
const BACK_MAX: usize = 2;

impl Field {
    /// Sum of the vectors of all empty cells near a stone.
    pub(crate) fn sum(&mut self) -> Sum {
        let moves = self.frames.len();
        if self.sums.len() <= moves {
            self.sums.resize(moves + 1, Summed::default());
        }
        let is_known = |&n: &usize| self.sums[n].hash == self.frames[n].hash;
        let sum = match (moves.saturating_sub(BACK_MAX)..moves).rev().find(is_known) {
            Some(before) => self.sum_since(before),
            None => self.near().fold(Sum::default(), |mut sum, (_, shapes)| {
                add(&mut sum, self.net, shapes, 1);
                sum
            }),
        };
        self.sums[moves] = Summed { hash: self.hash, sum };
        sum
    }

    /// The sum from that of the position after this many moves.
    fn sum_since(&self, moves: usize) -> Sum {
        let mut sum = self.sums[moves].sum;
        let mut seen = Set::default();
        for trace in &self.traces[self.frames[moves].traces..] {
            // The first trace of a cell has what it was then.
            if !seen.contains(trace.cell) {
                seen.insert(trace.cell);
                add(&mut sum, self.net, trace.shapes, -1);
                add(&mut sum, self.net, self.shapes[trace.cell.index()], 1);
            }
        }
        sum
    }
}

/// Adds a cell to the sum, or takes it away; one that is not near a stone adds nothing.
#[inline(always)]
fn add(sum: &mut Sum, net: &Net, shapes: CellShapes, sign: i16) {
    if shapes & NEAR != 0 {
        let cell = net.cell(shapes);
        sum.iter_mut().zip(cell).for_each(|(x, more)| *x += sign * more);
    }
}
