//! An arena behind a front: only the front's requests are answered, and documents name the public
//! address.

use std::net::SocketAddr;

use arena_lambda::Front;
use arena_support::{Client, Setup, TestArena};
use serde_json::json;

const SECRET: &str = "abc";
/// SHA-256 of the secret, from FIPS 180-4.
const DIGEST: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const PUBLIC: &str = "https://arena.example";

async fn behind_a_front() -> TestArena {
    TestArena::with(Setup {
        front: Front::parse(DIGEST),
        public_url: Some(PUBLIC.to_owned()),
        registrations_per_hour: 1,
        ..Setup::default()
    })
    .await
}

#[tokio::test]
async fn who_goes_around_the_front_is_refused_and_changes_nothing() {
    let arena = behind_a_front().await;
    // The document describes the public address, where nobody is refused for this. A pooled client is not
    // held against it.
    let around = Client::pooled(&arena.client.base(), 1, None);
    let name = json!({"name": "alice"});
    for call in [
        around.get("/"),
        around.get("/health"),
        around.get("/games").header("x-arena-viewer", "192.0.2.7"),
        around.post("/agents/register").json(&name),
        around.post("/agents/register").json(&name).header("x-arena-front", "abd"),
        around.post("/agents/register").json(&name).header("x-arena-front", DIGEST),
        around.call("OPTIONS", "/queue").header("access-control-request-method", "GET"),
    ] {
        call.send().await.problem(403, "forbidden");
    }
    arena.client.get("/health").header("x-arena-front", SECRET).send().await.ok();
    assert_eq!(arena.finish().await.agents, 0);
}

#[tokio::test]
async fn registrations_are_counted_for_the_client_and_not_for_the_front() {
    let arena = behind_a_front().await;
    let register = |name: &str, viewer: &str| {
        let call = arena.client.post("/agents/register").json(&json!({"name": name}));
        call.header("x-arena-front", SECRET).header("x-arena-viewer", viewer)
    };
    register("alice", "192.0.2.7").send().await.expect(201);
    register("alan", "192.0.2.7").send().await.problem(429, "rate_limited");
    register("bob", "2001:db8::7").send().await.expect(201);
    register("bill", "2001:db8::8").send().await.problem(429, "rate_limited");
    register("carol", "2001:db8:0:1::7").send().await.expect(201);
    assert_eq!(arena.finish().await.agents, 3);
}

#[tokio::test]
async fn without_a_front_nobody_is_believed_about_an_address() {
    let arena = TestArena::with(Setup { registrations_per_hour: 1, ..Setup::default() }).await;
    let register = |name: &str, viewer: &str| {
        let call = arena.client.post("/agents/register").json(&json!({"name": name}));
        call.header("x-arena-front", SECRET).header("x-arena-viewer", viewer)
    };
    register("alice", "192.0.2.7").send().await.expect(201);
    register("bob", "192.0.2.8").send().await.problem(429, "rate_limited");
    assert_eq!(arena.finish().await.agents, 1);
}

#[tokio::test]
async fn documents_and_pages_name_the_public_address() {
    let arena = behind_a_front().await;
    let host: SocketAddr = arena.client.base().trim_start_matches("http://").parse().unwrap();
    for path in [
        "/SKILL.md",
        "/REFERENCE.md",
        "/HEARTBEAT.md",
        "/openapi.json",
        "/skill.json",
        "/llms.txt",
        "/docs",
    ] {
        let reply = arena.client.get(path).header("x-arena-front", SECRET).send().await;
        assert!(reply.is_ok() && reply.text().contains(PUBLIC), "{path}: {}", reply.text());
        assert!(!reply.text().contains(&host.to_string()), "{path}: {}", reply.text());
    }
    arena.finish().await;
}
