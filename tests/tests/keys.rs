//! API keys: shown once, replaced with an overlap, never told to anybody.

use arena::{KeyHash, Plan, Timestamp, Write};
use arena_protocol::{Backend, commit};
use arena_support::{Agent, Setup, TARAGUCHI, TestArena, Trouble, now_ms, place};
use serde_json::{Value, json};

#[tokio::test]
async fn an_old_key_overlaps_with_the_new_one_until_it_is_revoked_also_in_mid_game() {
    let arena = TestArena::start().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let old = players.first.clone();
    old.act(&players.id, 0, place("h8")).send().await.ok();
    let rotated = old.post("/agents/me/keys/rotate").send().await.ok();
    let new = Agent::with_key(&arena.client, &old.name, rotated["api_key"].as_str().unwrap());
    assert_ne!(new.key, old.key);
    assert!(rotated["previous_key_valid_until"].is_string());
    players.second.act(&players.id, 1, place("i9")).send().await.ok();

    // Both are good, everywhere.
    for agent in [&old, &new] {
        let me = agent.me().await;
        assert_eq!(me["previous_key_valid_until"], rotated["previous_key_valid_until"]);
        assert_eq!(agent.game(&players.id).await["you"]["name"], old.name);
    }
    old.act(&players.id, 2, place("a1")).send().await.ok();
    players.second.act(&players.id, 3, place("a3")).send().await.ok();
    new.act(&players.id, 4, place("b1")).send().await.ok();
    players.second.act(&players.id, 5, place("b3")).send().await.ok();
    // What was sent with the old key can be repeated with the new one.
    assert!(new.act(&players.id, 2, place("a1")).send().await.is_replay());

    for _ in 0..2 {
        let call = new.delete("/agents/me/keys/previous");
        assert_eq!(call.send().await.ok()["previous_key_valid_until"], Value::Null);
    }
    let refused = [
        old.get("/agents/me"),
        old.get(&format!("/games/{}", players.id)),
        old.act(&players.id, 6, place("c1")),
        old.post("/agents/me/keys/rotate"),
        old.post("/queue/join"),
    ];
    for call in refused {
        call.send().await.problem(401, "unauthenticated");
    }
    new.act(&players.id, 6, place("c1")).send().await.ok();
    arena.finish().await;
}

#[tokio::test]
async fn a_revoked_key_is_refused_for_a_game_that_ended_before_too() {
    let arena = TestArena::start().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    players.run("h8 resign").await;
    let old = &players.first;
    let rotated = old.post("/agents/me/keys/rotate").send().await.ok();
    let key = rotated["api_key"].as_str().unwrap();
    arena.client.call("DELETE", "/agents/me/keys/previous").key(key).send().await.ok();
    let look = old.get(&format!("/games/{}", players.id)).send().await;
    let again = old.act(&players.id, 0, place("h8")).send().await;
    arena.finish().await;
    again.problem(401, "unauthenticated");
    look.problem(401, "unauthenticated");
}

#[tokio::test]
async fn a_repeated_rotation_gives_the_same_key_so_lost_replies_lock_nobody_out() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    let body = json!({"idempotency_key": "a-secret-that-nobody-guesses"});
    let rotate = alice.post("/agents/me/keys/rotate").json(&body);
    // Two replies are lost; the agent still has only the key it had.
    let first = rotate.send().await;
    let second = rotate.send().await;
    let third = rotate.send().await;
    arena.finish().await;
    assert_eq!(third.ok()["api_key"], first.ok()["api_key"]);
    assert_eq!(second.ok()["api_key"], first.ok()["api_key"]);
}

#[tokio::test]
async fn a_key_that_was_replaced_can_only_repeat_its_own_rotation() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    let rotate = |agent: &Agent, key: &str| {
        agent.post("/agents/me/keys/rotate").json(&json!({"idempotency_key": key}))
    };
    let first = rotate(&alice, "the-owner-knows-this-one").send().await.ok();
    let owner = Agent::with_key(&arena.client, "alice", first["api_key"].as_str().unwrap());
    assert!(first["hint"].as_str().unwrap().contains("leaked"), "{first}");

    // Whoever has the leaked key can take nothing away.
    rotate(&alice, "a-thief-tries-another-one").send().await.problem(403, "forbidden");
    alice.post("/agents/me/keys/rotate").send().await.problem(403, "forbidden");
    let revoke = |agent: &Agent| agent.delete("/agents/me/keys/previous");
    revoke(&alice).send().await.problem(403, "forbidden");
    owner.me().await;
    let again = rotate(&alice, "the-owner-knows-this-one").send().await;
    assert_eq!(again.ok()["api_key"], first["api_key"]);
    assert!(again.is_replay());

    revoke(&owner).send().await.ok();
    alice.get("/agents/me").send().await.problem(401, "unauthenticated");
    rotate(&alice, "the-owner-knows-this-one").send().await.problem(401, "unauthenticated");
    owner.me().await;
    arena.finish().await;
}

/// Lets the previous key of an agent end at another time; the time it had.
async fn end_previous(
    arena: &TestArena,
    name: &str,
    end: impl Fn(Timestamp) -> Timestamp,
) -> Timestamp {
    let stored = arena.store().agent(&name.parse().unwrap()).await.unwrap().unwrap();
    let (hash, until) = stored.keys.previous.unwrap();
    let keys = arena::Keys { previous: Some((hash, end(until))), ..stored.keys };
    let seen = stored.keys.current;
    let (agent, seen_game, is_banned) = (stored.name, None, false);
    let write = arena::Write::Keys { agent, seen, seen_game, is_banned, keys };
    let plan = arena::Plan { messages: Vec::new(), writes: vec![write] };
    commit(arena.store(), &plan).await.unwrap();
    until
}

#[tokio::test]
async fn a_rotation_with_a_key_that_can_be_guessed_is_soon_repeated_no_more() {
    let arena = TestArena::start().await;
    for (name, key, is_secret) in [("alice", "1", false), ("bob", &"k".repeat(22), true)] {
        let [agent] = arena.agents([name]).await;
        let body = json!({"idempotency_key": key});
        let rotate = agent.post("/agents/me/keys/rotate").json(&body);
        let first = rotate.send().await.ok();
        assert_eq!(rotate.send().await.ok()["api_key"], first["api_key"], "soon after");

        // Nine minutes pass.
        end_previous(&arena, name, |until| until.plus(-540_000)).await;
        assert_eq!(rotate.send().await.ok()["api_key"], first["api_key"], "within ten minutes");

        // Two more.
        end_previous(&arena, name, |until| until.plus(-120_000)).await;
        let later = rotate.send().await;
        match is_secret {
            true => assert_eq!(later.ok()["api_key"], first["api_key"]),
            false => _ = later.problem(403, "forbidden"),
        }
    }
    arena.finish().await;
}

#[tokio::test]
async fn the_previous_key_ends_when_its_time_is_over() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    let rotated = alice.post("/agents/me/keys/rotate").send().await.ok();
    alice.me().await;
    let new = Agent::with_key(&arena.client, "alice", rotated["api_key"].as_str().unwrap());

    let now = arena_store::now();
    let until = end_previous(&arena, "alice", |_| now).await;
    assert!((arena::KEY_OVERLAP_MS - 60_000..=arena::KEY_OVERLAP_MS).contains(&until.since(now)));
    alice.get("/agents/me").send().await.problem(401, "unauthenticated");
    new.me().await;
    arena.finish().await;
}

#[tokio::test]
async fn a_wrong_key_and_an_unknown_name_get_byte_identical_answers() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    // Well formed keys of an agent that exists with another secret, and of one that does not.
    let other = TestArena::start().await;
    let [namesake, stranger] = other.agents(["alice", "stranger"]).await;
    other.finish().await;
    let me = |key: &str| arena.client.get("/agents/me").key(key);
    let wrong = me(&namesake.key).send().await;
    wrong.problem(401, "unauthenticated");
    assert_eq!(wrong.header("www-authenticate"), Some("Bearer"));
    let mut tampered = alice.key.clone();
    tampered.replace_range(tampered.len() - 1.., if tampered.ends_with('0') { "1" } else { "0" });
    let without = arena.client.get("/agents/me");
    let basic = format!("Basic {}", alice.key);
    let basic = arena.client.get("/agents/me").header("authorization", &basic);
    for call in [me(&stranger.key), me(&tampered), me("x"), without, basic] {
        let reply = call.send().await;
        assert_eq!((reply.status, &reply.body), (401, &wrong.body));
        let kinds: Vec<_> = reply.headers.keys().collect();
        assert_eq!(kinds, wrong.headers.keys().collect::<Vec<_>>());
    }
    arena.finish().await;
}

#[tokio::test]
async fn a_registration_whose_reply_was_lost_can_be_repeated_until_the_agent_acts() {
    let arena = TestArena::start().await;
    let key = "0123456789-abcdefghijkl";
    let body = json!({"name": "alice", "bio": "counts to five", "idempotency_key": key});
    let register = arena.client.post("/agents/register").json(&body);
    let first = register.send().await;
    let again = register.send().await;
    first.expect(201);
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert!(again.is_replay() && !first.is_replay());
    let other = json!({"name": "alice", "idempotency_key": "another-key-of-22-characters"});
    let taken = arena.client.post("/agents/register");
    taken.clone().json(&other).send().await.problem(409, "name_taken");
    taken.json(&json!({"name": "ALICE"})).send().await.problem(409, "name_taken");
    let api_key = first.json()["api_key"].as_str().unwrap().to_owned();
    let alice = Agent::with_key(&arena.client, "alice", &api_key);
    assert_eq!(alice.me().await["bio"], "counts to five");
    alice.join(TARAGUCHI).await;
    register.send().await.problem(409, "name_taken");
    arena.finish().await;
}

#[tokio::test]
async fn a_registration_repeated_after_its_key_was_replaced_shows_no_dead_key() {
    let arena = TestArena::start().await;
    let body = json!({"name": "alice", "idempotency_key": "0123456789-abcdefghijkl"});
    let register = arena.client.post("/agents/register").json(&body);
    let first = register.send().await.expect(201);
    let alice = Agent::with_key(&arena.client, "alice", first["api_key"].as_str().unwrap());
    let rotated = alice.post("/agents/me/keys/rotate").send().await.ok();
    register.send().await.problem(409, "name_taken");
    let key = rotated["api_key"].as_str().unwrap();
    arena.client.call("DELETE", "/agents/me/keys/previous").key(key).send().await.ok();
    register.send().await.problem(409, "name_taken");
    arena.finish().await;
}

#[tokio::test]
async fn a_registration_whose_write_was_made_but_reported_lost_is_granted() {
    let arena = TestArena::start().await;
    for body in
        [json!({"name": "alice"}), json!({"name": "bob", "idempotency_key": "k".repeat(22)})]
    {
        arena.dynamodb.expect("PutItem", Trouble::LoseReply, 1);
        let registered = arena.client.post("/agents/register").json(&body).send().await.expect(201);
        let key = registered["api_key"].as_str().unwrap();
        Agent::with_key(&arena.client, body["name"].as_str().unwrap(), key).me().await;
    }
    arena.finish().await;
}

#[tokio::test]
async fn a_granted_registration_is_repeated_at_the_address_limit_as_the_first_time() {
    let arena = TestArena::with(Setup { registrations_per_hour: 2, ..Setup::default() }).await;
    let register = |name: &str| {
        let body = json!({"name": name, "idempotency_key": "0123456789-abcdefghijkl"});
        arena.client.post("/agents/register").json(&body)
    };
    let first = register("alice").send().await;
    first.expect(201);
    for _ in 0..3 {
        let again = register("alice").send().await;
        assert_eq!((again.status, &again.body), (201, &first.body));
    }
    register("bob").send().await.expect(201);
    register("carol").send().await.problem(429, "rate_limited");
    let again = register("alice").send().await;
    assert_eq!((again.status, &again.body), (201, &first.body));
    arena.finish().await;
}

#[tokio::test]
async fn a_key_that_asks_too_often_is_told_when_to_come_back() {
    let arena = TestArena::with(Setup { requests_per_second: 1, ..Setup::default() }).await;
    let [alice, bob] = arena.agents(["alice", "bob"]).await;
    // Eight at a time, faster than one a second however busy the machine is.
    let (mut granted, mut refused) = (0, Vec::new());
    while refused.is_empty() {
        let mut asked = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let call = alice.get("/queue");
            asked.spawn(async move { call.send().await });
        }
        for reply in asked.join_all().await {
            if reply.status == 200 { granted += 1 } else { refused.push(reply) }
        }
    }
    assert!(granted >= 3, "{granted} granted");
    for reply in refused {
        let problem = reply.problem(429, "rate_limited");
        assert!((1..=1_000).contains(&problem["retry_after_ms"].as_i64().unwrap()));
        assert_eq!(problem["retryable"], true);
    }
    bob.me().await;
    tokio::time::sleep(std::time::Duration::from_millis(1_000)).await;
    alice.me().await;
    arena.finish().await;
}

#[tokio::test]
async fn made_up_keys_use_up_nothing_of_an_agent() {
    let arena = TestArena::with(Setup { requests_per_second: 1, ..Setup::default() }).await;
    let [alice] = arena.agents(["alice"]).await;
    let key = arena_lambda::ApiKey::random(&"alice".parse().unwrap()).unwrap();
    let forger = Agent::with_key(&arena.client, "alice", key.reveal());
    let mut statuses = Vec::new();
    while statuses.last() != Some(&429) {
        statuses.push(forger.get("/agents/me").send().await.status);
    }
    assert!(statuses[..statuses.len() - 1].iter().all(|status| *status == 401), "{statuses:?}");
    alice.me().await;
    arena.finish().await;
}

#[tokio::test]
async fn an_address_that_registers_too_often_is_told_when_to_come_back() {
    let arena = TestArena::with(Setup { registrations_per_hour: 3, ..Setup::default() }).await;
    arena.agents(["one", "two", "three"]).await;
    let reply = arena.client.post("/agents/register").json(&json!({"name": "four"})).send().await;
    let problem = reply.problem(429, "rate_limited");
    assert!((1..=3_600_000).contains(&problem["retry_after_ms"].as_i64().unwrap()));
    let admit = async |address| arena.store().admit(address, 3_600, 3).await.unwrap();
    assert!(admit("127.0.0.1").await.is_some(), "it is this address that is counted");
    assert_eq!(admit("192.0.2.7").await, None);
    let audit = arena.finish().await;
    assert_eq!(audit.agents, 3);
}

/// Runs an arena on which everything fails in a process of its own, whose words can be read.
#[tokio::test]
async fn no_key_is_in_any_log_line_however_much_fails() {
    const SECRETS: &str = "ARENA_TEST_SECRETS";
    if let Ok(file) = std::env::var(SECRETS) {
        return fail_a_lot(&file).await;
    }
    let file = std::env::temp_dir().join(format!("arena-secrets-{}", std::process::id()));
    let name = "keys::no_key_is_in_any_log_line_however_much_fails";
    let output = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(SECRETS, &file)
        .output()
        .await
        .unwrap();
    let log = String::from_utf8(output.stderr).unwrap() + str::from_utf8(&output.stdout).unwrap();
    assert!(output.status.success(), "{log}");
    let secrets = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(log.lines().filter(|line| line.contains(r#""level":"error""#)).count() >= 5, "{log}");
    assert_eq!(secrets.lines().count(), 3);
    for secret in secrets.lines() {
        assert!(!log.contains(secret), "a secret is in the log");
    }
}

/// The part of an agent's key that nobody can guess: between the name and the check. It may itself
/// contain the character that separates the parts.
fn secret_of(agent: &Agent) -> &str {
    let (_, secret_and_check) = agent.key.split_once(&format!("_{}_", agent.name)).unwrap();
    let (secret, _) = secret_and_check.rsplit_once('_').unwrap();
    assert_eq!(secret.len(), 43, "32 bytes in base64");
    secret
}

async fn fail_a_lot(secrets: &str) {
    let arena = TestArena::start().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let idempotency_key = "0123456789-abcdefghijkl";
    let register = json!({"name": "carol", "idempotency_key": idempotency_key});
    let secret = [secret_of(&players.first), secret_of(&players.second), idempotency_key];
    std::fs::write(secrets, secret.join("\n")).unwrap();
    let troubles = [
        ("GetItem", Trouble::Fail),
        ("PutItem", Trouble::Fail),
        ("UpdateItem", Trouble::Lose),
        ("TransactWriteItems", Trouble::Fail),
        ("TransactWriteItems", Trouble::Lose),
    ];
    for (operation, trouble) in troubles {
        arena.dynamodb.always(operation, trouble);
        let calls = [
            arena.client.post("/agents/register").json(&register),
            players.first.get("/agents/me"),
            players.first.post("/agents/me/keys/rotate"),
            players.first.act_with(&players.id, 0, arena_support::resign(), idempotency_key),
        ];
        let mut failing = tokio::task::JoinSet::new();
        calls.into_iter().for_each(|call| _ = failing.spawn(async move { call.send().await }));
        for reply in failing.join_all().await {
            assert!(!reply.text().contains(idempotency_key), "{}", reply.text());
        }
        arena.dynamodb.end();
    }
    arena.finish().await;
}

#[tokio::test]
async fn a_name_that_was_never_used_is_free_again_after_thirty_days() {
    let arena = TestArena::start().await;
    let registered_ago = |name: &str, days: i64| {
        let created = Timestamp::from_ms(now_ms()).plus(-days * 24 * 3_600_000);
        let agent = arena::Agent::register(name.parse().unwrap(), KeyHash([7; 32]), created);
        Plan { messages: Vec::new(), writes: vec![Write::Register(Box::new(agent))] }
    };
    for (name, days) in [("young", 29), ("old", 31)] {
        commit(arena.store(), &registered_ago(name, days)).await.unwrap();
    }
    let register = |name: &str| arena.client.post("/agents/register").json(&json!({"name": name}));
    register("young").send().await.problem(409, "name_taken");
    let view = register("old").send().await.expect(201);
    let key = view["api_key"].as_str().unwrap();
    let owner = Agent::with_key(&arena.client, "old", key);
    assert_eq!(owner.me().await["status"], "idle");
    register("old").send().await.problem(409, "name_taken");
    arena.finish().await;
}

#[tokio::test]
async fn an_agent_changes_what_it_says_about_itself() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    let patch = |body: &Value| arena.client.call("PATCH", "/agents/me").key(&alice.key).json(body);
    let texts = |view: &Value| json!([view["bio"], view["url"]]);
    let changed = patch(&json!({"bio": "counts to five", "url": "https://bot.example/a?b=1"}));
    let wanted = json!(["counts to five", "https://bot.example/a?b=1"]);
    assert_eq!(texts(&changed.send().await.ok()), wanted);
    assert_eq!(texts(&changed.send().await.ok()), wanted);
    assert_eq!(texts(&patch(&json!({})).send().await.ok()), wanted);
    let removed = patch(&json!({"bio": ""})).send().await.ok();
    assert_eq!(texts(&removed), json!([null, wanted[1]]));
    let public = arena.client.get("/agents/alice").send().await.ok();
    assert_eq!(texts(&public), json!([null, wanted[1]]));
    let page = arena.client.get("/agent/alice").send().await;
    assert!(page.text().contains("<a href=\"https://bot.example/a?b=1\" rel=\"nofollow"));
    for body in [
        json!({"url": "javascript:alert(1)"}),
        json!({"url": "https://"}),
        json!({"url": "https://a b"}),
        json!({"url": format!("https://{}", "a".repeat(200))}),
        json!({"bio": "two\nlines"}),
        json!({"name": "bob"}),
    ] {
        patch(&body).send().await.problem(400, "malformed");
    }
    patch(&json!({})).anonymous().send().await.problem(401, "unauthenticated");
    assert_eq!(texts(&alice.me().await), json!([null, wanted[1]]));
    arena.finish().await;
}
