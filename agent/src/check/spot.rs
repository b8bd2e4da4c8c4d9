//! Points and plays as a request names them, before they are known to make sense.

use std::fmt;

use renju::{Offer, Play, Point};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A point as it was named; it may lie on no board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    Name(String),
    /// The place in the board string.
    Index(i128),
    Coordinates(Coordinates),
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Coordinates {
    x: i64,
    y: i64,
    name: Option<String>,
}

/// One entry of a list of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// `h8`, `swap`, `offer:d4,e5`.
    Word(String),
    Place(Spot),
    Offer(Vec<Spot>),
}

/// Why a point that was named is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadSpot {
    /// It is named as points are, but lies outside the board.
    OffBoard {
        /// The point as it was named.
        spot: String,
        /// The side of the board.
        size: u8,
    },
    /// No point is named like this.
    Unreadable {
        /// The text.
        text: String,
    },
    /// The name beside the coordinates belongs to another point.
    Misnamed {
        /// The point of the coordinates.
        point: Point,
        /// The name.
        name: String,
    },
}

impl Spot {
    /// The point on a board of side `size`.
    pub(crate) fn point(&self, size: u8) -> Result<Point, BadSpot> {
        let point = match self {
            Spot::Name(name) if !is_like_a_point(name) => {
                return Err(BadSpot::Unreadable { text: name.clone() });
            }
            Spot::Name(name) => name.parse().ok(),
            Spot::Index(index) => {
                usize::try_from(*index).ok().and_then(|index| Point::from_index(index, size))
            }
            Spot::Coordinates(Coordinates { x, y, .. }) => {
                let both = u8::try_from(*x).ok().zip(u8::try_from(*y).ok());
                both.and_then(|(x, y)| Point::new(x, y))
            }
        };
        let point = point
            .filter(|point| point.is_on(size))
            .ok_or_else(|| BadSpot::OffBoard { spot: self.to_string(), size })?;
        match self {
            Spot::Coordinates(Coordinates { name: Some(name), .. })
                if name.parse() != Ok(point) =>
            {
                Err(BadSpot::Misnamed { point, name: name.clone() })
            }
            _ => Ok(point),
        }
    }
}

impl Decision {
    /// The play on a board of side `size`, or the reason why it is none.
    pub(crate) fn play(&self, size: u8) -> Result<Play, String> {
        let point = |spot: &Spot| spot.point(size).map_err(|error| error.to_string());
        match self {
            Decision::Word(word) if word == "noswap" => Ok(Play::Keep),
            Decision::Word(word) if is_like_a_point(word) => {
                point(&Spot::Name(word.clone())).map(Play::Place)
            }
            Decision::Word(word) => {
                word.parse().map_err(|error: renju::ParsePlayError| error.to_string())
            }
            Decision::Place(spot) => point(spot).map(Play::Place),
            Decision::Offer(spots) => {
                let points: Vec<Point> = spots.iter().map(point).collect::<Result<_, _>>()?;
                Offer::new(&points).map(Play::Offer).map_err(|error| error.to_string())
            }
        }
    }
}

/// A letter and a number: the name of a point of some board, however large.
fn is_like_a_point(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && !characters.as_str().is_empty()
        && characters.all(|digit| digit.is_ascii_digit())
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spot::Name(name) => f.write_str(name),
            Spot::Index(index) => write!(f, "point {index}"),
            Spot::Coordinates(Coordinates { x, y, .. }) => write!(f, "{{\"x\":{x},\"y\":{y}}}"),
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decision::Word(word) => f.write_str(word),
            Decision::Place(spot) => spot.fmt(f),
            Decision::Offer(spots) => {
                f.write_str("offer:")?;
                for (n, spot) in spots.iter().enumerate() {
                    write!(f, "{}{spot}", if n == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for BadSpot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadSpot::OffBoard { spot, size } => write!(f, "{spot} is not on a {size}×{size} board"),
            BadSpot::Unreadable { text } => write!(f, "{text:?} is not a point such as h8"),
            BadSpot::Misnamed { point, name } => {
                write!(f, "the coordinates are those of {point}, not of {name:?}")
            }
        }
    }
}

impl std::error::Error for BadSpot {}

struct SpotVisitor;

impl<'de> Visitor<'de> for SpotVisitor {
    type Value = Spot;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a point such as \"h8\", {\"x\":7,\"y\":7} or 112")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Spot, E> {
        Ok(Spot::Name(text.to_owned()))
    }

    fn visit_i64<E: serde::de::Error>(self, index: i64) -> Result<Spot, E> {
        Ok(Spot::Index(index.into()))
    }

    fn visit_u64<E: serde::de::Error>(self, index: u64) -> Result<Spot, E> {
        Ok(Spot::Index(index.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Spot, A::Error> {
        Coordinates::deserialize(MapAccessDeserializer::new(map)).map(Spot::Coordinates)
    }
}

impl<'de> Deserialize<'de> for Spot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Spot, D::Error> {
        deserializer.deserialize_any(SpotVisitor)
    }
}

struct DecisionVisitor;

impl<'de> Visitor<'de> for DecisionVisitor {
    type Value = Decision;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a play such as \"h8\", \"swap\", {\"x\":7,\"y\":7} or a list of offered points",
        )
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Decision, E> {
        Ok(Decision::Word(text.to_owned()))
    }

    fn visit_i64<E: serde::de::Error>(self, index: i64) -> Result<Decision, E> {
        SpotVisitor.visit_i64(index).map(Decision::Place)
    }

    fn visit_u64<E: serde::de::Error>(self, index: u64) -> Result<Decision, E> {
        SpotVisitor.visit_u64(index).map(Decision::Place)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Decision, A::Error> {
        SpotVisitor.visit_map(map).map(Decision::Place)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Decision, A::Error> {
        let mut spots = Vec::new();
        while let Some(spot) = seq.next_element()? {
            spots.push(spot);
        }
        Ok(Decision::Offer(spots))
    }
}

impl<'de> Deserialize<'de> for Decision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Decision, D::Error> {
        deserializer.deserialize_any(DecisionVisitor)
    }
}
