//! One node of the tree: what is known already, which moves are tried, and how deep.

use super::prelude::Prelude;
use super::{PLY_MAX, Search};
use crate::cell::{Cell, Set, side};
use crate::class::Class;
use crate::evaluation::evaluate;
use crate::moves::{Demand, generate, pick};
use crate::score::{Score, WIN, WON, loss_in, win_in};
use crate::table::{Bound, Entry};

/// How deep a node is searched, and between which scores.
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

/// What a node's moves must do, and where to look first.
struct Task {
    demand: Demand,
    captures: Set,
    stored: Option<Entry>,
    /// A move that must not be tried: whether the others are as good is the question.
    barring: Cell,
}

impl Search<'_> {
    /// The score of the field for the player to move, within `alpha` and `beta`.
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
            return evaluate(&self.field);
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
            if let Some(score) = self.fours(ply, most, 16) {
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
            return evaluate(&self.field);
        }
        self.expand(node, &Task { demand, captures, stored, barring: Cell::NONE })
    }

    /// Searches the moves of a node.
    fn expand(&mut self, node: Node, task: &Task) -> Score {
        let Node { mut depth, mut alpha, beta, ply } = node;
        let (me, hash, is_pv) = (self.field.to_move, self.field.hash, node.is_pv());
        let &Task { demand, captures, stored, barring } = task;
        let hint = stored.map_or(Cell::NONE, |entry| entry.cell);
        let evaluation = evaluate(&self.field);
        let mut calm = demand == Demand::Nothing;
        // What the opponent would win by fours if nothing is done about it.
        let threat = if calm && self.looks_for_fours() { self.threat(1) } else { None };
        if self.budget.is_over() {
            return 0;
        }
        calm &= threat.is_none();
        if calm
            && !is_pv
            && barring == Cell::NONE
            && depth <= 6
            && evaluation - 90 * depth >= beta
            && beta > -WON
        {
            return evaluation;
        }
        if hint == Cell::NONE && depth >= 4 && !demand.is_forced() {
            depth -= 1;
        }
        let start = self.moves.len();
        generate(&self.field, demand, &captures, &mut self.moves);
        if let Some(cells) = threat {
            self.keep_defences(start, &cells);
        }
        self.rank(start, ply, hint, &captures);
        let original = alpha;
        let (mut best, mut best_cell, mut tried) = (-WIN, Cell::NONE, 0);
        let count = self.moves.len() - start;
        for n in 0..count {
            let (_, cell) = pick(&mut self.moves[start..], n);
            if cell == barring {
                continue;
            }
            let classes = self.field.classes[cell.index()];
            let (mine, theirs) = (classes[side(me)], classes[1 - side(me)]);
            let loud = mine != Class::Quiet || theirs != Class::Quiet;
            if calm && tried > 0 && best > -WON {
                let most = 5 + 2 * depth + depth * depth / 2;
                if tried >= if is_pv { 2 * most } else { most } {
                    break;
                }
                if !is_pv && !loud && depth <= 4 && evaluation + 60 + 70 * depth <= alpha {
                    continue;
                }
            }
            if !self.field.is_allowed(cell, me) {
                continue;
            }
            tried += 1;
            // A forced reply costs no depth.
            let mut next = if demand.is_forced() { depth } else { depth - 1 };
            if let Some(entry) = stored.filter(|entry| entry.cell == cell)
                && barring == Cell::NONE
                && self.is_singular(Node { depth, ..node }, task, entry)
            {
                next += 1;
            }
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
                self.remember(cell, start..start + n, depth, ply);
                break;
            }
        }
        self.moves.truncate(start);
        if tried == 0 {
            return if barring != Cell::NONE {
                original
            } else if threat.is_some() {
                // Nothing stops the fours that were found.
                loss_in(ply + 6)
            } else {
                without_moves(demand, ply)
            };
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if barring == Cell::NONE {
            self.memory.table.put(hash, entry(best_cell, best, node.depth, bound), ply);
        }
        best
    }

    /// Whether every move but the stored one is clearly worse than it, so that it deserves more depth.
    fn is_singular(&mut self, node: Node, task: &Task, entry: Entry) -> bool {
        let Node { depth, ply, .. } = node;
        if depth < 6
            || task.demand.is_forced()
            || i32::from(entry.depth) < depth - 3
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || Score::from(entry.score).abs() > WON
        {
            return false;
        }
        let beta = Score::from(entry.score) - 2 * depth;
        let less = Node { depth: (depth - 1) / 2, alpha: beta - 1, beta, ply };
        let rest = Task { barring: entry.cell, stored: None, ..*task };
        self.expand(less, &rest) < beta
    }

    /// Leaves only the moves that may stop fours over these cells: a stone on one of them, a four of
    /// one's own, or a stone that makes a reply a four.
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

fn entry(cell: Cell, score: Score, depth: i32, bound: Bound) -> Entry {
    Entry { cell, score: score as i16, depth: depth as i8, bound }
}

fn without_moves(demand: Demand, ply: i32) -> Score {
    match demand {
        // Nothing near a stone may be played: the board is full, or as good as full.
        Demand::Nothing => 0,
        Demand::StopStraight => loss_in(ply + 4),
        _ => loss_in(ply + 2),
    }
}

/// How much less deep a late move is looked at: half more than the product of the logarithms.
pub(super) fn reduction(depth: i32, tried: i32) -> i32 {
    ((depth as f32).ln() * (tried as f32).ln() + 0.5) as i32
}
