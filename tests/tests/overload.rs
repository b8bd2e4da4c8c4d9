//! Nobody starves the others: what is too much, too slow or too odd is refused at once and in words.

use std::time::Duration;

use arena::{Actor, Intent, Submission, Tag, TurnNumber};
use arena_lambda::{Context, Waits};
use arena_local::{Limits, Requests};
use arena_protocol::settle;
use arena_support::{Call, Reply, Setup, TARAGUCHI, TestArena, eventually, place};
use renju::Seat;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

/// A connection on which every byte is our own.
struct Raw(TcpStream);

impl Raw {
    async fn connect(arena: &TestArena) -> Raw {
        let base = arena.client.base();
        Raw(TcpStream::connect(base.trim_start_matches("http://")).await.unwrap())
    }

    async fn send(&mut self, bytes: &str) {
        self.0.write_all(bytes.as_bytes()).await.unwrap();
    }

    /// All that comes until the other side closes.
    async fn rest(mut self) -> String {
        let mut bytes = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(60), self.0.read_to_end(&mut bytes));
        read.await.expect("the connection is closed").unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// Sends a head of these lines and says that no more will come; what is replied.
    async fn ask(arena: &TestArena, lines: &[&str]) -> String {
        let mut raw = Raw::connect(arena).await;
        raw.send(&format!("{}\r\nconnection: close\r\n\r\n", lines.join("\r\n"))).await;
        raw.rest().await
    }
}

/// The problem in a raw reply with this status.
#[track_caller]
fn problem(reply: &str, status: u16) -> Value {
    assert!(reply.starts_with(&format!("HTTP/1.1 {status} ")), "{reply}");
    let (head, body) = reply.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("application/problem+json"), "{reply}");
    serde_json::from_str(body).unwrap()
}

/// Sends a call in the background.
fn start(call: Call) -> JoinHandle<Reply> {
    tokio::spawn(async move { call.send().await })
}

/// An arena in which nobody waits in vain while a test lasts.
fn patient() -> Setup {
    Setup { wait_ms_max: 3_600_000, ..Setup::default() }
}

/// Resolves when so many polls wait.
async fn waiting(context: &Context, count: usize) {
    eventually("they wait", 30, || async { (context.waiting() == count).then_some(()) }).await;
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_in_words() {
    let arena = TestArena::start().await;
    let bad = [
        "host: a\"b",
        "host: [",
        "host: a]",
        "host: ::1",
        "host: a b",
        "host:",
        "host: a/b",
        "host: a@b",
        "host: x\r\nhost: y",
        "host: x\r\nx-forwarded-proto: :",
        "host: x\r\nx-forwarded-proto: 1",
        "host: x\r\nx-forwarded-proto: %",
        "host: x\r\nx-forwarded-proto: ht tp",
        "host: x\r\nx-forwarded-proto: ftp",
        "host: x\r\nx-forwarded-proto: http\r\nx-forwarded-proto: https",
        "accept: */*",
    ];
    for headers in bad {
        let reply = Raw::ask(&arena, &["GET /health HTTP/1.1", headers]).await;
        assert_eq!(problem(&reply, 400)["code"], "malformed", "{headers}");
    }
    // Whatever looks like an address but is none for some library is no reason to fail.
    for host in ["999.999.999.999", "a..b", "xn--a", "x:99999", "[::1]:80"] {
        let host = format!("host: {host}");
        let reply = Raw::ask(&arena, &["GET /health HTTP/1.1", &host]).await;
        assert!(reply.starts_with("HTTP/1.1 200 "), "{host}: {reply}");
    }
    for head in ["GET /health HTTP/1.0", "GET http://other/health HTTP/1.1\r\nhost: x"] {
        let reply = Raw::ask(&arena, &[head]).await;
        assert!(reply.contains(" 200 OK"), "{head}: {reply}");
    }
    for (target, status) in [("*", 404), (&*format!("/{}", "\"".repeat(15_000)), 404)] {
        let line = format!("OPTIONS {target} HTTP/1.1");
        problem(&Raw::ask(&arena, &[&line, "host: x"]).await, status);
    }
    arena.finish().await;
}

#[tokio::test]
async fn documents_with_an_address_in_them_are_kept_apart_by_caches() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let paths = [
        "/SKILL.md",
        "/REFERENCE.md",
        "/HEARTBEAT.md",
        "/llms.txt",
        "/skill.json",
        "/openapi.json",
    ];
    let game = format!("/game/{}", players.id);
    for path in paths.into_iter().chain(["/docs", &game]) {
        let fresh = arena.client.get(path).send().await;
        let tag = fresh.header("etag").unwrap();
        let known = arena.client.get(path).header("if-none-match", tag).send().await;
        for reply in [&fresh, &known] {
            let vary = reply.headers.get_all("vary").iter().map(|value| value.to_str().unwrap());
            let vary: Vec<&str> = vary.flat_map(|value| value.split(", ")).collect();
            assert!(vary.contains(&"host") && vary.contains(&"x-forwarded-proto"), "{path}");
        }
    }
    arena.finish().await;
}

#[tokio::test]
async fn a_body_is_refused_by_its_length_before_it_is_sent() {
    let arena = TestArena::start().await;
    for length in ["65537", "10000000", "18446744073709551613"] {
        let mut raw = Raw::connect(&arena).await;
        raw.send(&format!(
            "POST /rules/check HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\n\r\n"
        ))
        .await;
        let problem = problem(&raw.rest().await, 413);
        assert!(problem["detail"].as_str().unwrap().contains(length), "{problem}");
    }
    // Without a length it is refused as soon as it is too long, to its end or not.
    let chunk = format!("8000\r\n{}\r\n", "x".repeat(0x8000));
    for chunks in [format!("{chunk}0\r\n\r\n"), chunk.repeat(3)] {
        let mut raw = Raw::connect(&arena).await;
        raw.send("POST /rules/check HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
            .await;
        raw.send(&chunks).await;
        problem(&raw.rest().await, 413);
    }
    arena.finish().await;
}

#[tokio::test]
async fn a_body_that_breaks_off_or_is_badly_framed_is_malformed() {
    let arena = TestArena::start().await;
    let mut broken = Raw::connect(&arena).await;
    broken.send("POST /rules/check HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{\"a").await;
    broken.0.shutdown().await.unwrap();
    assert_eq!(problem(&broken.rest().await, 400)["code"], "malformed");
    let mut chunked = Raw::connect(&arena).await;
    chunked
        .send("POST /rules/check HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
        .await;
    chunked.send("zz\r\n{}\r\n0\r\n\r\n").await;
    assert_eq!(problem(&chunked.rest().await, 400)["code"], "malformed");
    arena.finish().await;
}

#[tokio::test]
async fn a_body_that_does_not_arrive_in_time_ends_the_connection() {
    let limits = Limits { body_time: Duration::from_millis(100), ..Limits::default() };
    let arena = TestArena::with(Setup { limits, ..Setup::default() }).await;
    let mut raw = Raw::connect(&arena).await;
    raw.send("POST /rules/check HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{").await;
    let reply = raw.rest().await;
    assert!(problem(&reply, 400)["detail"].as_str().unwrap().contains("100ms"), "{reply}");
    arena.finish().await;
}

#[tokio::test]
async fn a_slow_upload_buys_no_time() {
    let setup =
        Setup { turn_ms: Some(1_000), grace_ms: 60_000, messages: false, ..Setup::default() };
    let arena = TestArena::with(setup).await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let game = players.run("h8 i9").await;
    let agent = players.to_act(&game);
    let body = place("a1").body(2, "slow").to_string();
    let mut raw = Raw::connect(&arena).await;
    raw.send(&format!(
        "POST /games/{}/move HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        players.id,
        agent.key,
        body.len()
    ))
    .await;
    // The deadline and the second that the way through the gateway is allowed to take.
    let late = game["turn_deadline_ms"].as_i64().unwrap() + 1_100;
    let left = (late - arena_support::now_ms()).max(0).unsigned_abs();
    tokio::time::sleep(Duration::from_millis(left)).await;
    raw.send(&body).await;
    assert_eq!(problem(&raw.rest().await, 409)["code"], "deadline_passed");
    arena.finish().await;
}

#[tokio::test]
async fn many_who_wait_for_one_game_read_it_once_a_second_and_hear_of_a_move() {
    const WAITERS: usize = 20;
    let arena = TestArena::with(patient()).await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let context = arena.context().clone();
    let path = format!("/games/{}?wait=3600", players.id);
    let tag = players.spectator().send().await.header("etag").unwrap().to_owned();
    let call = arena.client.get(&path).header("if-none-match", &tag);
    let waiters: Vec<_> = (0..WAITERS).map(|_| start(call.clone())).collect();
    waiting(&context, WAITERS).await;
    let (reads, since) = (context.store.meter().of("game").calls, std::time::Instant::now());
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    assert!(waiters.iter().all(|waiter| !waiter.is_finished()));
    players.first.act(&players.id, 0, place("h8")).send().await.ok();
    for waiter in waiters {
        assert_eq!(waiter.await.unwrap().ok()["turn_number"], 1);
    }
    // One a second, and one by whoever moved: it tells the others, who do not read at all.
    let most = since.elapsed().as_secs() + 2;
    let reads = context.store.meter().of("game").calls - reads;
    assert!(reads <= most, "{reads} reads, not {most}");
    assert_eq!(context.waiting(), 0);
    arena.finish().await;
}

#[tokio::test]
async fn a_move_of_another_process_is_noticed_by_those_who_wait() {
    let arena = TestArena::with(patient()).await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let waiter = start(players.second.get(&format!("/games/{}?wait=3600", players.id)));
    let context = arena.context();
    waiting(context, 1).await;
    // The arena's own store does not hear of this one.
    let request = Intent::Play(TurnNumber(0), "h8".parse().unwrap());
    let submission = Submission { intent: request, tag: Tag([1; 8]) };
    let (store, now) = (arena.store(), arena_store::now());
    let game = arena_protocol::game(store, players.id.parse().unwrap()).await.unwrap();
    settle(store, game, Actor::Seat(Seat::First), submission, now).await.unwrap();
    assert_eq!(waiter.await.unwrap().ok()["turn_number"], 1);
    arena.finish().await;
}

#[tokio::test]
async fn those_who_wait_end_an_overdue_game_between_them() {
    let setup = Setup { turn_ms: Some(4_000), grace_ms: 300, messages: false, ..patient() };
    let arena = TestArena::with(setup).await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    players.run("h8 i9").await;
    let call = players.second.get(&format!("/games/{}?wait=3600", players.id));
    let waiters: Vec<_> = (0..4).map(|_| start(call.clone())).collect();
    for waiter in waiters {
        assert_eq!(waiter.await.unwrap().ok()["result"]["reason"], "timeout");
    }
    assert_eq!(arena.context().store.meter().of("finish").stale, 0, "one of them is enough");
    arena.finish().await;
}

#[tokio::test]
async fn spectators_who_wait_take_no_place_of_a_player() {
    let waits = Waits { players: 2, each_player: 1, spectators: 1 };
    let arena = TestArena::with(Setup { waits, ..patient() }).await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let path = format!("/games/{}?wait=3600", players.id);
    let context = arena.context();
    let spectator = start(arena.client.get(&path));
    waiting(context, 1).await;
    // Both would wait an hour, were there a place for them.
    assert_eq!(arena.client.get(&path).send().await.ok()["turn_number"], 0);
    let player = start(players.second.get(&path));
    waiting(context, 2).await;
    let again = players.second.get(&path).send().await;
    assert!(again.header("retry-after").is_some());
    assert_eq!(again.ok()["turn_number"], 0);
    // Who hangs up does not wait any more, and somebody else can.
    spectator.abort();
    waiting(context, 1).await;
    let spectator = start(arena.client.get(&path));
    waiting(context, 2).await;
    players.run("h8 resign").await;
    for waiter in [spectator, player] {
        assert!(waiter.await.unwrap().ok()["turn_number"].as_u64() > Some(0));
    }
    arena.finish().await;
}

#[tokio::test]
async fn requests_beyond_the_limit_are_told_at_once_to_come_again() {
    let none = Requests { all: 0, ..Requests::STANDARD };
    let limits = Limits { with_key: none, without_key: none, ..Limits::default() };
    let arena = TestArena::with(Setup { limits, ..Setup::default() }).await;
    let join = arena.client.post("/queue/join").json(&json!({}));
    for call in [arena.client.get("/health"), join, arena.client.get("/games")] {
        let reply = call.header("origin", "https://example.com").send().await;
        assert_eq!(reply.problem(503, "busy")["retry_after_ms"], 1_000);
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "scripts see why");
    }
    arena.finish().await;
}

#[tokio::test]
async fn requests_without_a_key_take_no_place_of_those_with_one() {
    let without_key = Requests { all: 0, ..Requests::STANDARD };
    let limits = Limits { without_key, ..Limits::default() };
    let arena = TestArena::with(Setup { limits, ..Setup::default() }).await;
    arena.client.get("/health").send().await.problem(503, "busy");
    let made_up = arena.client.get("/health").key("any");
    made_up.send().await.problem(503, "busy");
    let key = arena_lambda::ApiKey::random(&"alice".parse().unwrap()).unwrap();
    arena.client.get("/health").key(key.reveal()).send().await.ok();
    arena.finish().await;
}

#[tokio::test]
async fn a_poll_that_waits_and_a_slow_body_hold_up_no_request() {
    let one = Requests { all: 1, ..Requests::STANDARD };
    let limits = Limits { with_key: one, without_key: one, ..Limits::default() };
    let arena = TestArena::with(Setup { limits, ..Setup::default() }).await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let waiter = start(players.second.get(&format!("/games/{}?wait=10", players.id)));
    let context = arena.context();
    waiting(context, 1).await;
    let mut slow = Raw::connect(&arena).await;
    slow.send("POST /rules/check HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{").await;
    arena.client.get("/health").send().await.ok();
    players.run("h8").await;
    assert_eq!(waiter.await.unwrap().ok()["turn_number"], 1);
    arena.finish().await;
}

#[tokio::test]
async fn connections_beyond_the_limit_are_closed() {
    let limits = Limits { connections: 1, ..Limits::default() };
    let arena = TestArena::with(Setup { limits, ..Setup::default() }).await;
    let held = Raw::connect(&arena).await;
    eventually("others are closed", 30, || async {
        arena.client.get("/health").try_send().await.is_err().then_some(())
    })
    .await;
    drop(held);
    eventually("the place is free", 30, || async {
        arena.client.get("/health").try_send().await.ok()
    })
    .await;
    arena.finish().await;
}
