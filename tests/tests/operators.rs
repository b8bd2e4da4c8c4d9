//! Operators' commands: bans, deleted agents, new keys, games that are ended; and `arena-admin` itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Output, Stdio};

use arena::{AgentName, GameId, Ruling};
use arena_lambda::ApiKey;
use arena_protocol::{Declined, ban, delete, reset_key, rule, unban};
use arena_support::{Agent, Call, Directory, Match, Process, TestArena, place};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::restart::PROGRAM;

const ADMIN: &str = env!("CARGO_BIN_EXE_admin-under-test");
const FREE: &str = "renju_free";
const WHY: &str = "two agents of one owner let each other win";

fn name(agent: &Agent) -> AgentName {
    agent.name.parse().unwrap()
}

fn id(players: &Match) -> GameId {
    players.id.parse().unwrap()
}

/// A request for every route that needs a key.
fn requests(agent: &Agent, game: &str) -> Vec<Call> {
    let revoke = agent.delete("/agents/me/keys/previous");
    vec![
        agent.get("/agents/me"),
        agent.patch("/agents/me").json(&json!({ "bio": "counts to five" })),
        agent.get("/queue"),
        agent.post("/queue/join").json(&json!({ "ruleset": FREE })),
        agent.post("/queue/leave"),
        agent.post("/agents/me/keys/rotate"),
        revoke,
        agent.get(&format!("/games/{game}")),
        agent.act(game, 2, place("a1")),
        agent.act_with(game, 2, arena_support::resign(), "resigns"),
    ]
}

#[tokio::test]
async fn a_banned_agent_is_refused_with_the_reason_until_the_ban_ends() {
    let arena = TestArena::start().await;
    let players = arena.match_up(FREE, ["alice", "bob"]).await;
    players.run("h8 i9").await;
    let (alice, store) = (&players.first, arena.store());
    ban(store, &name(alice), WHY).await.unwrap();
    for call in requests(alice, &players.id) {
        assert_eq!(call.send().await.problem(403, "banned")["detail"], WHY);
    }
    // Nobody else is told.
    let guess = ApiKey::random(&name(alice)).unwrap();
    let stranger = Agent::with_key(&arena.client, &alice.name, guess.reveal());
    stranger.get("/agents/me").send().await.problem(401, "unauthenticated");
    arena.audit().await;
    let game = players.game().await;
    assert_eq!((&game["status"], &game["turn_number"]), (&json!("live"), &json!(2)));

    // The reason can be changed.
    ban(store, &name(alice), "another reason").await.unwrap();
    let refused = alice.get("/agents/me").send().await;
    assert_eq!(refused.problem(403, "banned")["detail"], "another reason");
    let before = unban(store, &name(alice)).await.unwrap();
    assert_eq!(before.ban.as_deref(), Some("another reason"));
    assert_eq!(unban(store, &name(alice)).await.unwrap().ban, None, "once more changes nothing");
    alice.act(&players.id, 2, place("a1")).send().await.ok();
    players.run("a3 resign").await;
    arena.finish().await;
}

#[tokio::test]
async fn a_banned_agent_leaves_the_queue_and_cannot_join() {
    let arena = TestArena::start().await;
    let [alice, bob] = arena.agents(["alice", "bob"]).await;
    alice.join(FREE).await;
    bob.join(FREE).await;
    ban(arena.store(), &name(&alice), WHY).await.unwrap();
    arena.pair(FREE).await;
    assert_eq!(bob.playing().await, None);
    let join = alice.post("/queue/join").json(&json!({ "ruleset": FREE }));
    join.send().await.problem(403, "banned");
    assert_eq!(arena.audit().await.waiting, 1);
    unban(arena.store(), &name(&alice)).await.unwrap();
    join.send().await.ok();
    arena.pair(FREE).await;
    assert_eq!(alice.playing().await, bob.playing().await);
    assert!(bob.playing().await.is_some());
    arena.finish().await;
}

#[tokio::test]
async fn a_new_key_ends_the_old_ones_at_once_also_in_a_game() {
    let arena = TestArena::start().await;
    let players = arena.match_up(FREE, ["alice", "bob"]).await;
    let oldest = players.first.clone();
    let rotated = oldest.post("/agents/me/keys/rotate").send().await.ok();
    let key = rotated["api_key"].as_str().unwrap();
    let old = Agent::with_key(&arena.client, &oldest.name, key);
    let key = ApiKey::random(&name(&old)).unwrap();
    reset_key(arena.store(), &name(&old), key.hash()).await.unwrap();
    for agent in [&oldest, &old] {
        for call in requests(agent, &players.id) {
            call.send().await.problem(401, "unauthenticated");
        }
    }
    let new = Agent::with_key(&arena.client, &old.name, key.reveal());
    new.act(&players.id, 0, place("h8")).send().await.ok();

    // A ban outlasts a new key.
    ban(arena.store(), &name(&new), WHY).await.unwrap();
    let key = ApiKey::random(&name(&old)).unwrap();
    reset_key(arena.store(), &name(&old), key.hash()).await.unwrap();
    let newest = Agent::with_key(&arena.client, &old.name, key.reveal());
    for call in requests(&newest, &players.id) {
        call.send().await.problem(403, "banned");
    }
    new.get("/agents/me").send().await.problem(401, "unauthenticated");
    unban(arena.store(), &name(&newest)).await.unwrap();
    newest.resign(&players.id).await.ok();
    arena.finish().await;
}

#[tokio::test]
async fn a_deleted_agent_leaves_its_name_to_a_newcomer_and_nothing_else() {
    let arena = TestArena::start().await;
    let players = arena.match_up(FREE, ["alice", "bob"]).await;
    players.run("h8 i9 a1 a3 b1").await;
    let (alice, store) = (&players.first, arena.store());
    let refused = delete(store, &name(alice)).await;
    assert!(matches!(refused, Err(Declined::Playing(_, game)) if game == id(&players)));
    alice.me().await;
    players.second.resign(&players.id).await.ok();
    assert_eq!(arena.results(alice, FREE).await, [1, 0, 0]);
    alice.join(FREE).await;

    delete(store, &name(alice)).await.unwrap();
    assert!(matches!(delete(store, &name(alice)).await, Err(Declined::NoAgent(_))));
    for call in requests(alice, &players.id) {
        call.send().await.problem(401, "unauthenticated");
    }
    let profile = arena.client.get(&format!("/agents/{}", alice.name));
    profile.send().await.problem(404, "not_found");
    assert_eq!(arena.audit().await.waiting, 0);

    // The name is free, its history stays with its games only.
    let heir = Agent::register(&arena.client, &alice.name).await;
    let me = heir.me().await;
    assert_eq!((&me["ratings"], &me["last_game"]), (&json!([]), &Value::Null));
    let games = arena.client.get(&format!("/agents/{}/games", heir.name)).send().await.ok();
    assert_eq!(games["games"], json!([]));
    assert_eq!(players.game().await["result"]["winner_name"], heir.name);
    alice.get("/agents/me").send().await.problem(401, "unauthenticated");

    // Both names begin anew: their first game is a new one.
    delete(store, &name(&players.second)).await.unwrap();
    let other = Agent::register(&arena.client, &players.second.name).await;
    let next = arena.seat(FREE, [heir.clone(), other]).await;
    assert_ne!(next.id, players.id);
    let game = next.game().await;
    for color in ["black", "white"] {
        assert_eq!(game["players"][color]["rating"], 1500.0, "{game}");
    }
    arena.audit().await;
    next.run("h8 i9 a1 a3 b1 resign").await;
    arena.finish().await;
}

#[tokio::test]
async fn an_operator_ends_a_game_by_a_ruling_that_counts() {
    let arena = TestArena::start().await;
    for (ruling, first, second) in [
        (Ruling::Win(renju::Seat::First), [1, 0, 0], [0, 1, 0]),
        (Ruling::Win(renju::Seat::Second), [0, 1, 0], [1, 0, 0]),
        (Ruling::Draw, [0, 0, 1], [0, 0, 1]),
    ] {
        let names = [
            format!("one-{}", first[0] + 2 * first[1]),
            format!("two-{}", first[2] + 2 * first[1]),
        ];
        let players = arena.match_up(FREE, names.each_ref().map(String::as_str)).await;
        players.run("h8").await;
        let over = rule(arena.store(), id(&players), ruling).await.unwrap();
        assert_eq!(over.result().unwrap().reason.id(), "ruling");
        // Repeated because its reply was lost.
        rule(arena.store(), id(&players), ruling).await.unwrap();
        assert_eq!(arena.results(&players.first, FREE).await, first);
        assert_eq!(arena.results(&players.second, FREE).await, second);
        let late = players.second.act(&players.id, 1, place("i9")).send().await;
        late.problem(409, "game_over");
        let result = &players.game().await["result"];
        assert_eq!((&result["reason"], &result["rated"]), (&json!("ruling"), &json!(true)));
        let refused = rule(arena.store(), id(&players), Ruling::Void).await;
        assert!(matches!(refused, Err(Declined::Over(_))), "{refused:?}");
        players.first.join(FREE).await;
        players.first.post("/queue/leave").send().await.ok();
    }
    let unknown = "aaaaaaaaaaaaaaaa".parse().unwrap();
    let refused = rule(arena.store(), unknown, Ruling::Draw).await;
    assert!(matches!(refused, Err(Declined::NoGame(id)) if id == unknown), "{refused:?}");
    arena.finish().await;
}

#[tokio::test]
async fn a_void_game_counts_for_nobody() {
    let arena = TestArena::start().await;
    let players = arena.match_up(FREE, ["alice", "bob"]).await;
    rule(arena.store(), id(&players), Ruling::Draw).await.unwrap();
    let (alice, [carol]) = (&players.first, arena.agents(["carol"]).await);
    let before = alice.me().await["ratings"].clone();
    let next = arena.seat(FREE, [alice.clone(), carol.clone()]).await;
    next.run("h8 i9").await;
    rule(arena.store(), id(&next), Ruling::Void).await.unwrap();
    assert_eq!(alice.me().await["ratings"][0]["rating"], before[0]["rating"]);
    assert_eq!(carol.me().await["ratings"], json!([]));
    let result = &next.game().await["result"];
    assert_eq!((&result["reason"], &result["rated"]), (&json!("void"), &json!(false)));
    assert_eq!(arena.results(alice, FREE).await.iter().sum::<u64>(), 1);
    let text = arena.client.get(&format!("/games/{}/text", next.id)).send().await;
    assert!(text.text().contains("broken off, reason: void"), "{}", text.text());
    let page = arena.client.get(&format!("/game/{}", next.id));
    assert!(page.send().await.text().contains("does not count"));
    // Both are free at once.
    assert_eq!(alice.join(FREE).await["status"], "queued");
    assert_eq!(carol.join(FREE).await["status"], "queued");
    arena.finish().await;
}

async fn admin(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(ADMIN);
    let aws = ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
    aws.iter().for_each(|name| _ = command.env_remove(name));
    command.args(arguments).envs(variables.iter().copied()).stdin(Stdio::null());
    command.output().await.unwrap()
}

/// Output of a command on a data directory.
async fn done(data: &Directory, command: &str) -> String {
    let mut arguments = vec!["--data", data.path()];
    arguments.extend(command.split_whitespace());
    let Output { status, stdout, stderr } = admin(&arguments, &[]).await;
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!((status.code(), said.as_str()), (Some(0), ""), "{command}");
    String::from_utf8(stdout).unwrap()
}

async fn declined(arguments: &[&str]) -> String {
    let Output { status, stderr, .. } = admin(arguments, &[]).await;
    assert_eq!(status.code(), Some(1));
    let said = String::from_utf8(stderr).unwrap();
    said.trim_end().strip_prefix("arena-admin: ").unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[tokio::test]
async fn the_commands_work_on_the_data_of_an_arena_that_has_stopped() {
    let data = Directory::new("operated");
    let said = declined(&["--data", data.path(), "audit"]).await;
    assert!(said.ends_with("has no tables of an arena: name the --data of an arena-local"));
    assert!(!Path::new(data.path()).exists());

    let options = ["--data", data.path(), "--house-seconds", "0"];
    let start = || Process::start(PROGRAM, &options);
    let process = start().await;
    let mut agents = Vec::new();
    for name in ["alice", "bob"] {
        let agent = Agent::register(&process.client, name).await;
        agent.join(FREE).await;
        agents.push(agent);
    }
    agents[0].seated().await;
    let players = Match::of(agents.try_into().unwrap()).await;
    players.run("h8 i9").await;
    let said = declined(&["--data", data.path(), "audit"]).await;
    assert!(said.contains("is in use by another arena-local: stop that one"), "{said}");
    process.stop().await;

    let (first, game) = (&players.first.name, &players.id);
    assert!(
        done(&data, &format!("agent show {first}")).await.contains(&format!("{game}, in progress"))
    );
    assert!(done(&data, &format!("game show {game}")).await.contains("h8 i9"));
    let audit = done(&data, "audit").await;
    assert!(audit.contains("live games     1") && audit.contains("violations     0"), "{audit}");
    let said = declined(&["--data", data.path(), "agent", "delete", first]).await;
    assert!(said.contains(&format!("{first} plays game {game}: end it first with")), "{said}");
    let banned = admin(&["--data", data.path(), "agent", "ban", first, "--why", WHY], &[]).await;
    assert!(String::from_utf8(banned.stdout).unwrap().contains("goes on"));

    let process = start().await;
    let alice = Agent::with_key(&process.client, first, &players.first.key);
    let refused = alice.act(game, 2, place("a1")).send().await;
    assert_eq!(refused.problem(403, "banned")["detail"], WHY);
    process.stop().await;

    assert_eq!(done(&data, "export").await, "");
    let said = declined(&["--data", data.path(), "game", "end", game, "--winner", "carol"]).await;
    assert_eq!(said, format!("carol does not play game {game}"));
    let (second, end) = (&players.second.name, format!("game end {game} --winner"));
    assert!(done(&data, &format!("{end} {second}")).await.contains("wins, reason: ruling"));
    let said = declined(&["--data", data.path(), "game", "void", game]).await;
    assert_eq!(said, format!("game {game} is over, and what is over stays as it is"));
    let line: Value = serde_json::from_str(&done(&data, "export").await).unwrap();
    assert_eq!(line["game_id"], **game);
    assert!(done(&data, &format!("agent unban {first}")).await.contains(WHY));
    let key = done(&data, &format!("agent reset-key {first}")).await;
    done(&data, &format!("agent delete {second}")).await;
    done(&data, "audit").await;

    let process = start().await;
    alice_is_back(&process, first, key.trim(), &players.first.key).await;
    Agent::register(&process.client, second).await;
    process.stop().await;
    done(&data, "audit").await;
}

async fn alice_is_back(process: &Process, name: &str, key: &str, old: &str) {
    Agent::with_key(&process.client, name, key).me().await;
    let old = Agent::with_key(&process.client, name, old);
    old.get("/agents/me").send().await.problem(401, "unauthenticated");
}

#[tokio::test]
async fn the_commands_find_the_tables_of_a_stage_with_the_aws_command() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    let config = arena.store().config().clone();
    let tables = json!({
        "ARENA_AGENTS_TABLE": config.agents_table,
        "ARENA_GAMES_TABLE": config.games_table,
        "ARENA_SHARDS": "1",
        "ARENA_TURN_MS": "",
    });
    let data = Directory::new("fake-aws");
    fs::create_dir_all(data.path()).unwrap();
    let program = Path::new(data.path()).join("aws");
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *renju-arena-dev-referee*) echo '{tables}' ;; *) exit 1 ;; esac\n"
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    let path = format!("{}:{}", data.path(), std::env::var("PATH").unwrap());
    let endpoint = arena.dynamodb.url();
    let by_stage =
        ["--stage", "dev", "--endpoint", endpoint, "agent", "ban", "alice", "--why", WHY];
    let banned = admin(&by_stage, &[("PATH", &path)]).await;
    assert!(banned.status.success(), "{banned:?}");
    alice.get("/agents/me").send().await.problem(403, "banned");

    // The variables of the functions do as well.
    let variables = [
        ("PATH", path.as_str()),
        ("ARENA_AGENTS_TABLE", &config.agents_table),
        ("ARENA_GAMES_TABLE", &config.games_table),
    ];
    let unbanned = admin(&["agent", "unban", "alice", "--endpoint", endpoint], &variables).await;
    assert!(unbanned.status.success(), "{unbanned:?}");
    alice.me().await;
    let missing = admin(&["audit", "--endpoint", endpoint], &[("PATH", &path)]).await;
    let said = String::from_utf8(missing.stderr).unwrap();
    assert!(said.contains("ARENA_AGENTS_TABLE is not set"), "{said}");
    arena.finish().await;
}
