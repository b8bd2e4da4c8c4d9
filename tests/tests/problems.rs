//! Refusals: one shape, one stable code each, and the game wherever there is one.

use arena_support::{Agent, Setup, TARAGUCHI, TestArena, place};
use arena_wire::Code;
use serde_json::{Value, json};

#[tokio::test]
async fn what_is_not_there_and_what_is_not_allowed() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    let client = &arena.client;
    let nowhere = ["/nothing", "/games/", "/games/short", "/games/aaaaaaaaaaaaaaaa"];
    for path in
        nowhere.into_iter().chain(["/agents/nobody", "/agents/nobody/games", "/agents/a%20b"])
    {
        client.get(path).send().await.problem(404, "not_found");
    }
    let body = place("h8").body(0, "key");
    let reply = alice.post("/games/aaaaaaaaaaaaaaaa/move").json(&body).send().await;
    reply.problem(404, "not_found");
    let wrong = [("PUT", "/queue/join"), ("DELETE", "/games"), ("GET", "/queue/leave")];
    for (method, path) in wrong {
        client.call(method, path).send().await.problem(405, "method_not_allowed");
    }
    arena.finish().await;
}

#[tokio::test]
async fn a_method_that_is_not_allowed_names_those_that_are() {
    let arena = TestArena::start().await;
    let reply = arena.client.call("PUT", "/queue/join").send().await;
    let get = arena.client.get("/games/aaaaaaaaaaaaaaaa/move").send().await;
    arena.finish().await;
    reply.problem(405, "method_not_allowed");
    assert_eq!(reply.header("allow"), Some("POST"));
    assert_eq!(get.header("allow"), Some("POST"));
}

#[tokio::test]
async fn a_body_over_4_kb_is_refused_before_it_is_parsed() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let alice = &players.first;
    let paths = [
        "/agents/register".to_owned(),
        "/queue/join".to_owned(),
        "/rules/check".to_owned(),
        "/queue/leave".to_owned(),
        format!("/games/{}/move", players.id),
        format!("/games/{}/resign", players.id),
    ];
    for path in &paths {
        // Not JSON: it is not even looked at.
        let call = alice.post(path).header("content-type", "application/json");
        let problem = call.body("x".repeat(4_097)).send().await.problem(413, "payload_too_large");
        assert!(problem["detail"].as_str().unwrap().contains("4097"), "{problem}");
    }
    let call = alice.post("/rules/check").header("content-type", "application/json");
    call.body("x".repeat(4_096)).send().await.problem(400, "malformed");
    arena.finish().await;
}

#[tokio::test]
async fn a_request_that_cannot_be_understood_names_the_field_and_the_value() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let path = format!("/games/{}/move", players.id);
    let bad: [(Value, &str); 8] = [
        (json!({"turn_number": 0, "idempotency_key": "k"}), "point"),
        (json!({"point": "z99", "turn_number": 0, "idempotency_key": "k"}), "point"),
        (json!({"x": 7, "turn_number": 0, "idempotency_key": "k"}), "y"),
        (json!({"x": 7, "y": "7", "turn_number": 0, "idempotency_key": "k"}), "y"),
        (json!({"point": "h8", "idempotency_key": "k"}), "turn_number"),
        (json!({"point": "h8", "turn_number": -1, "idempotency_key": "k"}), "turn_number"),
        (json!({"point": "h8", "turn_number": 0}), "idempotency_key"),
        (json!({"point": "h8", "turn_number": 0, "idempotency_key": "k", "z": 1}), "z"),
    ];
    for (body, field) in bad {
        let problem = players.first.post(&path).json(&body).send().await.problem(400, "malformed");
        assert_eq!(problem["field"], field, "{body} {problem}");
    }
    for body in ["", "{", "[]", "null", "\"h8\"", "{\"point\":\"h8\"} x", "\u{feff}{}"] {
        let call = players.first.post(&path).header("content-type", "application/json").body(body);
        call.send().await.problem(400, "malformed");
    }
    let body = place("h8").body(0, "in-the-body");
    let call = players.first.post(&path).json(&body).header("idempotency-key", "in-the-header");
    call.send().await.problem(400, "malformed");
    let call = players.first.post(&path).body(body.to_string());
    call.header("content-type", "text/plain").send().await.problem(415, "unsupported_media_type");
    for query in ["limit=0x", "limit=101", "status=dead", "ruleset=chess", "page=2", "next=*"] {
        arena.client.get(&format!("/games?{query}")).send().await.problem(400, "malformed");
    }
    for name in ["", "ab", "-ab", "a b", "älice", &"a".repeat(33)] {
        let call = arena.client.post("/agents/register").json(&json!({ "name": name }));
        call.send().await.problem(400, "invalid_name");
    }
    // None of it has changed anything, and the header is as good as the field.
    let body = json!({"x": 7, "y": 7, "turn_number": 0});
    let call = players.first.post(&path).json(&body).header("idempotency-key", "k");
    assert_eq!(call.send().await.ok()["turn_number"], 1);
    let body = place("h8").body(0, "k");
    assert!(players.first.post(&path).json(&body).send().await.is_replay());
    arena.finish().await;
}

#[tokio::test]
async fn every_409_and_422_of_a_game_route_carries_the_game_as_it_is_now() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let [first, second] = [&players.first, &players.second];
    let id = &players.id;
    let occupied = |turn| first.act_with(id, turn, place("h8"), "again");
    first.act(id, 0, place("h8")).send().await.ok();
    let refused = [
        (occupied(0), 409, "turn_mismatch"),
        (first.act_with(id, 7, place("a1"), "k"), 409, "turn_mismatch"),
        (first.act_with(id, 1, arena_support::swap(true), "k"), 409, "not_your_turn"),
        (second.act_with(id, 1, place("i9"), "k"), 422, "illegal_move"),
        (second.act_with(id, 1, arena_support::offer(&["a1"; 10]), "k"), 422, "illegal_move"),
        (first.act(id, 0, place("i9")), 422, "idempotency_key_reused"),
    ];
    for (call, status, code) in refused {
        let problem = call.send().await.problem(status, code);
        let game = &problem["game"];
        assert_eq!((&game["game_id"], &game["turn_number"]), (&json!(id), &json!(1)), "{problem}");
        assert_eq!(game["phase"], "swap");
        assert!(game.get("legal_moves").is_none() && game["players"].is_object());
        assert!(game["you"].is_object(), "as its player sees it: {problem}");
    }
    // Lists are in it as they are asked for; a query that cannot be understood changes nothing.
    let path = format!("/games/{id}/move");
    let ask = |query: &str| second.post(&format!("{path}{query}")).json(&place("i9").body(1, "k"));
    let problem = ask("?legal=1&moves=0").send().await.problem(422, "illegal_move");
    assert!(problem["game"]["legal_moves"].is_array(), "{problem}");
    assert!(problem["game"].get("moves").is_none(), "{problem}");
    for query in ["?legal=2", "?moves=no", "?wait=20"] {
        ask(query).send().await.problem(400, "malformed");
    }
    // The very decision, under a forgotten key: refused, but the agent learns that it counts.
    let problem = occupied(0).send().await.problem(409, "turn_mismatch");
    assert_eq!(problem["already_applied"], true);

    first.resign(id).await.ok();
    for call in [
        second.act_with(id, 1, arena_support::swap(true), "k"),
        second.act_with(id, 9, arena_support::resign(), "r"),
    ] {
        let problem = call.send().await.problem(409, "game_over");
        assert_eq!(problem["game"]["result"]["reason"], "resignation");
    }
    arena.finish().await;
}

#[tokio::test]
async fn another_agents_game_can_be_watched_but_not_played() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let carol = Agent::register(&arena.client, "carol").await;
    assert_eq!(carol.game(&players.id).await["you"], Value::Null);
    carol.act(&players.id, 0, place("h8")).send().await.problem(403, "forbidden");
    let anonymous = carol.act(&players.id, 0, place("h8")).anonymous();
    anonymous.send().await.problem(401, "unauthenticated");
    assert_eq!(players.game().await["turn_number"], 0);
    arena.finish().await;
}

#[tokio::test]
async fn a_query_that_a_path_does_not_take_is_refused() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    for path in ["/agents/me", "/queue", "/health", "/agents/alice", "/openapi.json"] {
        let path = format!("{path}?colour=black");
        alice.get(&path).send().await.problem(400, "malformed");
    }
    alice.post("/queue/join?pool=fast").send().await.problem(400, "malformed");
    assert_eq!(alice.me().await["status"], "idle");
    arena.finish().await;
}

#[tokio::test]
async fn the_type_of_every_problem_can_be_looked_up() {
    let arena = TestArena::start().await;
    for code in Code::ALL {
        let view = arena.client.get(&format!("/problems/{}", code.code())).send().await.ok();
        assert_eq!(view["code"], code.code());
        assert_eq!(view["next"], code.next());
    }
    let missing = arena.client.get("/problems/boredom").send().await.problem(404, "not_found");
    let kind = arena.client.get(missing["type"].as_str().unwrap()).send().await.ok();
    assert_eq!(json!([kind["status"], kind["retryable"]]), json!([404, false]));
    arena.finish().await;
}

#[tokio::test]
async fn a_client_that_nears_its_limit_is_told_before_it_is_refused() {
    let setup = Setup { requests_per_second: 1, ..Setup::default() };
    let arena = TestArena::with(setup).await;
    let [alice] = arena.agents(["alice"]).await;
    let mut told = 0;
    for _ in 0..20 {
        let reply = alice.get("/agents/me").send().await;
        told += u32::from(reply.header("ratelimit-policy") == Some("\"key\";q=3;w=3"));
        if reply.status == 429 {
            assert_eq!(reply.header("ratelimit"), Some("\"key\";r=0;t=3"));
            break;
        }
    }
    assert!(told > 1, "told {told} times, before the refusal and with it");
    arena.finish().await;
}
