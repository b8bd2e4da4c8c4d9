//! Points and plays as a line names them, before they are known to make sense.

use std::fmt;

use renju::{Offer, Play, Point};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// A point as it was named; it may lie on no board.
#[derive(Debug)]
pub(super) enum Spot {
    /// `h8`.
    Name(String),
    /// Place in the board string.
    Index(i128),
    Coordinates(Coordinates),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Coordinates {
    x: i64,
    y: i64,
    name: Option<String>,
}

/// One entry of a list of moves.
#[derive(Debug)]
pub(super) enum Decision {
    /// A point, or as a name any play: `swap`, `offer:d4,e5`.
    One(Spot),
    Offer(Vec<Spot>),
}

impl Spot {
    /// The point on a board of side `size`.
    pub(super) fn point(&self, size: u8) -> Result<Point, String> {
        let off_board = || format!("{self} is not on a {size}×{size} board");
        self.point_if_on_board(size)?.ok_or_else(off_board)
    }

    /// The point; `None` if it is named as points are but lies outside the board.
    pub(super) fn point_if_on_board(&self, size: u8) -> Result<Option<Point>, String> {
        let point = match self {
            Spot::Name(name) if !is_like_a_point(name) => {
                return Err(format!("{name:?} is not a point such as h8"));
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
        match (self, point.filter(|point| point.is_on(size))) {
            (Spot::Coordinates(Coordinates { name: Some(name), .. }), Some(point))
                if name.parse() != Ok(point) =>
            {
                Err(format!("the coordinates are those of {point}, not of {name:?}"))
            }
            (_, point) => Ok(point),
        }
    }
}

impl Decision {
    /// The play on a board of side `size`.
    pub(super) fn play(&self, size: u8) -> Result<Play, String> {
        match self {
            Decision::One(Spot::Name(word)) if word == "noswap" => Ok(Play::Keep),
            Decision::One(Spot::Name(word)) if !is_like_a_point(word) => {
                word.parse().map_err(|error: renju::ParsePlayError| error.to_string())
            }
            Decision::One(spot) => spot.point(size).map(Play::Place),
            Decision::Offer(spots) => {
                let points = spots.iter().map(|spot| spot.point(size));
                let offer = Offer::new(&points.collect::<Result<Vec<_>, _>>()?);
                offer.map(Play::Offer).map_err(|error| error.to_string())
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
            Decision::One(spot) => spot.fmt(f),
            Decision::Offer(spots) => {
                let names: Vec<String> = spots.iter().map(Spot::to_string).collect();
                write!(f, "offer:{}", names.join(","))
            }
        }
    }
}

/// Reads a [`Decision`], or only its first form.
struct Reading {
    is_play: bool,
}

impl<'de> Visitor<'de> for Reading {
    type Value = Decision;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.is_play {
            true => r#"a play such as "h8", "swap", {"x":7,"y":7} or a list of offered points"#,
            false => r#"a point such as "h8", {"x":7,"y":7} or 112"#,
        })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Decision, E> {
        Ok(Decision::One(Spot::Name(text.to_owned())))
    }

    fn visit_i64<E: Error>(self, index: i64) -> Result<Decision, E> {
        Ok(Decision::One(Spot::Index(index.into())))
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<Decision, E> {
        Ok(Decision::One(Spot::Index(index.into())))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Decision, A::Error> {
        let coordinates = Coordinates::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Decision::One(Spot::Coordinates(coordinates)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Decision, A::Error> {
        if !self.is_play {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        let mut spots = Vec::new();
        while let Some(spot) = list.next_element()? {
            spots.push(spot);
        }
        Ok(Decision::Offer(spots))
    }
}

impl<'de> Deserialize<'de> for Decision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Decision, D::Error> {
        deserializer.deserialize_any(Reading { is_play: true })
    }
}

impl<'de> Deserialize<'de> for Spot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Spot, D::Error> {
        match deserializer.deserialize_any(Reading { is_play: false })? {
            Decision::One(spot) => Ok(spot),
            Decision::Offer(_) => Err(D::Error::custom("a list is not a point")),
        }
    }
}
