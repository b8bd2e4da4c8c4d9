//! Decisions as an agent sends them.

use crate::quiet_point;
use serde_json::{Map, Value, json};

/// A decision without its turn and key.
#[derive(Clone, PartialEq, Debug)]
pub struct Act {
    verb: &'static str,
    fields: Map<String, Value>,
}

/// A stone, or a choice among the offered points.
pub fn place(point: &str) -> Act {
    Act::new("move", json!({ "point": point }))
}

/// To swap the colours, or to keep them.
pub fn swap(swap: bool) -> Act {
    Act::new("swap", json!({ "swap": swap }))
}

pub fn offer(points: &[&str]) -> Act {
    Act::new("offer10", json!({ "candidates": points }))
}

pub fn resign() -> Act {
    Act::new("resign", json!({}))
}

impl Act {
    fn new(verb: &'static str, fields: Value) -> Act {
        let Value::Object(fields) = fields else { panic!("the fields of a body are an object") };
        Act { verb, fields }
    }

    /// A word of a script: `swap`, `keep`, `resign`, points joined by commas for an offer, or a
    /// point.
    pub fn parse(word: &str) -> Act {
        match word {
            "swap" => swap(true),
            "keep" => swap(false),
            "resign" => resign(),
            _ if word.contains(',') => offer(&word.split(',').collect::<Vec<_>>()),
            _ => place(word),
        }
    }

    /// The next stone of a game that lasts, with its turn, if the player who has this view is to act.
    pub fn quiet(view: &Value) -> Option<(u64, Act)> {
        view["required_action"].as_object()?;
        let turn = view["turn_number"].as_u64()?;
        let legal = view["legal_moves"].as_array()?.iter();
        let legal = legal.filter_map(|point| point["name"].as_str()?.parse().ok());
        let point = quiet_point(legal, u32::try_from(turn).ok()?)?;
        Some((turn, place(&point.to_string())))
    }

    pub fn path(&self, game: &str) -> String {
        format!("/games/{game}/{}", self.verb)
    }

    pub fn body(&self, turn: u64, key: &str) -> Value {
        let mut body = self.fields.clone();
        if self.verb != "resign" {
            body.insert("turn_number".to_owned(), turn.into());
        }
        body.insert("idempotency_key".to_owned(), key.into());
        Value::Object(body)
    }
}
