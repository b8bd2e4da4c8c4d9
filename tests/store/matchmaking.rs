//! A look at a queue: one bad ticket, one fault or one partner lost stops nobody else.

use super::faults::{Proxy, throttled};
use super::sweep::deliver;
use super::*;
use arena_store::now;
use arena_support::Trouble;

const LOOK: &str = "match renju_free/fast 0";

impl Arena {
    /// New agents that have waited for so many seconds.
    async fn wait<const N: usize>(&self, agents: [(&str, i64); N]) {
        for (agent, waited_s) in agents {
            self.register(agent).await;
            self.join(agent, FREE, now().plus(-1_000 * waited_s)).await;
        }
    }

    /// The game an agent sits in.
    async fn seated(&self, agent: &str) -> Option<Game> {
        let id = self.agent(agent).await.game?;
        self.store.game(id, Read::Cheap).await.unwrap().map(|stored| stored.game)
    }
}

#[tokio::test]
async fn a_ticket_that_cannot_be_read_is_passed_over() {
    let arena = Arena::start(1).await;
    arena.wait([("ann", 3), ("bob", 2), ("cal", 1)]).await;
    arena.set_of_agent("ann", "qh", "with a wish of the future".to_owned()).await;
    assert_eq!(deliver(&arena.store, &[LOOK]).await, [0_usize; 0]);
    assert!(arena.seated("bob").await.is_some() && arena.seated("cal").await.is_some());
    arena.set_of_agent("ann", "qh", "later".to_owned()).await;
    arena.audit().await;
}

#[tokio::test]
async fn a_fault_over_one_pair_leaves_the_others_and_is_tried_again() {
    let arena = Arena::start(1).await;
    arena.wait([("ann", 4), ("bob", 3), ("cal", 2), ("dan", 1)]).await;
    arena.message("match", 4).await;
    let proxy = Proxy::before(&arena.stack).await;
    // Both pairs are seated at once, with three attempts each: exactly one of them succeeds.
    proxy.expect("TransactWriteItems", Trouble::Fail, 5);
    let troubled = proxy.troubled(&arena).store;
    assert_eq!(deliver(&troubled, &[LOOK]).await, [0_usize; 0]);
    let audit = arena.audit().await;
    assert_eq!((proxy.left(), audit.live, audit.waiting), (0, 1, 2));
    let again = arena.message("match", 1).await;
    assert_eq!(deliver(&arena.store, &[&again]).await, [0_usize; 0]);
    assert_eq!(arena.audit().await.live, 2);
}

#[tokio::test]
async fn a_look_that_cannot_read_its_queue_looks_again_soon() {
    let arena = Arena::start(1).await;
    arena.wait([("ann", 2), ("bob", 1)]).await;
    arena.message("match", 2).await;
    let proxy = Proxy::before(&arena.stack).await;
    proxy.expect("Query", throttled(), 3);
    assert_eq!(deliver(&proxy.troubled(&arena).store, &[LOOK]).await, [0_usize; 0]);
    let again = arena.message("match", 1).await;
    assert_eq!(deliver(&arena.store, &[&again]).await, [0_usize; 0]);
    assert_eq!(arena.audit().await.live, 1);
}

#[tokio::test]
async fn a_game_starts_when_it_is_seated_and_not_when_the_look_began() {
    let arena = Arena::start(1).await;
    arena.wait([("ann", 4), ("bob", 3), ("cal", 2), ("dan", 1)]).await;
    let proxy = Proxy::before(&arena.stack).await;
    // The first pair meets other transactions, and waits a while before each attempt.
    proxy.expect("TransactWriteItems", Trouble::Cancel, 5);
    assert_eq!(deliver(&proxy.troubled(&arena).store, &[LOOK]).await, [0_usize; 0]);
    let audit = arena.audit().await;
    let starts: BTreeSet<Timestamp> =
        audit.games.values().map(|game| game.header().created).collect();
    assert_eq!((proxy.left(), audit.live, starts.len()), (0, 2, 2));
}

#[tokio::test]
async fn who_loses_a_partner_gets_another_before_a_house_bot() {
    let arena = Arena::with(1, HOUSE).await;
    arena.wait([("ann", 40), ("bob", 39), ("cal", 38)]).await;
    let proxy = Proxy::before(&arena.stack).await;
    let troubled = proxy.troubled(&arena).store;
    // Bob is nearest to ann and has just left; the index does not show that yet.
    proxy.expect("Query", Trouble::Remember, 1);
    assert_eq!(troubled.tickets(FREE, now()).await.unwrap().waiting.len(), 3);
    let leave = arena.agent("bob").await.leave().unwrap();
    assert_eq!(commit(&arena.store, &leave).await.unwrap(), Commit::Done);
    proxy.expect("Query", Trouble::Repeat, 1);
    assert_eq!(deliver(&troubled, &[LOOK]).await, [0_usize; 0]);
    let (ann, cal) = (arena.seated("ann").await.unwrap(), arena.seated("cal").await.unwrap());
    assert_eq!(ann.id(), cal.id());
    assert_eq!((proxy.left(), arena.audit().await.live), (0, 1));
}
