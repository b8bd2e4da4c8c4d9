//! Capture gomoku over the socket of a running arena.

mod transcript;

use arena_local::Limits;
use arena_support::{FrontEnd, Process, Setup, TestArena, duel_request, eventually};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

/// A request for a move on a board with one stone.
fn request(difficulty: &str) -> String {
    duel_request(difficulty, &[(9, 9)])
}

#[tokio::test]
async fn a_bad_frame_is_answered_and_the_socket_stays_open() {
    let arena = TestArena::start().await;
    let mut front_end = FrontEnd::connect(&arena.client.base(), "/ws").await;
    let long = format!(r#"{{"type":"ping"{}}}"#, " ".repeat(64 * 1024));
    let too_long = format!("the frame has {} bytes, more than 65536", long.len());
    for (frame, why) in [
        (Message::text(""), "the frame is not JSON: EOF while parsing a value at line 1 column 0"),
        (Message::text("{bad"), "the frame is not JSON: key must be a string at line 1 column 2"),
        (Message::text("[]"), "the frame must be a JSON object"),
        (Message::text(r#"{"type":"move"}"#), "difficulty is missing"),
        (Message::text(long), &*too_long),
        (Message::binary(vec![0, 1, 2]), "the frame is not text"),
    ] {
        front_end.send(frame).await;
        assert_eq!(front_end.reply().await, json!({"type": "error", "error": why}));
        front_end.ping().await;
    }
    // What no reply is due to is not answered by the next one either.
    front_end.send(Message::text(r#"{"type":"reset"}"#)).await;
    front_end.ping().await;
    assert_eq!(front_end.ask(&request("easy")).await["type"], "move");
    // A ping of the socket itself.
    front_end.send(Message::Ping("hello".into())).await;
    assert_eq!(front_end.frame().await, Message::Pong("hello".into()));
    // Only what could fill the memory ends it.
    front_end.send(Message::text(" ".repeat(2 << 20))).await;
    assert_eq!(front_end.closed().await, CloseCode::Size);
    arena.finish().await;
}

#[tokio::test]
async fn the_debug_socket_tells_what_the_search_found() {
    let arena = TestArena::start().await;
    let mut front_end = FrontEnd::connect(&arena.client.base(), "/ws/debug").await;
    let reply = front_end.ask(&request("medium")).await;
    assert!(reply["search"]["nodes"].as_u64().unwrap() > 0, "{reply}");
    assert!(reply["search"]["line"][0].is_string(), "{reply}");
    arena.finish().await;
}

#[tokio::test]
async fn nobody_waits_while_another_socket_is_thought_for() {
    let arena = TestArena::start().await;
    let base = arena.client.base();
    let mut slow = FrontEnd::connect(&base, "/ws").await;
    let mut quick = FrontEnd::connect(&base, "/ws").await;
    quick.ping().await;
    slow.send(Message::text(request("hard"))).await;
    tokio::select! {
        biased;
        reply = slow.reply() => panic!("a hard move takes its time: {reply}"),
        () = quick.ping() => {}
    }
    assert_eq!(slow.reply().await["type"], "move");
    arena.finish().await;
}

#[tokio::test]
async fn a_move_that_nobody_has_time_for_is_refused_and_the_socket_stays_open() {
    let limits = Limits { thinking: 0, thinking_queue: 0, ..Limits::default() };
    let arena = TestArena::with(Setup { limits, ..Setup::default() }).await;
    let mut front_end = FrontEnd::connect(&arena.client.base(), "/ws").await;
    let reply = front_end.ask(&request("easy")).await;
    let busy = "the arena is busy; ask again in a moment";
    assert_eq!(reply, json!({"type": "error", "error": busy}));
    // What takes no thought is answered.
    front_end.ping().await;
    assert_eq!(front_end.ask("{bad").await["type"], "error");
    arena.finish().await;
}

#[tokio::test]
async fn a_socket_too_many_is_refused_until_another_closes() {
    let some = Limits::default();
    for limits in [Limits { sockets: 1, ..some }, Limits { sockets_each: 1, ..some }] {
        let arena = TestArena::with(Setup { limits, ..Setup::default() }).await;
        let base = arena.client.base();
        let mut front_end = FrontEnd::connect(&base, "/ws").await;
        front_end.ping().await;
        let open = || {
            let upgrade = [
                ("connection", "upgrade"),
                ("upgrade", "websocket"),
                ("sec-websocket-version", "13"),
                ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ];
            let call = arena.client.get("/ws");
            upgrade.into_iter().fold(call, |call, (name, value)| call.header(name, value))
        };
        assert_eq!(open().send().await.problem(503, "busy")["retry_after_ms"], 1_000);
        front_end.ping().await;
        drop(front_end);
        eventually("the place is free", 30, || async {
            (open().try_send().await.ok()?.status == 101).then_some(())
        })
        .await;
        arena.finish().await;
    }
}

#[tokio::test]
async fn more_sockets_than_are_remembered_are_all_played_with() {
    let arena = TestArena::start().await;
    let mut front_ends = Vec::new();
    for _ in 0..10 {
        front_ends.push(FrontEnd::connect(&arena.client.base(), "/ws").await);
    }
    for _ in 0..2 {
        for front_end in &mut front_ends {
            assert_eq!(front_end.ask(&request("easy")).await["type"], "move");
        }
    }
    arena.finish().await;
}

#[tokio::test]
async fn open_sockets_are_told_when_the_arena_stops() {
    let arena = TestArena::start().await;
    let mut front_end = FrontEnd::connect(&arena.client.base(), "/ws").await;
    front_end.ping().await;
    let (code, _) = tokio::join!(front_end.closed(), arena.finish());
    assert_eq!(code, CloseCode::Away);
}

#[tokio::test]
async fn a_request_that_opens_no_socket_is_a_problem() {
    let arena = TestArena::start().await;
    for path in ["/ws", "/ws/debug"] {
        let reply = arena.client.get(path).send().await;
        let problem = reply.problem(400, "malformed");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.starts_with("here a WebSocket is opened, and nothing else: "), "{detail}");
    }
    arena.finish().await;
}

#[tokio::test]
async fn duels_have_a_port_of_their_own_where_one_is_asked_for() {
    let program = env!("CARGO_BIN_EXE_arena-under-test");
    let process = Process::start(program, &["--ephemeral", "--duel-port", "0"]).await;
    let base = eventually("the port is told", 60, || async {
        let output = process.output();
        let (_, rest) = output.split_once("Duels alone at ws:")?;
        rest.split_whitespace().next().map(str::to_owned)
    })
    .await;
    // Front ends of this game do not agree on a path.
    for path in ["/", "/ws", "/anything"] {
        let mut front_end = FrontEnd::connect(&base, path).await;
        let reply = front_end.ask(&request("easy")).await;
        assert_eq!((&reply["type"], reply.get("search")), (&json!("move"), None));
    }
    let mut front_end = FrontEnd::connect(&base, "/ws/debug").await;
    assert!(front_end.ask(&request("easy")).await["search"].is_object());
    process.kill().await;
}
