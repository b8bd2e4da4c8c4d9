//! Lost replies, conflicts, throttling and old reads, by a proxy before DynamoDB.

use super::*;

/// What goes wrong with one call on its way to DynamoDB.
#[derive(Clone, Debug)]
pub(super) enum Trouble {
    /// It never arrives: this is the reply.
    Reply(u16, &'static str),
    /// It never arrives: this is the reply, and the service seems content.
    Answer(String),
    /// Nothing.
    Pass,
    /// It is carried out, and the connection ends without a reply.
    LoseReply,
    /// Nothing: but the reply is kept.
    Remember,
    /// The reply kept before is sent once more: an old read.
    Repeat,
}

pub(super) const BROKEN: &str = r#"{"__type":"InternalServerError","message":"it broke"}"#;
pub(super) const THROTTLED: &str =
    r#"{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"slow down"}"#;
const CONFLICT: &str = r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException","message":"busy"}"#;
pub(super) const CANCELLED: &str = r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"cancelled","CancellationReasons":[{"Code":"None"},{"Code":"TransactionConflict","Message":"busy"},{"Code":"None"}]}"#;

/// Stands between the store and a service. No emulator throttles, conflicts or loses a reply.
pub(super) struct Proxy {
    url: String,
    /// What it stands before.
    upstream: Endpoint,
    troubles: Arc<Mutex<VecDeque<(&'static str, Trouble)>>>,
}

impl Proxy {
    /// A proxy before both services.
    pub(super) async fn before(stack: &Stack) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let troubles = Arc::new(Mutex::new(VecDeque::new()));
        let endpoint = stack.listen().await.unwrap();
        let upstream = endpoint.url().replace("http://", "");
        let proxy = Proxy { url, upstream: endpoint, troubles: Arc::clone(&troubles) };
        let kept = Arc::new(Mutex::new(Vec::new()));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (troubles, kept) = (Arc::clone(&troubles), Arc::clone(&kept));
                tokio::spawn(pass(client, upstream.clone(), troubles, kept));
            }
        });
        proxy
    }

    /// The same arena, through this proxy before DynamoDB.
    pub(super) fn troubled(&self, arena: &Arena) -> Arena {
        let access = Access::local(&self.url, self.upstream.url());
        let store = Store::new(&access, arena.store.config().clone());
        Arena { stack: Arc::clone(&arena.stack), access, store }
    }

    /// The same arena, through this proxy before SQS.
    pub(super) fn unheard(&self, arena: &Arena) -> Arena {
        let access = Access::local(self.upstream.url(), &self.url);
        let store = Store::new(&access, arena.store.config().clone());
        Arena { stack: Arc::clone(&arena.stack), access, store }
    }

    /// The next calls of these operations meet these troubles, in this order.
    pub(super) fn expect(&self, troubles: impl IntoIterator<Item = (&'static str, Trouble)>) {
        self.troubles.lock().unwrap().extend(troubles);
    }

    pub(super) fn left(&self) -> usize {
        self.troubles.lock().unwrap().len()
    }
}

async fn pass(
    mut client: TcpStream,
    upstream: String,
    troubles: Arc<Mutex<VecDeque<(&'static str, Trouble)>>>,
    kept: Arc<Mutex<Vec<u8>>>,
) {
    while let Some((head, request)) = message(&mut client).await {
        let trouble = {
            let mut troubles = troubles.lock().unwrap();
            let is_next = troubles.front().is_some_and(|(target, _)| {
                head.to_ascii_lowercase().contains(&format!(".{}\r", target.to_ascii_lowercase()))
            });
            if is_next { troubles.pop_front().map(|(_, trouble)| trouble) } else { None }
        };
        let reply = match &trouble {
            Some(Trouble::Reply(status, body)) => invented(*status, body),
            Some(Trouble::Answer(body)) => invented(200, body),
            Some(Trouble::Repeat) => kept.lock().unwrap().clone(),
            _ => {
                let mut server = TcpStream::connect(&upstream).await.unwrap();
                server.write_all(&request).await.unwrap();
                message(&mut server).await.unwrap().1
            }
        };
        match trouble {
            Some(Trouble::LoseReply) => return,
            Some(Trouble::Remember) => kept.lock().unwrap().clone_from(&reply),
            _ => {}
        }
        if client.write_all(&reply).await.is_err() {
            return;
        }
    }
}

fn invented(status: u16, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} Reply\r\ncontent-type: application/x-amz-json-1.0\r\n");
    format!("{head}content-length: {length}\r\n\r\n{body}").into_bytes()
}

/// The head of an HTTP message, and the whole of it.
async fn message(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..end + 2].to_vec()).unwrap();
            let lower = head.to_ascii_lowercase();
            let (_, length) = lower.split_once("content-length: ")?;
            let length: usize = length.split("\r\n").next()?.parse().ok()?;
            if bytes.len() >= end + 4 + length {
                return Some((head, bytes));
            }
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend(&buffer[..read]),
        }
    }
}

#[tokio::test]
async fn a_lost_reply_is_found_in_the_log() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let proxy = Proxy::before(&arena.stack).await;
    let troubled = proxy.troubled(&arena);
    // The SDK repeats the call by itself; its condition fails on what the first one wrote.
    proxy.expect([("UpdateItem", Trouble::LoseReply)]);
    let settled = troubled.play_on(id, at(1)).await;
    assert_eq!(
        (proxy.left(), settled.turn, settled.game.turn()),
        (0, TurnNumber(0), TurnNumber(1))
    );
    assert!(settled.replayed);
    // Every reply is lost: we do not know, and say so. The same request again finds it written.
    proxy.expect([
        ("UpdateItem", Trouble::LoseReply),
        ("UpdateItem", Trouble::LoseReply),
        ("UpdateItem", Trouble::LoseReply),
    ]);
    let submission = place(TurnNumber(1), point("h8"), 1);
    let lost = troubled.submit(id, Actor::Seat(Seat::Second), submission, at(2)).await;
    let Err(Refused::Fault(fault)) = lost else { panic!("{lost:?}") };
    assert!(fault.is_retryable(), "{fault:?}");
    let found = troubled.submit(id, Actor::Seat(Seat::Second), submission, at(3)).await.unwrap();
    assert_eq!((found.turn, found.replayed), (TurnNumber(1), true));

    // The end of a game: the SDK repeats the transaction with the same token.
    proxy.expect([("TransactWriteItems", Trouble::LoseReply)]);
    let ended = troubled.resign(id, Seat::First, at(4)).await;
    assert_eq!((proxy.left(), ended.turn()), (0, TurnNumber(3)));
    assert_eq!(arena.standing(&name("alice"), FREE).await.listed(), 1);
    arena.audit().await;
}

#[tokio::test]
async fn conflicts_are_tried_again_and_then_given_up() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let proxy = Proxy::before(&arena.stack).await;
    let troubled = proxy.troubled(&arena);
    proxy.expect([
        ("UpdateItem", Trouble::Reply(400, CONFLICT)),
        ("UpdateItem", Trouble::Reply(400, CONFLICT)),
    ]);
    assert!(!troubled.play_on(id, at(1)).await.replayed);
    let busy = || ("TransactWriteItems", Trouble::Reply(400, CANCELLED));
    proxy.expect((0..6).map(|_| busy()));
    let submission = Submission { intent: Intent::Resign, tag: tag(7) };
    let given_up = troubled.submit(id, Actor::Seat(Seat::First), submission, at(2)).await;
    let Err(Refused::Fault(fault)) = given_up else { panic!("{given_up:?}") };
    assert!(fault.is_retryable() && proxy.left() == 0, "{fault:?}");
    proxy.expect((0..5).map(|_| busy()));
    let ended = troubled.submit(id, Actor::Seat(Seat::First), submission, at(3)).await.unwrap();
    assert!(ended.game.result().is_some() && !ended.replayed && proxy.left() == 0);
    arena.audit().await;
}

#[tokio::test]
async fn throttling_is_worth_another_try_and_a_missing_table_is_not() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let proxy = Proxy::before(&arena.stack).await;
    let troubled = proxy.troubled(&arena);
    proxy.expect((0..3).map(|_| ("GetItem", Trouble::Reply(400, THROTTLED))));
    let fault = troubled.store.game(id, Read::Cheap).await.unwrap_err();
    assert!(fault.is_retryable(), "{fault:?}");
    assert_eq!(fault.to_string(), "game: AWS call failed");
    proxy.expect((0..2).map(|_| ("GetItem", Trouble::Reply(400, THROTTLED))));
    assert!(
        troubled.store.game(id, Read::Cheap).await.unwrap().is_some(),
        "the SDK's third attempt"
    );

    let config =
        arena_store::Config { games_table: "nowhere".to_owned(), ..arena.store.config().clone() };
    let fault = Store::new(&arena.access, config).game(id, Read::Cheap).await.unwrap_err();
    assert!(!fault.is_retryable(), "{fault:?}");
}

#[tokio::test]
async fn an_old_read_is_never_the_last_word() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let proxy = Proxy::before(&arena.stack).await;
    let troubled = proxy.troubled(&arena);
    proxy.expect([("GetItem", Trouble::Remember)]);
    let start = troubled.store.game(id, Read::Cheap).await.unwrap().unwrap().game;
    arena.play_on(id, at(1)).await;

    // The client knows turn 1, the read shows turn 0.
    proxy.expect([("GetItem", Trouble::Repeat)]);
    let submission = place(TurnNumber(1), point("h8"), 50);
    let settled = troubled.submit(id, Actor::Seat(Seat::Second), submission, at(2)).await.unwrap();
    assert_eq!((settled.game.turn(), settled.replayed), (TurnNumber(2), false));
    // A repetition of what the read does not show yet.
    proxy.expect([("GetItem", Trouble::Repeat)]);
    let again = troubled.submit(id, Actor::Seat(Seat::Second), submission, at(3)).await.unwrap();
    assert_eq!((again.turn, again.replayed), (TurnNumber(1), true));
    // A move for the turn that the read shows: the failed condition tells.
    proxy.expect([("GetItem", Trouble::Repeat)]);
    let late = place(start.turn(), point("o15"), 51);
    let refused = troubled.submit(id, Actor::Seat(Seat::First), late, at(3)).await;
    let (rejection, game) = rejection(refused);
    let current = TurnNumber(2);
    assert_eq!(rejection, Rejection::TurnMismatch { current, already_applied: false });
    assert_eq!(game, settled.game);
    // A game that has only just been made.
    proxy.expect([("GetItem", Trouble::Reply(200, "{}"))]);
    let resigned = troubled.resign(id, Seat::First, at(4)).await;
    assert_eq!((resigned.turn(), proxy.left()), (TurnNumber(3), 0));
    arena.audit().await;
}
