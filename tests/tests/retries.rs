//! Repetitions: of a request whose reply was lost, of a key for something else.

use arena_support::{QUIET_OPENING, TARAGUCHI, TestArena, Trouble, place};
use serde_json::json;

#[tokio::test]
async fn a_lost_reply_after_a_committed_write_is_given_again_to_whoever_asks_again() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let call = players.first.act(&players.id, 0, place("h8"));
    call.send_and_hang_up().await;
    arena_support::eventually("the write is made", 60, || async {
        (players.game().await["turn_number"] == 1).then_some(())
    })
    .await;
    // The opponent has moved on by the time the agent asks again.
    players.run("swap g7").await;
    let again = call.send().await;
    assert!(again.is_replay());
    let game = again.ok();
    assert_eq!((&game["turn_number"], &game["phase"]), (&json!(1), &json!("swap")));
    assert_eq!(game["you"]["color"], "black", "as it was before the swap");
    arena.finish().await;
}

#[tokio::test]
async fn an_ambiguous_write_is_answered_200_and_the_decision_is_recorded_once() {
    let arena = TestArena::start().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let troubles = [
        ("UpdateItem", Trouble::LoseReply, 1),
        ("UpdateItem", Trouble::Lose, 1),
        ("UpdateItem", Trouble::Fail, 1),
        ("UpdateItem", Trouble::Throttle, 1),
        // Two in a row are made good by the third attempt.
        ("UpdateItem", Trouble::LoseReply, 2),
        ("UpdateItem", Trouble::Fail, 2),
        ("UpdateItem", Trouble::Throttle, 2),
        ("UpdateItem", Trouble::Conflict, 3),
        ("GetItem", Trouble::LoseReply, 1),
        ("GetItem", Trouble::Fail, 1),
        ("GetItem", Trouble::Nothing, 1),
    ];
    let mut game = players.game().await;
    for (turn, (operation, trouble, times)) in troubles.into_iter().enumerate() {
        let why = format!("{trouble:?} {times} times on {operation}");
        arena.dynamodb.expect(operation, trouble, times);
        let call = players.call(&game, place(&format!("a{}", turn + 1)));
        game = call.send().await.ok();
        assert_eq!((arena.dynamodb.left(), &game["turn_number"]), (0, &json!(turn + 1)), "{why}");
        let again = call.send().await;
        assert!(again.is_replay() && again.json() == game, "{why}");
        assert_eq!(players.game().await["turn_number"], turn + 1, "{why}");
    }
    // The end of a game: one transaction, whatever happens to it.
    arena.dynamodb.expect("TransactWriteItems", Trouble::LoseReply, 1);
    arena.dynamodb.expect("TransactWriteItems", Trouble::Cancel, 2);
    let reply = players.first.resign(&players.id).await;
    assert_eq!(reply.ok()["result"]["reason"], "resignation");
    arena.dynamodb.end();
    assert_eq!(arena.results(&players.first, "renju_free").await, [0, 1, 0]);
    assert_eq!(arena.results(&players.second, "renju_free").await, [1, 0, 0]);
    arena.finish().await;
}

#[tokio::test]
async fn when_every_attempt_fails_the_agent_is_told_to_repeat_and_the_repetition_counts_once() {
    let arena = TestArena::start().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let call = players.first.act(&players.id, 0, place("h8"));
    arena.dynamodb.expect("UpdateItem", Trouble::LoseReply, 3);
    let problem = call.send().await.problem(503, "busy");
    assert_eq!(problem["retryable"], true);
    arena.dynamodb.end();
    let reply = call.send().await;
    assert!(reply.is_replay(), "the first attempt had been written");
    assert_eq!(reply.ok()["turn_number"], 1);

    let call = players.second.act(&players.id, 1, place("i9"));
    arena.dynamodb.expect("UpdateItem", Trouble::Throttle, 3);
    call.send().await.problem(503, "busy");
    arena.dynamodb.end();
    let reply = call.send().await;
    assert!(!reply.is_replay(), "nothing had been written");
    assert_eq!(reply.ok()["turn_number"], 2);
    arena.finish().await;
}

#[tokio::test]
async fn the_same_key_with_another_body_is_422_on_the_read_path_and_nothing_changes() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let before = players.run(QUIET_OPENING).await;
    let agent = players.to_act(&before).clone();
    agent.act_with(&players.id, 8, place("l5"), "once").send().await.ok();
    let others = [
        agent.act_with(&players.id, 8, place("l6"), "once"),
        agent.act_with(&players.id, 9, place("l5"), "once"),
        agent.act_with(&players.id, 8, arena_support::swap(true), "once"),
        agent.act_with(&players.id, 8, arena_support::resign(), "once"),
    ];
    for call in &others {
        let problem = call.send().await.problem(422, "idempotency_key_reused");
        assert_eq!(problem["game"]["turn_number"], 9);
    }
    // A key of one agent is not a key of another.
    players
        .other(&agent)
        .act_with(&players.id, 9, arena_support::swap(false), "once")
        .send()
        .await
        .ok();
    // Nor does the end of the game change what a key was used for.
    players.run("resign").await;
    for call in others {
        call.send().await.problem(422, "idempotency_key_reused");
    }
    arena.finish().await;
}
