//! Principal variation search with iterative deepening.

mod fours;
mod node;
mod order;
mod prelude;
#[cfg(test)]
mod tests;
mod threats;

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

use self::node::Node;
use self::threats::{Verdict, Watch};
use crate::cell::{CELLS, Cell, Set};
use crate::class::Class;
use crate::field::Field;
use crate::limits::{Budget, Limits};
use crate::moves::Ranked;
use crate::params;
use crate::random::Random;
use crate::score::{Score, WIN, WON, win_in};
use crate::transpositions::Transpositions;
use crate::vcf::Failures;
use crate::vct;

/// Longest line the search follows, extensions included.
const PLY_MAX: i32 = 120;

/// Result of a search.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) cell: Cell,
    pub(crate) score: Score,
    pub(crate) depth: u8,
    pub(crate) nodes: u64,
    pub(crate) line: Vec<Cell>,
}

/// Random bonus for root moves, at most `points` each, that varies play among nearly equal moves.
/// Without it the same position always gets the same answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taste {
    pub(crate) seed: u64,
    pub(crate) points: Score,
}

impl Taste {
    fn of(self, cell: Cell) -> Score {
        let lot = Random::new(self.seed ^ u64::from(cell.point().number()) << 40)
            .below(self.points as u64 + 1);
        lot as Score
    }
}

/// State kept between searches: the shared table, and this thread's failures. Only the thread that
/// decides looks for threats.
pub(crate) struct Memory<'a> {
    pub(crate) table: &'a Transpositions,
    pub(crate) failures: &'a mut Failures,
    pub(crate) threats: Option<&'a mut vct::Table>,
}

pub(crate) struct Search<'a> {
    field: Field,
    memory: Memory<'a>,
    budget: Budget<'a>,
    moves: Vec<Ranked>,
    killers: [[Cell; 2]; PLY_MAX as usize + 1],
    /// Class of the move made at each ply of the line being searched.
    made: [Class; PLY_MAX as usize + 1],
    /// Continuous attacks are followed further.
    pursues: bool,
    /// Depth of the iteration.
    root_depth: i32,
    history: Box<[[i32; CELLS]; 2]>,
    /// Refutations of a move, by the replying colour and the cell of the move.
    counters: Box<[[Cell; CELLS]; 2]>,
    /// Last continuous fours found, in reverse order, and all cells they need.
    line: Vec<Cell>,
    touched: Set,
    /// Node limit of one search for continuous fours.
    fours_max: u64,
    taste: Taste,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        field: Field,
        memory: Memory<'a>,
        limits: &Limits,
        fours_max: u64,
        stop: Option<&'a AtomicBool>,
    ) -> Search<'a> {
        Search {
            field,
            memory,
            budget: Budget::new(limits, stop),
            moves: Vec::with_capacity(4096),
            killers: [[Cell::NONE; 2]; PLY_MAX as usize + 1],
            made: [Class::Quiet; PLY_MAX as usize + 1],
            pursues: limits.nodes >= params::ATTACKS_FROM,
            root_depth: 0,
            history: Box::new([[0; CELLS]; 2]),
            counters: Box::new([[Cell::NONE; CELLS]; 2]),
            line: Vec::new(),
            touched: Set::default(),
            fours_max,
            taste: Taste::default(),
        }
    }

    pub(crate) fn with_taste(self, taste: Taste) -> Search<'a> {
        Search { taste, ..self }
    }

    /// Best move among `root`, which must not be empty and is in order of preference, by iterations
    /// of these depths.
    pub(crate) fn run(&mut self, mut root: Vec<Cell>, depths: RangeInclusive<u8>) -> Found {
        let mut best = Found { cell: root[0], score: 0, depth: 0, nodes: 0, line: vec![root[0]] };
        let five = self.field.winning_cells(self.field.to_move).0;
        if let Some(cell) = five.filter(|cell| root.contains(cell) && !self.field.captures()) {
            return Found { cell, score: win_in(1), depth: 1, nodes: 1, line: vec![cell] };
        }
        if self.looks_for_fours() {
            let most = self.budget.nodes + params::FOURS_ROOT_SHARE * self.fours_max;
            if let Some(score) = self.fours(0, most, params::FOURS_ROOT_DEPTH) {
                let line: Vec<Cell> = self.line.iter().rev().copied().collect();
                if let Some(&cell) = line.first().filter(|cell| root.contains(cell)) {
                    let nodes = self.budget.nodes;
                    return Found { cell, score, depth: 1, nodes, line };
                }
            }
        }
        // A forced move needs no deep search.
        let deepest = match root.len() {
            1 => params::SINGLE_MOVE_DEPTH.min(*depths.end()),
            _ => *depths.end(),
        };
        let mut watch = Watch::default();
        let mut depth = i32::from(*depths.start());
        while depth <= i32::from(deepest) {
            self.root_depth = depth;
            let mut window =
                if depth < params::ASPIRATION_DEPTH { WIN } else { params::ASPIRATION };
            let centre = best.score;
            let (mut alpha, mut beta) = bounds(centre, window);
            loop {
                let found = self.root(&mut root, depth, alpha, beta);
                let Some((cell, score)) = found else { break };
                if self.budget.is_over() {
                    best = Found { cell, score, ..best };
                    break;
                }
                if score > alpha {
                    best = Found { cell, score, depth: depth as u8, ..best };
                    if score < beta {
                        break;
                    }
                }
                window = if window > params::ASPIRATION_MAX {
                    WIN
                } else {
                    window * params::ASPIRATION_GROWTH
                };
                (alpha, beta) = if score <= alpha {
                    (bounds(centre, window).0, beta)
                } else {
                    (alpha, bounds(centre, window).1)
                };
            }
            if self.budget.is_over() || best.score.abs() > WON && WIN - best.score.abs() <= depth {
                break;
            }
            match self.look_for_threats(&mut watch, &best, &mut root) {
                Verdict::Won(found) => return found,
                // The next best move is searched again to the same depth.
                Verdict::Vetoed => best = Found { cell: root[0], ..best },
                Verdict::Nothing => depth += 1,
            }
            if self.budget.is_over() {
                break;
            }
        }
        best.nodes = self.budget.nodes;
        best.line = self.principal_line(best.cell);
        best
    }

    /// One iteration: the best root move and its score, which is at most `alpha` if every move
    /// failed low. An interrupted iteration returns only a move that beat `alpha`: the scores of
    /// moves that failed low are bounds and cannot be compared.
    fn root(
        &mut self,
        root: &mut [Cell],
        depth: i32,
        mut alpha: Score,
        beta: Score,
    ) -> Option<(Cell, Score)> {
        let mut best: Option<(Cell, Score)> = None;
        let original = alpha;
        for n in 0..root.len() {
            let cell = root[n];
            let late = n >= params::LMR_ROOT_MOVES && depth >= params::LMR_ROOT_DEPTH;
            let reduced = if late { params::reduction(depth, n as i32) - 1 } else { 0 };
            let bonus = self.taste.of(cell);
            let node = Node { depth, alpha: alpha - bonus, beta: beta - bonus, ply: 0 };
            let score = self.attempt(node, cell, depth - 1, (n > 0).then_some(reduced.max(0)));
            if self.budget.is_over() {
                return best.filter(|&(_, most)| most > original);
            }
            // A proven result gets no bonus.
            let score = if score.abs() < WON { score + bonus } else { score };
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((cell, score));
            }
            if score > alpha {
                alpha = score;
                root[..=n].rotate_right(1);
            }
            if score >= beta {
                break;
            }
        }
        best
    }

    /// The moves the table holds after `first`.
    fn principal_line(&mut self, first: Cell) -> Vec<Cell> {
        let mut line = vec![first];
        self.field.play(first);
        while line.len() < 16
            && let Some(entry) = self.memory.table.get(self.field.hash, 0)
            && entry.cell != Cell::NONE
            && self.field.board.is_empty(entry.cell.point())
            && self.field.is_allowed(entry.cell, self.field.to_move)
        {
            line.push(entry.cell);
            self.field.play(entry.cell);
        }
        for _ in 0..line.len() {
            self.field.undo();
        }
        line
    }
}

fn bounds(centre: Score, window: Score) -> (Score, Score) {
    if window >= WIN {
        // A full window around a nonzero centre would exclude the nearest wins or losses, and a
        // search that finds one of them would be repeated forever.
        return (-WIN, WIN);
    }
    ((centre - window).max(-WIN), (centre + window).min(WIN))
}
