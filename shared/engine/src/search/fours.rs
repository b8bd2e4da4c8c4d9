//! Continuous fours inside the search: wins for the player to move, and threats against them.

use super::Search;
use crate::cell::Set;
use crate::params;
use crate::score::{Score, win_in};
use crate::vcf::Attack;

impl Search<'_> {
    /// False if the level has no nodes for it, or the ruleset has captures.
    pub(super) fn looks_for_fours(&self) -> bool {
        self.fours_max > 0 && !self.field.captures()
    }

    /// Score of a win by continuous fours, if one is found before the node count reaches `most`.
    pub(super) fn fours(&mut self, ply: i32, most: u64, depth: u8) -> Option<Score> {
        // The last move of the line has no reply: a five follows.
        self.attack(most, depth, ply > 0).then(|| win_in(ply + self.line.len() as i32 + 2))
    }

    /// Cells of the continuous fours by which the opponent wins if the player to move passes,
    /// searched with `share` times the usual nodes.
    pub(super) fn threat(&mut self, share: u64) -> Option<Set> {
        if !self.field.has_fours(!self.field.to_move) {
            return None;
        }
        let most = self.budget.nodes + share * self.fours_max;
        self.field.pass();
        let won = self.attack(most, params::FOURS_DEPTH, true);
        self.field.pass();
        won.then_some(self.touched)
    }

    fn attack(&mut self, most: u64, depth: u8, quick: bool) -> bool {
        self.line.clear();
        let mut attack = Attack {
            field: &mut self.field,
            budget: &mut self.budget,
            failures: self.memory.failures,
            line: &mut self.line,
            touched: Set::default(),
            cut: false,
            out_of_nodes: false,
            quick,
            most,
        };
        let won = attack.wins(depth);
        self.touched = attack.touched;
        won
    }

    /// Capturing moves of the player to move.
    pub(super) fn captures(&self) -> Set {
        if self.field.captures() {
            self.field.capturing_cells(self.field.to_move)
        } else {
            Set::default()
        }
    }
}
