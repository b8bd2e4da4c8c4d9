//! "Black forbidden move detection (33 / 44 / Overline)", "Forbidden move priority over victory".

use arena_support::{TARAGUCHI, TestArena};
use serde_json::{Value, json};

/// The opening in which Black places the first, third and fifth stone and nobody swaps.
fn quiet(third: &str, fifth: &str, rest: &str) -> String {
    format!("h8 keep g7 keep {third} keep e5 keep {fifth} keep a1 {rest}")
}

async fn plays_out(script: &str, winner: &str, reason: &str) -> Value {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let game = players.run(script).await;
    assert_eq!(game["result"]["winner"], winner, "{}", game["result"]);
    assert_eq!(game["result"]["reason"], reason, "{}", game["result"]);
    assert_eq!(game["result"]["rated"], true);
    assert_eq!((&game["status"], &game["phase"]), (&json!("over"), &json!("over")));
    let results = arena.results(players.player(&game["result"]["winner_name"]), TARAGUCHI).await;
    assert_eq!(results, [1, 0, 0]);
    arena.finish().await;
    game
}

#[tokio::test]
async fn black_forbidden_move_detection_a_double_three_loses() {
    let game = plays_out(&quiet("j8", "i9", "i10 o1 i8"), "white", "double_three").await;
    let proof = &game["result"]["explanation"];
    assert_eq!(proof["verdict"], "double_three");
    let threes = proof["threes"].as_array().unwrap();
    assert_eq!(threes.iter().filter(|three| three["counts"] == true).count(), 2);
}

#[tokio::test]
async fn black_forbidden_move_detection_a_double_four_loses() {
    let script = quiet("j8", "k8", "i9 o1 i10 a15 i11 o15 i8");
    let game = plays_out(&script, "white", "double_four").await;
    assert_eq!(game["result"]["explanation"]["fours"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn black_forbidden_move_detection_an_overline_loses() {
    let script = quiet("j8", "k8", "g8 o1 f8 a15 i8");
    let game = plays_out(&script, "white", "overline").await;
    assert_eq!(game["result"]["explanation"]["rows"][0]["stones"].as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn black_wins_with_exactly_five_and_white_with_five_or_more() {
    plays_out(&quiet("j8", "k8", "g8 o1 i8"), "black", "five").await;
    let white_six = "h8 keep g7 keep j8 keep e5 keep l5 keep \
                     a15 a3 b15 c1 c15 e1 e15 g1 f15 i1 d15";
    plays_out(white_six, "white", "five").await;
}

// "Forbidden move priority over victory"

#[tokio::test]
async fn forbidden_move_priority_over_victory_a_five_that_is_also_a_foul_loses() {
    let stones = "l8 o1 i9 a15 i10 o15 j9 a3 k10 o3 i8";
    plays_out(&quiet("j8", "k8", stones), "white", "double_three").await;
}

#[tokio::test]
async fn the_same_five_wins_where_the_ruleset_says_so() {
    let arena = TestArena::start().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let script = "h8 g7 j8 e5 k8 a1 l8 o1 i9 a15 i10 o15 j9 a3 k10 o3 i8";
    let game = players.run(script).await;
    assert_eq!(game["result"]["winner"], "black", "{}", game["result"]);
    assert_eq!(game["result"]["reason"], "five");
    arena.finish().await;
}
