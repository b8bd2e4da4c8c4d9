//! Messages leave before the writes, and what a service left undone is noticed.

use super::faults::Proxy;
use super::*;
use arena_support::Trouble;

#[tokio::test]
async fn nothing_is_written_whose_message_could_not_be_sent() {
    let arena = Arena::start(1).await;
    for agent in ["alice", "bob"] {
        arena.register(agent).await;
    }
    let proxy = Proxy::before(&arena.stack).await;
    let unheard = proxy.unheard(&arena);
    let refuse = || proxy.expect("SendMessage", Trouble::Fail, 3);
    let Join::Commit(join, _) = arena.plan_join("alice", FREE, at(0)).await else {
        panic!("she may");
    };
    refuse();
    let fault = commit(&unheard.store, &join).await.unwrap_err();
    assert!(fault.is_retryable() && proxy.left() == 0, "{fault:?}");
    assert_eq!(arena.agent("alice").await.waiting, None);

    for agent in ["alice", "bob"] {
        arena.join(agent, FREE, at(0)).await;
    }
    let (alice, bob) = (arena.agent("alice").await, arena.agent("bob").await);
    let plan = seat(BySeat { first: &alice, second: &bob }, FREE, at(1), &PACE).unwrap();
    refuse();
    commit(&unheard.store, &plan).await.unwrap_err();
    let audit = arena.audit().await;
    assert_eq!((proxy.left(), audit.live, audit.waiting), (0, 0, 2));
    // The same plan again, when messages can be sent: all of it.
    assert_eq!(commit(&unheard.store, &plan).await.unwrap(), Commit::Done);
    arena.audit().await;
}

#[tokio::test]
async fn a_message_that_is_refused_among_others_is_a_fault() {
    let arena = Arena::start(1).await;
    let proxy = Proxy::before(&arena.stack).await;
    let sent = r#"{"Id":"0","MessageId":"m","MD5OfMessageBody":"d"}"#;
    let refused = r#"{"Id":"1","Code":"InternalError","SenderFault":false}"#;
    let reply = format!(r#"{{"Successful":[{sent}],"Failed":[{refused}]}}"#);
    proxy.expect("SendMessageBatch", Trouble::Answer(200, reply), 1);
    let messages = [Message::Sweep, Message::Sweep];
    let fault = proxy.unheard(&arena).store.send(&messages).await.unwrap_err();
    assert_eq!((fault.to_string().as_str(), proxy.left()), ("send: AWS call failed", 0));
}

#[tokio::test]
async fn keys_that_were_left_out_are_asked_for_again() {
    let arena = Arena::start(1).await;
    let one = arena.game(["alice", "bob"], FREE).await;
    let two = arena.game(["carol", "dave"], FREE).await;
    let proxy = Proxy::before(&arena.stack).await;
    let keys = format!(r#"[{{"pk":{{"S":"{one}"}}}},{{"pk":{{"S":"{two}"}}}}]"#);
    let table = &arena.store.config().games_table;
    let none = format!(r#"{{"Responses":{{}},"UnprocessedKeys":{{"{table}":{{"Keys":{keys}}}}}}}"#);
    let left_out = Trouble::Answer(200, none);
    proxy.expect("BatchGetItem", left_out.clone(), 2);
    let games = proxy.troubled(&arena).store.games_in_order(&[two, one]).await.unwrap();
    assert_eq!(games.iter().map(Game::id).collect::<Vec<_>>(), [two, one]);
    assert_eq!(proxy.left(), 0);
    proxy.expect("BatchGetItem", left_out, 6);
    let fault = proxy.troubled(&arena).store.games_in_order(&[two, one]).await.unwrap_err();
    assert!(fault.is_retryable() && proxy.left() == 0, "{fault:?}");
}

#[tokio::test]
async fn tickets_beyond_the_first_page_are_read() {
    let arena = Arena::start(1).await;
    for index in 0..4 {
        let agent = format!("agent{index}");
        arena.register(&agent).await;
        arena.join(&agent, FREE, at(index)).await;
        // A page of DynamoDB ends at 1 MB.
        arena.set_of_agent(&agent, "ow", "x".repeat(380_000)).await;
    }
    let before = arena.store.meter().of("waiting").calls;
    assert_eq!(arena.store.tickets(FREE, at(9)).await.unwrap().waiting.len(), 4);
    assert_eq!(arena.store.meter().of("waiting").calls - before, 2, "two pages");
}
