//! docs/duel.md agrees with the player: its frames are answered as it says, and its fields are
//! required or not as it says.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use arena_duel::{Detail, Duel};
use serde_json::{Map, Value, json};

const PAGE: &str = include_str!("../../../docs/duel.md");

/// Mark for what an example leaves out.
const REST: &str = "…";

/// The code blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("```{language}\n");
    PAGE.split(&begin).skip(1).map(|rest| rest.split_once("```").unwrap().0).collect()
}

fn game() -> Map<String, Value> {
    serde_json::from_str(blocks("json")[0]).unwrap()
}

/// Sends the game with other fields.
fn ask(kind: &str, game: Map<String, Value>) -> Value {
    let mut frame = game;
    frame.insert("type".to_owned(), kind.into());
    frame.insert("difficulty".to_owned(), "easy".into());
    let reply = Duel::new().answer(&Value::from(frame).to_string(), Detail::Plain).unwrap();
    serde_json::from_str(&reply).unwrap()
}

/// True if the reply is the documented one, apart from what that leaves out.
fn agrees(documented: &Value, reply: &Value) -> bool {
    match (documented, reply) {
        (Value::String(text), _) if text == REST => true,
        (Value::Object(documented), Value::Object(reply)) => {
            documented.keys().eq(reply.keys())
                && documented.iter().all(|(key, value)| agrees(value, &reply[key]))
        }
        (Value::Array(documented), Value::Array(reply)) => {
            documented.len() == reply.len()
                && documented.iter().zip(reply).all(|(one, other)| agrees(one, other))
        }
        _ => documented == reply,
    }
}

/// Checks the dialogue of a block; returns the types of the requests.
fn check(block: &str, detail: Detail) -> BTreeSet<String> {
    let fields = Value::from(game()).to_string();
    let fields = fields.trim_start_matches('{').trim_end_matches('}');
    let mut types = BTreeSet::new();
    let mut reply = None;
    for line in block.lines() {
        if let Some(frame) = line.strip_prefix("> ") {
            assert_eq!(reply, None, "an undocumented reply before {line}");
            let frame = frame.replace(REST, fields);
            if let Ok(Value::Object(frame)) = serde_json::from_str(&frame) {
                types.insert(frame["type"].as_str().unwrap().to_owned());
            }
            reply = Duel::new().answer(&frame, detail);
        } else {
            let documented: Value = serde_json::from_str(line.strip_prefix("< ").unwrap()).unwrap();
            let said = reply.take().unwrap();
            let said: Value = serde_json::from_str(&said).unwrap();
            assert!(
                agrees(&documented, &said),
                "{documented}\nis documented; the reply is\n{said}"
            );
        }
    }
    assert_eq!(reply, None, "an undocumented reply at the end of {block}");
    types
}

#[test]
fn every_frame_is_answered_as_documented() {
    let mut types: BTreeSet<String> = BTreeSet::new();
    for block in blocks("frames") {
        types.extend(check(block, Detail::Plain));
    }
    check(blocks("debug")[0], Detail::Search);
    // The error of an unknown type names all types that there are.
    assert!(types.remove("undo"));
    let reply = Duel::new().answer(r#"{"type":"undo"}"#, Detail::Plain).unwrap();
    let (_, known) = reply.trim_end_matches("\"}").split_once("not one of ").unwrap();
    assert_eq!(types, known.split(", ").map(str::to_owned).collect(), "{reply}");
}

#[test]
fn fields_are_required_as_documented() {
    let rows = PAGE.lines().skip_while(|line| !line.starts_with("| field |")).skip(2);
    let rows: Vec<Vec<&str>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let names: BTreeSet<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    assert_eq!(names, game().keys().map(String::as_str).collect());
    for row in rows {
        let name = row[0].trim_matches('`');
        let mut game = game();
        game.remove(name);
        let missing = json!({"type": "error", "error": format!("{name} is missing")});
        for kind in ["move", "test", "evaluate"] {
            let is_required = row[1] == "yes" || row[1] == format!("for `{kind}`");
            let reply = ask(kind, game.clone());
            assert_eq!(reply == missing, is_required, "{kind} without {name}: {reply}");
            assert!(is_required || reply["type"] != "error", "{kind} without {name}: {reply}");
        }
    }
}
