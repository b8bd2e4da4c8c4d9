//! Reads a frame as a request: a game in progress and a question about it.

use std::fmt;

use renju::{Board, ByColor, Point, Position, Ruleset};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{Letter, SIDE, Stone};
use crate::fields::{Malformed, object, whole};
use crate::reading::from_object;
use crate::value::any;
use crate::word::{Spelled, Word, spelled};

/// The longest frame that is read, in bytes. A whole request takes some two thousand.
pub const FRAME_MAX: usize = 64 * 1024;

/// Strength of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Difficulty {
    /// At a glance.
    Easy,
    /// A few moves ahead.
    Medium,
    /// Full strength, half a second.
    Hard,
}

spelled! {
    Difficulty: Easy = "easy", Medium = "medium", Hard = "hard";
    Kind: Move = "move", Test = "test", Evaluate = "evaluate", Ping = "ping", Reset = "reset";
}

/// A frame's request. Its position may be over.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "plain data")]
pub enum Request {
    /// A move for the player whose turn it is.
    Move { difficulty: Difficulty, position: Position },
    /// A move at full strength, without memory of earlier positions.
    Test { position: Position },
    /// The value of a point to either player.
    Evaluate { position: Position, point: Point },
    /// Asks for a pong.
    Ping,
    /// Starts another game.
    Reset,
}

/// The reason for refusing a frame. Nothing has changed and the socket stays open.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "`Display` says it in words")]
pub enum BadFrame {
    TooLong { bytes: usize },
    NotText,
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
            BadFrame::Malformed(Malformed::Syntax(detail)) => {
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
        let mut fields = object(frame.as_bytes())?;
        fields.retain(|_, value| !value.is_null());
        let position = || from_object::<Game>(&fields)?.position();
        Ok(match from_object::<Typed>(&fields)?.kind.0 {
            Kind::Ping => Request::Ping,
            Kind::Reset => Request::Reset,
            Kind::Test => Request::Test { position: position()? },
            Kind::Move => {
                let Effort { difficulty: Word(difficulty) } = from_object(&fields)?;
                Request::Move { difficulty, position: position()? }
            }
            Kind::Evaluate => {
                let Asked { last_play: LastPlay(point) } = from_object(&fields)?;
                Request::Evaluate { position: position()?, point }
            }
        })
    }
}

/// The types of frames.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Move,
    Test,
    Evaluate,
    Ping,
    Reset,
}

/// The field of every frame.
#[derive(Deserialize)]
struct Typed {
    #[serde(rename = "type")]
    kind: Word<Kind>,
}

/// A request for a move, besides the game.
#[derive(Deserialize)]
struct Effort {
    difficulty: Word<Difficulty>,
}

/// A question about a point, besides the game.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    last_play: LastPlay,
}

/// The game in a frame. Options that are absent have their defaults in the rules.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Game {
    next_player: Letter,
    board: Value,
    #[serde(deserialize_with = "scores")]
    scores: ByColor<u8>,
    #[serde(default = "usual_goal", deserialize_with = "goal")]
    goal: u8,
    #[serde(default = "yes", deserialize_with = "flag")]
    enable_capture: bool,
    #[serde(default = "yes", deserialize_with = "flag")]
    enable_double_three_restriction: bool,
    // Where the last stone went changes nothing, but what cannot be a play is not passed over.
    #[serde(rename = "lastPlay")]
    _last_play: Option<LastPlay>,
}

impl Game {
    fn position(self) -> Result<Position, Malformed> {
        let goal = self.enable_capture.then_some(self.goal);
        let ruleset = Ruleset::duel(goal, self.enable_double_three_restriction)
            .expect("the goal was checked");
        let board = board(&self.board)?;
        Ok(Position::set_up(ruleset, board, self.next_player.0.0, self.scores)
            .expect("duels are played on this board"))
    }
}

const fn usual_goal() -> u8 {
    5
}

const fn yes() -> bool {
    true
}

fn goal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    any(deserializer, |value| {
        whole(value)
            .and_then(|pairs| u8::try_from(pairs).ok())
            .filter(|pairs| (1..=Ruleset::PAIRS_MAX).contains(pairs))
            .ok_or_else(|| format!("a number of pairs from 1 to {}", Ruleset::PAIRS_MAX))
    })
}

fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    any(deserializer, |value| value.as_bool().ok_or_else(|| "true or false".into()))
}

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
fn scores<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ByColor<u8>, D::Error> {
    any(deserializer, |value| {
        read_scores(value)
            .ok_or_else(|| "a list with a score from 0 to 180 for X and one for O".into())
    })
}

fn read_scores(value: &Value) -> Option<ByColor<u8>> {
    let mut pairs = ByColor { black: None, white: None };
    for entry in value.as_array()? {
        let Stone(color) = Stone::from_word(entry.get("player")?.as_str()?)?;
        let score = whole(entry.get("score")?).filter(|&score| score <= SCORE_MAX)?;
        if pairs[color].replace(score as u8).is_some() {
            return None;
        }
    }
    Some(ByColor { black: pairs.black?, white: pairs.white? })
}

/// Half the points of the board: nobody has ever taken more pairs at once.
const SCORE_MAX: u64 = 180;

/// The point of the last stone.
struct LastPlay(Point);

impl LastPlay {
    fn read(play: &Value) -> Option<LastPlay> {
        Stone::from_word(play.get("stone")?.as_str()?)?;
        let at = |axis| {
            let place = u8::try_from(whole(play.get("coordinate")?.get(axis)?)?).ok()?;
            (place < SIDE).then_some(place)
        };
        Point::new(at("x")?, at("y")?).map(LastPlay)
    }
}

impl<'de> Deserialize<'de> for LastPlay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LastPlay, D::Error> {
        let wanted = r#"{"coordinate":{"x":…,"y":…},"stone":"X" or "O"} on the board"#;
        any(deserializer, |value| LastPlay::read(value).ok_or_else(|| wanted.into()))
    }
}
