//! Moves of the search for threats: fours and threes of the attacker, every defence against them.

use renju::{Color, Direction};

use super::Search;
use crate::cell::{Cell, side};
use crate::class::Class;
use crate::shape::Shape;
use crate::vcf::{has_four, line_score};

/// State of a position before its moves are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Won,
    /// The attack ends here; the defender may still lose in other ways.
    Failed,
    /// The moves are on the stack.
    Open,
}

/// A move on the stack, with the proof number of a position not yet searched.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) cell: Cell,
    pub(super) proof: u32,
}

const FOURS: [Class; 3] = [Class::FourThree, Class::FourPlus, Class::Four];
const THREES: [Class; 3] = [Class::ThreeThree, Class::ThreePlus, Class::Three];

impl Search<'_, '_> {
    /// State of a position with the attacker to move; pushes the attacks if it is open.
    pub(super) fn attacks(&mut self) -> State {
        let me = self.attacker;
        if self.field.winning_cells(me).0.is_some() {
            return State::Won;
        }
        match self.defender_fives() {
            (None, _) => {}
            (Some(must), None) if self.field.is_allowed(must, me) => {
                self.stack.push(Candidate { cell: must, proof: 1 });
                return State::Open;
            }
            _ => return State::Failed,
        }
        if self.straight(me).is_some() {
            return State::Won;
        }
        let start = self.stack.len();
        self.push_all(me, &FOURS, 1);
        self.push_all(me, &THREES, 2);
        // Where a five may be a foul, a straight four may have to go on.
        self.push_all(me, &[Class::Straight], 1);
        self.push_barred(me);
        if self.stack.len() == start { State::Failed } else { State::Open }
    }

    /// State of a position with the defender to move; pushes every reply that does not lose at once if
    /// it is open.
    pub(super) fn defences(&mut self) -> State {
        let (attacker, me) = (self.attacker, !self.attacker);
        if self.defender_fives().0.is_some() {
            return State::Failed;
        }
        // Fives that may be fouls are not counted: a stone elsewhere can make them one.
        let mut fives = self.field.sets[side(attacker)][Class::Five as usize].iter();
        match (fives.next(), fives.next()) {
            (Some(_), Some(_)) => return State::Won,
            (Some(block), None) if self.field.is_allowed(block, me) => {
                self.stack.push(Candidate { cell: block, proof: 1 });
                return State::Open;
            }
            (Some(_), None) => return State::Won,
            (None, _) => {}
        }
        self.field.pass();
        let straight = self.straight(attacker);
        self.field.pass();
        let Some(straight) = straight else { return State::Failed };
        let start = self.stack.len();
        self.push_own_fours(me, start);
        // A stone elsewhere changes neither the straight four nor its two winning points.
        let lines = self.field.shapes_at(straight, attacker);
        for (direction, shape) in Direction::ALL.into_iter().zip(lines) {
            if is_four(shape) {
                for offset in -5..=5 {
                    self.push_if_defence(straight, direction, offset, start);
                }
            }
        }
        if self.stack.len() == start { State::Won } else { State::Open }
    }

    /// Up to two cells at which the defender may make five. Where a foul comes first, a stone of either
    /// colour can lift it, so that every such cell counts.
    fn defender_fives(&self) -> (Option<Cell>, Option<Cell>) {
        let me = !self.attacker;
        if !self.field.fives_may_be_fouls(me) {
            return self.field.winning_cells(me);
        }
        let sets = &self.field.sets[side(me)];
        let has_five = |cell: &Cell| self.field.shapes_at(*cell, me).contains(&Shape::Five);
        let barred = sets[Class::Barred as usize].iter().filter(has_five);
        let mut cells = sets[Class::Five as usize].iter().chain(barred);
        (cells.next(), cells.next())
    }

    /// A cell on which the attacker, who is to move, makes two winning points that no reply stops if
    /// the defender cannot win at once.
    pub(super) fn straight(&mut self, attacker: Color) -> Option<Cell> {
        if self.field.count(Class::Straight, attacker) == 0 {
            return None;
        }
        let mut cells = self.field.sets[side(attacker)][Class::Straight as usize].iter();
        if !self.field.fives_may_be_fouls(attacker) {
            return cells.next();
        }
        cells.find(|&cell| {
            self.field.play(cell);
            let fives = self.field.count(Class::Five, attacker);
            self.field.undo();
            fives >= 2
        })
    }

    fn push_all(&mut self, color: Color, classes: &[Class], proof: u32) {
        for (&class, n) in classes.iter().zip(0..) {
            if self.field.count(class, color) > 0 {
                let start = self.stack.len();
                let cells = self.field.sets[side(color)][class as usize].iter();
                self.stack.extend(cells.map(|cell| Candidate { cell, proof: proof + n }));
                let field = &*self.field;
                self.stack[start..].sort_by_key(|candidate| {
                    (-line_score(field, candidate.cell, color), candidate.cell)
                });
            }
        }
    }

    /// Pushes threes and fours that may be fouls but are none.
    fn push_barred(&mut self, color: Color) {
        if self.field.count(Class::Barred, color) > 0 {
            for cell in self.field.sets[side(color)][Class::Barred as usize].iter() {
                if self.field.judged(cell, color).is_some() {
                    self.stack.push(Candidate { cell, proof: 2 });
                }
            }
        }
    }

    /// Pushes the fours of the defender, which must be answered before the threat is carried out.
    fn push_own_fours(&mut self, color: Color, start: usize) {
        self.push_all(color, &[Class::Straight], 1);
        self.push_all(color, &FOURS, 1);
        self.push_barred(color);
        let field = &*self.field;
        let mut kept = start;
        for n in start..self.stack.len() {
            if has_four(field, self.stack[n].cell, color) {
                self.stack[kept] = Candidate { proof: 1, ..self.stack[n] };
                kept += 1;
            }
        }
        self.stack.truncate(kept);
    }

    /// Pushes a cell in line with the threatened straight four if a stone there leaves no other.
    fn push_if_defence(&mut self, four: Cell, direction: Direction, offset: i8, start: usize) {
        let Some(point) = four.point().step(direction, offset) else { return };
        let (cell, me) = (Cell::of(point), !self.attacker);
        if !self.field.board.is_empty(point)
            || self.stack[start..].iter().any(|candidate| candidate.cell == cell)
            || !self.field.is_allowed(cell, me)
        {
            return;
        }
        self.field.play(cell);
        let stops = self.straight(self.attacker).is_none();
        self.field.undo();
        if stops {
            self.stack.push(Candidate { cell, proof: 1 });
        }
    }
}

const fn is_four(shape: Shape) -> bool {
    matches!(shape, Shape::Four | Shape::DoubleFour | Shape::StraightFour)
}
