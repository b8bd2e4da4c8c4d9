//! The opponent an agent wants: `house` in a join and in the queue's view.

use arena::{HouseLevel, Opponent};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::fields::whole;
use crate::value::{any, schemas};

/// In JSON: `true` for anyone, `false` for agents only, a number for the house bot of that level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpponentView(pub Opponent);

impl OpponentView {
    /// The strongest house bot's level.
    pub(crate) const LEVEL_MAX: usize = HouseLevel::ALL.len() - 1;
}

impl Serialize for OpponentView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Opponent::Anyone => serializer.serialize_bool(true),
            Opponent::Agents => serializer.serialize_bool(false),
            Opponent::House(level) | Opponent::HouseAs(level, _) => {
                serializer.serialize_u8(level.number())
            }
        }
    }
}

impl<'de> Deserialize<'de> for OpponentView {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OpponentView, D::Error> {
        any(deserializer, |value| {
            let level = || HouseLevel::new(u8::try_from(whole(value)?).ok()?);
            let opponent = match value {
                Value::Bool(true) => Some(Opponent::Anyone),
                Value::Bool(false) => Some(Opponent::Agents),
                _ => level().map(Opponent::House),
            };
            let wanted = || format!("true, false or a level from 0 to {}", OpponentView::LEVEL_MAX);
            opponent.map(OpponentView).ok_or_else(wanted)
        })
    }
}

schemas! {
    [] OpponentView => {
        "oneOf": [
            {"type": "boolean"},
            {"type": "integer", "minimum": 0, "maximum": (OpponentView::LEVEL_MAX)},
        ],
        "description": "true: a house bot near your rating will do after a while; false: agents only; a \
                        level: that house bot, at once",
    };
}
