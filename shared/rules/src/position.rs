//! A position: the stones, who holds which colour, and what the player to act may do.
//!
//! [`Position::play`] and [`Position::advance`] are the only way forward. A rejected play changes
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
    /// Declare how many fifth moves shall be offered (Soosõrv-8).
    Declare(u8),
    /// Offer these fifth moves.
    Offer(Offer),
}

/// How a game ended on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who won; `None` is a draw.
    pub winner: Option<Color>,
    /// Why.
    pub by: Ending,
}

/// Why a game ended on the board.
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
/// and number of moves; in which order the moves were made does not matter.
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
    /// The index of the opening step the phase belongs to.
    step: u8,
    /// How many fifth moves were declared.
    declared: u8,
}

impl Position {
    /// The empty board of the ruleset's own size.
    pub fn new(ruleset: &'static Ruleset) -> Position {
        Self::empty(ruleset, ruleset.size)
    }

    /// The empty board of another size the ruleset allows.
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
        // Nobody has acted yet; no opening starts with a swap, so the seat named here is not used.
        position.enter(0, Seat::Second, Play::Keep);
        position
    }

    /// A position in free play with these stones, for analysis: the opening is taken as done, and
    /// what the stones already make is not judged. A full board is a draw.
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

    /// As [`Position::analysis`], but as a game that goes on from here: what the stones and pairs
    /// have already decided is decided, as if the other colour had just moved. Fouls cannot be seen
    /// on a board and are not judged.
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

    /// The ruleset.
    pub const fn ruleset(&self) -> &'static Ruleset {
        self.ruleset
    }

    /// The stones.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// What the player to act may do.
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

    /// The colour a seat holds now.
    pub fn color_of(&self, seat: Seat) -> Color {
        if seat == self.black { Color::Black } else { Color::White }
    }

    /// The seat that holds a colour now.
    pub fn seat_of(&self, color: Color) -> Seat {
        if color == Color::Black { self.black } else { !self.black }
    }

    /// How many stones have been placed, captured ones included.
    pub const fn move_number(&self) -> u16 {
        self.moves
    }

    /// The pairs each colour has captured.
    pub const fn pairs(&self) -> ByColor<u8> {
        self.pairs
    }

    /// How the game ended, if it did.
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Every play that [`Position::play`] accepts here, except offers: of those there are too many
    /// to list. A forbidden move of Renju is among them, because it is accepted and loses.
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

    /// Every point a stone may be placed on now without being rejected.
    fn open_points(&self) -> impl Iterator<Item = Point> + '_ {
        let places = matches!(
            self.phase,
            Phase::Place(_) | Phase::Fifth { .. } | Phase::Choose(_) | Phase::Play
        );
        let size = if places { self.board.size() } else { 0 };
        Point::all(size).filter(|&point| self.check_place(point).is_ok())
    }

    /// Every point the player to act can place on without being rejected and without a foul.
    pub fn legal_points(&self) -> impl Iterator<Item = Point> + '_ {
        let marks = self.foul_marks();
        self.open_points().filter(move |&point| {
            !marks.as_ref().is_some_and(|marks| matches!(marks.get(point), Mark::Foul(_)))
        })
    }

    /// Every point that is forbidden to the player to move, with the kind of foul: in Renju placing
    /// there loses, with captures it is rejected.
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

    /// The marks of the board where fouls lose: in Renju, when Black is to move in free play.
    fn foul_marks(&self) -> Option<Marks> {
        match (self.phase, self.ruleset.fouls) {
            (Phase::Play, Fouls::Black { precedence }) if self.to_move() == Color::Black => {
                Some(self.board.marks(Color::Black, precedence))
            }
            _ => None,
        }
    }

    /// The position after `play`, or why the play is rejected.
    pub fn play(&self, play: Play) -> Result<Position, IllegalPlay> {
        let mut next = self.clone();
        next.advance(play)?;
        Ok(next)
    }

    /// As [`Position::play`], in place. A rejected play changes nothing.
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

    /// What a stone of the colour to move on `point` would capture.
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
            _ if self.board.is_barred(point, self.to_move(), self.ruleset.fouls) => {
                Err(IllegalPlay::DoubleThree { point })
            }
            _ => Ok(()),
        }
    }

    /// Places a stone that was checked and moves to the next phase.
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

    /// Whether a stone of `color` on `point` stands in a winning row.
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

    /// What a stone of `color`, whose captures were taken, has led to. The order of these endings is
    /// the order of docs/rules.md, gomoku_capture.
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
        // Nobody is ever stuck on a board with empty points: a three has empty points on both sides
        // of its stones, so a corner of the convex hull of the empty points lies in none.
        board.is_full().then_some(Outcome { winner: None, by: Ending::BoardFull })
    }

    fn swap_if(&mut self, play: Play, next: u8) {
        if play == Play::Swap {
            self.black = !self.black;
        }
        self.enter(next, self.to_act, play);
    }

    /// Goes to step `step` of the opening, or to free play after the last, when `actor` has just
    /// made `play`.
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
