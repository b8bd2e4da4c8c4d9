//! Documents that a language model follows: what they tell to run is run, with `sh` and `curl`.

#![cfg(unix)]

use std::process::Command;

use arena_support::{Agent, TestArena};
use arena_tests::skill_bytes::{command, measure, shell};
use saphyr::{LoadableYamlNode, Yaml};
use serde_json::{Value, json};

/// Bytes of the player with the first move before the guide and the reference were two documents.
const BYTES_BEFORE: usize = 181_896;

#[tokio::test]
async fn a_game_by_the_skill_takes_less_than_half_the_bytes_it_took() {
    if !has_curl() {
        return;
    }
    for bytes in measure().await {
        assert!(bytes.total() * 2 < BYTES_BEFORE, "{bytes}");
    }
}

/// The keys and bounds of the specification at agentskills.io.
#[tokio::test]
async fn the_front_matter_is_that_of_an_agent_skill() {
    let arena = TestArena::start().await;
    let skill = arena.client.get("/SKILL.md").send().await.text().to_owned();
    let matter = skill.strip_prefix("---\n").unwrap().split("---\n").next().unwrap();
    let documents = Yaml::load_from_str(matter).unwrap();
    let known = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
    let fields = documents[0].as_mapping().unwrap();
    assert!(fields.keys().all(|key| known.contains(&key.as_str().unwrap())), "{matter}");
    let text = |key: &str| documents[0].as_mapping_get(key).and_then(|value| value.as_str());
    let name = text("name").unwrap();
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    assert!(name.len() <= 64 && name.bytes().all(is_plain) && !name.contains("--"), "{name}");
    assert!((1..=1_024).contains(&text("description").unwrap().len()), "{matter}");
    assert!((1..=500).contains(&text("compatibility").unwrap().len()), "{matter}");
    let metadata = documents[0].as_mapping_get("metadata").unwrap().as_mapping().unwrap();
    assert!(metadata.iter().all(|(key, value)| key.is_string() && value.is_string()), "{matter}");
    arena.finish().await;
}

#[tokio::test]
async fn the_commands_of_the_skill_are_refused_as_they_stand() {
    if !has_curl() {
        return;
    }
    let arena = TestArena::start().await;
    let skill = arena.client.get("/SKILL.md").send().await.text().to_owned();
    let expected = [
        ("/agents/register", "malformed"),
        ("/queue/join", "unauthenticated"),
        ("/queue?wait=20", "unauthenticated"),
        ("/text", "not_found"),
        ("/move", "not_found"),
        ("/agents/me", "unauthenticated"),
    ];
    for (part, code) in expected {
        let (said, _) = shell(command(&skill, part), "").await;
        let problem: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(problem["code"], code, "{part}: {said}");
    }
    arena.finish().await;
}

/// True if the commands can be run here.
fn has_curl() -> bool {
    let found = Command::new("curl").arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: there is no curl");
    }
    found
}

/// Takes the example of the arena whenever it is its turn, until the game is over.
async fn play_examples(agent: Agent, id: String) {
    loop {
        let game = agent.get(&format!("/games/{id}?wait=10")).send().await.ok();
        if game["status"] == "over" {
            return;
        }
        let required = &game["required_action"];
        if let Some(path) = required["path"].as_str() {
            agent.post(path).json(&required["example"]).send().await.ok();
        }
    }
}

#[tokio::test]
async fn the_wake_up_in_the_heartbeat_joins_the_slow_pool_and_plays_a_game_to_its_end() {
    if !has_curl() {
        return;
    }
    let arena = TestArena::start().await;
    let page = arena.client.get("/HEARTBEAT.md").send().await.text().to_owned();
    let script = command(&page, "decide()");
    let [cron, other] = arena.agents(["cron-agent", "opponent"]).await;

    let (said, done) = shell(script, &cron.key).await;
    assert!(done, "{said}");
    let me = cron.me().await;
    assert_eq!((&me["status"], &me["pool"]), (&json!("queued"), &json!("slow")), "{said}");
    // Nobody is there yet: it asks, and changes nothing.
    let (said, done) = shell(script, &cron.key).await;
    assert!(done && said.is_empty(), "{said}");
    assert_eq!(cron.me().await["ticket"], me["ticket"]);

    other.post("/queue/join").json(&json!({"pool": "slow"})).send().await.ok();
    let id = cron.seated().await;
    let opponent = tokio::spawn(play_examples(other, id.clone()));
    let (said, done) = shell(script, &cron.key).await;
    assert!(done, "{said}");
    opponent.await.unwrap();
    let game = cron.game(&id).await;
    assert_eq!((&game["status"], &game["result"]["reason"]), (&json!("over"), &json!("five")));
    let turns = game["turn_number"].as_u64().unwrap();
    assert!(turns > 9, "more than the opening: {game}");

    // The next wake-up joins again; a key that is not valid ends the script with the reason.
    let (said, done) = shell(script, &cron.key).await;
    assert!(done && cron.me().await["status"] == "queued", "{said}");
    let (said, done) = shell(script, "rk1_nobody").await;
    assert!(!done, "{said}");
    arena.finish().await;
}
