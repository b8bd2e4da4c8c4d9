//! Documents for agents and games as files. That every reply is as the OpenAPI document says is
//! checked by the client, in every conversation of these tests.

use std::collections::BTreeSet;

use arena_support::{Agent, Call, TARAGUCHI, TEN, TestArena};
use arena_wire::{Found, Route, routes};
use renju::notation::diagram::Diagram;
use renju::notation::{psq, sgf};
use serde_json::{Value, json};

#[tokio::test]
async fn every_route_answers_as_documented() {
    let arena = TestArena::start().await;
    let client = &arena.client;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let soosorv = arena.match_up("renju_soosorv8", ["carol", "dave"]).await;
    let eve = Agent::register(client, "eve").await;
    let (id, first) = (&players.id, &players.first);
    let by_turn = |agent: &Agent, turn: u64, verb: &str, mut body: Value| {
        body["turn_number"] = json!(turn);
        body["idempotency_key"] = json!(format!("key-{turn}"));
        agent.post(&format!("/games/{id}/{verb}")).json(&body)
    };
    let mut seen = BTreeSet::new();
    let mut ask = async |method: &str, path: &str, call: Call| {
        let Found::Route(route, _) = Route::find(method, path) else { panic!("{path}") };
        let reply = call.send().await;
        assert!([200, 201].contains(&reply.status), "{path} {}", reply.text());
        seen.insert(format!("{:?}", route.endpoint));
    };

    let call = client.post("/agents/register").json(&json!({"name": "frank"}));
    ask("POST", "/agents/register", call).await;
    ask("POST", "/queue/join", eve.post("/queue/join")).await;
    for path in ["/queue", "/agents/me"] {
        ask("GET", path, eve.get(path)).await;
    }
    ask("POST", "/queue/leave", eve.post("/queue/leave")).await;
    let path = "/agents/me/keys/previous";
    ask("DELETE", path, client.call("DELETE", path).key(&eve.key)).await;
    let body = json!({"bio": "plays"});
    ask("PATCH", "/agents/me", client.call("PATCH", "/agents/me").key(&eve.key).json(&body)).await;
    ask("POST", "/agents/me/keys/rotate", eve.post("/agents/me/keys/rotate")).await;
    ask("POST", &format!("/games/{id}/move"), by_turn(first, 0, "move", json!({"point": "h8"})))
        .await;
    let swap = by_turn(&players.second, 1, "swap", json!({"swap": false}));
    ask("POST", &format!("/games/{id}/swap"), swap).await;
    let game = players.run("g7 keep f8 keep e9 keep").await;
    let offer = by_turn(players.to_act(&game), 8, "offer10", json!({"candidates": TEN}));
    ask("POST", &format!("/games/{id}/offer10"), offer).await;
    let game = soosorv.run("h8 h9 i9 keep k8").await;
    let path = format!("/games/{}/declare", soosorv.id);
    let body = json!({"fifths": 2, "turn_number": 5, "idempotency_key": "declare"});
    ask("POST", &path, soosorv.to_act(&game).post(&path).json(&body)).await;
    let body = json!({"idempotency_key": "resign"});
    ask(
        "POST",
        &format!("/games/{id}/resign"),
        first.post(&format!("/games/{id}/resign")).json(&body),
    )
    .await;
    let body = json!({"moves": ["h8"], "point": "h9"});
    ask("POST", "/rules/check", client.post("/rules/check").json(&body)).await;
    let files = ["", "/text", ".svg", ".sgf", ".psq", ".txt", ".json", "/board.png"]
        .map(|end| format!("/games/{id}{end}"));
    let others = [
        "/games",
        "/games?status=finished",
        "/games/export.ndjson",
        "/agents/alice",
        "/agents/alice/games",
        "/agents/alice/games/export.ndjson",
        "/leaderboard",
        "/health",
        "/openapi.json",
        "/SKILL.md",
        "/REFERENCE.md",
        "/HEARTBEAT.md",
        "/skill.json",
        "/llms.txt",
        "/problems/busy",
        "/DUEL.md",
    ];
    for path in others.iter().map(|path| (*path).to_owned()).chain(files) {
        ask("GET", path.split('?').next().unwrap(), client.get(&path)).await;
    }
    let wanted = routes().filter(|route| !route.is_page());
    assert_eq!(seen, wanted.map(|route| format!("{:?}", route.endpoint)).collect());
    arena.finish().await;
}

#[tokio::test]
async fn documents_name_the_address_they_were_asked_for_at_and_are_sent_once() {
    let arena = TestArena::start().await;
    let base = arena.client.base();
    for (path, kind) in [
        ("/SKILL.md", "text/markdown; charset=utf-8"),
        ("/REFERENCE.md", "text/markdown; charset=utf-8"),
        ("/HEARTBEAT.md", "text/markdown; charset=utf-8"),
        ("/llms.txt", "text/plain; charset=utf-8"),
        ("/skill.json", "application/json"),
        ("/openapi.json", "application/json"),
    ] {
        let reply = arena.client.get(path).send().await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some(kind)), "{path}");
        assert!(reply.text().contains(&base), "{path}");
        assert_eq!(reply.header("cache-control"), Some("public, max-age=300"));
        let tag = reply.header("etag").unwrap();
        let again = arena.client.get(path).header("if-none-match", tag).send().await;
        assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag)));
        let head = arena.client.call("HEAD", path).send().await;
        assert_eq!((head.status, head.body.len(), head.header("etag")), (200, 0, Some(tag)));
    }
    arena.finish().await;
}

#[tokio::test]
async fn games_are_files_that_other_programs_read() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let file =
        async |end: &str| arena.client.get(&format!("/games/{}{end}", players.id)).send().await;
    players.run("h8 keep g7 swap").await;
    let live = file(".sgf").await;
    assert_eq!(live.header("cache-control"), Some("public, max-age=2"));
    assert!(!live.text().contains("RE["), "{}", live.text());

    players.run("f8 keep e9 keep d10 keep c11 resign").await;
    let reply = file(".sgf").await;
    assert_ne!(reply.header("etag"), live.header("etag"));
    assert_eq!(reply.header("content-type"), Some("application/x-go-sgf"));
    let name = format!("inline; filename=\"{}.sgf\"", players.id);
    assert_eq!(reply.header("content-disposition"), Some(name.as_str()));
    assert_eq!(reply.header("cache-control"), Some("public, max-age=604800, immutable"));
    let sheet = sgf::Sheet::read(reply.text(), &renju::Ruleset::ALL[0]).unwrap();
    assert_eq!(sheet.record.to_string(), "h8 keep g7 swap f8 keep e9 keep d10 keep c11");
    assert_eq!(sheet.result.map(|verdict| verdict.reason), Some("Resign".to_owned()));

    let sheet = psq::Sheet::read(file(".psq").await.text()).unwrap();
    assert_eq!(sheet.stones.len(), 6);
    let diagram = Diagram::read(file(".txt").await.text(), 15).unwrap();
    assert_eq!(diagram.board().stones(), 6);
    let game = file(".json").await;
    assert_eq!(game.ok()["result"]["reason"], "resignation");
    assert_eq!(file(".json").await.body, game.body, "a game that is over does not change");
    file(".xls").await.problem(404, "not_found");
    arena.client.get("/games/aaaaaaaaaaaaaaaa.sgf").send().await.problem(404, "not_found");
    arena.finish().await;
}

#[tokio::test]
async fn finished_games_are_exported_page_by_page() {
    let arena = TestArena::start().await;
    let mut wanted = Vec::new();
    for number in 0..3 {
        let names = [format!("a-{number}"), format!("b-{number}")];
        let players = arena.match_up("renju_free", [&names[0], &names[1]]).await;
        players.run("h8 resign").await;
        wanted.insert(0, players.id);
    }
    arena.match_up("renju_free", ["carol", "dave"]).await;
    let mut next = Some("/games/export.ndjson?ruleset=renju_free&limit=2".to_owned());
    let (mut found, mut pages) = (Vec::new(), 0);
    while let Some(path) = next {
        let reply = arena.client.get(&path).send().await;
        assert_eq!(reply.header("content-type"), Some("application/x-ndjson"));
        for line in reply.text().lines() {
            let game: Value = serde_json::from_str(line).unwrap();
            assert_eq!((&game["status"], &game["legal_moves"]), (&json!("over"), &Value::Null));
            found.push(game["game_id"].as_str().unwrap().to_owned());
        }
        pages += 1;
        next = reply.header("link").map(|link| {
            let (path, rel) = link.strip_prefix('<').unwrap().split_once('>').unwrap();
            assert_eq!(rel, "; rel=\"next\"");
            path.to_owned()
        });
    }
    assert_eq!((found, pages), (wanted, 2));
    let all = arena.client.get("/games/export.ndjson").send().await;
    assert_eq!(all.text().lines().count(), 3, "of every ruleset");
    let empty = arena.client.get("/games/export.ndjson?ruleset=gomoku_swap2").send().await;
    assert_eq!((empty.status, empty.text()), (200, ""));
    for query in ["limit=51", "ruleset=chess", "next=*", "status=live"] {
        let path = format!("/games/export.ndjson?{query}");
        arena.client.get(&path).send().await.problem(400, "malformed");
    }
    arena.finish().await;
}

#[tokio::test]
async fn scripts_of_other_origins_may_use_the_api() {
    let arena = TestArena::start().await;
    let client = &arena.client;
    for path in ["/health", "/nothing", "/agents/me"] {
        let reply = client.get(path).header("origin", "https://example.com").send().await;
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{path}");
        let reply = client.get(path).send().await;
        assert_eq!(reply.header("access-control-allow-origin"), None, "nobody asked at {path}");
    }
    // A cache may hand this one on to a page.
    let reply = client.get("/games").send().await;
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    // Parts of a page are for the page.
    for path in ["/", "/play", "/assets/style.css", "/assets/clock.js"] {
        let reply = client.get(path).header("origin", "https://example.com").send().await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("access-control-allow-origin"), None, "{path}");
    }
    let ask =
        |path: &str| client.call("OPTIONS", path).header("access-control-request-method", "POST");
    let reply = ask("/queue/join").send().await;
    assert_eq!((reply.status, reply.body.len()), (204, 0));
    assert_eq!(reply.header("access-control-allow-methods"), Some("POST"));
    assert!(reply.header("access-control-allow-headers").unwrap().contains("authorization"));
    assert_eq!(
        ask("/games").send().await.header("access-control-allow-methods"),
        Some("GET, HEAD")
    );
    ask("/nothing").send().await.problem(404, "not_found");
    let plain = client.call("OPTIONS", "/queue").send().await;
    assert_eq!((plain.status, plain.header("allow")), (204, Some("GET, HEAD")));
    assert_eq!(plain.header("access-control-allow-methods"), None);
    arena.finish().await;
}
