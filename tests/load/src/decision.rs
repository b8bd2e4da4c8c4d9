//! A decision of an agent of the crowd: anything that the view says is legal.

use arena_support::Random;
use serde_json::{Value, json};

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Decision {
    pub(crate) game: String,
    pub(crate) path: String,
    pub(crate) turn: u32,
    pub(crate) key: String,
    pub(crate) body: Value,
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
        let mut body = due["example"].clone();
        body.as_object()?;
        if path.ends_with("/move")
            && let Some(point) = point(view, random)
        {
            body["point"] = point;
        } else if path.ends_with("/swap") {
            body["swap"] = json!(random.percent(50));
        }
        body["idempotency_key"] = json!(key);
        Some(Decision { game: game.to_owned(), path, turn, key, body })
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
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_way_to_act_is_taken_now_and_then() {
        let offer = json!({"path": "/games/abc/offer10", "example": {"candidates": ["k9"]}});
        let mut view = json!({
            "ruleset": "renju_free", "turn_number": 7,
            "required_action": {
                "path": "/games/abc/move", "example": {"point": "h8"}, "alternatives": [offer],
            },
            "legal_moves": [{"name": "a1"}, {"name": "b1"}], "forbidden_moves": [{"name": "c3"}],
        });
        let mut random = Random(1);
        let bodies: BTreeSet<String> = (0..2_000)
            .map(|_| Decision::choose(&view, "abc", &mut random).unwrap())
            .inspect(|decision| assert_eq!((decision.turn, decision.key.as_str()), (7, "abc-7")))
            .map(|decision| decision.body.to_string())
            .collect();
        assert_eq!(bodies.len(), 5);
        for part in ["k9", "a1", "b1", "c3", "h8"] {
            assert!(bodies.iter().any(|body| body.contains(part)), "{part}: {bodies:?}");
        }
        view["required_action"] = Value::Null;
        assert_eq!(Decision::choose(&view, "abc", &mut random), None);
    }
}
