//! A frame read as a request: a game in its midst and what is asked about it.

use std::fmt;

use renju::{Board, ByColor, Point, Position, Ruleset};
use serde_json::{Map, Value};

use super::{SIDE, Stone};
use crate::fields::{Fields, Malformed, whole};
use crate::word::{Spelled, words};

/// The longest frame that is read, in bytes. A whole request takes some two thousand.
pub const FRAME_MAX: usize = 64 * 1024;

/// How hard the engine tries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Difficulty {
    /// At a glance.
    Easy,
    /// A few moves ahead.
    Medium,
    /// As well as it can in half a second.
    Hard,
}

impl Spelled for Difficulty {
    const WORDS: &'static [(Difficulty, &'static str)] =
        &[(Difficulty::Easy, "easy"), (Difficulty::Medium, "medium"), (Difficulty::Hard, "hard")];
}

/// What a frame asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// A move for the player whose turn it is.
    Move {
        /// How hard to try.
        difficulty: Difficulty,
        /// The game as it stands; perhaps over.
        position: Position,
    },
    /// The same, as hard as can be and without anything remembered.
    Test {
        /// The game as it stands; perhaps over.
        position: Position,
    },
    /// How much a point is worth to either player.
    Evaluate {
        /// The game as it stands; perhaps over.
        position: Position,
        /// The point, with a stone on it or not.
        point: Point,
    },
    /// Whether anybody is there.
    Ping,
    /// Another game begins.
    Reset,
}

/// Why a frame is refused. Nothing has changed and the socket stays open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadFrame {
    /// More bytes than [`FRAME_MAX`].
    TooLong {
        /// How many.
        bytes: usize,
    },
    /// Bytes instead of text.
    NotText,
    /// Not what a request looks like.
    Malformed(Malformed),
}

impl From<Malformed> for BadFrame {
    fn from(malformed: Malformed) -> BadFrame {
        BadFrame::Malformed(malformed)
    }
}

impl fmt::Display for BadFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadFrame::TooLong { bytes } => {
                write!(f, "the frame has {bytes} bytes, more than {FRAME_MAX}")
            }
            BadFrame::NotText => f.write_str("the frame is not text"),
            BadFrame::Malformed(Malformed::Syntax { detail }) => {
                write!(f, "the frame is not JSON: {detail}")
            }
            BadFrame::Malformed(Malformed::NotAnObject) => {
                f.write_str("the frame must be a JSON object")
            }
            BadFrame::Malformed(malformed) => malformed.fmt(f),
        }
    }
}

impl std::error::Error for BadFrame {}

impl Request {
    /// Reads a frame.
    pub fn read(frame: &str) -> Result<Request, BadFrame> {
        if frame.len() > FRAME_MAX {
            return Err(BadFrame::TooLong { bytes: frame.len() });
        }
        let mut fields = Fields::any(frame.as_bytes())?;
        let kind = fields.take("type").ok_or_else(|| Malformed::missing("type"))?;
        Ok(match kind.as_str() {
            Some("ping") => Request::Ping,
            Some("reset") => Request::Reset,
            Some("test") => Request::Test { position: position(&mut fields)? },
            Some("move") => Request::Move {
                difficulty: required(&mut fields, "difficulty")?,
                position: position(&mut fields)?,
            },
            Some("evaluate") => {
                let point =
                    last_play(&mut fields)?.ok_or_else(|| Malformed::missing("lastPlay"))?;
                Request::Evaluate { position: position(&mut fields)?, point }
            }
            _ => {
                let wanted = "one of move, test, evaluate, ping, reset";
                return Err(Malformed::value("type", &kind, wanted).into());
            }
        })
    }
}

/// The game as the frame tells it.
fn position(fields: &mut Fields) -> Result<Position, Malformed> {
    let ruleset = ruleset(fields)?;
    let Stone(to_move) = required(fields, "nextPlayer")?;
    let board = board(&required_value(fields, "board")?)?;
    let pairs = scores(required_value(fields, "scores")?)?;
    // Where the last stone went changes nothing, but what cannot be a play is not passed over.
    last_play(fields)?;
    Ok(Position::set_up(ruleset, board, to_move, pairs).expect("duels are played on this board"))
}

/// What the players agreed on. What is not said is as in the rules of the game.
fn ruleset(fields: &mut Fields) -> Result<&'static Ruleset, Malformed> {
    let captures = fields.flag("enableCapture")?.unwrap_or(true);
    let double_three = fields.flag("enableDoubleThreeRestriction")?.unwrap_or(true);
    let goal = fields.take("goal").unwrap_or(Value::from(PAIRS));
    let pairs = whole(&goal).and_then(|pairs| u8::try_from(pairs).ok());
    pairs
        .and_then(|pairs| Ruleset::duel(Some(pairs), double_three))
        .and_then(|with| if captures { Some(with) } else { Ruleset::duel(None, double_three) })
        .ok_or_else(|| {
            let wanted = format!("a number of pairs from 1 to {}", Ruleset::PAIRS_MAX);
            Malformed::value("goal", &goal, &wanted)
        })
}

const PAIRS: u8 = 5;

fn board(value: &Value) -> Result<Board, Malformed> {
    let wrong = |field: String, value: String| Malformed::Value {
        field,
        value,
        wanted: format!("{SIDE} rows of {SIDE} cells"),
    };
    let rows = value.as_array().ok_or_else(|| wrong("board".into(), "no list of rows".into()))?;
    if rows.len() != usize::from(SIDE) {
        return Err(wrong("board".into(), format!("a list of {} rows", rows.len())));
    }
    let mut board = Board::new(SIDE);
    for (y, row) in (0..SIDE).zip(rows) {
        let name = || format!("board[{y}]");
        let cells = row.as_array().ok_or_else(|| wrong(name(), "no list of cells".into()))?;
        if cells.len() != usize::from(SIDE) {
            return Err(wrong(name(), format!("a list of {} cells", cells.len())));
        }
        for (x, cell) in (0..SIDE).zip(cells) {
            if cell.as_str() == Some(".") {
                continue;
            }
            match (cell.as_str().and_then(Stone::from_word), Point::new(x, y)) {
                (Some(Stone(color)), Some(point)) => board.put(point, color),
                _ => {
                    let name = format!("board[{y}][{x}]");
                    return Err(Malformed::value(&name, cell, "\".\", \"X\" or \"O\""));
                }
            }
        }
    }
    Ok(board)
}

/// The pairs each player has taken: both must be there, once.
fn scores(value: Value) -> Result<ByColor<u8>, Malformed> {
    let wanted = "a list with a score from 0 to 180 for X and one for O";
    let wrong = || Malformed::value("scores", &value, wanted);
    let mut pairs = ByColor { black: None, white: None };
    for entry in value.as_array().ok_or_else(wrong)? {
        let player = entry.get("player").and_then(Value::as_str).and_then(Stone::from_word);
        let score = entry.get("score").and_then(whole).filter(|&score| score <= SCORE_MAX);
        let (Stone(color), score) = player.zip(score).ok_or_else(wrong)?;
        if pairs[color].replace(score as u8).is_some() {
            return Err(wrong());
        }
    }
    match (pairs.black, pairs.white) {
        (Some(black), Some(white)) => Ok(ByColor { black, white }),
        _ => Err(wrong()),
    }
}

/// Half the points of the board: nobody has ever taken more pairs at once.
const SCORE_MAX: u64 = 180;

/// The point of `lastPlay`, if the frame has one.
fn last_play(fields: &mut Fields) -> Result<Option<Point>, Malformed> {
    let Some(value) = fields.take("lastPlay") else { return Ok(None) };
    let read = |play: &Map<String, Value>| {
        play.get("stone").and_then(Value::as_str).and_then(Stone::from_word)?;
        let at = |axis| {
            let place = u8::try_from(whole(play.get("coordinate")?.get(axis)?)?).ok()?;
            (place < SIDE).then_some(place)
        };
        Point::new(at("x")?, at("y")?)
    };
    value.as_object().and_then(read).map(Some).ok_or_else(|| {
        let wanted = "{\"coordinate\":{\"x\":…,\"y\":…},\"stone\":\"X\" or \"O\"} on the board";
        Malformed::value("lastPlay", &value, wanted)
    })
}

fn required<T: Spelled>(fields: &mut Fields, field: &str) -> Result<T, Malformed> {
    fields.word(field, T::from_word, words::<T>)?.ok_or_else(|| Malformed::missing(field))
}

fn required_value(fields: &mut Fields, field: &str) -> Result<Value, Malformed> {
    fields.take(field).ok_or_else(|| Malformed::missing(field))
}
