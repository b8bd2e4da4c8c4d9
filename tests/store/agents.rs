//! Registering, waiting, being seated, changing keys.

use super::*;
use aws_sdk_dynamodb::types::AttributeValue;

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

#[tokio::test]
async fn join_refresh_leave_and_join_again() {
    let arena = Arena::start(4).await;
    arena.register("alice").await;
    let Join::Commit(plan, ticket) = arena.plan_join("alice", FREE, at(0)).await else {
        panic!("an idle agent may join");
    };
    assert_eq!(commit(&arena.store, &plan).await.unwrap(), Commit::Done);
    // The same plan again, as after a lost reply: the ticket is there already.
    let again = commit(&arena.store, &plan).await.unwrap();
    let Some(Current::Agent(queued)) = again.stale(0) else { panic!("{again:?}") };
    assert_eq!(queued.ticket(at(0)), Some(ticket.clone()));
    assert_eq!(arena.plan_join("alice", FREE, at(1)).await, Join::Queued(ticket));

    let tickets = async |division, now| arena.store.tickets(division, now).await.unwrap();
    let good = tickets(FREE, at(1)).await;
    assert_eq!((good.waiting.len(), good.lapsed), (1, vec![]));
    assert_eq!(tickets(TARAGUCHI, at(1)).await, Tickets::default());
    let bad = tickets(FREE, at(601)).await;
    assert_eq!((bad.waiting, bad.lapsed), (vec![], vec![name("alice")]));
    let refresh = arena.agent("alice").await.refresh(at(400)).unwrap();
    assert_eq!(commit(&arena.store, &refresh).await.unwrap(), Commit::Done);
    assert_eq!(tickets(FREE, at(601)).await.waiting.len(), 1);

    let leave = arena.agent("alice").await.leave().unwrap();
    assert_eq!(commit(&arena.store, &leave).await.unwrap(), Commit::Done);
    assert!(commit(&arena.store, &leave).await.unwrap().stale(0).is_some());
    assert!(commit(&arena.store, &refresh).await.unwrap().stale(0).is_some());
    assert_eq!(arena.agent("alice").await.waiting, None);
    arena.join("alice", TARAGUCHI, at(3)).await;
    assert_eq!(arena.agent("alice").await.epoch, 2);
    // A leave that was decided on the first ticket does not end the second.
    assert!(commit(&arena.store, &leave).await.unwrap().stale(0).is_some());
    assert_eq!(arena.audit().await.waiting, 1);
    let usage = arena.store.meter().of("join");
    assert_eq!((usage.calls, usage.stale, usage.write_units), (3, 1, 4.0));
}

#[tokio::test]
async fn two_matchmakers_seat_an_agent_once() {
    let arena = Arena::start(1).await;
    for agent in ["alice", "bob", "carol"] {
        arena.register(agent).await;
        arena.join(agent, FREE, at(0)).await;
    }
    let (alice, bob, carol) =
        (arena.agent("alice").await, arena.agent("bob").await, arena.agent("carol").await);
    let pair = |first, second| seat(BySeat { first, second }, FREE, at(1), &PACE).unwrap();
    let plans = [pair(&alice, &bob), pair(&carol, &bob), pair(&alice, &carol), pair(&alice, &bob)];
    let mut matchmakers = JoinSet::new();
    for plan in plans.clone() {
        let store = arena.store.clone();
        matchmakers.spawn(async move { commit(&store, &plan).await.unwrap() });
    }
    let commits = matchmakers.join_all().await;
    let done = commits.iter().filter(|commit| **commit == Commit::Done);
    assert_eq!(done.count(), 1, "{commits:?}");
    let audit = arena.audit().await;
    assert_eq!((audit.live, audit.waiting), (1, 1));

    // Repeated after a lost reply, a plan finds its own game.
    let game = audit.games.values().next().unwrap();
    for plan in plans {
        let again = commit(&arena.store, &plan).await.unwrap();
        let Write::Create { header, .. } = &plan.writes[2] else { panic!("{plan:?}") };
        if header.id == game.id() {
            assert_eq!(again.stale(2), Some(&Current::Game(Box::new(game.clone()))));
        }
        let Commit::Stale(stale) = again else { panic!("{again:?}") };
        let agents = stale.iter().filter_map(|stale| match &stale.current {
            Current::Agent(agent) => Some(agent),
            _ => None,
        });
        assert!(agents.into_iter().all(|agent| agent.game == Some(game.id())));
    }
    // Nobody who plays can join.
    let player = game.header().players.first.name.as_str();
    assert_eq!(arena.plan_join(player, FREE, at(2)).await, Join::Playing(game.id()));
}

#[tokio::test]
async fn rotations_of_both_players_reach_the_game() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let before = arena.store.game(id, Read::Cheap).await.unwrap().unwrap().game;
    let mut plans = Vec::new();
    for agent in ["alice", "bob"] {
        let current = arena.agent(agent).await;
        plans.push(current.rotate(key(agent, 1), Some(&before), at(1)));
    }
    for plan in &plans {
        assert_eq!(plan.writes.len(), 2);
        assert_eq!(commit(&arena.store, plan).await.unwrap(), Commit::Done);
        assert!(commit(&arena.store, plan).await.unwrap().stale(0).is_some(), "once");
    }
    let after = arena.store.game(id, Read::Cheap).await.unwrap().unwrap().game;
    for seat in Seat::BOTH {
        let player = &after.header().players[seat];
        assert_eq!(player.key(), Some(&key(player.name.as_str(), 1).digest()));
    }
    // A move decided before the rotations does not undo them.
    let Ok(Decision::Commit(next)) =
        before.apply(Actor::Seat(Seat::First), place(TurnNumber(0), point("h8"), 1), at(2), &PACE)
    else {
        panic!("h8 is legal");
    };
    assert_eq!(commit(&arena.store, &progress::advance(*next, &PACE)).await.unwrap(), Commit::Done);
    arena.audit().await;

    let alice = arena.agent("alice").await;
    assert_eq!(alice.keys.previous, Some((key("alice", 0), at(86_401))));
    let revoke = alice.revoke_previous().unwrap();
    assert_eq!(commit(&arena.store, &revoke).await.unwrap(), Commit::Done);
    assert_eq!(arena.agent("alice").await.keys.previous, None);
    assert_eq!(arena.agent("alice").await.keys.current, key("alice", 1));

    let usage = arena.store.meter().of("rekey");
    println!("rotation in a game: {} write units", usage.write_units / 2.0);
    assert_eq!((usage.calls, usage.stale, usage.write_units), (4, 2, 8.0));
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
