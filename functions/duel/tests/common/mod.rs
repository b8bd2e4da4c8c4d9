//! Frames as a front end sends them.

#![allow(dead_code, reason = "every test uses some of this")]

use arena_duel::{Detail, Duel};
use serde_json::{Value, json};

/// Board of a frame with these stones, named like `j10`.
pub(crate) fn board(x: &str, o: &str) -> Value {
    let mut rows = vec![vec!["."; 19]; 19];
    for (stones, letter) in [(x, "X"), (o, "O")] {
        for name in stones.split_whitespace() {
            let point: renju::Point = name.parse().unwrap();
            rows[usize::from(point.y())][usize::from(point.x())] = letter;
        }
    }
    json!(rows)
}

/// Request for a move of `O` with these stones; X moved last.
pub(crate) fn request(x: &str, o: &str) -> Value {
    json!({
        "type": "move",
        "difficulty": "medium",
        "nextPlayer": "O",
        "goal": 5,
        "enableCapture": true,
        "enableDoubleThreeRestriction": true,
        "board": board(x, o),
        "scores": [{"player": "X", "score": 0}, {"player": "O", "score": 0}],
    })
}

/// The request with a field changed; `null` removes it.
pub(crate) fn with(mut request: Value, field: &str, value: Value) -> Value {
    let fields = request.as_object_mut().unwrap();
    if value.is_null() {
        fields.remove(field);
    } else {
        fields.insert(field.to_owned(), value);
    }
    request
}

/// Reply of the duel to a request.
pub(crate) fn ask(duel: &mut Duel, request: &Value) -> Value {
    say(duel, &request.to_string()).expect("a reply is due")
}

/// Reply of the duel to a text.
pub(crate) fn say(duel: &mut Duel, frame: &str) -> Option<Value> {
    let reply = duel.answer(frame, Detail::Search)?;
    Some(serde_json::from_str(&reply).expect("replies are JSON"))
}

/// Error of a reply.
#[track_caller]
pub(crate) fn error(reply: &Value) -> &str {
    assert_eq!(reply["type"], "error", "{reply}");
    assert_eq!(reply.as_object().unwrap().len(), 2, "{reply}");
    reply["error"].as_str().unwrap()
}

/// Point of a move, such as `j10`.
#[track_caller]
pub(crate) fn moved(reply: &Value) -> String {
    assert_eq!(reply["type"], "move", "{reply}");
    let place = |axis: &str| reply["lastPlay"]["coordinate"][axis].as_u64().unwrap() as u8;
    renju::Point::new(place("x"), place("y")).unwrap().to_string()
}
