//! Lost replies, conflicts, throttling and old reads, by a proxy before DynamoDB.

use std::ops::Deref;

use arena::Ruling;
use arena_protocol::{Declined, rule};
use arena_support::{Faults, Trouble};

use super::*;

const THROTTLED: &str =
    r#"{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"slow down"}"#;

/// A call that DynamoDB refuses because the whole table gets too many.
pub(super) fn throttled() -> Trouble {
    Trouble::Answer(400, THROTTLED.to_owned())
}

/// A proxy before the services of an arena.
pub(super) struct Proxy {
    faults: Faults,
    upstream: Endpoint,
}

impl Deref for Proxy {
    type Target = Faults;

    fn deref(&self) -> &Faults {
        &self.faults
    }
}

impl Proxy {
    /// A proxy before both services.
    pub(super) async fn before(stack: &Stack) -> Proxy {
        let upstream = stack.listen().await.unwrap();
        Proxy { faults: Faults::before(upstream.url()).await, upstream }
    }

    /// The same arena, through this proxy before DynamoDB.
    pub(super) fn troubled(&self, arena: &Arena) -> Arena {
        arena.reached_by(Access::local(self.url(), self.upstream.url()))
    }

    /// The same arena, through this proxy before SQS.
    pub(super) fn unheard(&self, arena: &Arena) -> Arena {
        arena.reached_by(Access::local(self.upstream.url(), self.url()))
    }
}

#[tokio::test]
async fn conflicts_are_tried_again_and_then_given_up() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let proxy = Proxy::before(&arena.stack).await;
    let troubled = proxy.troubled(&arena);
    proxy.expect("UpdateItem", Trouble::Conflict, 2);
    assert!(!troubled.play_on(id, at(1)).await.replayed);
    proxy.expect("TransactWriteItems", Trouble::Cancel, 6);
    let submission = Submission { intent: Intent::Resign, tag: tag(7) };
    let given_up = troubled.submit(id, Actor::Seat(Seat::First), submission, at(2)).await;
    let Err(Refused::Fault(fault)) = given_up else { panic!("{given_up:?}") };
    assert!(fault.is_retryable() && proxy.left() == 0, "{fault:?}");
    proxy.expect("TransactWriteItems", Trouble::Cancel, 5);
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
    proxy.expect("GetItem", throttled(), 3);
    let fault = troubled.store.game(id, Read::Cheap).await.unwrap_err();
    assert!(fault.is_retryable(), "{fault:?}");
    assert_eq!(fault.to_string(), "game: AWS call failed");
    proxy.expect("GetItem", throttled(), 2);
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
async fn an_operator_is_told_of_a_call_that_failed() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let proxy = Proxy::before(&arena.stack).await;
    proxy.expect("GetItem", throttled(), 3);
    let declined = rule(&proxy.troubled(&arena).store, id, Ruling::Draw).await;
    assert!(matches!(declined, Err(Declined::Fault(_))), "{declined:?}");
}

#[tokio::test]
async fn an_old_read_is_never_the_last_word() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let proxy = Proxy::before(&arena.stack).await;
    let troubled = proxy.troubled(&arena);
    proxy.expect("GetItem", Trouble::Remember, 1);
    let start = troubled.stored(id).await;
    arena.play_on(id, at(1)).await;

    // The client knows turn 1, the read shows turn 0.
    proxy.expect("GetItem", Trouble::Repeat, 1);
    let submission = place(TurnNumber(1), point("h8"), 50);
    let settled = troubled.submit(id, Actor::Seat(Seat::Second), submission, at(2)).await.unwrap();
    assert_eq!((settled.game.turn(), settled.replayed), (TurnNumber(2), false));
    // A repetition of what the read does not show yet, when the turn that it shows would be long over.
    proxy.expect("GetItem", Trouble::Repeat, 1);
    let again = troubled.submit(id, Actor::Seat(Seat::Second), submission, at(100)).await.unwrap();
    assert_eq!((again.turn, again.replayed), (TurnNumber(1), true));
    // A move for the turn that the read shows: the failed condition tells.
    proxy.expect("GetItem", Trouble::Repeat, 1);
    let late = place(start.turn(), point("o15"), 51);
    let refused = troubled.submit(id, Actor::Seat(Seat::First), late, at(3)).await;
    let (rejection, game) = rejection(refused);
    let current = TurnNumber(2);
    assert_eq!(rejection, Rejection::TurnMismatch { current, already_applied: false });
    assert_eq!(game, settled.game);
    // A game that has only just been made.
    proxy.expect("GetItem", Trouble::Nothing, 1);
    let resigned = troubled.resign(id, Seat::First, at(4)).await;
    assert_eq!((resigned.turn(), proxy.left()), (TurnNumber(3), 0));
    arena.audit().await;
}
