//! The real program, killed and started again.

use arena_support::{Agent, Directory, Match, Process, place};
use serde_json::{Value, json};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_arena-under-test");

async fn seated(process: &Process, names: [&str; 2]) -> Match {
    let mut agents = Vec::new();
    for name in names {
        agents.push(Agent::queued(&process.client, name, "renju_free").await);
    }
    agents[0].seated().await;
    Match::of(agents.try_into().unwrap()).await
}

/// The row of the game once it is over. Nobody asks for the game itself, which would end it.
async fn finished(process: &Process) -> Value {
    let list = process.client.get("/games?status=finished&ruleset=renju_free");
    arena_support::eventually("the game ends by itself", 60, || async {
        list.send().await.ok()["games"].as_array().unwrap().first().cloned()
    })
    .await
}

/// The same agents, who know nothing but their keys, talking to another process.
fn again(process: &Process, players: &Match) -> Match {
    let agent = |agent: &Agent| Agent::with_key(&process.client, &agent.name, &agent.key);
    let (first, second) = (agent(&players.first), agent(&players.second));
    Match { id: players.id.clone(), first, second }
}

#[tokio::test]
async fn a_server_killed_in_mid_game_and_started_again_has_lost_nothing() {
    let data = Directory::new("killed");
    let process = Process::start(PROGRAM, &["--data", data.path(), "--house-seconds", "0"]).await;
    let players = seated(&process, ["alice", "bob"]).await;
    let mut replies = Vec::new();
    let mut game = players.game().await;
    for point in ["h8", "i9", "a1", "a3", "b1"] {
        let call = players.call(&game, place(point));
        let reply = call.send().await;
        game = reply.ok();
        replies.push((point, reply));
    }
    let waiting = Agent::register(&process.client, "carol").await;
    let ticket = waiting.join("gomoku_swap2").await;
    // At the very moment a move is on its way.
    let on_its_way = players.call(&game, place("b3"));
    let sent = tokio::spawn(async move { on_its_way.try_send().await });
    tokio::task::yield_now().await;
    process.kill().await;
    let answered = sent.await.unwrap().is_ok_and(|reply| reply.status == 200);

    let process = Process::start(PROGRAM, &["--data", data.path(), "--house-seconds", "0"]).await;
    let players = again(&process, &players);
    let before = game.clone();
    game = players.first.game(&players.id).await;
    let turn = game["turn_number"].as_u64().unwrap();
    assert!(turn == 5 && !answered || turn == 6, "what was answered is there: {turn}");
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves[..5], before["moves"].as_array().unwrap()[..]);
    // Every reply from before can be had again, byte for byte, with the key it was given to.
    for (turn, (point, first)) in replies.iter().enumerate() {
        let agent = if turn % 2 == 0 { &players.first } else { &players.second };
        let reply = agent.act(&players.id, turn as u64, place(point)).send().await;
        assert!(reply.is_replay());
        assert_eq!(reply.body, first.body);
    }
    let carol = Agent::with_key(&process.client, "carol", &waiting.key).me().await;
    assert_eq!((&carol["status"], &carol["ticket"]), (&json!("queued"), &ticket["ticket"]));
    // And the game goes on to its end and its ratings.
    let reply = players.second.act(&players.id, 5, place("b3")).send().await;
    assert_eq!(reply.ok()["turn_number"], 6);
    players.run("c1 c3 d1 d3 e1").await;
    let me = players.first.me().await;
    assert_eq!((&me["status"], &me["ratings"][0]["won"]), (&json!("idle"), &json!(1)));
}

#[tokio::test]
async fn a_game_that_ran_out_of_time_while_the_server_was_down_ends_when_it_is_up_again() {
    let data = Directory::new("down");
    let arguments = ["--data", data.path(), "--turn-seconds", "6", "--grace-seconds", "0"];
    let process = Process::start(PROGRAM, &arguments).await;
    let players = seated(&process, ["alice", "bob"]).await;
    let game = players.run("h8 i9 a1").await;
    process.kill().await;
    let wait = game["turn_deadline_ms"].as_i64().unwrap() - arena_support::now_ms();
    tokio::time::sleep(std::time::Duration::from_millis(wait.max(0) as u64 + 50)).await;
    let process = Process::start(PROGRAM, &arguments).await;
    let players = again(&process, &players);
    let row = finished(&process).await;
    assert_eq!(json!([row["game_id"], row["result"]["reason"]]), json!([players.id, "timeout"]));
    assert_eq!(row["result"]["winner_name"], players.first.name);
}

#[tokio::test]
async fn a_clock_that_runs_out_after_a_restart_ends_the_game_without_a_sweep() {
    let data = Directory::new("timer");
    let arguments = ["--data", data.path(), "--turn-seconds", "5", "--grace-seconds", "0"];
    let arguments = [&arguments[..], &["--sweep-seconds", "3600"]].concat();
    let process = Process::start(PROGRAM, &arguments).await;
    let players = seated(&process, ["alice", "bob"]).await;
    players.run("h8 i9 a1").await;
    process.kill().await;
    let process = Process::start(PROGRAM, &arguments).await;
    finished(&process).await;
}

#[tokio::test]
async fn the_program_never_says_a_key() {
    let process = Process::start(PROGRAM, &["--ephemeral"]).await;
    let alice = Agent::register(&process.client, "alice").await;
    let secret = "0123456789-abcdefghijkl";
    let body = json!({"name": "bob", "idempotency_key": secret});
    let bob = process.client.post("/agents/register").json(&body).send().await.expect(201);
    let rotated = alice.post("/agents/me/keys/rotate").send().await.ok();
    let mut wrong = alice.key.clone();
    wrong.push('x');
    process.client.get("/agents/me").key(&wrong).send().await.problem(401, "unauthenticated");
    process.client.get(&format!("/agents/{}", alice.key)).send().await;
    let call = alice.post("/queue/join").header("content-type", "application/json");
    call.body(format!("{{\"{}\":1}}", alice.key)).send().await;
    let key = |view: &Value| view["api_key"].as_str().unwrap().to_owned();
    let keys = [alice.key.clone(), key(&bob), key(&rotated), wrong, secret.to_owned()];
    let said = process.kill().await;
    assert!(said.contains("Renju Arena is open at http://"), "{said}");
    for key in keys {
        assert!(!said.contains(&key), "{said}");
    }
}
