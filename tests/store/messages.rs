//! Messages with which something is wrong, or with what they ask for.

use std::time::Duration;

use super::faults::Proxy;
use super::sweep::deliver;
use super::*;
use arena_lambda::{Context, Settings, Unhandled, handle_batch};
use arena_protocol::{Again, act_for_house};
use arena_store::now;
use arena_support::{Trouble, batch, failed};
use tokio::sync::Barrier;
use tokio::time::timeout;

/// A game in which a house bot is to act, and the turn.
async fn called(arena: &Arena) -> (GameId, TurnNumber) {
    let id = arena.game_with_house("alice", FREE, now()).await;
    let game = arena.stored(id).await;
    if game.seat_of(&name("alice")) == game.to_act() {
        arena.play_on(id, now()).await;
    }
    (id, arena.stored(id).await.turn())
}

#[tokio::test]
async fn a_house_bot_that_could_not_decide_is_called_again() {
    let arena = Arena::with(1, HOUSE).await;
    let (id, turn) = called(&arena).await;
    // Its own stone lies on none of them; an illegal play is nobody's move.
    let illegal = act_for_house(&arena.store, id, turn, async |_, _| Ok(Play::Swap)).await;
    assert!(matches!(illegal, Err(Again::NoPlay(_))), "{illegal:?}");
    let silent = act_for_house(&arena.store, id, turn, async |_, _| Err("silent".into())).await;
    assert!(matches!(silent, Err(Again::NoPlay(_))), "{silent:?}");

    let proxy = Proxy::before(&arena.stack).await;
    let troubled = proxy.troubled(&arena);
    proxy.expect("UpdateItem", Trouble::Fail, 3);
    let failed = act_for_house(&troubled.store, id, turn, async |_, _| Ok(point("o15"))).await;
    assert!(matches!(failed, Err(Again::Fault(_))), "{failed:?}");
    act_for_house(&arena.store, id, turn, async |_, _| Ok(point("o15"))).await.unwrap();
    let game = arena.stored(id).await;
    assert_eq!(game.turn().0, turn.0 + 1);
}

#[tokio::test]
async fn a_call_of_a_house_bot_that_reaches_the_referee_is_passed_on() {
    let arena = Arena::with(1, HOUSE).await;
    let (id, turn) = called(&arena).await;
    let queue = &arena.store.config().house_queue_url;
    let body = message::body(&Message::House { game: id, turn });
    arena.heard(queue, "house").await;
    assert_eq!(deliver(&arena.store, &[&body]).await, [0_usize; 0]);
    assert_eq!(arena.heard(queue, "house").await, [body]);
}

#[tokio::test]
async fn the_sweep_takes_up_a_chain_of_timers_that_broke_off_and_leaves_a_heartbeat() {
    let arena = Arena::start(1).await;
    let slow = Division { pool: Pool::Slow, ..FREE };
    for agent in ["alice", "bob"] {
        arena.register(agent).await;
    }
    let id = arena.next_game(["alice", "bob"], slow, now().plus(-20 * 60_000)).await;
    let armed = async || arena.store.game(id, Read::Strong).await.unwrap().unwrap().armed.unwrap();
    let broken = armed().await;
    assert!(now().since(broken) > 60_000, "the first link should have fired");
    let heartbeat = async || arena.store.last_heartbeat().await.unwrap();
    assert_eq!(heartbeat().await, None);
    assert_eq!(deliver(&arena.store, &["sweep"]).await, [0_usize; 0]);
    assert!(armed().await > now(), "{:?}", armed().await);
    let first = heartbeat().await;
    tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    assert_eq!(deliver(&arena.store, &["sweep"]).await, [0_usize; 0]);
    assert!(first.is_some() && heartbeat().await > first, "each sweep leaves its own");
}

#[tokio::test]
async fn a_turn_that_an_old_read_does_not_show_is_found() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let proxy = Proxy::before(&arena.stack).await;
    let troubled = proxy.troubled(&arena);
    proxy.expect("GetItem", Trouble::Remember, 1);
    troubled.stored(id).await;
    arena.play_on(id, at(1)).await;
    proxy.expect("GetItem", Trouble::Repeat, 1);
    let (game, is_final) =
        arena_protocol::game_at(&troubled.store, id, Some(TurnNumber(1))).await.unwrap();
    assert_eq!((game.turn(), is_final, proxy.left()), (TurnNumber(1), true, 0));
    // The latest turn takes one read, if that shows it.
    proxy.overhear("GetItem");
    let latest = arena_protocol::game_at(&troubled.store, id, Some(TurnNumber(1))).await.unwrap();
    assert_eq!((latest.0.turn(), proxy.overheard().len()), (TurnNumber(1), 1));
}

#[tokio::test]
async fn a_queue_is_looked_at_once_and_only_what_failed_comes_again() {
    let arena = Arena::start(1).await;
    let bodies = [
        "match renju_free/fast 0",
        "sweep",
        "match renju_free/fast 7",
        "match renju_free/slow 0",
        "sweep",
        "nonsense",
        "house abcdefghijklmnop 3",
    ];
    let seen = Mutex::new(Vec::new());
    let handle = async |_, message: Message| {
        let mut seen = seen.lock().unwrap();
        seen.push(message::body(&message));
        match message {
            Message::House { .. } => Err(Unhandled::Misdirected),
            Message::Sweep if seen.len() > 2 => Err(Again::NotYet.into()),
            _ => Ok(()),
        }
    };
    let context = Context::new(arena.store.clone(), Settings::standard(None));
    let response = handle_batch(context, batch(&bodies), handle).await;
    assert_eq!(*seen.lock().unwrap(), [0, 1, 3, 4, 6].map(|index| bodies[index]));
    assert_eq!(failed(response), [4, 5, 6]);
}

#[tokio::test]
async fn no_message_of_a_batch_waits_for_another() {
    let arena = Arena::start(1).await;
    let bodies = ["match renju_free/fast 0", "match renju_free/fast 7", "match renju_free/slow 0"];
    let both = Barrier::new(2);
    // Each goes on when the other has begun. The second is served by the first, which fails.
    let handle = async |_, message: Message| {
        both.wait().await;
        if message::body(&message) == bodies[0] { Err(Again::NotYet.into()) } else { Ok(()) }
    };
    let context = Context::new(arena.store.clone(), Settings::standard(None));
    let response = handle_batch(context, batch(&bodies), handle);
    let response = timeout(Duration::from_secs(60), response).await.expect("together");
    assert_eq!(failed(response), [0]);
}
