//! Waiting for an opponent.

use arena_protocol::{Backend, commit};
use arena_support::{Agent, Match, Setup, TARAGUCHI, TestArena, now_ms};
use serde_json::json;

#[tokio::test]
async fn joining_twice_is_joining_once_and_leaving_twice_is_leaving_once() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    assert_eq!(alice.me().await["status"], "idle");
    let first = alice.join(TARAGUCHI).await;
    assert_eq!((&first["status"], &first["ticket"]), (&json!("queued"), &json!("t_alice_1")));
    let again = alice.join(TARAGUCHI).await;
    assert_eq!(
        json!([again["ticket"], again["queued_since"]]),
        json!([first["ticket"], first["queued_since"]])
    );
    // Even for another queue: leave first.
    let other = alice.join("renju_free").await;
    assert_eq!((&other["ticket"], &other["ruleset"]), (&first["ticket"], &json!(TARAGUCHI)));
    let look = alice.get("/queue").send().await;
    assert_eq!(look.header("retry-after"), Some("2"));
    assert_eq!(look.ok()["ticket"], first["ticket"]);

    for _ in 0..2 {
        let left = alice.post("/queue/leave").send().await.ok();
        assert_eq!((&left["status"], &left["ticket"]), (&json!("idle"), &json!(null)));
    }
    let rejoined = alice.join("renju_free").await;
    assert_eq!(rejoined["ticket"], "t_alice_2");
    assert_eq!(rejoined["ruleset"], "renju_free");
    let audit = arena.finish().await;
    assert_eq!((audit.waiting, audit.live), (1, 0));
}

#[tokio::test]
async fn whoever_has_left_is_not_matched() {
    let arena = TestArena::start().await;
    let [alice, bob, carol] = arena.agents(["alice", "bob", "carol"]).await;
    alice.join(TARAGUCHI).await;
    alice.post("/queue/leave").send().await.ok();
    bob.join(TARAGUCHI).await;
    arena.pair(TARAGUCHI).await;
    assert_eq!(bob.me().await["status"], "queued");
    carol.join(TARAGUCHI).await;
    arena.pair(TARAGUCHI).await;
    let players = Match::of([bob, carol]).await;
    assert_eq!(alice.me().await["status"], "idle");
    // Leaving does not end a game that has started, nor does joining start another.
    let left = players.first.post("/queue/leave").send().await.ok();
    assert_eq!((&left["status"], &left["active_game"]), (&json!("playing"), &json!(players.id)));
    let joined = players.second.join("renju_free").await;
    assert_eq!(json!([joined["status"], joined["active_game"]]), json!(["playing", players.id]));
    arena.finish().await;
}

#[tokio::test]
async fn a_late_repetition_of_a_join_does_not_queue_an_agent_that_has_played_since() {
    let arena = TestArena::start().await;
    let [alice, bob] = arena.agents(["alice", "bob"]).await;
    let join = |agent: &Agent, key: &str| {
        let body = json!({"ruleset": "renju_free", "idempotency_key": key});
        agent.post("/queue/join").json(&body)
    };
    assert_eq!(join(&alice, "j1").send().await.ok()["ticket"], "t_alice_1");
    assert_eq!(join(&alice, "j1").send().await.ok()["ticket"], "t_alice_1");
    bob.join("renju_free").await;
    arena.pair("renju_free").await;
    let players = Match::of([alice.clone(), bob]).await;
    assert_eq!(join(&alice, "j1").send().await.ok()["active_game"], players.id);
    players.run("h8 resign").await;
    let spent = join(&alice, "j1").send().await.ok();
    assert_eq!((&spent["status"], &spent["ticket"]), (&json!("idle"), &json!("t_alice_1")));
    assert_eq!(alice.me().await["status"], "idle");
    assert_eq!(join(&alice, "j2").send().await.ok()["status"], "queued");
    arena.finish().await;
}

#[tokio::test]
async fn a_join_is_matched_by_its_message_alone() {
    let arena = TestArena::start().await;
    let [alice, bob] = arena.agents(["alice", "bob"]).await;
    alice.join(TARAGUCHI).await;
    bob.join(TARAGUCHI).await;
    arena_support::eventually("both are matched", 60, || async {
        (bob.me().await["status"] == "playing").then_some(())
    })
    .await;
    let players = Match::of([alice, bob]).await;
    assert_eq!(players.game().await["pool"], "standard");
    arena.finish().await;
}

#[tokio::test]
async fn who_waits_for_a_game_is_answered_when_there_is_one() {
    let setup = Setup { messages: false, wait_ms_max: 25_000, ..Setup::default() };
    let arena = TestArena::with(setup).await;
    let [alice, bob] = arena.agents(["alice", "bob"]).await;
    let idle = alice.get("/queue?wait=9").send().await.ok();
    assert_eq!(idle["status"], "idle", "there is nothing to wait for");
    alice.join("renju_free").await;
    let still = alice.get("/queue?wait=1").send().await.ok();
    assert_eq!(still["status"], "queued");
    let waiting = alice.get("/queue?wait=25");
    let seated = async {
        bob.join("renju_free").await;
        arena.pair("renju_free").await;
    };
    let answered = async { (waiting.send().await, now_ms()) };
    let ((answer, at), ()) = tokio::join!(answered, seated);
    let answer = answer.ok();
    assert_eq!(answer["status"], "playing");
    let game = arena.stored(answer["active_game"].as_str().unwrap()).await;
    let late_ms = at - game.header().created.ms();
    assert!(late_ms < 8_000, "it waited {late_ms} ms longer than it had to");
    alice.get("/queue?wait=soon").send().await.problem(400, "malformed");
    assert_eq!(arena.context().waiting(), 0);
    arena.finish().await;
}

#[tokio::test]
async fn divisions_and_owners_are_kept_apart() {
    let arena = TestArena::start().await;
    let [alice, bob] = arena.agents(["alice", "bob"]).await;
    alice.join("renju_free").await;
    bob.post("/queue/join")
        .json(&json!({"ruleset": "renju_free", "pool": "fast"}))
        .send()
        .await
        .ok();
    arena.deliver(&["match renju_free/standard 0", "match renju_free/fast 0"]).await;
    assert_eq!(alice.me().await["status"], "queued");
    assert_eq!(bob.me().await["pool"], "fast");

    let mut siblings = Vec::new();
    for name in ["twin-1", "twin-2"] {
        let body = json!({"name": name, "owner": "one-house"});
        let view = arena.client.post("/agents/register").json(&body).send().await.expect(201);
        let agent = Agent::with_key(&arena.client, name, view["api_key"].as_str().unwrap());
        agent.join("gomoku_freestyle").await;
        siblings.push(agent);
    }
    arena.pair("gomoku_freestyle").await;
    for agent in &siblings {
        assert_eq!(agent.me().await["status"], "queued");
        let public = arena.client.get(&format!("/agents/{}", agent.name)).send().await;
        assert!(!public.text().contains("one-house"), "the owner is nobody else's business");
    }
    arena.finish().await;
}

#[tokio::test]
async fn an_unrated_game_is_played_by_two_who_want_it_and_changes_no_rating() {
    let arena = TestArena::start().await;
    let [alice, bob, carol] = arena.agents(["alice", "bob", "carol"]).await;
    let unrated = json!({"ruleset": "renju_free", "rated": false});
    for agent in [&alice, &bob] {
        let queued = agent.post("/queue/join").json(&unrated).send().await.ok();
        assert_eq!((&queued["status"], &queued["rated"]), (&json!("queued"), &json!(false)));
        if agent.name == "alice" {
            assert_eq!(carol.join("renju_free").await["rated"], true);
            arena.pair("renju_free").await;
            assert_eq!(carol.me().await["status"], "queued", "the two want different games");
        }
    }
    arena.pair("renju_free").await;
    assert_eq!(carol.me().await["status"], "queued");
    let players = Match::of([alice.clone(), bob]).await;
    assert_eq!(alice.me().await["rated"], false);
    players.run("h8 i9 j10 k11 resign").await;
    let game = players.game().await;
    assert_eq!(json!([game["counted"], game["why"]]), json!([false, "unrated"]));
    let me = alice.me().await;
    assert_eq!((&me["status"], &me["ratings"]), (&json!("idle"), &json!([])));
    assert_eq!(alice.join("renju_free").await["status"], "queued", "it is free at once");
    let audit = arena.finish().await;
    assert_eq!((audit.standings, audit.finished), (0, 1));
}

#[tokio::test]
async fn an_agent_whose_last_game_was_deleted_plays_again_and_keeps_its_key_safe() {
    let arena = TestArena::start().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let games = &arena.store().config().games_table;
    let key = aws_sdk_dynamodb::types::AttributeValue::S(players.id.clone());
    let delete = arena.access().dynamodb().delete_item().table_name(games).key("pk", key);
    delete.send().await.unwrap();

    players.first.get(&format!("/games/{}", players.id)).send().await.problem(404, "not_found");
    assert_eq!(players.first.me().await["status"], "idle");
    let rotated = players.first.post("/agents/me/keys/rotate").send().await.ok();
    let key = rotated["api_key"].as_str().unwrap();
    let first = Agent::with_key(&arena.client, &players.first.name, key);
    let again = arena.seat("renju_free", [first, players.second]).await;
    assert_ne!(again.id, players.id);
    again.run("h8 resign").await;
    arena.finish().await;
}

#[tokio::test]
async fn a_late_repetition_of_a_leave_does_not_give_up_the_next_ticket() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    let leave = alice.post("/queue/leave").json(&json!({"ticket": "t_alice_1"}));
    alice.join(TARAGUCHI).await;
    assert_eq!(leave.send().await.ok()["status"], "idle");
    alice.join(TARAGUCHI).await;
    let again = leave.send().await.ok();
    assert_eq!((&again["status"], &again["ticket"]), (&json!("queued"), &json!("t_alice_2")));
    arena.finish().await;
}

#[tokio::test]
async fn asking_prolongs_a_ticket_that_is_about_to_run_out() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    alice.join(TARAGUCHI).await;
    let name: arena::AgentName = "alice".parse().unwrap();
    let until = async || {
        let stored = arena.store().agent(&name).await.unwrap().unwrap();
        stored.waiting.unwrap().until
    };
    for path in ["/queue", "/agents/me"] {
        let soon = arena_store::now().plus(120_000);
        let write =
            arena::Write::Refresh { agent: name.clone(), epoch: 1, until: soon, expires: None };
        let plan = arena::Plan { messages: Vec::new(), writes: vec![write] };
        commit(arena.store(), &plan).await.unwrap();
        assert_eq!(until().await, soon);
        alice.get(path).send().await.ok();
        assert!(until().await.since(soon) > arena::TICKET_MS / 2, "{path}");
    }
    arena.finish().await;
}

#[tokio::test]
async fn who_still_waits_and_asks_gets_another_look_once() {
    let arena = TestArena::with(Setup { messages: false, ..Setup::default() }).await;
    let [alice] = arena.agents(["alice"]).await;
    arena.join_since(&alice, TARAGUCHI, arena_store::now().plus(-6_000)).await;
    let sent = || arena.context().store.meter().of("send").messages;
    let before = sent();
    for path in ["/queue", "/agents/me", "/queue"] {
        assert_eq!(alice.get(path).send().await.ok()["status"], "queued");
    }
    assert_eq!(sent() - before, 1, "however often it asks");
    arena.finish().await;
}
