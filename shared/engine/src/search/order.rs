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
            *rank += self.history[me][cell.index()] / 48;
            if *cell == hint {
                *rank += 1 << 20;
            } else if killers.contains(cell) {
                *rank += 150;
            } else if *cell == counter {
                *rank += 100;
            }
            if captures.contains(*cell) {
                *rank += 150;
            }
        }
    }

    /// A move that refuted the line before is tried earlier next time, and the `others` that were tried
    /// in vain before it later.
    pub(super) fn remember(
        &mut self,
        cell: Cell,
        others: std::ops::Range<usize>,
        depth: i32,
        ply: i32,
    ) {
        let me = side(self.field.to_move);
        let killers = &mut self.killers[ply as usize];
        if killers[0] != cell {
            *killers = [cell, killers[0]];
        }
        self.counters[me][self.field.last.index()] = cell;
        let bonus = (depth * depth * 32).min(2048);
        let history = &mut self.history[me];
        let mut learn = |cell: Cell, bonus: i32| {
            let value = &mut history[cell.index()];
            *value += bonus - *value * bonus.abs() / 16_384;
        };
        learn(cell, bonus);
        for &(_, other) in &self.moves[others] {
            learn(other, -bonus / 2);
        }
    }
}
