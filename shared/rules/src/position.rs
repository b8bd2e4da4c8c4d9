//! A position: the stones, the colours of the seats, and the decision that is due.
//!
//! [`Position::play`] and [`Position::advance`] are the only ways forward. A rejected play changes
//! nothing.

use std::fmt;

use crate::board::Board;
use crate::capture::Captured;
use crate::foul::{Foul, Mark, Marks};
use crate::illegal::IllegalPlay;
use crate::offer::Offer;
use crate::opening::{By, Phase, Step, color_after};
use crate::player::{ByColor, Color, Seat};
use crate::point::{Direction, Point};
use crate::ruleset::{Fouls, Ruleset, UnknownSize};

/// One decision of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// Place a stone; in the choice phase, choose this fifth move.
    Place(Point),
    /// Take the other colour.
    Swap,
    /// Keep the colour.
    Keep,
    /// Put two more stones and leave the choice of colours to the opponent (Swap2).
    PutTwo,
    /// Declare the number of fifth moves to offer (Soosõrv).
    Declare(u8),
    /// Offer these fifth moves.
    Offer(Offer),
}

/// Result of a game on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Winner; `None` is a draw.
    pub winner: Option<Color>,
    /// Reason for the result.
    pub by: Ending,
}

/// Reason a game ended on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// A winning row.
    Five,
    /// A foul by Black.
    Foul(Foul),
    /// Enough captured pairs.
    Pairs,
    /// No empty point is left.
    BoardFull,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Five => f.write_str("five"),
            Ending::Foul(foul) => foul.fmt(f),
            Ending::Pairs => f.write_str("pairs"),
            Ending::BoardFull => f.write_str("board-full"),
        }
    }
}

/// A position of one ruleset, from the empty board to the end of the game.
///
/// Two positions are equal when they have the same ruleset, stones, colours, captured pairs, phase
/// and number of moves; the order of the moves does not matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    ruleset: &'static Ruleset,
    board: Board,
    phase: Phase,
    to_act: Seat,
    black: Seat,
    /// Stones placed so far, captured ones included.
    moves: u16,
    pairs: ByColor<u8>,
    /// Index of the opening step of this phase.
    step: u8,
    /// Number of fifth moves declared.
    declared: u8,
}

impl Position {
    /// Empty board of the ruleset's default size.
    pub fn new(ruleset: &'static Ruleset) -> Position {
        Self::empty(ruleset, ruleset.size)
    }

    /// Empty board of another size the ruleset allows.
    pub fn sized(ruleset: &'static Ruleset, size: u8) -> Result<Position, UnknownSize> {
        ruleset.check_size(size).map(|size| Self::empty(ruleset, size))
    }

    fn empty(ruleset: &'static Ruleset, size: u8) -> Position {
        let mut position = Position {
            ruleset,
            board: Board::new(size),
            phase: Phase::Play,
            to_act: Seat::First,
            black: Seat::First,
            moves: 0,
            pairs: ByColor::default(),
            step: 0,
            declared: 0,
        };
        // No one has acted yet; no opening starts with a swap, so this seat is not used.
        position.enter(0, Seat::Second, Play::Keep);
        position
    }

    /// Position in free play with these stones, for analysis: the opening is treated as finished,
    /// and existing rows are not judged. A full board is a draw.
    pub fn analysis(
        ruleset: &'static Ruleset,
        board: Board,
        to_move: Color,
        pairs: ByColor<u8>,
    ) -> Result<Position, UnknownSize> {
        let size = ruleset.check_size(board.size())?;
        let mut position = Self::empty(ruleset, size);
        position.board = board;
        position.phase = if board.is_full() {
            Phase::Over(Outcome { winner: None, by: Ending::BoardFull })
        } else {
            Phase::Play
        };
        position.pairs = pairs;
        // Only the parity of the count matters once the opening is over.
        position.moves = board.stones() & !1 | u16::from(to_move == Color::White);
        position.step = ruleset.opening.len() as u8;
        position.to_act = position.seat_of(to_move);
        Ok(position)
    }

    /// As [`Position::analysis`], but for a game that continues from here: a result that the stones
    /// and pairs imply counts, as if the other colour had just moved. Fouls cannot be seen on a
    /// board and are not judged.
    pub fn set_up(
        ruleset: &'static Ruleset,
        board: Board,
        to_move: Color,
        pairs: ByColor<u8>,
    ) -> Result<Position, UnknownSize> {
        let mut position = Self::analysis(ruleset, board, to_move, pairs)?;
        let outcome = match ruleset.pairs_to_win {
            Some(to_win) if pairs[to_move] >= to_win => {
                Some(Outcome { winner: Some(to_move), by: Ending::Pairs })
            }
            Some(to_win) => position.after_captures(!to_move, to_win),
            None => [!to_move, to_move]
                .into_iter()
                .find(|&color| board.stones_of(color).any(|point| position.is_won(point, color)))
                .map(|color| Outcome { winner: Some(color), by: Ending::Five }),
        };
        if let Some(outcome) = outcome {
            position.phase = Phase::Over(outcome);
        }
        Ok(position)
    }

    /// Ruleset of the game.
    pub const fn ruleset(&self) -> &'static Ruleset {
        self.ruleset
    }

    /// Stones on the board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Decision due from the player to act.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The player to act; `None` when the game is over.
    pub const fn to_act(&self) -> Option<Seat> {
        match self.phase {
            Phase::Over(_) => None,
            _ => Some(self.to_act),
        }
    }

    /// The colour of the next stone. During the opening its placer may hold the other colour.
    pub const fn to_move(&self) -> Color {
        color_after(self.moves)
    }

    /// Colour of a seat at this point of the game.
    pub fn color_of(&self, seat: Seat) -> Color {
        if seat == self.black { Color::Black } else { Color::White }
    }

    /// Seat that holds a colour at this point of the game.
    pub fn seat_of(&self, color: Color) -> Seat {
        if color == Color::Black { self.black } else { !self.black }
    }

    /// Number of stones placed, including captured ones.
    pub const fn move_number(&self) -> u16 {
        self.moves
    }

    /// Pairs captured by each colour.
    pub const fn pairs(&self) -> ByColor<u8> {
        self.pairs
    }

    /// Number of fifth moves declared; 0 before the declaration and after the opening.
    pub const fn declared(&self) -> u8 {
        self.declared
    }

    /// Result, if the game is over.
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Every play that [`Position::play`] accepts here, except offers, which are too many to list.
    /// Forbidden moves of Renju are included, because they are accepted and lose.
    pub fn plays(&self) -> impl Iterator<Item = Play> + '_ {
        let words: &[Play] = match self.phase {
            Phase::Swap => &[Play::Swap, Play::Keep],
            Phase::SwapOrPutTwo => &[Play::Swap, Play::Keep, Play::PutTwo],
            _ => &[],
        };
        let most = if let Phase::Declare { most } = self.phase { most } else { 0 };
        words
            .iter()
            .copied()
            .chain((1..=most).map(Play::Declare))
            .chain(self.open_points().map(Play::Place))
    }

    /// Every point on which a stone is not rejected.
    fn open_points(&self) -> impl Iterator<Item = Point> + '_ {
        let places = matches!(
            self.phase,
            Phase::Place(_) | Phase::Fifth { .. } | Phase::Choose(_) | Phase::Play
        );
        let size = if places { self.board.size() } else { 0 };
        Point::all(size).filter(|&point| self.check_place(point).is_ok())
    }

    /// Every point on which a stone is neither rejected nor a foul.
    pub fn legal_points(&self) -> impl Iterator<Item = Point> + '_ {
        let marks = self.foul_marks();
        self.open_points().filter(move |&point| {
            !marks.as_ref().is_some_and(|marks| matches!(marks.get(point), Mark::Foul(_)))
        })
    }

    /// Every point that is forbidden to the player to move, with the kind of foul. In Renju a stone
    /// there loses; with captures it is rejected.
    pub fn forbidden_points(&self) -> impl Iterator<Item = (Point, Foul)> + '_ {
        let marks = self.foul_marks();
        let lost = Point::all(self.board.size()).filter_map(move |point| {
            match marks.as_ref()?.get(point) {
                Mark::Foul(foul) => Some((point, foul)),
                _ => None,
            }
        });
        let barred =
            matches!((self.phase, self.ruleset.fouls), (Phase::Play, Fouls::DoubleThree { .. }));
        let rejected = Point::all(if barred { self.board.size() } else { 0 })
            .filter(|&point| {
                matches!(self.check_place(point), Err(IllegalPlay::DoubleThree { .. }))
            })
            .map(|point| (point, Foul::DoubleThree));
        lost.chain(rejected)
    }

    /// Marks of the board if fouls lose: in Renju, with Black to move in free play.
    fn foul_marks(&self) -> Option<Marks> {
        match (self.phase, self.ruleset.fouls) {
            (Phase::Play, Fouls::Black { precedence }) if self.to_move() == Color::Black => {
                Some(self.board.marks(Color::Black, precedence))
            }
            _ => None,
        }
    }

    /// The position after `play`, or the reason it is rejected.
    pub fn play(&self, play: Play) -> Result<Position, IllegalPlay> {
        let mut next = self.clone();
        next.advance(play)?;
        Ok(next)
    }

    /// Plays in place. A rejected play changes nothing.
    pub fn advance(&mut self, play: Play) -> Result<(), IllegalPlay> {
        match (self.phase, play) {
            (Phase::Over(_), _) => return Err(IllegalPlay::GameOver),
            (
                Phase::Place(_) | Phase::Fifth { .. } | Phase::Choose(_) | Phase::Play,
                Play::Place(point),
            ) => {
                self.check_place(point)?;
                self.place(point);
            }
            (Phase::Swap, Play::Swap | Play::Keep) => self.swap_if(play, self.step + 1),
            (Phase::SwapOrPutTwo, Play::Swap | Play::Keep) => {
                self.swap_if(play, self.ruleset.opening.len() as u8);
            }
            (Phase::SwapOrPutTwo, Play::PutTwo) => self.enter(self.step + 1, self.to_act, play),
            (Phase::Declare { most }, Play::Declare(count)) => {
                if !(1..=most).contains(&count) {
                    return Err(IllegalPlay::DeclareRange { count, most });
                }
                self.declared = count;
                self.enter(self.step + 1, self.to_act, play);
            }
            (Phase::Fifth { count, .. } | Phase::Offer { count }, Play::Offer(offer)) => {
                offer.check(&self.board, count, self.ruleset.distinct)?;
                self.phase = Phase::Choose(offer);
                self.to_act = self.seat_of(Color::White);
            }
            _ => return Err(IllegalPlay::WrongPhase { phase: self.phase }),
        }
        Ok(())
    }

    /// Stones that a stone of the colour to move on `point` would capture.
    pub fn captured_by(&self, point: Point) -> Option<Captured> {
        self.ruleset.pairs_to_win.map(|_| self.board.captured_by(point, self.to_move()))
    }

    fn check_place(&self, point: Point) -> Result<(), IllegalPlay> {
        let size = self.board.size();
        if !point.is_on(size) {
            return Err(IllegalPlay::OffBoard { point, size });
        }
        if !self.board.is_empty(point) {
            return Err(IllegalPlay::Occupied { point });
        }
        match self.phase {
            Phase::Place(area) | Phase::Fifth { area, .. } if !area.contains(point, size) => {
                Err(IllegalPlay::OutsideArea { point, area })
            }
            Phase::Choose(offer) if !offer.points().contains(&point) => {
                Err(IllegalPlay::NotOffered { point })
            }
            _ => match self.ruleset.fouls {
                Fouls::DoubleThree { captures_exempt }
                    if self.board.is_barred(point, self.to_move(), captures_exempt) =>
                {
                    Err(IllegalPlay::DoubleThree { point })
                }
                _ => Ok(()),
            },
        }
    }

    /// Places a checked stone and enters the next phase.
    fn place(&mut self, point: Point) {
        let color = self.to_move();
        let outcome = match self.ruleset.pairs_to_win {
            Some(pairs) => self.place_capturing(point, color, pairs),
            None => self.place_quietly(point, color),
        };
        self.moves += 1;
        if let Some(outcome) = outcome {
            self.phase = Phase::Over(outcome);
            return;
        }
        match self.phase {
            Phase::Choose(_) => {
                self.enter(self.ruleset.opening.len() as u8, self.to_act, Play::Keep)
            }
            _ => self.enter(self.step.saturating_add(1), self.to_act, Play::Keep),
        }
    }

    fn place_quietly(&mut self, point: Point, color: Color) -> Option<Outcome> {
        let mark = match self.ruleset.fouls {
            Fouls::Black { precedence } if color == Color::Black => {
                self.board.mark(point, color, precedence)
            }
            _ if self.is_won(point, color) => Mark::Five,
            _ => Mark::Quiet,
        };
        self.board.put(point, color);
        match mark {
            Mark::Five => Some(Outcome { winner: Some(color), by: Ending::Five }),
            Mark::Foul(foul) => Some(Outcome { winner: Some(!color), by: Ending::Foul(foul) }),
            Mark::Quiet if self.board.is_full() => {
                Some(Outcome { winner: None, by: Ending::BoardFull })
            }
            Mark::Quiet => None,
        }
    }

    /// True if the stone of `color` on `point` is part of a winning row.
    fn is_won(&self, point: Point, color: Color) -> bool {
        let five = self.ruleset.five[color];
        let row = |direction| self.board.row_through(point, direction, color);
        Direction::ALL.into_iter().any(|direction| five.is_won_by(row(direction)))
    }

    fn place_capturing(&mut self, point: Point, color: Color, to_win: u8) -> Option<Outcome> {
        let captured = self.board.put_and_capture(point, color);
        self.pairs[color] = self.pairs[color].saturating_add(captured.pairs());
        self.after_captures(color, to_win)
    }

    /// Result after a stone of `color` and its captures. The order of the checks is the order in
    /// docs/rules.md, gomoku_capture.
    fn after_captures(&self, color: Color, to_win: u8) -> Option<Outcome> {
        let board = &self.board;
        let won = |winner, by| Some(Outcome { winner: Some(winner), by });
        if self.pairs[color] >= to_win {
            return won(color, Ending::Pairs);
        }
        if board.has_five(!color) {
            return won(!color, Ending::Five);
        }
        if board.has_five(color)
            && !board.can_answer_five(!color, self.pairs, to_win, self.ruleset.fouls)
        {
            return won(color, Ending::Five);
        }
        // A board with empty points always has a legal move: a three has empty points on both sides
        // of its stones, so a corner of the convex hull of the empty points lies in none.
        board.is_full().then_some(Outcome { winner: None, by: Ending::BoardFull })
    }

    fn swap_if(&mut self, play: Play, next: u8) {
        if play == Play::Swap {
            self.black = !self.black;
        }
        self.enter(next, self.to_act, play);
    }

    /// Enters step `step` of the opening, or free play after the last, after `actor` made `play`.
    fn enter(&mut self, step: u8, actor: Seat, play: Play) {
        self.step = step.min(self.ruleset.opening.len() as u8);
        let holder = self.seat_of(self.to_move());
        (self.phase, self.to_act) = match self.ruleset.opening.get(usize::from(self.step)) {
            None => {
                self.declared = 0;
                (Phase::Play, holder)
            }
            Some(&Step::Place { area, by: By::ToMove }) => (Phase::Place(area), holder),
            Some(&Step::Place { area, by: By::Seat(seat) }) => (Phase::Place(area), seat),
            Some(Step::Swap) => (Phase::Swap, !actor),
            Some(Step::SwapOrPutTwo) => (Phase::SwapOrPutTwo, !actor),
            Some(&Step::Fifth { area, after_swap: false, .. }) if play == Play::Swap => {
                (Phase::Place(area), holder)
            }
            Some(&Step::Fifth { area, count, .. }) => (Phase::Fifth { area, count }, holder),
            Some(&Step::Declare { most }) => (Phase::Declare { most }, actor),
            Some(Step::OfferDeclared) => (Phase::Offer { count: self.declared }, holder),
        };
    }
}
