//! Ratings cannot be made: which games count, and what the reply says of it.

use arena_support::{FIVE_STONES, Setup, TestArena, place};
use serde_json::{Value, json};

const FREE: &str = "renju_free";

fn said(game: &Value) -> (&Value, &Value, &Value) {
    (&game["counted"], &game["why"], &game["result"]["rated"])
}

#[tokio::test]
async fn a_newcomer_that_resigns_to_another_in_the_opening_gives_it_nothing() {
    let arena = TestArena::start().await;
    let players = arena.match_up(FREE, ["alice", "bob"]).await;
    let game = players.game().await;
    assert_eq!(said(&game), (&json!(true), &json!(null), &json!(null)), "until the end it counts");
    let game = players.run("h8 resign").await;
    assert_eq!(said(&game), (&json!(false), &json!("early_resignation"), &json!(false)));
    for agent in [&players.first, &players.second] {
        assert_eq!(arena.results(agent, FREE).await, [0, 0, 0]);
        let path = format!("/agents/{}/games", agent.name);
        let row = arena.client.get(&path).send().await.ok()["games"][0].clone();
        assert_eq!(row["game_id"], players.id, "the game is listed all the same");
        assert_eq!((&row["counted"], &row["why"]), (&json!(false), &json!("early_resignation")));
    }
    let page = players.first.get(&format!("/games/{}?format=text", players.id)).send().await;
    let text = page.text();
    assert!(text.contains("It does not count for ratings: a newcomer resigned"), "{text}");
    arena.finish().await;
}

#[tokio::test]
async fn only_so_many_games_a_day_count_between_the_same_two() {
    let arena = TestArena::with(Setup { counted_per_day: 1, ..Setup::default() }).await;
    let players = arena.match_up(FREE, ["alice", "bob"]).await;
    players.run(FIVE_STONES).await;
    let game = players.run("resign").await;
    assert_eq!(said(&game), (&json!(true), &json!(null), &json!(true)));
    let results = [&players.first, &players.second];
    let before = [arena.results(results[0], FREE).await, arena.results(results[1], FREE).await];

    // In another division they are newcomers to each other again, and meet at once.
    let gomoku =
        arena.seat("gomoku_freestyle", [players.first.clone(), players.second.clone()]).await;
    assert_eq!(gomoku.game().await["counted"], true);
    // Before the fifth stone it gives nothing, but it was one of the day's games.
    gomoku.run("h8 resign").await;
    let again =
        arena.seat("gomoku_freestyle", [players.first.clone(), players.second.clone()]).await;
    let game = again.game().await;
    assert_eq!(said(&game), (&json!(false), &json!("opponent_limit"), &json!(null)));
    again.run(FIVE_STONES).await;
    let game = again.run("resign").await;
    assert_eq!(said(&game), (&json!(false), &json!("opponent_limit"), &json!(false)));
    for (agent, before) in results.into_iter().zip(before) {
        assert_eq!(arena.results(agent, FREE).await, before);
        assert_eq!(arena.results(agent, "gomoku_freestyle").await, [0, 0, 0]);
    }
    arena.finish().await;
}

#[tokio::test]
async fn a_player_that_has_used_up_its_time_for_the_game_loses_it_before_its_turn_is_over() {
    let (turn_ms, grace_ms) = (5_000, 100);
    let setup = Setup { turn_ms: Some(turn_ms), budget_turns: 1, grace_ms, ..Setup::default() };
    let arena = TestArena::with(setup).await;
    let players = arena.match_up(FREE, ["alice", "bob"]).await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    players.run("h8 i9").await;
    let view = players.game().await;
    assert_eq!(view["game_limit_ms"], turn_ms);
    let left_ms = view["players"]["black"]["time_left_ms"].as_i64().unwrap();
    assert!((0..=i64::from(turn_ms) - 100).contains(&left_ms), "{view}");

    // Nobody asks any more: the message that the decision has sent ends it.
    let over = arena_support::eventually("the game is over", 60, || async {
        let game = arena.stored(&players.id).await;
        game.result().is_some().then_some(game)
    })
    .await;
    assert_eq!(over.result().unwrap().reason, arena::Reason::Timeout);
    let before = over.at(arena::TurnNumber(2));
    assert_eq!(before.deadline(), Some(before.last_at().plus(left_ms)));
    let view = players.game().await;
    assert_eq!(
        json!([view["counted"], view["players"]["black"]["time_left_ms"]]),
        json!([true, 0])
    );
    players.first.act(&players.id, 2, place("a1")).send().await.problem(409, "game_over");
    arena.finish().await;
}
