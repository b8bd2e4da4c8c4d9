//! Victory by continuous threats: every move of the attacker makes a four or an open three.
//!
//! A depth-first proof-number search. After a four the defender has one reply. After a three every
//! stone that stops all straight fours is a reply, and so is every four of the defender. The win is
//! returned as a [`Proof`], which the rules alone can check. The rules are asked wherever a stone may
//! be forbidden. Rulesets with captures are excluded, because captures break threats.

mod moves;
mod table;
mod tree;

use std::sync::atomic::AtomicBool;

use renju::Color;

use self::moves::{Candidate, State};
use self::table::Numbers;
use crate::cell::{Cell, Set};
use crate::field::Field;
use crate::limits::{Budget, Limits};
use crate::params;
use crate::proof::Proof;
use crate::vcf::{Attack, Failures};

pub(crate) use self::table::Table;

/// Result of [`solve_threats`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threats {
    /// The win; `None` if none exists, or none was found within the limits.
    pub proof: Option<Proof>,
    /// Number of positions searched.
    pub nodes: u64,
    /// True if every attack was searched, so that `None` is a proof. The one exception: straight fours of
    /// Black count only where shapes alone show that they are allowed.
    pub complete: bool,
}

/// Searches for a win by threes and fours for the colour to move. The depth limit is ignored.
///
/// # Panics
/// If the field's ruleset has captures.
pub fn solve_threats(field: &mut Field, limits: &Limits, stop: Option<&AtomicBool>) -> Threats {
    assert!(!field.captures(), "threats prove nothing where stones can be captured");
    let mut budget = Budget::new(limits, stop);
    let mut failures = Failures::new(1 << 15);
    let most = usize::try_from(limits.nodes).unwrap_or(usize::MAX);
    let mut table = Table::new(most.clamp(1 << 10, 1 << 20));
    let mut search = Search::new(field, &mut budget, &mut failures, &mut table, u64::MAX);
    let found = search.run();
    let proof = if found == Some(true) { search.proof() } else { None };
    let complete = proof.is_some() || found == Some(false);
    Threats { proof, nodes: budget.nodes, complete }
}

/// One search for threats of the colour to move.
pub(crate) struct Search<'a, 'b> {
    field: &'a mut Field,
    budget: &'a mut Budget<'b>,
    failures: &'a mut Failures,
    table: &'a mut Table,
    attacker: Color,
    /// Node count of the budget at which this search stops.
    most: u64,
    stack: Vec<Candidate>,
    /// Continuous fours found last, in reverse order.
    line: Vec<Cell>,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(crate) fn new(
        field: &'a mut Field,
        budget: &'a mut Budget<'b>,
        failures: &'a mut Failures,
        table: &'a mut Table,
        most: u64,
    ) -> Search<'a, 'b> {
        let attacker = field.to_move;
        let (stack, line) = (Vec::with_capacity(512), Vec::new());
        Search { field, budget, failures, table, attacker, most, stack, line }
    }

    /// Says if the attacker wins; `None` if the nodes run out first.
    pub(crate) fn run(&mut self) -> Option<bool> {
        let most = Numbers { proof: Numbers::INFINITE, disproof: Numbers::INFINITE };
        let numbers = self.explore(most);
        numbers.is_decided().then_some(numbers.proof == 0)
    }

    fn is_over(&self) -> bool {
        self.budget.nodes >= self.most || self.budget.is_over()
    }

    fn key(&self, hash: u64) -> u64 {
        if self.attacker == Color::Black { hash } else { !hash }
    }

    /// Searches the position until one of its numbers reaches its limit.
    fn explore(&mut self, limit: Numbers) -> Numbers {
        let key = self.key(self.field.hash);
        let known = self.table.get(key);
        if let Some(numbers) = known.filter(|numbers| numbers.is_decided()) {
            return numbers;
        }
        if self.is_over() || self.budget.spend() {
            return known.unwrap_or(Numbers { proof: 1, disproof: 1 });
        }
        let attacks = self.field.to_move == self.attacker;
        let start = self.stack.len();
        let state = if attacks { self.attacks() } else { self.defences() };
        let decided = match state {
            State::Won => Some(Numbers::PROVED),
            State::Failed => Some(Numbers::REFUTED),
            State::Open if attacks && known.is_none() && self.has_fours(params::THREATS_FOURS) => {
                Some(Numbers::PROVED)
            }
            State::Open => None,
        };
        let numbers = decided.unwrap_or_else(|| self.explore_moves(start, attacks, limit));
        self.stack.truncate(start);
        self.table.put(key, numbers);
        numbers
    }

    /// Searches the most promising of the moves on the stack until a limit is reached.
    fn explore_moves(&mut self, start: usize, attacks: bool, limit: Numbers) -> Numbers {
        loop {
            let best = self.gather(start, attacks);
            let Numbers { proof, disproof } = best.numbers;
            if proof >= limit.proof || disproof >= limit.disproof || self.is_over() {
                return best.numbers;
            }
            // The search goes on below the best move until it is clearly worse than the second.
            let second = best.second.saturating_add(best.second / 4 + 1);
            let limit = if attacks {
                let disproof = limit.disproof.saturating_sub(best.others);
                Numbers { proof: limit.proof.min(second), disproof }
            } else {
                let proof = limit.proof.saturating_sub(best.others);
                Numbers { proof, disproof: limit.disproof.min(second) }
            };
            self.field.play(best.cell);
            self.explore(limit);
            self.field.undo();
        }
    }

    /// Numbers of a position by those of its moves. The attacker needs one move that wins, the defender
    /// one that saves. The number against all moves is the largest one and one for each other open
    /// move: with their sum, positions reached in several ways would count several times.
    fn gather(&self, start: usize, attacks: bool) -> Best {
        let mut best = Best {
            cell: Cell::NONE,
            numbers: Numbers::PROVED,
            second: Numbers::INFINITE,
            others: 0,
        };
        let (mut least, mut most, mut open) = (Numbers::INFINITE, 0, 0);
        for candidate in &self.stack[start..] {
            let stored = self.table.get(self.key(self.field.hash_after(candidate.cell)));
            let Numbers { proof, disproof } =
                stored.unwrap_or(Numbers { proof: candidate.proof, disproof: 1 });
            let (any, all) = if attacks { (proof, disproof) } else { (disproof, proof) };
            if any < least {
                (best.cell, best.second, least) = (candidate.cell, least, any);
            } else {
                best.second = best.second.min(any);
            }
            most = most.max(all);
            open += u32::from(all > 0);
        }
        best.others = open.saturating_sub(1);
        let all = if least == 0 { Numbers::INFINITE } else { (most + best.others).min(OPEN_MAX) };
        let all = if most == 0 { 0 } else { all };
        best.numbers = if attacks {
            Numbers { proof: least, disproof: all }
        } else {
            Numbers { proof: all, disproof: least }
        };
        best
    }

    /// Says if the attacker, who is to move, wins by fours alone; their moves are then in the line. Not
    /// asked where a foul comes before a five: there a four can lift a foul and lose.
    fn has_fours(&mut self, nodes: u64) -> bool {
        if self.is_over()
            || self.field.fives_may_be_fouls(Color::Black)
            || !self.field.has_fours(self.attacker)
        {
            return false;
        }
        self.line.clear();
        let most = self.most.min(self.budget.nodes + nodes);
        let mut attack = Attack {
            field: self.field,
            budget: self.budget,
            failures: self.failures,
            line: &mut self.line,
            touched: Set::default(),
            cut: false,
            out_of_nodes: false,
            quick: true,
            most,
        };
        attack.wins(params::FOURS_DEPTH)
    }
}

/// Largest number of a position that is still open.
const OPEN_MAX: u32 = Numbers::INFINITE - 1;

/// The move to search next, and the numbers of its position.
struct Best {
    cell: Cell,
    numbers: Numbers,
    /// Number of the second best move.
    second: u32,
    /// Part of the number against all moves that comes from the other moves.
    others: u32,
}
