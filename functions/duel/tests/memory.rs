//! The engine's table is kept between the frames of one game, and no longer.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

mod common;

use arena_duel::Duel;
use common::{ask, request, say, with};
use serde_json::{Value, json};

/// Positions searched for a move. Easy and medium are bounded by depth, so a search that remembers
/// the position needs fewer.
fn nodes(duel: &mut Duel, request: &Value) -> u64 {
    ask(duel, request)["search"]["nodes"].as_u64().unwrap()
}

fn game() -> Value {
    with(request("j10 k11 l9 h10", "k10 j12 i9"), "difficulty", json!("easy"))
}

#[test]
fn the_second_look_at_a_game_is_quicker() {
    let mut duel = Duel::new();
    let cold = nodes(&mut duel, &game());
    let warm = nodes(&mut duel, &game());
    assert!(warm < cold, "{warm} positions with a warm table, {cold} with a cold one");
    // Frames that ask for no move keep it warm, valid and invalid ones.
    let rating = json!({"coordinate": {"x": 9, "y": 9}, "stone": "X"});
    let rating = with(with(game(), "type", json!("evaluate")), "lastPlay", rating).to_string();
    for frame in [r#"{"type":"ping"}"#, "{bad", r#"{"type":"move"}"#, &rating] {
        assert!(say(&mut duel, frame).is_some());
        assert!(nodes(&mut duel, &game()) < cold, "after {frame}");
    }
}

#[test]
fn a_reset_and_a_new_connection_forget() {
    let mut duel = Duel::new();
    let cold = nodes(&mut duel, &game());
    assert!(nodes(&mut duel, &game()) < cold);
    assert_eq!(say(&mut duel, r#"{"type":"reset"}"#), None);
    assert_eq!(nodes(&mut duel, &game()), cold);
    duel.forget();
    assert_eq!(nodes(&mut duel, &game()), cold);
}

#[test]
fn another_difficulty_forgets() {
    let mut duel = Duel::new();
    let cold = nodes(&mut duel, &game());
    let medium = with(game(), "difficulty", json!("medium"));
    let cold_medium = nodes(&mut duel, &medium);
    assert_eq!(cold_medium, nodes(&mut Duel::new(), &medium));
    assert_eq!(nodes(&mut duel, &game()), cold);
}

#[test]
fn a_test_forgets_before_and_leaves_nothing_for_a_lesser_difficulty() {
    let mut duel = Duel::new();
    let cold = nodes(&mut duel, &game());
    let test = with(game(), "type", json!("test"));
    assert_eq!(ask(&mut duel, &test)["type"], "move");
    assert_eq!(nodes(&mut duel, &game()), cold);
}

/// The table knows positions by their stones alone, so it would be wrong under other rules.
#[test]
fn other_rules_forget() {
    for (field, value) in [
        ("goal", json!(3)),
        ("enableCapture", json!(false)),
        ("enableDoubleThreeRestriction", json!(false)),
    ] {
        let other = with(game(), field, value);
        let mut duel = Duel::new();
        let cold = nodes(&mut duel, &game());
        assert_eq!(nodes(&mut duel, &other), nodes(&mut Duel::new(), &other), "{field}");
        assert_eq!(nodes(&mut duel, &game()), cold, "{field}");
    }
}
