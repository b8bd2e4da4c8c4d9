//! Registering, waiting, being seated, changing keys.

use super::*;

#[tokio::test]
async fn a_name_is_registered_once() {
    let arena = Arena::start(1).await;
    let mut racers = JoinSet::new();
    for racer in 0..8 {
        let store = arena.store.clone();
        racers.spawn(async move {
            let agent = Agent::register(name("alice"), key("alice", racer), at(0));
            let commit = commit(&store, &plan_of(Write::Register(Box::new(agent.clone())))).await;
            (agent, commit.unwrap())
        });
    }
    let results = racers.join_all().await;
    let stored = arena.agent("alice").await;
    let winners = results.iter().filter(|(_, commit)| *commit == Commit::Done);
    assert_eq!(winners.map(|(agent, _)| agent).collect::<Vec<_>>(), [&stored]);
    for (_, commit) in results.iter().filter(|(_, commit)| *commit != Commit::Done) {
        assert_eq!(commit.stale(0), Some(&Current::Agent(Box::new(stored.clone()))));
    }
    assert_eq!(arena.store.agent(&name("bob")).await.unwrap(), None);
    assert_eq!(arena.store.profile(&name("bob")).await.unwrap(), None);
    let usage = arena.store.meter().of("register");
    assert_eq!((usage.calls, usage.stale, usage.write_units), (8, 7, 1.0));
}

/// So long that no test sees the end of a window.
const WINDOW_S: u32 = 1_000_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn an_address_registers_so_often_and_no_more() {
    let arena = Arena::start(1).await;
    let mut racers = JoinSet::new();
    for _ in 0..20 {
        let store = arena.store.clone();
        racers.spawn(async move { store.admit("192.0.2.7", WINDOW_S, 5).await.unwrap() });
    }
    let granted = racers.join_all().await.into_iter().filter(Option::is_none);
    assert_eq!(granted.count(), 5);
    let admit = async |address| arena.store.admit(address, WINDOW_S, 5).await.unwrap();
    let until = admit("192.0.2.7").await.expect("the limit is reached");
    assert!(until > arena.store.now() && until.ms() % (i64::from(WINDOW_S) * 1_000) == 0);
    assert_eq!(admit("192.0.2.8").await, None);
    assert_eq!(arena.store.meter().of("admit").write_units, 6.0);
    let none = arena.store.admit("192.0.2.9", WINDOW_S, 0).await.unwrap();
    assert_eq!(none, Some(until), "a limit of nothing grants nothing");
    // DynamoDB forgets an item some time after this second.
    let table = &arena.store.config().agents_table;
    let counted = arena.access.dynamodb().scan().table_name(table).send().await.unwrap();
    assert_eq!(counted.count(), 2);
    let expiry = AttributeValue::N((until.ms() / 1_000).to_string());
    assert!(counted.items().iter().all(|item| item["ex"] == expiry), "{counted:?}");
    arena.audit().await;
}

#[tokio::test]
async fn an_address_registers_again_in_the_next_window() {
    let arena = Arena::start(1).await;
    let admit = async || arena.store.admit("192.0.2.7", 1, 1).await.unwrap();
    let until = loop {
        if let Some(until) = admit().await {
            break until;
        }
    };
    while arena.store.now() < until {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(admit().await, None);
}
