//! One node of the tree: what is known already, which moves are tried, and how deep.

use renju::Color;

use super::prelude::Prelude;
use super::{PLY_MAX, Search};
use crate::cell::{Cell, Set, side};
use crate::class::Class;
use crate::evaluation::evaluate;
use crate::moves::{Demand, generate, pick};
use crate::score::{Score, WIN, WON, loss_in, win_in};
use crate::table::Bound;
use crate::vcf::Attack;

impl Search<'_> {
    /// The score of the field for the player to move, within `alpha` and `beta`.
    pub(super) fn visit(&mut self, depth: i32, alpha: Score, beta: Score, ply: i32) -> Score {
        if self.budget.spend() {
            return 0;
        }
        let captures = if self.field.captures() {
            self.field.capturing_cells(self.field.to_move)
        } else {
            Set::default()
        };
        let demand = match self.prelude(&captures, ply) {
            Prelude::Decided(score) => return score,
            Prelude::Go(demand) => demand,
        };
        let (alpha, beta) = (alpha.max(loss_in(ply)), beta.min(win_in(ply + 1)));
        if alpha >= beta {
            return alpha;
        }
        if ply >= PLY_MAX {
            return evaluate(&self.field);
        }
        let is_pv = beta - alpha > 1;
        let hash = self.field.hash;
        let stored = self.memory.table.get(hash, ply);
        if let Some(entry) = stored
            && i32::from(entry.depth) >= depth
            && !is_pv
        {
            let score = Score::from(entry.score);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
                Bound::None => false,
            };
            if enough {
                return score;
            }
        }
        let forced = matches!(demand, Demand::Block(_) | Demand::BlockOrCapture | Demand::Break);
        if !forced && !self.field.captures() && self.fours_max > 0 {
            let most = self.budget.nodes + self.fours_max;
            if let Some(score) = self.fours(ply, most, 16) {
                self.memory.table.put(hash, Cell::NONE, score, depth.max(1), Bound::Exact, ply);
                return score;
            }
            if self.budget.is_over() {
                return 0;
            }
        }
        if depth <= 0 && !forced {
            return evaluate(&self.field);
        }
        let hint = stored.map_or(Cell::NONE, |entry| entry.cell);
        self.expand(depth, alpha, beta, ply, demand, &captures, hint)
    }

    /// Searches the moves of a node.
    #[allow(clippy::too_many_arguments)]
    fn expand(
        &mut self,
        depth: i32,
        mut alpha: Score,
        beta: Score,
        ply: i32,
        demand: Demand,
        captures: &Set,
        hint: Cell,
    ) -> Score {
        let (me, hash, is_pv) = (self.field.to_move, self.field.hash, beta - alpha > 1);
        let forced = matches!(demand, Demand::Block(_) | Demand::BlockOrCapture | Demand::Break);
        let evaluation = evaluate(&self.field);
        let calm = demand == Demand::Nothing;
        if calm && !is_pv && depth <= 3 && evaluation - 90 * depth >= beta && beta > -WON {
            return evaluation;
        }
        let start = self.moves.len();
        generate(&self.field, demand, captures, &mut self.moves);
        self.rank(start, ply, hint, captures);
        let original = alpha;
        let (mut best, mut best_cell, mut tried) = (-WIN, Cell::NONE, 0);
        let count = self.moves.len() - start;
        for n in 0..count {
            let (_, cell) = pick(&mut self.moves[start..], n);
            let classes = self.field.classes[cell.index()];
            let (mine, theirs) = (classes[side(me)], classes[1 - side(me)]);
            let loud = mine.is_four() || mine >= Class::Three || theirs >= Class::Three;
            if calm && !is_pv && tried > 0 && best > -WON {
                if tried >= 5 + 3 * depth + depth * depth / 2 {
                    break;
                }
                if !loud && depth <= 4 && evaluation + 60 + 70 * depth <= alpha {
                    continue;
                }
            }
            if !self.field.is_allowed(cell, me) {
                continue;
            }
            tried += 1;
            // A forced reply costs no depth.
            let next = if forced { depth } else { depth - 1 };
            self.field.play(cell);
            let mut score = -WIN;
            if tried > 1 {
                let reduced = if depth >= 2 && calm && tried > 2 && mine < Class::Four {
                    let base = reduction(depth, tried);
                    (base - i32::from(loud) - i32::from(is_pv)).max(0)
                } else {
                    0
                };
                score = -self.visit(next - reduced, -alpha - 1, -alpha, ply + 1);
                if score > alpha && reduced > 0 {
                    score = -self.visit(next, -alpha - 1, -alpha, ply + 1);
                }
            }
            if tried == 1 || (is_pv && score > alpha && score < beta) {
                score = -self.visit(next, -beta, -alpha, ply + 1);
            }
            self.field.undo();
            if self.budget.is_over() {
                self.moves.truncate(start);
                return 0;
            }
            if score > best {
                (best, best_cell) = (score, cell);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                self.remember(cell, me, depth, ply);
                break;
            }
        }
        self.moves.truncate(start);
        if tried == 0 {
            return self.without_moves(demand, ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.memory.table.put(hash, best_cell, best, depth, bound, ply);
        best
    }

    fn without_moves(&self, demand: Demand, ply: i32) -> Score {
        match demand {
            // Nothing near a stone may be played: the board is full, or as good as full.
            Demand::Nothing => 0,
            Demand::StopStraight => loss_in(ply + 4),
            _ => loss_in(ply + 2),
        }
    }

    pub(super) fn rank(&mut self, start: usize, ply: i32, hint: Cell, captures: &Set) {
        let me = side(self.field.to_move);
        let killers = self.killers[ply as usize];
        for (rank, cell) in &mut self.moves[start..] {
            *rank += self.history[me][cell.index()] / 64;
            if *cell == hint {
                *rank += 1 << 20;
            } else if killers.contains(cell) {
                *rank += 60;
            }
            if captures.contains(*cell) {
                *rank += 150;
            }
        }
    }

    /// A move that refuted the line before is tried earlier next time.
    fn remember(&mut self, cell: Cell, color: Color, depth: i32, ply: i32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != cell {
            *killers = [cell, killers[0]];
        }
        let history = &mut self.history[side(color)][cell.index()];
        let bonus = (depth * depth * 32).min(2048);
        *history += bonus - *history * bonus / 16_384;
    }

    /// The score of a win by continuous fours, if one is found within the node count `most`.
    pub(super) fn fours(&mut self, ply: i32, most: u64, depth: u8) -> Option<Score> {
        self.line.clear();
        let mut attack = Attack {
            field: &mut self.field,
            budget: &mut self.budget,
            failures: &mut self.memory.failures,
            line: &mut self.line,
            cut: false,
            most,
        };
        // The last move of the line leaves no reply: a five follows.
        attack.wins(depth).then(|| win_in(ply + self.line.len() as i32 + 2))
    }
}

/// How much less deep a late move is looked at.
fn reduction(depth: i32, tried: i32) -> i32 {
    let bits = |n: i32| (n as u32).ilog2() as i32;
    (bits(depth) * bits(tried) + 1) / 2
}
