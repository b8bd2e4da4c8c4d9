//! One node of the tree: table lookup, pruning, and the moves with their depths.

use super::prelude::Prelude;
use super::{PLY_MAX, Search};
use crate::cell::{Cell, Set};
use crate::class::Class;
use crate::evaluation::evaluate;
use crate::moves::{Demand, generate, pick};
use crate::params;
use crate::score::{Score, WIN, WON, loss_in, win_in};
use crate::transpositions::{Bound, Entry};

#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) depth: i32,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) ply: i32,
}

impl Node {
    fn is_pv(self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// Demand on the moves of a node, and the stored entry.
struct Task {
    demand: Demand,
    captures: Set,
    stored: Option<Entry>,
    /// Move to leave out, to see if the others are as good.
    barring: Cell,
}

impl Search<'_> {
    /// Score of the field for the player to move, within `alpha` and `beta`.
    pub(super) fn visit(&mut self, depth: i32, alpha: Score, beta: Score, ply: i32) -> Score {
        if self.budget.spend() {
            return 0;
        }
        let captures = self.captures();
        let demand = match self.prelude(&captures, ply) {
            Prelude::Decided(score) => return score,
            Prelude::Go(demand) => demand,
        };
        let (alpha, beta) = (alpha.max(loss_in(ply)), beta.min(win_in(ply + 1)));
        if alpha >= beta {
            return alpha;
        }
        if ply >= PLY_MAX {
            return evaluate(&mut self.field);
        }
        let node = Node { depth, alpha, beta, ply };
        let hash = self.field.hash;
        let stored = self.memory.table.get(hash, ply);
        if let Some(entry) = stored
            && i32::from(entry.depth) >= depth
            && !node.is_pv()
            && entry.decides(alpha, beta)
        {
            return Score::from(entry.score);
        }
        if !demand.is_forced() && self.looks_for_fours() {
            let most = self.budget.nodes + self.fours_max;
            if let Some(score) = self.fours(ply, most, params::FOURS_DEPTH) {
                self.memory.table.put(
                    hash,
                    entry(Cell::NONE, score, depth.max(1), Bound::Exact),
                    ply,
                );
                return score;
            }
            if self.budget.is_over() {
                return 0;
            }
        }
        if depth <= 0 && !demand.is_forced() {
            return evaluate(&mut self.field);
        }
        self.expand(node, &Task { demand, captures, stored, barring: Cell::NONE })
    }

    /// Searches the moves of a node.
    fn expand(&mut self, mut node: Node, task: &Task) -> Score {
        let Node { alpha: original, beta, ply, depth: asked } = node;
        let (me, is_pv) = (self.field.to_move, node.is_pv());
        let &Task { demand, captures, stored, barring } = task;
        let hint = stored.map_or(Cell::NONE, |entry| entry.cell);
        // The opponent's win by fours if the threat is ignored.
        let quiet = demand == Demand::Nothing;
        let threat = if quiet && self.looks_for_fours() { self.threat(1) } else { None };
        if self.budget.is_over() {
            return 0;
        }
        let calm = quiet && threat.is_none();
        let prunes = calm && !is_pv && node.depth <= params::REVERSE_FUTILITY_DEPTH;
        let evaluation = if prunes { evaluate(&mut self.field) } else { 0 };
        if prunes
            && barring == Cell::NONE
            && (is_far_above(evaluation, node) || is_hopeless(evaluation, node))
        {
            return evaluation;
        }
        if hint == Cell::NONE && node.depth >= params::IIR_DEPTH && !demand.is_forced() {
            node.depth -= 1;
        }
        let start = self.moves.len();
        generate(&self.field, demand, &captures, &mut self.moves);
        if let Some(cells) = threat {
            self.keep_defences(start, &cells);
        }
        self.rank(start, ply, hint, &captures);
        // The opponent's last two moves were threats.
        let pursued = ply < 2 * self.root_depth && self.attacked(ply - 1) && self.attacked(ply - 3);
        let (mut best, mut best_cell, mut tried) = (-WIN, Cell::NONE, 0);
        for n in 0..self.moves.len() - start {
            let (_, cell) = pick(&mut self.moves[start..], n);
            let [mine, theirs] = self.classes(cell);
            let loud = mine != Class::Quiet || theirs != Class::Quiet;
            if calm && tried > 0 && best > -WON {
                if tried >= params::calm_moves(node.depth, is_pv) {
                    break;
                }
                if prunes && !loud && is_far_below(evaluation, node) {
                    continue;
                }
            }
            if cell == barring || !self.field.is_allowed(cell, me) {
                continue;
            }
            tried += 1;
            // A forced reply costs no depth, nor does one to continuous threes, and a singular move
            // earns some.
            let is_free = demand.is_forced() || demand == Demand::StopStraight && pursued;
            let mut next = node.depth - i32::from(!is_free);
            if let Some(entry) = stored.filter(|entry| entry.cell == cell) {
                next += i32::from(self.is_singular(node, task, entry));
            }
            let late = node.depth >= params::LMR_DEPTH && tried > params::LMR_MOVES;
            let reduced = if late && mine < Class::Four {
                let plies = params::reduction(node.depth, tried);
                let goes_on = is_attack(mine) && self.attacked(ply - 2);
                let attack = if goes_on { params::LMR_ATTACK } else { 0 };
                (plies - i32::from(loud) - i32::from(is_pv) - attack).max(0)
            } else {
                0
            };
            let score =
                self.attempt(node, cell, next, if tried == 1 { None } else { Some(reduced) });
            if self.budget.is_over() {
                self.moves.truncate(start);
                return 0;
            }
            if score > best {
                (best, best_cell) = (score, cell);
            }
            node.alpha = node.alpha.max(score);
            if node.alpha >= beta {
                self.remember(cell, node.depth, ply);
                break;
            }
        }
        self.moves.truncate(start);
        if tried == 0 {
            return match barring {
                Cell::NONE if threat.is_some() => loss_in(ply + 6),
                Cell::NONE => without_moves(demand, ply),
                _ => original,
            };
        }
        if barring == Cell::NONE {
            let bound = match best {
                best if best >= beta => Bound::Lower,
                best if best > original => Bound::Exact,
                _ => Bound::Upper,
            };
            self.memory.table.put(self.field.hash, entry(best_cell, best, asked, bound), ply);
        }
        best
    }

    /// Score of a move searched to depth `next`. The first move gets the full window; a later one,
    /// with its reduction, a null window unless it turns out to be better.
    pub(super) fn attempt(
        &mut self,
        node: Node,
        cell: Cell,
        next: i32,
        reduced: Option<i32>,
    ) -> Score {
        let Node { alpha, beta, ply, .. } = node;
        self.made[ply as usize] = self.field.class_at(cell, self.field.to_move);
        self.field.play(cell);
        let mut score = None;
        if let Some(reduced) = reduced {
            let mut later = -self.visit(next - reduced, -alpha - 1, -alpha, ply + 1);
            if later > alpha && reduced > 0 {
                later = -self.visit(next, -alpha - 1, -alpha, ply + 1);
            }
            score = Some(later).filter(|&later| later <= alpha || later >= beta);
        }
        let score = score.unwrap_or_else(|| -self.visit(next, -beta, -alpha, ply + 1));
        self.field.undo();
        score
    }

    /// Says if the move made at `ply` of this line was a three or a four that is to be pursued.
    fn attacked(&self, ply: i32) -> bool {
        self.pursues && usize::try_from(ply).is_ok_and(|ply| is_attack(self.made[ply]))
    }

    /// Classes of a cell for the player to move and for the opponent.
    fn classes(&self, cell: Cell) -> [Class; 2] {
        [self.field.to_move, !self.field.to_move].map(|color| self.field.class_at(cell, color))
    }

    /// Singular extension test: every other move is clearly worse than the stored one.
    fn is_singular(&mut self, node: Node, task: &Task, entry: Entry) -> bool {
        let Node { depth, ply, .. } = node;
        if depth < params::SINGULAR_DEPTH
            || task.barring != Cell::NONE
            || task.demand.is_forced()
            || i32::from(entry.depth) < depth - params::SINGULAR_STORED
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || Score::from(entry.score).abs() > WON
        {
            return false;
        }
        let beta = Score::from(entry.score) - params::SINGULAR_MARGIN * depth;
        let less = Node { depth: (depth - 1) / 2, alpha: beta - 1, beta, ply };
        let rest = Task { barring: entry.cell, stored: None, ..*task };
        self.expand(less, &rest) < beta
    }

    /// Keeps only the moves that may stop fours over these cells: a stone on one of them, a four of
    /// one's own, or a stone that turns a reply into a four.
    pub(super) fn keep_defences(&mut self, start: usize, cells: &Set) {
        let me = self.field.to_move;
        let field = &self.field;
        let mut kept = start;
        for n in start..self.moves.len() {
            let (_, cell) = self.moves[n];
            if cells.contains(cell) || field.has_three(cell, me) {
                self.moves[kept] = self.moves[n];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }
}

/// Says if a move makes a three or a four, which must be answered.
fn is_attack(class: Class) -> bool {
    (Class::Three..=Class::FourThree).contains(&class)
}

fn entry(cell: Cell, score: Score, depth: i32, bound: Bound) -> Entry {
    Entry { cell, score: score as i16, depth: depth as i8, bound }
}

/// Reverse futility: no reply is expected to bring the node down to `beta`.
fn is_far_above(evaluation: Score, node: Node) -> bool {
    let margin = params::REVERSE_FUTILITY_MARGIN * node.depth;
    evaluation - margin >= node.beta && node.beta > -WON
}

/// Razoring: no move is expected to bring the node up to `alpha`.
fn is_hopeless(evaluation: Score, node: Node) -> bool {
    let margin = params::RAZORING_BASE + params::RAZORING_MARGIN * node.depth;
    node.depth <= params::RAZORING_DEPTH && evaluation + margin <= node.alpha && node.alpha < WON
}

/// Futility: no quiet move is expected to bring the node up to `alpha`.
fn is_far_below(evaluation: Score, node: Node) -> bool {
    let margin = params::FUTILITY_BASE + params::FUTILITY_MARGIN * node.depth;
    node.depth <= params::FUTILITY_DEPTH && evaluation + margin <= node.alpha
}

/// Score of a position without a playable move.
fn without_moves(demand: Demand, ply: i32) -> Score {
    match demand {
        // No cell near a stone is playable: the board is full, or nearly.
        Demand::Nothing => 0,
        Demand::StopStraight => loss_in(ply + 4),
        _ => loss_in(ply + 2),
    }
}
