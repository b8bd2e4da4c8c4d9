//! Deadlines: enforced by the referee, by whoever looks, by the sweep; never twice and never early.

use std::time::Duration;

use arena_protocol::{Backend, Read};
use arena_support::{Setup, TestArena, place};
use serde_json::json;

fn hasty() -> Setup {
    // Long enough for a decision to be made in time on a busy machine.
    Setup { turn_ms: Some(4_000), grace_ms: 300, ..Setup::default() }
}

#[tokio::test]
async fn a_timeout_is_enforced_by_the_sqs_referee_without_anybody_polling() {
    let arena = TestArena::with(hasty()).await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    players.run("h8 i9 a1").await;
    // Looked at past all functions, so that no look can be what ends it.
    let game = arena_support::eventually("the referee ends the game", 60, || async {
        let game = arena.stored(&players.id).await;
        game.result().is_some().then_some(game)
    })
    .await;
    assert_eq!(game.log().last().unwrap().action, arena::Action::Timeout);
    let took_ms = i64::from(game.log().last().unwrap().elapsed) * 10;
    assert!(took_ms >= 4_300, "{took_ms} ms");
    let shown = players.game().await;
    assert_eq!(shown["result"]["reason"], "timeout");
    assert_eq!(shown["result"]["winner_name"], players.first.name);
    assert_eq!(arena.results(&players.second, "renju_free").await, [0, 1, 0]);
    arena.finish().await;
}

#[tokio::test]
async fn without_messages_whoever_polls_enforces_the_timeout() {
    let arena = TestArena::with(Setup { messages: false, ..hasty() }).await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let game = players.run("h8 i9 a1").await;
    let deadline = game["turn_deadline_ms"].as_i64().unwrap();
    sleep_until(deadline + 310).await;
    let stored = arena.stored(&players.id).await;
    assert_eq!(stored.result(), None, "nobody has looked yet");
    let seen = players.game().await;
    assert_eq!((&seen["status"], &seen["result"]["reason"]), (&json!("over"), &json!("timeout")));
    assert_eq!(seen["moves"][3]["kind"], "timeout");
    assert_eq!(players.game().await["moves"], seen["moves"], "once");
    arena.finish().await;
}

#[tokio::test]
async fn a_move_after_the_deadline_is_refused_and_shown_the_game() {
    let setup = Setup { grace_ms: 60_000, messages: false, ..hasty() };
    let arena = TestArena::with(setup).await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let game = players.run("h8 i9").await;
    let deadline = game["turn_deadline_ms"].as_i64().unwrap();
    // The way through the gateway is allowed for; the clock itself is not extended.
    sleep_until(deadline + 1_100).await;
    let problem = players.call(&game, place("a1")).send().await.problem(409, "deadline_passed");
    assert_eq!(problem["game"]["turn_number"], 2);
    assert_eq!(problem["game"]["turn_remaining_ms"], 0);
    assert_eq!(players.game().await["turn_number"], 2);
    arena.finish().await;
}

#[tokio::test]
async fn a_no_show_is_unrated_and_keeps_the_absentee_from_the_queue_for_a_while() {
    let arena = TestArena::with(hasty()).await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    players.run("h8").await;
    let game = players.over(60).await;
    assert_eq!(game["result"]["reason"], "no_show");
    assert_eq!(json!([game["result"]["winner"], game["result"]["rated"]]), json!([null, false]));
    for agent in [&players.first, &players.second] {
        assert_eq!(arena.results(agent, "renju_free").await, [0, 0, 0]);
    }
    let reply = players.second.post("/queue/join").json(&json!({})).send().await;
    let problem = reply.problem(429, "cooling_down");
    let wait = problem["retry_after_ms"].as_i64().unwrap();
    assert!((1..=60_000).contains(&wait), "{problem}");
    let me = players.second.me().await;
    assert_eq!(me["status"], "idle");
    assert!(me["cool_down_until"].is_string(), "{me}");
    // Whoever did show up may go on at once.
    assert_eq!(players.first.join("renju_free").await["status"], "queued");
    arena.finish().await;
}

#[tokio::test]
async fn the_sweep_ends_what_every_timer_message_was_lost_for() {
    let arena = TestArena::with(Setup { messages: false, ..hasty() }).await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let game = players.run("h8 i9").await;
    sleep_until(game["turn_deadline_ms"].as_i64().unwrap() + 320).await;
    assert_eq!(arena.deliver(&["sweep"]).await, [0_usize; 0]);
    let stored = arena.stored(&players.id).await;
    assert_eq!(stored.log().last().unwrap().action, arena::Action::Timeout);
    let audit = arena.finish().await;
    assert!(audit.heartbeat.is_some());
}

#[tokio::test]
async fn doubled_late_and_garbage_messages_change_nothing() {
    let arena = TestArena::start().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let before = players.run("h8 i9 a1").await;
    let id = players.id.parse().unwrap();
    let stored = arena.store().game(id, Read::Strong).await.unwrap();
    let timer = arena.timer_of(&players.id).await;
    let (name, fire) = timer.rsplit_once(' ').unwrap();
    let fire: i64 = fire.parse().unwrap();
    let harmless = [
        format!("{name} {}", fire - 5),
        format!("{name} {}", fire + 5),
        format!("timer aaaaaaaaaaaaaaaa {}", arena_support::now_ms() - 200_000),
        "match renju_free/standard 0".to_owned(),
        "match renju_free/standard 0".to_owned(),
        "match renju_free/slow 200".to_owned(),
        "sweep".to_owned(),
        "sweep".to_owned(),
    ];
    let messages: Vec<&str> = harmless.iter().map(String::as_str).collect();
    assert_eq!(arena.deliver(&messages).await, [0_usize; 0], "all are dropped");
    let garbage = ["", "x", "timer", "timer x y", "match a/b c", "{\"k\":1}", "\u{1F600} sweep"];
    assert_eq!(arena.deliver(&garbage).await.len(), garbage.len(), "on to the dead letters");
    let young = format!("timer aaaaaaaaaaaaaaaa {}", arena_support::now_ms());
    assert_eq!(arena.deliver(&[&young]).await, [0], "it may be about to exist");
    assert_eq!(arena.store().game(id, Read::Strong).await.unwrap(), stored);

    // The same through SQS itself, to the end of which a real nudge still works.
    for body in messages.iter().chain(&garbage[1..]) {
        arena.send(body).await;
        arena.send(body).await;
    }
    let [carol, dave] = arena.agents(["carol", "dave"]).await;
    carol.join("renju_free").await;
    dave.join("renju_free").await;
    arena_support::eventually("the queue still works", 60, || async {
        (carol.me().await["status"] == "playing").then_some(())
    })
    .await;
    assert_eq!(arena.store().game(id, Read::Strong).await.unwrap(), stored);
    assert_eq!(players.game().await["moves"], before["moves"]);
    arena.finish().await;
}

#[tokio::test]
async fn a_timer_that_fires_early_moves_its_chain_on_and_a_doubled_one_ends() {
    let arena = TestArena::start().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let first = arena.timer_of(&players.id).await;
    assert_eq!(arena.deliver(&[&first, &first, &first]).await, [0_usize; 0]);
    let second = arena.timer_of(&players.id).await;
    assert_ne!(first, second);
    arena.deliver(&[&first, &first]).await;
    assert_eq!(arena.timer_of(&players.id).await, second, "an old link is dropped");
    let game = arena.stored(&players.id).await;
    assert_eq!(game.log().len(), 0);
    arena.finish().await;
}

async fn sleep_until(ms: i64) {
    let left = (ms - arena_support::now_ms()).max(0) as u64;
    tokio::time::sleep(Duration::from_millis(left)).await;
}

/// A decision counts as received when the gateway received it, however long the function took to
/// start; what the client claims in a header does not matter.
#[tokio::test]
async fn a_decision_is_in_time_by_the_gateways_clock() {
    use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequestContext;
    use lambda_http::request::RequestContext;
    use lambda_http::{Body, RequestExt};

    let arena = TestArena::with(Setup { grace_ms: 60_000, messages: false, ..hasty() }).await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let game = players.run("h8 i9").await;
    let deadline = game["turn_deadline_ms"].as_i64().unwrap();
    sleep_until(deadline + 1_100).await;
    let send = async |received_ms: i64| {
        let body = json!({"point": "a1", "turn_number": 2, "idempotency_key": "late"}).to_string();
        let mut request = lambda_http::Request::new(Body::Text(body));
        *request.method_mut() = lambda_http::http::Method::POST;
        let key = format!("Bearer {}", players.first.key);
        request.headers_mut().insert("authorization", key.parse().unwrap());
        request.headers_mut().insert("content-type", "application/json".parse().unwrap());
        let mut context = ApiGatewayV2httpRequestContext::default();
        context.time_epoch = received_ms;
        let request = request
            .with_raw_http_path(format!("/games/{}/move", players.id))
            .with_request_context(RequestContext::ApiGatewayV2(context));
        arena_lambda::answer(arena.context().clone(), request, arena_move::handle).await.status()
    };
    assert_eq!(send(deadline + 1_100).await, 409);
    assert_eq!(send(deadline).await, 200);
    arena.finish().await;
}
