//! In which order moves are tried, and what is learned from those that were good.

use super::Search;
use crate::cell::{Cell, Set, side};

impl Search<'_> {
    /// Adds to the ranks of `moves[start..]` what the search has learned so far.
    pub(super) fn rank(&mut self, start: usize, ply: i32, hint: Cell, captures: &Set) {
        let me = side(self.field.to_move);
        let killers = self.killers[ply as usize];
        let counter = self.counters[me][self.field.last.index()];
        for (rank, cell) in &mut self.moves[start..] {
            *rank += self.history[me][cell.index()] / 64;
            if *cell == hint {
                *rank += 1 << 20;
            } else if killers.contains(cell) {
                *rank += 60;
            } else if *cell == counter {
                *rank += 40;
            }
            if captures.contains(*cell) {
                *rank += 150;
            }
        }
    }

    /// A move that refuted the line before is tried earlier next time.
    pub(super) fn remember(&mut self, cell: Cell, depth: i32, ply: i32) {
        let me = side(self.field.to_move);
        let killers = &mut self.killers[ply as usize];
        if killers[0] != cell {
            *killers = [cell, killers[0]];
        }
        self.counters[me][self.field.last.index()] = cell;
        let history = &mut self.history[me][cell.index()];
        let bonus = (depth * depth * 32).min(2048);
        *history += bonus - *history * bonus / 16_384;
    }
}
