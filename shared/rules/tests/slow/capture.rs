//! Gomoku with captures (docs/rules.md §12) as the rule text defines it.

use renju::{ByColor, Color};

use super::{Cell, DIRECTIONS, Grid, along, foul};

/// A position of the capture game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Duel {
    pub(crate) grid: Grid,
    pub(crate) to_move: Color,
    /// Pairs captured by each colour.
    pub(crate) pairs: ByColor<u8>,
    /// True if a move that captures may make a double-three.
    pub(crate) captures_exempt: bool,
}

/// Result of a move for its mover; the first that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// Five pairs taken.
    WinCapture,
    /// The opponent's five still stands.
    LoseFive,
    /// Five or more that the opponent can neither break nor beat with a fifth pair.
    WinFive,
    /// Five or more that the opponent can still answer.
    FivePending,
    /// The opponent has no legal move.
    Draw,
    Ongoing,
}

/// Stones captured by a move: two enemy stones between the new stone and another of its colour, in
/// any of eight directions.
pub(crate) fn captured(grid: &Grid, at: Cell, color: Color) -> Vec<Cell> {
    let mut taken = Vec::new();
    for (dx, dy) in DIRECTIONS.into_iter().flat_map(|(dx, dy)| [(dx, dy), (-dx, -dy)]) {
        let [near, far, own] = [1, 2, 3].map(|steps| along(at, (dx, dy), steps));
        let pair = grid.at(near) == Some(!color) && grid.at(far) == Some(!color);
        if pair && grid.at(own) == Some(color) {
            taken.extend([near, far]);
        }
    }
    taken
}

impl Duel {
    /// Double-three is forbidden to both, judged before the captured stones are removed; a move
    /// that makes five or more is exempt.
    pub(crate) fn is_legal(&self, at: Cell) -> bool {
        let Duel { grid, to_move, .. } = self;
        grid.is_empty(at)
            && (self.captures_exempt && !captured(grid, at, *to_move).is_empty()
                || !foul::is_double_three(grid, at, *to_move))
    }

    pub(crate) fn legal_moves(&self) -> impl Iterator<Item = Cell> + '_ {
        self.grid.empty_cells().filter(|&at| self.is_legal(at))
    }

    /// Position after a move, with the captured stones removed.
    pub(crate) fn after(&self, at: Cell) -> Duel {
        let taken = captured(&self.grid, at, self.to_move);
        let mut pairs = self.pairs;
        pairs[self.to_move] += taken.len() as u8 / 2;
        let grid = self.grid.with(at, self.to_move).without(&taken);
        Duel { grid, to_move: !self.to_move, pairs, ..*self }
    }

    /// Result of a legal move.
    pub(crate) fn status(&self, at: Cell) -> Status {
        let mover = self.to_move;
        let after = self.after(at);
        if after.pairs[mover] >= 5 {
            Status::WinCapture
        } else if after.grid.has_five_or_more(!mover) {
            Status::LoseFive
        } else if after.grid.has_five_or_more(mover) {
            let mut replies = after.legal_moves().map(|reply| after.after(reply));
            let answered = replies
                .any(|reply| reply.pairs[!mover] >= 5 || !reply.grid.has_five_or_more(mover));
            if answered { Status::FivePending } else { Status::WinFive }
        } else if after.legal_moves().next().is_none() {
            Status::Draw
        } else {
            Status::Ongoing
        }
    }
}
