//! The proof of a win, collected from the table after the search.

use std::collections::BTreeMap;

use super::moves::State;
use super::{Numbers, Search};
use crate::cell::Cell;
use crate::params;
use crate::proof::{Proof, Step};

/// Steps so far, by the hash of the position with the attacker to move.
#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    known: BTreeMap<u64, usize>,
}

impl Steps {
    fn add(&mut self, attack: Cell) -> usize {
        self.steps.push(Step { attack: attack.point(), replies: Vec::new() });
        self.steps.len() - 1
    }
}

impl Search<'_, '_> {
    /// The proof of a position that [`Search::run`] called won; `None` if the limits of the budget are
    /// reached first. Each step is a node, and what the table has lost is searched again.
    pub(crate) fn proof(&mut self) -> Option<Proof> {
        self.most = u64::MAX;
        let mut steps = Steps::default();
        self.step(&mut steps)?;
        Some(Proof { steps: steps.steps })
    }

    /// Adds the step of a won position with the attacker to move.
    fn step(&mut self, steps: &mut Steps) -> Option<usize> {
        let hash = self.field.hash;
        if let Some(&known) = steps.known.get(&hash) {
            return Some(known);
        }
        if self.budget.spend() {
            return None;
        }
        let index = match self.winning_move() {
            Some(Winning::Five(cell)) => steps.add(cell),
            Some(Winning::Move(cell)) => {
                let index = steps.add(cell);
                self.field.play(cell);
                let replies = self.replies(steps);
                self.field.undo();
                steps.steps[index].replies = replies?;
                index
            }
            Some(Winning::Fours) => self.fours(steps),
            None => return None,
        };
        steps.known.insert(hash, index);
        Some(index)
    }

    /// Adds the steps of the continuous fours found last.
    fn fours(&mut self, steps: &mut Steps) -> usize {
        let first = steps.steps.len();
        let line: Vec<Cell> = self.line.iter().rev().copied().collect();
        for moves in line.chunks(2) {
            let index = steps.add(moves[0]);
            if let Some(reply) = moves.get(1) {
                steps.steps[index].replies.push((reply.point(), index + 1));
            }
        }
        first
    }

    fn winning_move(&mut self) -> Option<Winning> {
        let me = self.attacker;
        if let (Some(five), _) = self.field.winning_cells(me) {
            return Some(Winning::Five(five));
        }
        let start = self.stack.len();
        let state = self.attacks();
        let moves = self.stack.split_off(start);
        if state == State::Won {
            return self.straight(me).map(Winning::Move);
        }
        if self.has_fours(params::THREATS_FOURS_AGAIN) {
            return Some(Winning::Fours);
        }
        let proved = |search: &Self| {
            let is_proved = |&cell: &Cell| {
                let stored = search.table.get(search.key(search.field.hash_after(cell)));
                stored.is_some_and(|numbers| numbers.proof == 0)
            };
            moves.iter().map(|candidate| candidate.cell).find(is_proved)
        };
        proved(self)
            .or_else(|| {
                // The table has lost it: find it again.
                self.stack.extend(&moves);
                let most = Numbers { proof: Numbers::INFINITE, disproof: Numbers::INFINITE };
                self.explore_moves(start, true, most);
                self.stack.truncate(start);
                proved(self)
            })
            .map(Winning::Move)
    }

    /// Steps that answer each reply in a position with the defender to move.
    fn replies(&mut self, steps: &mut Steps) -> Option<Vec<(renju::Point, usize)>> {
        let start = self.stack.len();
        let state = self.defences();
        let moves = self.stack.split_off(start);
        if state == State::Failed {
            return None;
        }
        let mut replies = Vec::with_capacity(moves.len());
        for candidate in moves {
            self.field.play(candidate.cell);
            let next = self.step(steps);
            self.field.undo();
            replies.push((candidate.cell.point(), next?));
        }
        Some(replies)
    }
}

enum Winning {
    Five(Cell),
    Move(Cell),
    /// The line found last.
    Fours,
}
