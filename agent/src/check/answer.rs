//! The answers and the forms they are written in.

use renju::{Color, Ending, Foul, Fouls, IllegalPlay, Mark, Offer, Outcome, Phase, Play, Point};
use renju::{Position, Precedence, Seat};
use serde::{Serialize, Serializer};

use super::bad_line::BadLine;
use super::question::Question;

/// One line of output.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// A board with the class of every empty point.
    Points {
        /// The points from rank 1 up.
        points: String,
    },
    /// How a game stands.
    Game(Game),
    /// What becomes of a move.
    Move(Verdict),
    /// Whether fifth moves may be offered.
    Offers {
        /// `ok`, or the first thing wrong: `count`, `range`, `occupied`, `duplicate`, `symmetric`.
        offers: &'static str,
    },
    /// The line cannot be answered.
    Error {
        /// Why, naming the value.
        error: String,
    },
}

/// How a game stands after its moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Game {
    /// The final board with the class of every empty point.
    pub points: String,
    /// What the player to act may do: `place`, `swap`, `swap_or_put_two`, `fifth`, `declare`,
    /// `offer`, `choose`, `play`, or `over`.
    pub phase: &'static str,
    /// The player to act, unless the game is over.
    #[serde(serialize_with = "seat_or_null")]
    pub to_act: Option<Seat>,
    /// The colour of the next stone, unless the game is over.
    #[serde(serialize_with = "color_or_null")]
    pub to_move: Option<Color>,
    /// Who holds Black.
    #[serde(serialize_with = "as_text")]
    pub black: Seat,
    /// Who holds White.
    #[serde(serialize_with = "as_text")]
    pub white: Seat,
    /// The colour that has won.
    #[serde(serialize_with = "color_or_null")]
    pub winner: Option<Color>,
    /// Why the game is over: `five`, `overline`, `double_four`, `double_three`, `pairs`,
    /// `board_full`.
    pub ending: Option<&'static str>,
    /// The pairs x and o have captured, where stones can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<[u8; 2]>,
}

/// What becomes of a move. A rejected one has nothing but `legal`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verdict {
    /// Whether the move is neither rejected nor a foul.
    pub legal: bool,
    /// The class of the point for the side that moves, where nothing is captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<char>,
    /// The places of the captured stones in the board string, in rising order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured: Option<Vec<usize>>,
    /// The pairs x and o have captured after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<[u8; 2]>,
    /// How the game stands for the side that moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// What the stone would make and the points that prove it, in words, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
}

/// How the game stands for the side that has just moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
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
    /// The game goes on.
    Ongoing,
}

impl Answer {
    pub(crate) fn to(question: &Question) -> Answer {
        match question {
            Question::Points(position) => Answer::Points { points: points(position) },
            Question::Game(position) => Answer::Game(Game::of(position)),
            Question::Move { position, point, explain } => {
                let explanation = explain.then(|| explanation(position, *point)).flatten();
                Answer::Move(Verdict { explanation, ..Verdict::of(position, *point) })
            }
            Question::Offers { position, count, offers } => {
                Answer::Offers { offers: judge_offers(position, *count, offers) }
            }
        }
    }

    /// Whether the line could not be answered.
    pub const fn is_error(&self) -> bool {
        matches!(self, Answer::Error { .. })
    }
}

impl From<BadLine> for Answer {
    fn from(error: BadLine) -> Answer {
        Answer::Error { error: shortened(&error.to_string()) }
    }
}

impl Game {
    fn of(position: &Position) -> Game {
        let outcome = position.outcome();
        Game {
            points: points(position),
            phase: phase_name(&position.phase()),
            to_act: position.to_act(),
            to_move: outcome.is_none().then(|| position.to_move()),
            black: position.seat_of(Color::Black),
            white: position.seat_of(Color::White),
            winner: outcome.and_then(|outcome| outcome.winner),
            ending: outcome.map(|outcome| ending_name(outcome.by)),
            pairs: pairs(position),
        }
    }
}

impl Verdict {
    fn of(position: &Position, point: Point) -> Verdict {
        let Ok(after) = position.play(Play::Place(point)) else {
            return Verdict::default();
        };
        let status = Status::of(&after, position.to_move());
        let captured = position.captured_by(point).map(|captured| {
            let size = position.board().size();
            let mut places: Vec<_> =
                captured.points().iter().map(|point| point.index(size)).collect();
            places.sort_unstable();
            places
        });
        Verdict {
            legal: status != Status::LoseFoul,
            mark: captured.is_none().then(|| mark_of(&after, position.to_move()).letter()),
            captured,
            pairs: pairs(&after),
            status: Some(status),
            explanation: None,
        }
    }
}

impl Status {
    /// How the game stands in `after` for `mover`, who has just placed a stone.
    fn of(after: &Position, mover: Color) -> Status {
        match after.outcome() {
            Some(Outcome { winner: None, .. }) => Status::Draw,
            Some(Outcome { by: Ending::Pairs, .. }) => Status::WinCapture,
            Some(Outcome { by: Ending::Foul(_), .. }) => Status::LoseFoul,
            Some(Outcome { winner, .. }) if winner == Some(mover) => Status::WinFive,
            Some(_) => Status::LoseFive,
            None if pairs(after).is_some() && after.board().has_five(mover) => Status::FivePending,
            None => Status::Ongoing,
        }
    }
}

/// The board with the class of every empty point: Black's where only Black has fouls, else those of
/// the side to move, found by playing there.
fn points(position: &Position) -> String {
    let board = position.board();
    let class: Box<dyn Fn(Point) -> Mark> = match position.ruleset().fouls {
        Fouls::Black { precedence } => {
            let marks = board.marks(Color::Black, precedence);
            Box::new(move |point| marks.get(point))
        }
        Fouls::None | Fouls::DoubleThree { .. } => {
            let mover = position.to_move();
            let start = Position::analysis(position.ruleset(), *board, mover, position.pairs())
                .expect("the board of a position has a size its ruleset allows");
            Box::new(move |point| match start.play(Play::Place(point)) {
                Ok(after) => mark_of(&after, mover),
                Err(_) => Mark::Foul(Foul::DoubleThree),
            })
        }
    };
    let letter = |point| match board.get(point) {
        Some(color) => color.letter(),
        None => class(point).letter(),
    };
    Point::all(board.size()).map(letter).collect()
}

/// The class of the move of `mover` that has led to `after`: `5` for whatever wins at once.
fn mark_of(after: &Position, mover: Color) -> Mark {
    match after.outcome() {
        Some(Outcome { by: Ending::Foul(foul), .. }) => Mark::Foul(foul),
        Some(Outcome { winner, .. }) if winner == Some(mover) => Mark::Five,
        _ => Mark::Quiet,
    }
}

/// The proof of what a stone on `point` makes: Black's where only Black has fouls, else the mover's.
fn explanation(position: &Position, point: Point) -> Option<String> {
    let (color, precedence) = match position.ruleset().fouls {
        Fouls::Black { precedence } => (Color::Black, precedence),
        Fouls::None | Fouls::DoubleThree { .. } => (position.to_move(), Precedence::FiveFirst),
    };
    let explanation = position.board().explain(point, color, precedence)?;
    Some(explanation.to_string())
}

fn judge_offers(position: &Position, count: u8, offers: &[Option<Point>]) -> &'static str {
    if offers.len() != usize::from(count) {
        return "count";
    }
    let Some(points) = offers.iter().copied().collect::<Option<Vec<Point>>>() else {
        return "range";
    };
    match Offer::new(&points).and_then(|offer| position.play(Play::Offer(offer))) {
        Ok(_) => "ok",
        Err(IllegalPlay::Occupied { .. }) => "occupied",
        Err(IllegalPlay::OfferTwice { .. }) => "duplicate",
        Err(IllegalPlay::OfferSymmetric { .. }) => "symmetric",
        Err(IllegalPlay::OffBoard { .. }) => "range",
        Err(_) => "count",
    }
}

fn pairs(position: &Position) -> Option<[u8; 2]> {
    let pairs = position.pairs();
    position.ruleset().pairs_to_win.map(|_| [pairs.black, pairs.white])
}

const fn phase_name(phase: &Phase) -> &'static str {
    match phase {
        Phase::Place(_) => "place",
        Phase::Swap => "swap",
        Phase::SwapOrPutTwo => "swap_or_put_two",
        Phase::Fifth { .. } => "fifth",
        Phase::Declare { .. } => "declare",
        Phase::Offer { .. } => "offer",
        Phase::Choose(_) => "choose",
        Phase::Play => "play",
        Phase::Over(_) => "over",
    }
}

const fn ending_name(ending: Ending) -> &'static str {
    match ending {
        Ending::Five => "five",
        Ending::Foul(Foul::Overline) => "overline",
        Ending::Foul(Foul::DoubleFour) => "double_four",
        Ending::Foul(Foul::DoubleThree) => "double_three",
        Ending::Pairs => "pairs",
        Ending::BoardFull => "board_full",
    }
}

/// The most characters of an error that are shown: it may quote a whole line.
const ERROR_HEAD: usize = 200;
const ERROR_TAIL: usize = 200;

/// A long text without its middle: what is quoted stands between the name and the reason.
fn shortened(text: &str) -> String {
    let characters = text.chars().count();
    if characters <= ERROR_HEAD + 1 + ERROR_TAIL {
        return text.to_owned();
    }
    let head = text.chars().take(ERROR_HEAD);
    head.chain(['…']).chain(text.chars().skip(characters - ERROR_TAIL)).collect()
}

fn as_text<S: Serializer>(value: &impl ToString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value.to_string())
}

fn seat_or_null<S: Serializer>(seat: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
    seat.map(|seat| seat.to_string()).serialize(serializer)
}

fn color_or_null<S: Serializer>(color: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    color.map(|color| color.to_string()).serialize(serializer)
}
