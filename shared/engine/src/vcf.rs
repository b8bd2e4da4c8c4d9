//! Victory by continuous fours: every move of the attacker threatens five, every reply is forced.
//!
//! The rules are asked wherever a stone may be forbidden: a four that Black may not make is none,
//! and a four that Black may not block wins. Rulesets with captures are excluded, because captures
//! break fours.

use std::sync::atomic::AtomicBool;

use renju::{Color, Point};

use crate::cell::{Cell, Set, side};
use crate::class::Class;
use crate::field::Field;
use crate::limits::{Budget, Limits};
use crate::params;
use crate::shape::Shape;

/// Result of [`solve`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The attacker's moves with the replies between them; the last move has no reply. `None` if no
    /// such win exists, or none was found within the limits.
    pub line: Option<Vec<Point>>,
    /// Number of positions searched.
    pub nodes: u64,
    /// True if the whole tree was searched, so that `None` is a proof.
    pub complete: bool,
}

/// Searches for a win by continuous fours for the colour to move.
///
/// # Panics
/// If the field's ruleset has captures.
pub fn solve(field: &mut Field, limits: &Limits, stop: Option<&AtomicBool>) -> Solution {
    assert!(!field.captures(), "continuous fours prove nothing where fours can be captured");
    let mut budget = Budget::new(limits, stop);
    let mut failures = Failures::new(1 << 16);
    let mut line = Vec::new();
    let mut complete = true;
    for fours in params::FOURS_DEEPENING {
        complete = true;
        line.clear();
        let mut attack = Attack {
            field,
            budget: &mut budget,
            failures: &mut failures,
            line: &mut line,
            touched: Set::default(),
            cut: false,
            out_of_nodes: false,
            quick: false,
            most: u64::MAX,
        };
        let won = attack.wins(fours.min(limits.depth));
        complete &= !attack.cut && !attack.out_of_nodes;
        if won {
            let line = line.iter().rev().map(|cell| cell.point()).collect();
            return Solution { line: Some(line), nodes: budget.nodes, complete: true };
        }
        if complete || budget.is_over() || fours >= limits.depth {
            break;
        }
    }
    Solution { line: None, nodes: budget.nodes, complete }
}

/// Positions in which an attack is known to fail, with the number of fours it had left.
pub(crate) struct Failures {
    slots: Vec<(u64, u8)>,
}

impl Failures {
    /// # Panics
    /// If `len` is not a power of two.
    pub(crate) fn new(len: usize) -> Failures {
        assert!(len.is_power_of_two());
        Failures { slots: vec![(0, 0); len] }
    }

    pub(crate) fn clear(&mut self) {
        self.slots.fill((0, 0));
    }

    fn slot(&mut self, hash: u64) -> &mut (u64, u8) {
        let index = hash as usize & (self.slots.len() - 1);
        &mut self.slots[index]
    }
}

/// One search for continuous fours of the colour to move.
pub(crate) struct Attack<'a, 'b> {
    pub(crate) field: &'a mut Field,
    pub(crate) budget: &'a mut Budget<'b>,
    pub(crate) failures: &'a mut Failures,
    /// Winning line in reverse order.
    pub(crate) line: &'a mut Vec<Cell>,
    /// Every cell the winning line needs, including those of the final fives.
    pub(crate) touched: Set,
    /// A branch was cut off by the depth limit.
    pub(crate) cut: bool,
    /// The nodes ran out; open positions are not recorded as failures.
    pub(crate) out_of_nodes: bool,
    /// Skip fours that gain nothing in their other lines, which misses few wins.
    pub(crate) quick: bool,
    /// Node count of the budget at which this attack stops.
    pub(crate) most: u64,
}

impl Attack<'_, '_> {
    /// Says if the attacker, who is to move, wins with at most `fours` before the last one.
    pub(crate) fn wins(&mut self, fours: u8) -> bool {
        let attacker = self.field.to_move;
        if let (Some(five), _) = self.field.winning_cells(attacker) {
            self.line.push(five);
            self.touched.insert(five);
            return true;
        }
        let must = match self.field.winning_cells(!attacker) {
            (None, _) => None,
            (must, None) => must,
            _ => return false,
        };
        let moves = match must {
            Some(cell) => Fours::only(self.field, cell, attacker),
            None => Fours::of(self.field, attacker, self.quick),
        };
        if moves.is_empty() {
            return false;
        }
        if fours == 0 {
            self.cut = true;
            return false;
        }
        if self.budget.nodes >= self.most || self.budget.spend() {
            self.out_of_nodes = true;
            return false;
        }
        let hash = if self.quick { !self.field.hash } else { self.field.hash };
        let known = *self.failures.slot(hash);
        if known.0 == hash && known.1 >= fours {
            // A failure by depth limit counts as cut off again.
            self.cut |= known.1 != u8::MAX;
            return false;
        }
        let cut_before = std::mem::take(&mut self.cut);
        for &(_, cell) in moves.as_slice() {
            if self.field.judged(cell, attacker).is_some() && self.wins_with(cell, fours) {
                return true;
            }
            if self.out_of_nodes {
                return false;
            }
        }
        *self.failures.slot(hash) = (hash, if self.cut { fours } else { u8::MAX });
        self.cut |= cut_before;
        false
    }

    /// Says if the four made by `cell` wins.
    fn wins_with(&mut self, cell: Cell, fours: u8) -> bool {
        let attacker = self.field.to_move;
        self.field.play(cell);
        let fives = self.field.winning_cells(attacker);
        let won = match fives {
            (None, _) => false,
            (Some(block), None) if self.field.is_allowed(block, !attacker) => {
                self.field.play(block);
                let won = self.wins(fours - 1);
                self.field.undo();
                if won {
                    self.line.push(block);
                }
                won
            }
            _ => true,
        };
        self.field.undo();
        if won {
            self.line.push(cell);
            for cell in [Some(cell), fives.0, fives.1].into_iter().flatten() {
                self.touched.insert(cell);
            }
        }
        won
    }
}

/// Fours of one position, the most promising first.
struct Fours {
    cells: [(i32, Cell); Fours::MOST],
    len: usize,
}

impl Fours {
    const MOST: usize = 48;

    fn of(field: &Field, color: Color, quick: bool) -> Fours {
        let mut fours = Fours { cells: [(0, Cell::NONE); Fours::MOST], len: 0 };
        let sets = &field.sets[side(color)];
        // A four that gains nothing still wins if it may not be blocked.
        let all = !quick || field.count(Class::Barred, !color) > 0;
        let classes = [Class::Straight, Class::FourThree, Class::FourPlus, Class::Four];
        for class in classes.into_iter().take(if all { 4 } else { 3 }) {
            if field.count(class, color) > 0 {
                for cell in sets[class as usize].iter() {
                    fours.push(field, cell, class, color);
                }
            }
        }
        if field.count(Class::Barred, color) > 0 {
            for cell in sets[Class::Barred as usize].iter() {
                if has_four(field, cell, color) {
                    fours.push(field, cell, Class::FourThree, color);
                }
            }
        }
        fours.cells[..fours.len].sort_unstable_by(|a, b| b.cmp(a));
        fours
    }

    /// The one cell the attacker must take, if it makes a four.
    fn only(field: &Field, cell: Cell, color: Color) -> Fours {
        let mut fours = Fours { cells: [(0, Cell::NONE); Fours::MOST], len: 0 };
        if has_four(field, cell, color) {
            fours.push(field, cell, Class::Four, color);
        }
        fours
    }

    fn push(&mut self, field: &Field, cell: Cell, class: Class, color: Color) {
        if self.len < Fours::MOST {
            let near = if field.last == Cell::NONE { 0 } else { field.last.distance(cell) as i32 };
            let score = (class as i32) * 64 + line_score(field, cell, color)
                - params::FOURS_DISTANCE * near;
            self.cells[self.len] = (score, cell);
            self.len += 1;
        }
    }

    fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn as_slice(&self) -> &[(i32, Cell)] {
        &self.cells[..self.len]
    }
}

/// Value of a cell for the attacker, by its lines.
pub(crate) fn line_score(field: &Field, cell: Cell, color: Color) -> i32 {
    const ORDER: [i32; Shape::COUNT] = [0, 0, 0, 0, 3, 8, 10, 11, 24, 28, 30, 50, 90, 200, 0];
    field.shapes_at(cell, color).into_iter().map(|shape| ORDER[shape as usize]).sum()
}

pub(crate) fn has_four(field: &Field, cell: Cell, color: Color) -> bool {
    field
        .shapes_at(cell, color)
        .iter()
        .any(|shape| matches!(shape, Shape::Four | Shape::DoubleFour | Shape::StraightFour))
}
