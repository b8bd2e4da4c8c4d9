//! Wins by threes and fours at the root: our own, and the opponent's after the move we would play.

use super::{Found, Search};
use crate::cell::Cell;
use crate::params;
use crate::score::{WON, win_in};
use crate::vct;

/// Searches for threats so far.
#[derive(Default)]
pub(super) struct Watch {
    /// Nodes used for our own threats, and for the opponent's.
    own: u64,
    veto: u64,
    /// Every own attack was refuted.
    is_refuted: bool,
    /// Moves after which every attack of the opponent was refuted.
    safe: Vec<Cell>,
}

/// Result of a look for threats.
pub(super) enum Verdict {
    Won(Found),
    /// The best move loses and is no longer among the root moves.
    Vetoed,
    Nothing,
}

impl Search<'_> {
    /// Looks for threats after an iteration, with a share of the nodes used so far. The search goes on
    /// where it was interrupted the last time, because its numbers are in the table.
    pub(super) fn look_for_threats(
        &mut self,
        watch: &mut Watch,
        best: &Found,
        root: &mut Vec<Cell>,
    ) -> Verdict {
        let nodes = self.budget.nodes;
        if nodes < params::THREATS_FROM || !self.looks_for_fours() || best.score.abs() > WON {
            return Verdict::Nothing;
        }
        let share = nodes / params::THREATS_OWN;
        if !watch.is_refuted && share >= watch.own + params::THREATS_LEAST {
            let (won, line) = self.threats(share - watch.own);
            watch.own += self.budget.nodes - nodes;
            watch.is_refuted = won == Some(false);
            if let Some(&cell) = line.first().filter(|cell| root.contains(cell)) {
                // The last move of the line has no reply: a five follows.
                let score = win_in(line.len() as i32 + 2);
                let (depth, nodes) = (best.depth, self.budget.nodes);
                return Verdict::Won(Found { cell, score, depth, nodes, line });
            }
        }
        let nodes = self.budget.nodes;
        let share = nodes / params::THREATS_VETO;
        if root.len() > 1
            && !watch.safe.contains(&best.cell)
            && share >= watch.veto + params::THREATS_LEAST
        {
            self.field.play(best.cell);
            let (won, _) = self.threats(share - watch.veto);
            self.field.undo();
            watch.veto += self.budget.nodes - nodes;
            match won {
                Some(true) => {
                    root.retain(|&cell| cell != best.cell);
                    return Verdict::Vetoed;
                }
                Some(false) => watch.safe.push(best.cell),
                None => {}
            }
        }
        Verdict::Nothing
    }

    /// Says if the player to move wins by threats, and the line if they do; `None` if `nodes` do not
    /// suffice.
    fn threats(&mut self, nodes: u64) -> (Option<bool>, Vec<Cell>) {
        let Some(table) = self.memory.threats.as_deref_mut() else { return (None, Vec::new()) };
        let most = self.budget.nodes + nodes;
        let failures = &mut *self.memory.failures;
        let mut search = vct::Search::new(&mut self.field, &mut self.budget, failures, table, most);
        let won = search.run();
        let proof = if won == Some(true) { search.proof() } else { None };
        let line = proof.map(|proof| proof.line().into_iter().map(Cell::of).collect());
        (won, line.unwrap_or_default())
    }
}
