//! JSON of the brains `exec:` and `jsonl:`: the view of a game that a program reads, and the
//! decision that it writes. docs/brains.md describes both; a test compares the page with this file.

use std::time::{Duration, Instant};

use arena_wire::{BoardView, ForbiddenView, PairsView, PhaseName, PointRequest, PointView, Word};
use renju::{Color, Offer, Phase, Play, Point, Record};
use serde::Serialize;
use serde_json::{Map, Value};

use super::BrainError;
use super::house::House;
use crate::lines::shown;

/// View of the game for the player to act: one line, with its line feed.
pub(super) fn question(record: &Record, limit: Duration) -> Result<String, BrainError> {
    let view = serde_json::to_string(&View::of(record, limit));
    view.map(|view| view + "\n").map_err(|error| BrainError::Gone(error.to_string()))
}

/// Play of a program's line. In the opening `null` leaves the decision to the house.
pub(super) fn answer(
    line: &str,
    record: &Record,
    house: &mut House,
    until: Instant,
) -> Result<Play, BrainError> {
    let nonsense = || BrainError::Nonsense(shown(line));
    match serde_json::from_str(line).map_err(|_| nonsense())? {
        Value::Null => {
            let left = until.saturating_duration_since(Instant::now());
            house.opening(record.position(), left).ok_or_else(nonsense)
        }
        value => read_play(&value).ok_or_else(nonsense),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<PairsView>,
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
            pairs: PairsView::of(position),
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
