//! What an agent of the crowd decides: anything that the view says is legal.

use arena_wire::{Endpoint, Found, Route};
use serde_json::{Map, Value, json};

use crate::random::Random;
use crate::view::{Due, Sight};

/// A decision to be sent.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Decision {
    pub(crate) endpoint: Endpoint,
    pub(crate) turn: u32,
    pub(crate) key: String,
    fields: Map<String, Value>,
}

impl Decision {
    /// A decision for the player to act; `None` if nothing is due, or if what is due cannot be
    /// understood.
    pub(crate) fn choose(sight: &Sight<'_>, game: &str, random: &mut Random) -> Option<Decision> {
        let usual = sight.required_action.as_ref()?;
        // Half of the time another way, where there is one.
        let other = if random.percent(50) { random.pick(&usual.alternatives) } else { None };
        let due = other.unwrap_or(usual);
        let endpoint = endpoint(due)?;
        let turn = sight.turn_number;
        let key = format!("{game}-{turn}");
        let mut fields = due.example.clone();
        match endpoint {
            Endpoint::Move => {
                if let Some(point) = point(sight, random) {
                    fields.insert("point".to_owned(), json!(point));
                }
            }
            Endpoint::Swap => {
                fields.insert("swap".to_owned(), json!(random.percent(50)));
            }
            _ => {}
        }
        fields.insert("idempotency_key".to_owned(), json!(key));
        Some(Decision { endpoint, turn, key, fields })
    }

    /// The body.
    pub(crate) fn body(&self) -> Vec<u8> {
        Value::Object(self.fields.clone()).to_string().into_bytes()
    }

    /// The same for another turn or under another key.
    pub(crate) fn altered(&self, field: &str, value: Value) -> Decision {
        let mut altered = self.clone();
        altered.fields.insert(field.to_owned(), value);
        altered
    }
}

/// Near the centre, so that there is a fight; or anywhere; or, rarely, where it loses at once.
/// `None` is the example's own.
fn point<'a>(sight: &Sight<'a>, random: &mut Random) -> Option<&'a str> {
    // With captures a forbidden point is refused; in Renju it may be played.
    let loses = sight.ruleset.starts_with("renju") && random.percent(2);
    let spots = if loses && !sight.forbidden_moves.is_empty() {
        &sight.forbidden_moves
    } else if random.percent(50) {
        &sight.legal_moves
    } else {
        return None;
    };
    random.pick(spots).map(|spot| spot.name)
}

fn endpoint(due: &Due<'_>) -> Option<Endpoint> {
    match Route::find("POST", due.path) {
        Found::Route(route, Some(_)) => Some(route.endpoint),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGHT: &str = r#"{
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
        let sight: Sight<'_> = serde_json::from_str(SIGHT).unwrap();
        let mut random = Random(1);
        let mut bodies: Vec<String> = (0..2_000)
            .map(|_| Decision::choose(&sight, "abc", &mut random).unwrap())
            .inspect(|decision| assert_eq!((decision.turn, decision.key.as_str()), (7, "abc-7")))
            .map(|decision| String::from_utf8(decision.body()).unwrap())
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
        let mut sight: Sight<'_> = serde_json::from_str(SIGHT).unwrap();
        sight.required_action = None;
        assert_eq!(Decision::choose(&sight, "abc", &mut Random(1)), None);
    }
}
