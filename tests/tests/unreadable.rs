//! Stored items that this version cannot read: the others are found, and nobody is locked out.

use arena_support::{Agent, Setup, TestArena};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue};
use serde_json::json;

const FREE: &str = "renju_free";

/// Overwrites an attribute of a game's item; what was there before.
async fn damage(arena: &TestArena, id: &str, name: &str, value: AttributeValue) -> AttributeValue {
    let update = arena.access().dynamodb().update_item();
    let old = update
        .table_name(&arena.store().config().games_table)
        .key("pk", AttributeValue::S(id.to_owned()))
        .update_expression("SET #name = :value")
        .expression_attribute_names("#name", name)
        .expression_attribute_values(":value", value)
        .return_values(ReturnValue::UpdatedOld)
        .send()
        .await
        .unwrap();
    old.attributes.unwrap().remove(name).unwrap()
}

fn bytes(bytes: &[u8]) -> AttributeValue {
    AttributeValue::B(Blob::new(bytes))
}

async fn quiet() -> TestArena {
    TestArena::with(Setup { messages: false, ..Setup::default() }).await
}

#[tokio::test]
async fn a_damaged_game_is_left_out_of_every_list() {
    let arena = quiet().await;
    let bad = arena.match_up(FREE, ["alice", "bob"]).await;
    let good = arena.match_up(FREE, ["carol", "dave"]).await;
    let listed = async |path: &str| {
        let view = arena.client.get(path).send().await.ok();
        let games = view["games"].as_array().unwrap().iter();
        games.map(|game| game["game_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let log = damage(&arena, &bad.id, "l", bytes(&[])).await;
    assert_eq!(listed("/games").await, [good.id.as_str()]);
    assert_eq!(listed("/agents/alice/games").await, [""; 0]);
    damage(&arena, &bad.id, "l", log).await;

    for players in [&bad, &good] {
        players.run("h8 resign").await;
    }
    let log = damage(&arena, &bad.id, "l", bytes(&[])).await;
    let path = format!("/games?status=finished&ruleset={FREE}");
    assert_eq!(listed(&path).await, [good.id.as_str()]);
    let export = format!("/games/export.ndjson?ruleset={FREE}");
    let export = arena.client.get(&export).send().await;
    assert_eq!((export.status, export.text().lines().count()), (200, 1));
    damage(&arena, &bad.id, "l", log).await;
    let [alice, bob] = if bad.first.name == "alice" {
        [&bad.first, &bad.second]
    } else {
        [&bad.second, &bad.first]
    };
    let newer = arena.seat(FREE, [alice.clone(), bob.clone()]).await;
    newer.run("h8 resign").await;
    let newest = arena.seat(FREE, [alice.clone(), bob.clone()]).await;
    let log = damage(&arena, &newer.id, "l", bytes(&[])).await;
    let others = [newest.id.as_str(), bad.id.as_str()];
    assert_eq!(listed("/agents/alice/games").await, others, "older games are still found");
    damage(&arena, &newer.id, "l", log).await;
    arena.finish().await;
}

#[tokio::test]
async fn to_its_players_a_damaged_game_no_longer_exists() {
    let arena = quiet().await;
    let damaged = arena.match_up(FREE, ["alice", "bob"]).await;
    let gone = arena.match_up(FREE, ["carol", "dave"]).await;
    let log = damage(&arena, &damaged.id, "l", bytes(&[])).await;
    let delete = arena.access().dynamodb().delete_item();
    let deleted = delete
        .table_name(&arena.store().config().games_table)
        .key("pk", AttributeValue::S(gone.id.clone()))
        .return_values(ReturnValue::AllOld)
        .send()
        .await
        .unwrap();
    let asks = async |agent: &Agent| {
        let mut answers = Vec::new();
        for (method, path) in [
            ("GET", "/agents/me"),
            ("GET", "/queue"),
            ("POST", "/queue/leave"),
            ("POST", "/queue/join"),
        ] {
            let call = arena.client.call(method, path).key(&agent.key);
            let call = if method == "POST" { call.json(&json!({})) } else { call };
            let reply = call.send().await;
            answers.push((path, reply.status, reply.json()["status"].clone()));
        }
        answers
    };
    let answers = asks(&damaged.first).await;
    assert_eq!(answers[0], ("/agents/me", 200, json!("idle")));
    assert_eq!(answers[3], ("/queue/join", 200, json!("queued")), "and so they may play again");
    assert_eq!(answers, asks(&gone.first).await);

    damage(&arena, &damaged.id, "l", log).await;
    let put = arena.access().dynamodb().put_item();
    let put = put.table_name(&arena.store().config().games_table);
    put.set_item(deleted.attributes).send().await.unwrap();
    for agent in [&damaged.first, &gone.first] {
        agent.post("/queue/leave").send().await.ok();
    }
    arena.finish().await;
}

#[tokio::test]
async fn what_a_newer_version_wrote_is_answered_503_and_may_be_asked_for_again() {
    let arena = quiet().await;
    let players = arena.match_up(FREE, ["alice", "bob"]).await;
    let newer = [
        ("a format", "l", bytes(&[2, 0])),
        ("a kind of entry", "l", bytes(&[1, 250, 0])),
        ("a ruleset", "o", bytes(&[0; 9])),
        ("a house bot", "p", AttributeValue::S("alice house-9".to_owned())),
    ];
    for (what, name, value) in newer {
        let old = damage(&arena, &players.id, name, value).await;
        for path in ["/agents/me", "/queue", &format!("/games/{}", players.id)] {
            let reply = players.first.get(path).send().await;
            assert_eq!(reply.status, 503, "{what}: {path}");
            assert!(reply.headers.contains_key("retry-after"), "{what}: {path}");
        }
        let resign = players.first.resign(&players.id).await;
        assert_eq!(resign.status, 503, "{what}");
        damage(&arena, &players.id, name, old).await;
    }
    assert_eq!(players.game().await["status"], "live");
    arena.finish().await;
}
