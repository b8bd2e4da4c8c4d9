//! Move ordering by what the search has learned.

use super::Search;
use crate::cell::{Cell, Set, side};
use crate::params;

impl Search<'_> {
    /// Adds history, killers and the like to the ranks of `moves[start..]`.
    pub(super) fn rank(&mut self, start: usize, ply: i32, hint: Cell, captures: &Set) {
        let me = side(self.field.to_move);
        let killers = self.killers[ply as usize];
        let counter = self.counters[me][self.field.last.index()];
        for (rank, cell) in &mut self.moves[start..] {
            *rank += self.history[me][cell.index()] / params::ORDER_HISTORY_DIVISOR;
            if *cell == hint {
                *rank += params::ORDER_STORED;
            } else if killers.contains(cell) {
                *rank += params::ORDER_KILLER;
            } else if *cell == counter {
                *rank += params::ORDER_COUNTER;
            }
            if captures.contains(*cell) {
                *rank += params::ORDER_CAPTURE;
            }
        }
    }

    /// Records a refutation, so that it is tried earlier next time.
    pub(super) fn remember(&mut self, cell: Cell, depth: i32, ply: i32) {
        let me = side(self.field.to_move);
        let killers = &mut self.killers[ply as usize];
        if killers[0] != cell {
            *killers = [cell, killers[0]];
        }
        self.counters[me][self.field.last.index()] = cell;
        let history = &mut self.history[me][cell.index()];
        let bonus = (depth * depth * params::HISTORY_BONUS).min(params::HISTORY_BONUS_MAX);
        *history += bonus - *history * bonus / params::HISTORY_MAX;
    }
}
