//! Outcome or demand that follows from the shapes of a position before any move is tried.

use renju::{Ending, Outcome, Play};

use super::Search;
use crate::cell::{Cell, Set, side};
use crate::class::Class;
use crate::moves::{Demand, generate};
use crate::params;
use crate::random::Random;
use crate::score::{Score, loss_in, win_in};

pub(super) enum Prelude {
    Decided(Score),
    Go(Demand),
}

impl Search<'_> {
    /// Root moves, best first, ties in an order that `seed` decides; empty only if no cell near a
    /// stone may be played.
    pub(crate) fn candidates(&mut self, seed: u64) -> Vec<Cell> {
        let captures = self.captures();
        let me = self.field.to_move;
        if let (Some(cell), _) = self.field.winning_cells(me)
            && !self.field.captures()
        {
            return vec![cell];
        }
        let demand = match (self.prelude(&captures, 0), self.field.winning_cells(!me).0) {
            (Prelude::Go(demand), _) => demand,
            // Lost, but an opponent may overlook one of two fives.
            (Prelude::Decided(_), Some(cell))
                if !self.field.captures() && self.field.is_allowed(cell, me) =>
            {
                Demand::Block(cell)
            }
            // Won, or lost in any case: the search finds the shortest win or the longest defence.
            _ => Demand::Nothing,
        };
        generate(&self.field, demand, &captures, &mut self.moves);
        if demand == Demand::Nothing
            && self.looks_for_fours()
            && let Some(cells) = self.threat(params::FOURS_ROOT_SHARE)
        {
            self.keep_defences(0, &cells);
        }
        self.moves.retain(|&(_, cell)| self.field.is_allowed(cell, me));
        if self.moves.is_empty() {
            // The demanded moves are forbidden. A move that does not help is still a move.
            generate(&self.field, Demand::Nothing, &captures, &mut self.moves);
            self.moves.retain(|&(_, cell)| self.field.is_allowed(cell, me));
        }
        self.rank(0, 0, Cell::NONE, &captures);
        let mut ranked = std::mem::take(&mut self.moves);
        let lot = |cell: Cell| Random::new(seed ^ u64::from(cell.point().number()) << 32).next();
        ranked.sort_by_key(|&(rank, cell)| (std::cmp::Reverse(rank), lot(cell)));
        ranked.into_iter().map(|(_, cell)| cell).collect()
    }

    /// Decides by shapes alone, or says what they demand.
    pub(super) fn prelude(&self, captures: &Set, ply: i32) -> Prelude {
        let field = &self.field;
        let me = field.to_move;
        if field.board.is_full() {
            return Prelude::Decided(0);
        }
        if field.captures() {
            return self.capture_prelude(captures, ply);
        }
        if field.winning_cells(me).0.is_some() {
            return Prelude::Decided(win_in(ply + 1));
        }
        match field.winning_cells(!me) {
            (Some(_), Some(_)) => return Prelude::Decided(loss_in(ply + 2)),
            (Some(cell), None) if !field.is_allowed(cell, me) => {
                return Prelude::Decided(loss_in(ply + 2));
            }
            (Some(cell), None) => return Prelude::Go(Demand::Block(cell)),
            (None, _) => {}
        }
        if field.count(Class::Straight, me) > 0 && !field.fives_may_be_fouls(me) {
            return Prelude::Decided(win_in(ply + 3));
        }
        if field.count(Class::Straight, !me) > 0 {
            return Prelude::Go(Demand::StopStraight);
        }
        Prelude::Go(Demand::Nothing)
    }

    /// [`Search::prelude`] with captures: a five counts only if it cannot be broken.
    fn capture_prelude(&self, captures: &Set, ply: i32) -> Prelude {
        let field = &self.field;
        let (me, to_win) = (field.to_move, field.ruleset.pairs_to_win.unwrap_or(u8::MAX));
        if field.pairs[side(!me)] >= to_win {
            return Prelude::Decided(loss_in(ply));
        }
        if field.board.has_five(me) {
            return Prelude::Decided(win_in(ply));
        }
        let wins = |cell: Cell| {
            let won = Some(Outcome { winner: Some(me), by: Ending::Five });
            let pairs = Some(Outcome { winner: Some(me), by: Ending::Pairs });
            field
                .position(me)
                .play(Play::Place(cell.point()))
                .is_ok_and(|next| next.outcome() == won || next.outcome() == pairs)
        };
        let pairs = |cell: Cell| field.board.captured_by(cell.point(), me).pairs();
        if captures
            .iter()
            .any(|c| field.pairs[side(me)].saturating_add(pairs(c)) >= to_win && wins(c))
        {
            return Prelude::Decided(win_in(ply + 1));
        }
        if field.board.has_five(!me) {
            let breaks = captures.iter().any(|cell| {
                field.position(me).play(Play::Place(cell.point())).is_ok_and(|next| {
                    next.outcome().is_none_or(|outcome| outcome.winner != Some(!me))
                })
            });
            let lost = Prelude::Decided(loss_in(ply));
            return if breaks { Prelude::Go(Demand::Break) } else { lost };
        }
        if field.sets[side(me)][Class::Five as usize].iter().any(wins) {
            return Prelude::Decided(win_in(ply + 1));
        }
        if field.count(Class::Five, !me) > 0 {
            return Prelude::Go(Demand::BlockOrCapture);
        }
        if field.count(Class::Straight, !me) > 0 {
            return Prelude::Go(Demand::StopStraight);
        }
        Prelude::Go(Demand::Nothing)
    }
}
