//! What an agent of the crowd decides: anything that the view says is legal.

use arena_support::Random;
use serde_json::{Map, Value, json};

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Decision {
    pub(crate) path: String,
    pub(crate) turn: u32,
    pub(crate) key: String,
    fields: Map<String, Value>,
}

impl Decision {
    /// A decision for the player to act; `None` if nothing is due, or if what is due cannot be
    /// understood.
    pub(crate) fn choose(view: &Value, game: &str, random: &mut Random) -> Option<Decision> {
        let usual = &view["required_action"];
        let others = usual["alternatives"].as_array().map_or(&[][..], Vec::as_slice);
        // Half of the time another way, where there is one.
        let due = match !others.is_empty() && random.percent(50) {
            true => &others[random.below(others.len())],
            false => usual,
        };
        let path = due["path"].as_str()?.to_owned();
        let turn = u32::try_from(view["turn_number"].as_u64()?).ok()?;
        let key = format!("{game}-{turn}");
        let mut fields = due["example"].as_object()?.clone();
        if path.ends_with("/move")
            && let Some(point) = point(view, random)
        {
            fields.insert("point".to_owned(), point);
        } else if path.ends_with("/swap") {
            fields.insert("swap".to_owned(), json!(random.percent(50)));
        }
        fields.insert("idempotency_key".to_owned(), json!(key));
        Some(Decision { path, turn, key, fields })
    }

    pub(crate) fn body(&self) -> Value {
        Value::Object(self.fields.clone())
    }

    /// The body for another turn or under another key.
    pub(crate) fn altered(&self, field: &str, value: Value) -> Value {
        let mut altered = self.body();
        altered[field] = value;
        altered
    }
}

/// Near the centre, so that there is a fight; or anywhere; or, rarely, where it loses at once.
/// `None` is the example's own.
fn point(view: &Value, random: &mut Random) -> Option<Value> {
    // With captures a forbidden point is refused; in Renju it may be played.
    let is_renju = view["ruleset"].as_str().is_some_and(|id| id.starts_with("renju"));
    let loses = is_renju && random.percent(2);
    let points = |field: &str| view[field].as_array().filter(|points| !points.is_empty());
    let points = match loses.then(|| points("forbidden_moves")).flatten() {
        Some(forbidden) => forbidden,
        None if random.percent(50) => points("legal_moves")?,
        None => return None,
    };
    Some(points[random.below(points.len())]["name"].clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: &str = r#"{
        "ruleset": "renju_free", "status": "live", "turn_number": 7, "poll_after_ms": 0,
        "required_action": {
            "path": "/games/abc/move", "schema": {},
            "example": {"point": "h8", "turn_number": 7, "idempotency_key": "abc-7"},
            "alternatives": [{
                "path": "/games/abc/offer10", "example": {"candidates": ["a1"], "turn_number": 7}
            }]
        },
        "legal_moves": [{"x": 0, "y": 0, "name": "a1"}, {"x": 1, "y": 0, "name": "b1"}],
        "forbidden_moves": [{"x": 2, "y": 2, "name": "c3", "kind": "overline"}]
    }"#;

    #[test]
    fn every_way_to_act_is_taken_now_and_then() {
        let view: Value = serde_json::from_str(VIEW).unwrap();
        let mut random = Random(1);
        let mut bodies: Vec<String> = (0..2_000)
            .map(|_| Decision::choose(&view, "abc", &mut random).unwrap())
            .inspect(|decision| assert_eq!((decision.turn, decision.key.as_str()), (7, "abc-7")))
            .map(|decision| decision.body().to_string())
            .collect();
        bodies.sort();
        bodies.dedup();
        let with = |part: &str| bodies.iter().filter(|body| body.contains(part)).count();
        assert_eq!(bodies.len(), 5);
        for part in ["candidates", r#""a1","turn"#, "b1", "c3", "h8"] {
            assert_eq!(with(part), 1, "{part}: {bodies:?}");
        }
    }

    #[test]
    fn nothing_is_decided_when_nothing_is_due() {
        let mut view: Value = serde_json::from_str(VIEW).unwrap();
        view["required_action"] = Value::Null;
        assert_eq!(Decision::choose(&view, "abc", &mut Random(1)), None);
    }
}
