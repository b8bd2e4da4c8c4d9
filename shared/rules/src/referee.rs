//! The referee: the class of every point, the verdict on one more stone, and its proof.
//!
//! No rule is written here. Every answer follows from [`Position::play`] and [`Board::explain`].
//!
//! [`Board::explain`]: crate::Board::explain

use crate::capture::Captured;
use crate::explain::Explanation;
use crate::foul::{Foul, Mark, Precedence};
use crate::illegal::IllegalPlay;
use crate::player::Color;
use crate::point::Point;
use crate::position::{Ending, Outcome, Play, Position};
use crate::ruleset::Fouls;

/// Verdict on a stone of the colour to move.
#[derive(Clone)]
pub struct Verdict {
    /// Colour of the stone.
    pub color: Color,
    /// Position with the stone, or the reason for its rejection.
    pub after: Result<Position, IllegalPlay>,
    /// Stones it takes; `None` for a rejected stone and in a ruleset without captures.
    pub captured: Option<Captured>,
}

/// State of the game for the player who has just placed a stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// Won by captured pairs.
    WinCapture,
    /// Lost: the opponent's five still stands.
    LoseFive,
    /// Lost by a foul.
    LoseFoul,
    /// Won by a row.
    WinFive,
    /// A five that the opponent can still answer.
    FivePending,
    /// Drawn.
    Draw,
    /// In progress.
    Ongoing,
}

impl Verdict {
    /// End of the game, if the stone ends it.
    pub fn outcome(&self) -> Option<Outcome> {
        self.after.as_ref().ok().and_then(Position::outcome)
    }

    /// Tells whether the stone is neither rejected nor a foul.
    pub fn is_legal(&self) -> bool {
        self.after.is_ok() && !matches!(self.outcome(), Some(Outcome { by: Ending::Foul(_), .. }))
    }

    /// Class of the point for the colour of the stone: `5` for whatever wins at once. A point where a
    /// stone is rejected is quiet, a double-three aside.
    pub fn mark(&self) -> Mark {
        match (&self.after, self.outcome()) {
            (Err(IllegalPlay::DoubleThree { .. }), _) => Mark::Foul(Foul::DoubleThree),
            (_, Some(Outcome { by: Ending::Foul(foul), .. })) => Mark::Foul(foul),
            (_, Some(Outcome { winner, .. })) if winner == Some(self.color) => Mark::Five,
            _ => Mark::Quiet,
        }
    }

    /// State of the game after the stone; `None` for a rejected one.
    pub fn status(&self) -> Option<Status> {
        let after = self.after.as_ref().ok()?;
        let answerable = after.ruleset().pairs_to_win.is_some();
        Some(match after.outcome() {
            Some(Outcome { winner: None, .. }) => Status::Draw,
            Some(Outcome { by: Ending::Pairs, .. }) => Status::WinCapture,
            Some(Outcome { by: Ending::Foul(_), .. }) => Status::LoseFoul,
            Some(Outcome { winner, .. }) if winner == Some(self.color) => Status::WinFive,
            Some(_) => Status::LoseFive,
            None if answerable && after.board().has_five(self.color) => Status::FivePending,
            None => Status::Ongoing,
        })
    }
}

impl Position {
    /// Judges a stone of the colour to move on `point`.
    pub fn judge(&self, point: Point) -> Verdict {
        let after = self.play(Play::Place(point));
        let captured = after.as_ref().ok().and_then(|_| self.captured_by(point));
        Verdict { color: self.to_move(), after, captured }
    }

    /// Proof of what a stone on `point` makes: Black's in Renju, in other games with fouls that of the
    /// colour to move. `None` if the point is taken or the ruleset has no fouls.
    pub fn explain(&self, point: Point) -> Option<Explanation> {
        let (color, precedence) = match self.ruleset().fouls {
            Fouls::Black { precedence } => (Color::Black, precedence),
            Fouls::DoubleThree { .. } => (self.to_move(), Precedence::FiveFirst),
            Fouls::None => return None,
        };
        self.board().explain(point, color, precedence)
    }

    /// The board from rank 1 up, each rank from column a: the letters of the stones, and for every
    /// empty point that of its [`Mark`]. In Renju the marks are Black's, whoever is to move; in other
    /// games those of the colour to move, as if the opening were over and the game in progress.
    pub fn classes(&self) -> String {
        let board = self.board();
        let class: Box<dyn Fn(Point) -> Mark> = match self.ruleset().fouls {
            Fouls::Black { precedence } => {
                let marks = board.marks(Color::Black, precedence);
                Box::new(move |point| marks.get(point))
            }
            Fouls::None | Fouls::DoubleThree { .. } => {
                let free = Self::analysis(self.ruleset(), *board, self.to_move(), self.pairs())
                    .expect("the board of a position has a size its ruleset allows");
                Box::new(move |point| free.judge(point).mark())
            }
        };
        let letter = |point| board.get(point).map_or_else(|| class(point).letter(), Color::letter);
        Point::all(board.size()).map(letter).collect()
    }
}
