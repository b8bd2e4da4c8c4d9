//! A reply as a frame.

use std::time::Duration;

use renju::{Board, Captured, Color, Ending, Outcome, Point};
use serde::Serialize;

use super::{BadFrame, Letter, SIDE, Stone};
use crate::word::{Spelled, Word};

/// The answer to a request, one frame.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "plain data")]
pub enum Reply {
    Move {
        /// Always `success`: what fails is an error.
        status: &'static str,
        /// The board after the move, captured stones taken.
        board: Vec<Vec<&'static str>>,
        last_play: LastPlay,
        captured_stones: Vec<CapturedStone>,
        execution_time: ExecutionTime,
        /// Details of the search, for debugging.
        #[serde(skip_serializing_if = "Option::is_none")]
        search: Option<Searched>,
    },
    /// The value of a point, first to the player to move.
    Evaluate { eval_scores: Vec<EvalScore> },
    /// The answer to a ping.
    Pong,
    /// The request was refused; nothing has changed.
    Error { error: String },
}

/// A stone on its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LastPlay {
    coordinate: Coordinate,
    stone: Letter,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
struct Coordinate {
    x: u8,
    y: u8,
}

/// A captured stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct CapturedStone {
    x: u8,
    y: u8,
    stone: Letter,
}

/// Thinking time in three units.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ExecutionTime {
    s: f64,
    ms: f64,
    ns: f64,
}

/// The value of a point to a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct EvalScore {
    player: Letter,
    #[serde(flatten)]
    rated: Rated,
}

/// The value of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Rated {
    /// Sum over the shapes a stone makes there and the pairs it takes.
    #[serde(rename = "evalScores")]
    pub score: i32,
    /// Score from 0 (useless or not allowed) to 100 (wins at once).
    pub percentage: u8,
}

/// Details of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "plain data")]
pub struct Searched {
    /// The deepest finished iteration.
    pub depth: u8,
    pub nodes: u64,
    /// Value of the position for the player to move.
    pub score: i32,
    /// Expected continuation, as points such as `j10`; its own move first.
    pub line: Vec<String>,
}

impl Reply {
    /// A stone of `color` on `point` that took `captured` and left `board`.
    pub fn played(
        board: &Board,
        point: Point,
        color: Color,
        captured: Option<&Captured>,
        thought: Duration,
        search: Option<Searched>,
    ) -> Reply {
        let stone = Word(Stone(!color));
        let taken = captured.map_or(&[][..], Captured::points);
        let seconds = thought.as_secs_f64();
        Reply::Move {
            status: "success",
            board: rows(board),
            last_play: LastPlay {
                coordinate: Coordinate { x: point.x(), y: point.y() },
                stone: Word(Stone(color)),
            },
            captured_stones: taken
                .iter()
                .map(|point| CapturedStone { x: point.x(), y: point.y(), stone })
                .collect(),
            execution_time: ExecutionTime {
                s: seconds,
                ms: seconds * 1e3,
                ns: thought.as_nanos() as f64,
            },
            search,
        }
    }

    /// The value of a point to each player.
    pub fn rated(ratings: [(Color, Rated); 2]) -> Reply {
        let entry = |(color, rated)| EvalScore { player: Word(Stone(color)), rated };
        Reply::Evaluate { eval_scores: ratings.map(entry).into() }
    }

    /// Refuses a move in a game that has ended.
    pub fn over(outcome: Outcome) -> Reply {
        let error = match outcome.winner.map(|color| Stone(color).word()) {
            None => "the game is over: the board is full".to_owned(),
            Some(player) if outcome.by == Ending::Pairs => {
                format!("the game is over: {player} has taken enough pairs")
            }
            Some(player) => format!("the game is over: {player} has a five that stays"),
        };
        Reply::Error { error }
    }

    /// The request was refused for this reason.
    pub fn error(why: &dyn std::fmt::Display) -> Reply {
        Reply::Error { error: why.to_string() }
    }

    /// The reply as a frame.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("views are written to memory without fail")
    }
}

impl From<BadFrame> for Reply {
    fn from(bad: BadFrame) -> Reply {
        Reply::error(&bad)
    }
}

fn rows(board: &Board) -> Vec<Vec<&'static str>> {
    let cell = |point: Option<Point>| {
        point.and_then(|point| board.get(point)).map_or(".", |color| Stone(color).word())
    };
    (0..SIDE).map(|y| (0..SIDE).map(|x| cell(Point::new(x, y))).collect()).collect()
}
