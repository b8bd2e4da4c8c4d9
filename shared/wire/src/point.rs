//! Points and boards on the wire.
//!
//! A point goes out as `{"x":7,"y":7,"name":"h8"}` and comes in as that, as `{"x":7,"y":7}`, as
//! `{"point":"h8"}` or as `"h8"`. A board goes out as a person reads it, the highest rank first.

use std::sync::LazyLock;

use renju::{Board, Foul, Point, Position, SIZE_MAX, SIZE_MIN, notation};
use schemars::JsonSchema;
use serde::de::Error;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::fields::{Malformed, shown, whole};
use crate::schema;
use crate::value::{any, schemas};
use crate::word::Word;

/// A point of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema)]
#[schemars(with = "Parts")]
pub struct PointView(pub Point);

// The fields of a point.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PointView")]
struct Parts {
    /// The column, a = 0.
    #[schemars(range(max = SIZE_MAX - 1))]
    x: u8,
    /// The rank, 1 = 0.
    #[schemars(range(max = SIZE_MAX - 1))]
    y: u8,
    /// Both in words: h8.
    #[schemars(regex(pattern = "^[a-t](20|1[0-9]|[1-9])$"))]
    name: String,
}

impl From<PointView> for Parts {
    fn from(PointView(point): PointView) -> Parts {
        Parts { x: point.x(), y: point.y(), name: point.to_string() }
    }
}

/// A point's JSON is always the same text, and views list hundreds of points: the texts are made once.
static TEXTS: LazyLock<Vec<Box<RawValue>>> = LazyLock::new(|| {
    let text = |point| to_raw_value(&Parts::from(PointView(point)));
    Point::all(SIZE_MAX).map(|point| text(point).expect("a point is written as JSON")).collect()
});

impl Serialize for PointView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TEXTS[self.0.index(SIZE_MAX)].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PointView {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PointView, D::Error> {
        PointRequest::deserialize(deserializer).map(|request| PointView(request.0))
    }
}

/// A point that is forbidden to the player to move, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ForbiddenView {
    /// The point.
    #[serde(flatten, serialize_with = "in_parts")]
    pub point: PointView,
    /// The foul a stone there would be.
    pub kind: Word<Foul>,
}

impl ForbiddenView {
    /// Every point that is forbidden to the player to move.
    pub fn all(position: &Position) -> impl Iterator<Item = ForbiddenView> {
        let view = |(point, kind)| ForbiddenView { point: PointView(point), kind: Word(kind) };
        position.forbidden_points().map(view)
    }
}

/// Writes the fields of a point into the object around it, which takes no finished text.
fn in_parts<S: Serializer>(point: &PointView, serializer: S) -> Result<S::Ok, S::Error> {
    Parts::from(*point).serialize(serializer)
}

/// A point as it comes in. Whether it lies on the board is for the rules to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointRequest(pub Point);

impl PointRequest {
    /// Reads any of the accepted forms; `field` is named in the error.
    pub fn read(field: &str, value: &Value) -> Result<PointRequest, Malformed> {
        let object = match value {
            Value::String(text) => return named(field, text),
            Value::Object(object) => object,
            _ => return Err(not_a_point(field, value)),
        };
        let unknown = |key: &&String| !matches!(key.as_str(), "x" | "y" | "name" | "point");
        if let Some(key) = object.keys().find(unknown) {
            return Err(Malformed::unknown(key, &["x", "y", "name", "point"]));
        }
        let number = |key| object.get(key).map(|value| coordinate(key, value)).transpose();
        let name = |key| match object.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => named(field, text).map(Some),
            Some(inner @ Value::Object(parts)) if !parts.contains_key("point") => {
                PointRequest::read(field, inner).map(Some)
            }
            Some(other) => Err(not_a_point(field, other)),
        };
        let (at, names) = ((number("x")?, number("y")?), [name("name")?, name("point")?]);
        PointRequest::of_parts(field, at, names)?.ok_or_else(|| not_a_point(field, value))
    }

    /// The point that coordinates, names or both give; `None` if neither is there.
    pub(crate) fn of_parts(
        field: &str,
        at: (Option<u8>, Option<u8>),
        names: [Option<PointRequest>; 2],
    ) -> Result<Option<PointRequest>, Malformed> {
        let mut found = match at {
            (Some(x), Some(y)) => Point::new(x, y).map(PointRequest),
            (None, None) => None,
            (Some(_), None) => return Err(Malformed::missing("y")),
            (None, Some(_)) => return Err(Malformed::missing("x")),
        };
        for point in names.into_iter().flatten() {
            if found.is_some_and(|found| found != point) {
                let name = Value::from(point.0.to_string());
                return Err(Malformed::value(field, &name, "the same point as x and y"));
            }
            found = Some(point);
        }
        Ok(found)
    }
}

fn named(field: &str, text: &str) -> Result<PointRequest, Malformed> {
    let point = text.parse().map_err(|_| not_a_point(field, &Value::from(shown(text))))?;
    Ok(PointRequest(point))
}

fn not_a_point(field: &str, value: &Value) -> Malformed {
    Malformed::value(field, value, r#"a point such as "h8" or {"x":7,"y":7}"#)
}

fn coordinate(field: &str, value: &Value) -> Result<u8, Malformed> {
    whole(value)
        .and_then(|number| u8::try_from(number).ok())
        .filter(|&number| number < SIZE_MAX)
        .ok_or_else(|| {
            let wanted = format!("a whole number from 0 to {}", SIZE_MAX - 1);
            Malformed::value(field, value, &wanted)
        })
}

impl<'de> Deserialize<'de> for PointRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PointRequest, D::Error> {
        any(deserializer, |value| {
            PointRequest::read("", value).map_err(|why| match why {
                Malformed::Value { field, wanted, .. } if field.is_empty() => wanted,
                inside => format!("a point: {inside}"),
            })
        })
    }
}

schemas! {
    [] PointRequest => {
        "oneOf": [
            {"type": "string", "pattern": (schema::POINT), "description": "such as h8"},
            (schema::by_coordinates()),
        ],
    };
    [] BoardView => {
        "type": "array",
        "items": {"type": "string", "pattern": "^[.xo]+$"},
        "minItems": SIZE_MIN,
        "maxItems": SIZE_MAX,
    };
}

/// A board as strings of `.`, `x` and `o`, one for each rank, the highest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardView(pub Board);

impl BoardView {
    /// Reads a square of ranks, the highest first. Upper case is read as lower case.
    pub fn read<T: AsRef<str>>(ranks: &[T]) -> Result<BoardView, Malformed> {
        let size = u8::try_from(ranks.len()).ok().filter(|s| (SIZE_MIN..=SIZE_MAX).contains(s));
        let Some(size) = size else {
            let found = Value::from(ranks.len());
            let wanted = format!("a board of {SIZE_MIN} to {SIZE_MAX} ranks");
            return Err(Malformed::value("board", &found, &wanted));
        };
        let is_rank = |rank: &&str| {
            rank.chars().count() == ranks.len() && rank.chars().all(|c| ".xoXO".contains(c))
        };
        let wanted = |rank: &str| {
            let wanted = format!("a rank of {size} characters, each ., x or o");
            Malformed::value("board", &Value::from(shown(rank)), &wanted)
        };
        let texts = || ranks.iter().map(AsRef::as_ref);
        if let Some(rank) = texts().find(|rank| !is_rank(rank)) {
            return Err(wanted(rank));
        }
        let flat: String = texts().rev().collect();
        notation::flat::read(&flat, size).map(BoardView).map_err(|_| wanted(&flat))
    }
}

impl Serialize for BoardView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let size = self.0.size();
        let mut ranks = serializer.serialize_seq(Some(usize::from(size)))?;
        for y in (0..size).rev() {
            let mut rank = [b'.'; SIZE_MAX as usize];
            for (x, letter) in (0..size).zip(&mut rank) {
                let stone = Point::new(x, y).and_then(|point| self.0.get(point));
                *letter = stone.map_or(b'.', |color| color.letter() as u8);
            }
            let text = str::from_utf8(&rank[..usize::from(size)]);
            ranks.serialize_element(text.expect("letters of stones are ASCII"))?;
        }
        ranks.end()
    }
}

impl<'de> Deserialize<'de> for BoardView {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BoardView, D::Error> {
        let ranks = Vec::<String>::deserialize(deserializer)?;
        BoardView::read(&ranks).map_err(D::Error::custom)
    }
}
