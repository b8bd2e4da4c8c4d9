//! `exec:<command>`: a program that reads one view of the game and writes one decision.
//!
//! It is started for each decision with the view, one line of JSON, on its standard input, which is
//! then closed; the first line of its standard output is the decision. The view has the fields of
//! `GET /games/{id}` that describe the position:
//!
//! ```json
//! {"ruleset":"gomoku_freestyle","phase":"play","board":["...............","…"],"color":"black",
//!  "turn_color":"black","turn_number":2,"move_number":2,"moves":["h8","i9"],
//!  "legal_moves":[{"x":0,"y":0,"name":"a1"}],"forbidden_moves":[],"limit_ms":54000}
//! ```
//!
//! `color` is the colour the program holds, `turn_color` that of the next stone; `board` has the
//! highest rank first. In the opening there may be `candidates` to choose from, the `count` of fifth
//! moves to offer, or the `most` that may be declared. The decision is the body that the HTTP API
//! takes, without turn and key: `{"point":"h8"}`, `{"x":7,"y":7}`, `{"swap":true}`,
//! `{"swap":"put_two"}`, `{"candidates":["d4","e5"]}`, `{"fifths":2}`; or the play as text: `"h8"`,
//! `"keep"`. In the opening `null` leaves the decision to the tool.

use std::time::{Duration, Instant};

use arena_wire::{BoardView, ForbiddenView, PhaseName, PointRequest, PointView, Word};
use renju::{Color, Offer, Phase, Play, Point, Record};
use serde::Serialize;
use serde_json::{Map, Value};

use super::house::House;
use super::program::{Program, shell};
use super::{Brain, BrainError, label_of};
use crate::lines::shown;

/// A program that is started for each decision.
pub(super) struct Exec {
    name: String,
    command: String,
    house: House,
}

impl Exec {
    pub(super) fn new(command: &str) -> Exec {
        Exec {
            name: format!("exec:{}", label_of(command)),
            command: command.to_owned(),
            house: House::stand_in(),
        }
    }
}

impl Brain for Exec {
    fn choose(&mut self, record: &Record, limit: Duration) -> Result<Play, BrainError> {
        let until = Instant::now() + limit;
        let mut program = Program::start(shell(&self.command), &self.name)?;
        let view = serde_json::to_string(&View::of(record, limit));
        let view = view.map_err(|error| BrainError::Gone(error.to_string()))?;
        // A program that ignores the view may have ended already: its answer counts.
        let told = program.say(&format!("{view}\n"));
        program.hang_up();
        let line = match (program.hear(until), told) {
            (Err(BrainError::Gone(_)), Err(why)) => return Err(why),
            (line, _) => line?,
        };
        let nonsense = || BrainError::Nonsense(shown(&line));
        match serde_json::from_str(&line).map_err(|_| nonsense())? {
            Value::Null => {
                let left = until.saturating_duration_since(Instant::now());
                self.house.opening(record.position(), left).ok_or_else(nonsense)
            }
            value => read_play(&value).ok_or_else(nonsense),
        }
    }

    fn name(&self) -> &str {
        &self.name
    }
}

#[derive(Serialize)]
struct View<'a> {
    ruleset: &'a str,
    phase: PhaseName,
    board: BoardView,
    color: Option<Word<Color>>,
    turn_color: Word<Color>,
    turn_number: usize,
    move_number: u16,
    moves: Vec<String>,
    legal_moves: Vec<PointView>,
    forbidden_moves: Vec<ForbiddenView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<PointView>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<u8>,
    limit_ms: u128,
}

impl View<'_> {
    fn of(record: &Record, limit: Duration) -> View<'static> {
        let position = record.position();
        let (candidates, count, most) = match position.phase() {
            Phase::Choose(offer) => {
                (Some(offer.points().iter().copied().map(PointView).collect()), None, None)
            }
            Phase::Fifth { count, .. } | Phase::Offer { count } => (None, Some(count), None),
            Phase::Declare { most } => (None, None, Some(most)),
            _ => (None, None, None),
        };
        View {
            ruleset: position.ruleset().id,
            phase: PhaseName::of(&position.phase()),
            board: BoardView(*position.board()),
            color: position.to_act().map(|seat| Word(position.color_of(seat))),
            turn_color: Word(position.to_move()),
            turn_number: record.plays().len(),
            move_number: position.move_number(),
            moves: record.plays().iter().map(Play::to_string).collect(),
            legal_moves: position.legal_points().map(PointView).collect(),
            forbidden_moves: ForbiddenView::all(position).collect(),
            candidates,
            count,
            most,
            limit_ms: limit.as_millis(),
        }
    }
}

/// The play of a decision; legality is not checked.
fn read_play(value: &Value) -> Option<Play> {
    let object = match value {
        Value::String(text) => return text.trim().to_ascii_lowercase().parse().ok(),
        Value::Object(object) => object,
        _ => return None,
    };
    match (object.get("swap"), object.get("candidates"), object.get("fifths")) {
        (Some(Value::Bool(true)), None, None) => Some(Play::Swap),
        (Some(Value::Bool(false)), None, None) => Some(Play::Keep),
        (Some(Value::String(word)), None, None) if word == "put_two" => Some(Play::PutTwo),
        (None, Some(Value::Array(points)), None) => {
            let points: Option<Vec<Point>> = points.iter().map(read_point).collect();
            Offer::new(&points?).ok().map(Play::Offer)
        }
        (None, None, Some(count)) => Some(Play::Declare(u8::try_from(count.as_u64()?).ok()?)),
        (None, None, None) => {
            // Other fields of the decision are ignored.
            let known = ["x", "y", "name", "point"];
            let named = object.iter().filter(|(key, _)| known.contains(&key.as_str()));
            let point: Map<String, Value> =
                named.map(|(key, value)| (key.clone(), value.clone())).collect();
            read_point(&Value::Object(point)).map(Play::Place)
        }
        _ => None,
    }
}

fn read_point(value: &Value) -> Option<Point> {
    PointRequest::read("point", value).ok().map(|request| request.0)
}
