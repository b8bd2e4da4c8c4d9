//! Looking at a game: tags, waiting, formats.

use std::time::{Duration, Instant};

use arena_support::{QUIET_OPENING, Setup, TARAGUCHI, TestArena, place};
use serde_json::{Value, json};

#[tokio::test]
async fn a_tag_saves_whoever_has_seen_this_turn_the_body() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let path = format!("/games/{}", players.id);
    let look = players.second.get(&path).send().await;
    let tag = look.header("etag").unwrap().to_owned();
    let retry: i64 = look.header("retry-after").unwrap().parse().unwrap();
    let game = look.ok();
    assert_eq!(retry, (game["poll_after_ms"].as_i64().unwrap() + 999) / 1_000);
    assert!(retry >= 1, "it is not this player's turn");
    let again = players.second.get(&path).header("if-none-match", &tag).send().await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(again.header("etag"), Some(tag.as_str()));
    assert!(again.header("retry-after").is_some());
    let listed = format!("\"other\", {}", tag.trim_start_matches("W/"));
    let again = players.second.get(&path).header("if-none-match", &listed).send().await;
    assert_eq!(again.status, 304, "as a cache may send it");
    // Another viewer sees another thing.
    let first = players.first.get(&path).header("if-none-match", &tag).send().await;
    assert_eq!(first.header("retry-after"), Some("0"));
    assert_eq!(first.ok()["you"]["name"], players.first.name);
    assert_eq!(players.spectator().header("if-none-match", &tag).send().await.status, 200);

    players.run("h8").await;
    let news = players.second.get(&path).header("if-none-match", &tag).send().await;
    assert_ne!(news.header("etag"), Some(tag.as_str()));
    assert_eq!(news.ok()["turn_number"], 1);
    arena.finish().await;
}

#[tokio::test]
async fn a_waiting_poll_returns_early_on_news_and_late_without() {
    // Whoever waits an hour and is answered within a test has been answered early.
    let arena = TestArena::with(Setup { wait_ms_max: 3_600_000, ..Setup::default() }).await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let path = format!("/games/{}?wait=3600", players.id);
    // It is the first player's turn: that is news to it.
    players.first.get(&path).send().await.ok();

    let waiting = players.second.get(&path);
    let waiting = tokio::spawn(async move { waiting.send().await });
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert!(!waiting.is_finished());
    players.run("h8").await;
    let game = waiting.await.unwrap().ok();
    assert_eq!((&game["turn_number"], &game["to_act"]), (&json!(1), &game["you"]));

    // Nothing happens: the answer comes when time is up, as 304 to whoever knows the turn.
    let path = format!("/games/{}?wait=1", players.id);
    let tag = players.first.get(&path).send().await.header("etag").unwrap().to_owned();
    let start = Instant::now();
    let reply = players.first.get(&path).header("if-none-match", &tag).send().await;
    assert_eq!(reply.status, 304);
    assert!((1..8).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    arena.finish().await;
}

#[tokio::test]
async fn a_poll_waits_no_longer_than_the_deployment_allows() {
    let arena = TestArena::with(Setup { wait_ms_max: 100, ..Setup::default() }).await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let start = Instant::now();
    players.second.get(&format!("/games/{}?wait=20", players.id)).send().await.ok();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    arena.finish().await;
}

#[tokio::test]
async fn a_game_is_shown_as_text_and_without_its_lists_on_request() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    players.run(QUIET_OPENING).await;
    let full = players.game().await;
    assert_eq!(full["legal_moves"].as_array().unwrap().len(), 77);
    assert_eq!(full["legal_moves"][0].as_object().unwrap().keys().len(), 3, "x, y and name");
    let brief = players.first.get(&format!("/games/{}?legal=0", players.id)).send().await.ok();
    assert_eq!(brief.get("legal_moves"), None);
    assert_eq!(brief["board"], full["board"]);
    let to_act = players.to_act(&full);
    let least = "legal=0&moves=0&schema=0";
    let view = to_act.get(&format!("/games/{}?{least}", players.id)).send().await.ok();
    assert!(view.get("moves").is_none() && view["required_action"].get("schema").is_none());
    assert!(view["required_action"]["example"].is_object(), "{view}");

    let text = arena.client.get(&format!("/games/{}?format=text", players.id)).send().await;
    assert_eq!(
        (text.status, text.header("content-type")),
        (200, Some("text/plain; charset=utf-8"))
    );
    let page = text.text();
    assert!(page.contains("alice") && page.contains("bob") && page.contains(&players.id), "{page}");
    let rank =
        |number: &str| page.lines().find(|line| line.trim_start().starts_with(number)).unwrap();
    assert_eq!(rank("8 ").matches(['x', 'X']).count(), 2, "{page}");
    assert_eq!(rank("7 ").matches(['o', 'O']).count(), 1, "{page}");
    arena.finish().await;
}

#[tokio::test]
async fn spectators_see_no_secret_and_no_required_action() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    players.run("h8").await;
    let reply = players.spectator().send().await;
    assert!(!reply.text().contains("alice-0"), "idempotency keys are not shown");
    for agent in [&players.first, &players.second] {
        assert!(!reply.text().contains(&agent.key));
    }
    let game = reply.ok();
    assert_eq!((&game["you"], &game["required_action"]), (&Value::Null, &Value::Null));
    arena.finish().await;
}

#[tokio::test]
async fn the_referee_as_a_service_proves_its_verdict() {
    let arena = TestArena::start().await;
    let ask = |body: Value| {
        let call = arena.client.post("/rules/check").json(&body);
        async move { call.send().await.ok() }
    };
    let moves = ["h8", "a1", "j8", "c1", "i9", "e1", "i10", "g1"];
    let view = ask(json!({"ruleset": "renju_free", "moves": moves, "point": "i8"})).await;
    let verdict = &view["verdict"];
    assert_eq!(
        json!([verdict["legal"], verdict["outcome"]["reason"]]),
        json!([false, "double_three"])
    );
    let proof = &verdict["explanation"];
    assert_eq!(proof["verdict"], "double_three");
    assert!(proof["text"].as_str().unwrap().contains("i8"), "{proof}");
    for three in proof["threes"].as_array().unwrap() {
        assert!(!three["straight_fours"].as_array().unwrap().is_empty());
    }
    assert_eq!(
        view["forbidden_moves"],
        json!([{"x": 8, "y": 7, "name": "i8", "kind": "double_three"}])
    );

    let view = ask(json!({"moves": ["h8", "keep", "a1"]})).await;
    assert_eq!((&view["ruleset"], &view["illegal"]["turn_number"]), (&json!(TARAGUCHI), &json!(2)));
    assert_eq!(view["illegal"]["reason"], "outside_area");
    assert_eq!(view["move_number"], 1);
    let reply = arena.client.post("/rules/check").json(&json!({"ruleset": "chess", "moves": []}));
    assert_eq!(reply.send().await.problem(400, "malformed")["field"], "ruleset");
    arena.finish().await;
}

#[tokio::test]
async fn points_come_in_either_form_and_go_out_in_both() {
    let arena = TestArena::start().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let path = format!("/games/{}/move", players.id);
    let bodies =
        [json!({"x": 7, "y": 7}), json!({"point": "I9"}), json!({"x": 0, "y": 0, "name": "a1"})];
    for (turn, mut body) in bodies.into_iter().enumerate() {
        body["turn_number"] = json!(turn);
        body["idempotency_key"] = json!(format!("k{turn}"));
        let agent = if turn % 2 == 0 { &players.first } else { &players.second };
        agent.post(&path).json(&body).send().await.ok();
    }
    let game = players.game().await;
    let points: Vec<&Value> = (0..3).map(|turn| &game["moves"][turn]["point"]).collect();
    let point = |x: u8, y: u8, name: &str| json!({"x": x, "y": y, "name": name});
    assert_eq!(points, [&point(7, 7, "h8"), &point(8, 8, "i9"), &point(0, 0, "a1")]);
    assert_eq!(game["board"][14], "x..............", "rank 1 is the last");
    let taken = players.call(&game, place("H8")).send().await.problem(422, "illegal_move");
    assert_eq!(json!([taken["reason"], taken["detail"]]), json!(["occupied", "h8 is occupied"]));
    arena.finish().await;
}

#[tokio::test]
async fn who_has_seen_a_turn_is_never_shown_an_older_one() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let strong = || arena.context().store.meter().of("game_now").calls;
    let look = async |seen: u32| {
        let tag = format!("W/\"{}-{seen}-second\"", players.id);
        let before = strong();
        let call = players.second.get(&format!("/games/{}", players.id));
        call.header("if-none-match", &tag).send().await;
        strong() - before
    };
    assert_eq!(look(0).await, 0, "a cheap read shows what it has seen");
    assert_eq!(look(1).await, 1, "it may know more than a cheap read shows: read again, strongly");
    arena.finish().await;
}
