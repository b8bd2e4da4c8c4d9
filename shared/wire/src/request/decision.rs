//! The decisions of a game: stones, swaps, offers, declarations, resignation.

use arena::{Intent, TurnNumber};
use renju::{Offer, Play, Point};
use serde_json::Value;

use super::{Body, Submit, take_key, take_turn};
use crate::fields::{Fields, Malformed};
use crate::point::PointRequest;

/// `POST /games/{id}/move`: places a stone; in the choice phase, chooses an offered point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRequest {
    /// Where.
    pub point: Point,
    /// The turn it was chosen in.
    pub turn_number: TurnNumber,
    /// Makes the request repeatable.
    pub idempotency_key: Option<String>,
}

impl Body for MoveRequest {
    const NAME: &'static str = "MoveRequest";
    // `name` is read too, so that an entry of `legal_moves` can be sent back as it came.
    const FIELDS: &'static [&'static str] =
        &["x", "y", "point", "name", "turn_number", "idempotency_key"];

    fn read(fields: &mut Fields) -> Result<MoveRequest, Malformed> {
        let [x, y, name, point] = ["x", "y", "name", "point"].map(|field| fields.take(field));
        let names = [name.as_ref(), point.as_ref()];
        let point = PointRequest::of_parts("point", x.as_ref(), y.as_ref(), names)?;
        Ok(MoveRequest {
            point: point.ok_or_else(|| Malformed::missing("point"))?.0,
            turn_number: take_turn(fields)?,
            idempotency_key: take_key(fields)?,
        })
    }
}

impl Submit for MoveRequest {
    fn key(&self) -> Option<&str> {
        self.idempotency_key.as_deref()
    }

    fn intent(&self) -> Intent {
        Intent::Play(self.turn_number, Play::Place(self.point))
    }
}

/// What a swap decision can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// Take the other colour.
    Swap,
    /// Keep the colour.
    Keep,
    /// Put two more stones first (Swap2).
    PutTwo,
}

/// `POST /games/{id}/swap`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwapRequest {
    /// The decision.
    pub choice: Choice,
    /// The turn it was made in.
    pub turn_number: TurnNumber,
    /// Makes the request repeatable.
    pub idempotency_key: Option<String>,
}

impl Body for SwapRequest {
    const NAME: &'static str = "SwapRequest";
    const FIELDS: &'static [&'static str] = &["swap", "put_two", "turn_number", "idempotency_key"];

    fn read(fields: &mut Fields) -> Result<SwapRequest, Malformed> {
        let put_two = fields.flag("put_two")?.unwrap_or(false);
        let choice = match (fields.take("swap"), put_two) {
            (Some(Value::Bool(true)), false) => Choice::Swap,
            (Some(Value::Bool(false)), false) => Choice::Keep,
            (None | Some(Value::Bool(false)), true) => Choice::PutTwo,
            (Some(Value::String(word)), _) if word == "put_two" => Choice::PutTwo,
            (None, false) => return Err(Malformed::missing("swap")),
            (Some(value), true) => {
                return Err(Malformed::value("swap", &value, "false or absent beside put_two"));
            }
            (Some(value), false) => {
                return Err(Malformed::value("swap", &value, r#"true, false or "put_two""#));
            }
        };
        Ok(SwapRequest {
            choice,
            turn_number: take_turn(fields)?,
            idempotency_key: take_key(fields)?,
        })
    }
}

impl Submit for SwapRequest {
    fn key(&self) -> Option<&str> {
        self.idempotency_key.as_deref()
    }

    fn intent(&self) -> Intent {
        let play = match self.choice {
            Choice::Swap => Play::Swap,
            Choice::Keep => Play::Keep,
            Choice::PutTwo => Play::PutTwo,
        };
        Intent::Play(self.turn_number, play)
    }
}

/// `POST /games/{id}/offer10`: offers fifth moves, ten in Taraguchi-10, as many as were declared in
/// Soosõrv-8.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfferRequest {
    /// The points.
    pub offer: Offer,
    /// The turn they were chosen in.
    pub turn_number: TurnNumber,
    /// Makes the request repeatable.
    pub idempotency_key: Option<String>,
}

impl Body for OfferRequest {
    const NAME: &'static str = "OfferRequest";
    const FIELDS: &'static [&'static str] = &["candidates", "turn_number", "idempotency_key"];

    fn read(fields: &mut Fields) -> Result<OfferRequest, Malformed> {
        let wanted = "a list of 1 to 10 points";
        let list = match fields.take("candidates") {
            Some(Value::Array(list)) => list,
            Some(value) => return Err(Malformed::value("candidates", &value, wanted)),
            None => return Err(Malformed::missing("candidates")),
        };
        let points: Result<Vec<Point>, Malformed> = list
            .iter()
            .map(|value| PointRequest::read("candidates", value).map(|request| request.0))
            .collect();
        let offer = Offer::new(&points?)
            .map_err(|_| Malformed::value("candidates", &Value::Array(list), wanted))?;
        Ok(OfferRequest {
            offer,
            turn_number: take_turn(fields)?,
            idempotency_key: take_key(fields)?,
        })
    }
}

impl Submit for OfferRequest {
    fn key(&self) -> Option<&str> {
        self.idempotency_key.as_deref()
    }

    fn intent(&self) -> Intent {
        Intent::Play(self.turn_number, Play::Offer(self.offer))
    }
}

/// `POST /games/{id}/declare`: how many fifth moves the opponent shall offer (Soosõrv-8).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclareRequest {
    /// How many.
    pub fifths: u8,
    /// The turn it was chosen in.
    pub turn_number: TurnNumber,
    /// Makes the request repeatable.
    pub idempotency_key: Option<String>,
}

impl Body for DeclareRequest {
    const NAME: &'static str = "DeclareRequest";
    const FIELDS: &'static [&'static str] = &["fifths", "turn_number", "idempotency_key"];

    fn read(fields: &mut Fields) -> Result<DeclareRequest, Malformed> {
        Ok(DeclareRequest {
            fifths: fields.number("fifths")?.ok_or_else(|| Malformed::missing("fifths"))?,
            turn_number: take_turn(fields)?,
            idempotency_key: take_key(fields)?,
        })
    }
}

impl Submit for DeclareRequest {
    fn key(&self) -> Option<&str> {
        self.idempotency_key.as_deref()
    }

    fn intent(&self) -> Intent {
        Intent::Play(self.turn_number, Play::Declare(self.fifths))
    }
}

/// `POST /games/{id}/resign`: whatever the turn. A client that names one with every decision may do so
/// here too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResignRequest {
    /// Makes the request repeatable.
    pub idempotency_key: Option<String>,
}

impl Body for ResignRequest {
    const NAME: &'static str = "ResignRequest";
    const FIELDS: &'static [&'static str] = &["turn_number", "idempotency_key"];

    fn read(fields: &mut Fields) -> Result<ResignRequest, Malformed> {
        fields.number::<u32>("turn_number")?;
        Ok(ResignRequest { idempotency_key: take_key(fields)? })
    }
}

impl Submit for ResignRequest {
    fn key(&self) -> Option<&str> {
        self.idempotency_key.as_deref()
    }

    fn intent(&self) -> Intent {
        Intent::Resign
    }
}
