//! The decisions of a game: stones, swaps, offers, declarations, resignation.

use std::fmt;

use arena::{Intent, TurnNumber};
use renju::{OFFER_MAX, Offer, Play, Point, SIZE_MAX};
use schemars::JsonSchema;
use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::Submit;
use crate::fields::Malformed;
use crate::point::PointRequest;
use crate::schema;
use crate::value::{Key, Whole, any, schemas};

/// A turn as a decision names it.
type Turn = Whole<0, { u32::MAX }>;

/// A coordinate of a point.
type Coordinate = Whole<0, { SIZE_MAX as u32 - 1 }>;

/// Declares decisions: what each decides, its turn, and the intent it becomes. All have a key.
macro_rules! decisions {
    ($($(#[$about:meta])* $name:ident { $($decision:tt)* } at $turn:ty, $intent:expr;)*) => {$(
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($decision)*
            /// turn_number of the game you decided on
            pub turn_number: $turn,
            /// one key for each decision, the same for every retry; the Idempotency-Key header is an alias
            #[schemars(required)]
            pub idempotency_key: Option<Key>,
        }

        impl Submit for $name {
            fn key(&self) -> Option<&str> {
                self.idempotency_key.as_deref()
            }

            fn intent(&self) -> Result<Intent, Malformed> {
                let intent: fn(&$name) -> Result<Intent, Malformed> = $intent;
                intent(self)
            }
        }
    )*};
}

decisions! {
    /// `POST /games/{id}/move`: places a stone; in the choice phase, chooses an offered point. The point is
    /// named, or given by x and y; an entry of legal_moves can be sent back as it came.
    MoveRequest {
        /// such as h8
        #[schemars(with = "Option<String>", regex(pattern = schema::POINT))]
        point: Option<PointRequest>,
        /// column, a = 0; instead of point, with y
        x: Option<Coordinate>,
        /// rank, 1 = 0; instead of point, with x
        y: Option<Coordinate>,
        /// the same as point
        #[schemars(with = "Option<String>", regex(pattern = schema::POINT))]
        name: Option<PointRequest>,
    } at Turn, |request| Ok(play(request.turn_number, Play::Place(request.point()?)));

    /// `POST /games/{id}/swap`.
    SwapRequest {
        /// true takes the other colour, false keeps yours; in Swap2 "put_two" puts two more stones first
        #[schemars(required)]
        swap: Option<Choice>,
        #[schemars(skip)]
        put_two: Option<bool>,
    } at Turn, |request| {
        Ok(play(request.turn_number, match request.choice()? {
            Choice::Swap => Play::Swap,
            Choice::Keep => Play::Keep,
            Choice::PutTwo => Play::PutTwo,
        }))
    };

    /// `POST /games/{id}/offer10`: offers fifth moves, ten in Taraguchi-10, as many as were declared in
    /// Soosõrv.
    OfferRequest {
        /// the points; the opponent chooses one
        #[schemars(with = "Vec<PointRequest>", length(min = 1, max = OFFER_MAX))]
        pub candidates: Candidates,
    } at Turn, |request| Ok(play(request.turn_number, Play::Offer(request.candidates.0)));

    /// `POST /games/{id}/declare`: declares the number of fifth moves to offer (Soosõrv).
    DeclareRequest {
        /// the number of fifth moves
        pub fifths: Whole<1, 8>,
    } at Turn, |request| Ok(play(request.turn_number, Play::Declare(request.fifths.0 as u8)));

    /// `POST /games/{id}/resign`: whatever the turn. A client that names one with every decision may do so
    /// here too.
    ResignRequest {} at Option<Turn>, |_| Ok(Intent::Resign);
}

fn play(turn: Turn, play: Play) -> Intent {
    Intent::Play(TurnNumber(turn.0), play)
}

impl MoveRequest {
    /// The point that coordinates, a name or both give.
    pub fn point(&self) -> Result<Point, Malformed> {
        let [x, y] = [self.x, self.y].map(|number| number.map(|number| number.0 as u8));
        let point = PointRequest::of_parts("point", (x, y), [self.name, self.point])?;
        point.map(|point| point.0).ok_or_else(|| Malformed::missing("point"))
    }
}

impl SwapRequest {
    /// The decision, where `"put_two": true` is as good as `"swap": "put_two"`.
    pub fn choice(&self) -> Result<Choice, Malformed> {
        match (self.swap, self.put_two.unwrap_or(false)) {
            (Some(choice), false) => Ok(choice),
            (None | Some(Choice::Keep | Choice::PutTwo), true) => Ok(Choice::PutTwo),
            (None, false) => Err(Malformed::missing("swap")),
            (Some(Choice::Swap), true) => {
                Err(Malformed::value("swap", &true.into(), "false or absent beside put_two"))
            }
        }
    }
}

/// Answer to the question of colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// Take the other colour.
    Swap,
    /// Keep the colour.
    Keep,
    /// Put two more stones first (Swap2).
    PutTwo,
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Choice, D::Error> {
        any(deserializer, |value| match value {
            Value::Bool(true) => Ok(Choice::Swap),
            Value::Bool(false) => Ok(Choice::Keep),
            Value::String(word) if word == "put_two" => Ok(Choice::PutTwo),
            _ => Err(r#"true, false or "put_two""#.into()),
        })
    }
}

/// The points of an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidates(pub Offer);

impl<'de> Deserialize<'de> for Candidates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Candidates, D::Error> {
        struct Reading;

        impl<'de> Visitor<'de> for Reading {
            type Value = Candidates;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of 1 to {OFFER_MAX} points")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Candidates, A::Error> {
                let mut points = Vec::new();
                while let Some(PointRequest(point)) = list.next_element()? {
                    points.push(point);
                }
                let offer = Offer::new(&points).map(Candidates);
                offer.map_err(|_| A::Error::invalid_value(Unexpected::Seq, &self))
            }
        }

        deserializer.deserialize_seq(Reading)
    }
}

schemas! {
    [] Choice => {"oneOf": [{"type": "boolean"}, {"type": "string", "enum": ["put_two"]}]};
}
