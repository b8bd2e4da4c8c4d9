//! Cost of a whole game, by what DynamoDB and SQS say themselves.

use super::*;

/// The same against a house bot: one agent instead of two to seat and to rate, and a message for
/// every decision that leaves the bot to act.
#[tokio::test]
async fn a_game_against_a_house_bot_costs_less_to_write_and_a_message_a_turn() {
    let arena = Arena::start(1).await;
    let pace = Pace { house_after_ms: Some(10_000), ..PACE };
    arena.register("aristarchu").await;
    let total = arena.store.meter().total();
    arena.join("aristarchu", TARAGUCHI, at(-60)).await;
    let agent = arena.agent("aristarchu").await;
    let plan = seating::seat_with_house(&agent, TARAGUCHI, at(0), &pace).unwrap();
    assert_eq!(commit(&arena.store, &plan).await.unwrap(), Commit::Done);
    let id = arena.agent("aristarchu").await.game.unwrap();
    let mut calls = plan.messages.len() as u64 - 1;
    for turn in 1..40 {
        let settled = arena.play_on(id, at(2 * turn)).await;
        calls += u64::from(house::message(&settled.game).is_some());
    }
    let game = arena.stored(id).await;
    let seat = game.seat_of(&agent.name).unwrap();
    let game = arena.resign(id, seat, at(90)).await;
    assert_eq!(game.turn(), TurnNumber(40));

    let spent = arena.store.meter().total() - total;
    println!("{} write units, {} messages", spent.write_units, spent.messages);
    let [seating, finish] = ["match", "finish"].map(|operation| arena.store.meter().of(operation));
    assert_eq!((seating.calls, seating.write_units), (1, 6.0));
    assert_eq!((finish.calls, finish.write_units), (1, 6.0));
    assert_eq!(spent.write_units, 2.0 + 6.0 + 39.0 + 6.0);
    assert!((15..=25).contains(&calls), "{calls}");
    assert_eq!(spent.messages, 2 + calls, "the look at the queue, the timer, the calls");
    let audit = arena.audit().await;
    assert_eq!((audit.agents, audit.standings, audit.finished), (1, 1, 1));
}

#[tokio::test]
async fn a_no_show_costs_six_write_units() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    arena.submit(id, Actor::Clock, Submission::FLAG, at(66)).await.unwrap();
    assert_eq!(arena.store.meter().of("abandon").write_units, 6.0);
    assert_eq!(arena.audit().await.finished, 1);
}

/// Scoreboard rows 1, 2 and 5 of the protocol: what forty decisions of twenty seconds cost, from the
/// two joins to the ratings.
#[tokio::test]
async fn a_game_of_forty_decisions_keeps_the_budget() {
    let arena = Arena::start(1).await;
    let agents = ["aristarchu", "eratosthen"];
    for agent in agents {
        arena.register(agent).await;
    }
    let registered = arena.store.meter().of("register");
    assert_eq!((registered.calls, registered.write_units), (2, 2.0));

    // Until their ratings are certain they are not ranked, which costs less to write.
    for round in 0..24 {
        let is_ranked = round >= 22;
        let is_measured = is_ranked || round < 2;
        let decisions = if is_measured { 40 } else { 12 };
        let start = round * 10_000;
        let before = arena.store.meter().operations();
        let total = arena.store.meter().total();
        for agent in agents {
            arena.join(agent, TARAGUCHI, at(start - 60)).await;
        }
        let id = arena.pair(TARAGUCHI, at(start)).await[0];
        for turn in 1..decisions {
            let now = at(start + 20 * turn);
            let settled = arena.play_on(id, now).await;
            assert_eq!((settled.turn, settled.replayed), (TurnNumber(turn as u32 - 1), false));
            assert_eq!(settled.game.result(), None);
            let Stored { game, armed } = arena.store.game(id, Read::Strong).await.unwrap().unwrap();
            let fire = armed.unwrap();
            if fire <= now {
                let TimerStep::Rearm(plan) = timer::step(Some((&game, armed)), fire, now, &PACE)
                else {
                    panic!("the chain goes on");
                };
                assert_eq!(commit(&arena.store, &plan).await.unwrap(), Commit::Done);
            }
        }
        let loser = if round % 2 == 0 { Seat::First } else { Seat::Second };
        let game = arena.resign(id, loser, at(start + 20 * decisions)).await;
        assert_eq!(game.turn(), TurnNumber(decisions as u32));
        assert_eq!(game.uncounted(), None);
        if !is_measured {
            continue;
        }

        let used = |operation| arena.used(&before, operation);
        let spent = arena.store.meter().total() - total;
        println!(
            "game {}: {} write units, {} messages",
            round + 1,
            spent.write_units,
            spent.messages
        );
        for operation in ["join", "match", "advance", "rearm", "finish"] {
            let Usage { calls, write_units, .. } = used(operation);
            println!("  {operation:8} {calls:3} calls {write_units:5} write units");
        }
        assert_eq!((used("join").calls, used("join").write_units), (2, 4.0));
        assert_eq!((used("match").calls, used("match").write_units), (1, 9.0));
        assert_eq!((used("advance").calls, used("advance").write_units), (39, 39.0));
        assert_eq!((used("rearm").calls, used("rearm").write_units), (2, 2.0));
        let finish = if is_ranked { 12.0 } else { 8.0 };
        assert_eq!((used("finish").calls, used("finish").write_units), (1, finish));
        assert!(spent.write_units <= 66.0, "{spent:?}");
        assert!(spent.messages <= 6, "{spent:?}");
    }

    let before = arena.store.meter().operations();
    let id = arena.agent(agents[0]).await.game.unwrap();
    arena.store.game(id, Read::Cheap).await.unwrap().unwrap();
    arena.store.game(id, Read::Strong).await.unwrap().unwrap();
    assert_eq!(arena.used(&before, "game").read_units, 0.5);
    assert_eq!(arena.used(&before, "game_now").read_units, 1.0);

    let audit = arena.audit().await;
    println!("bytes of a finished game: {}", audit.game_bytes / 24);
    assert!(audit.game_bytes <= 24 * 640, "{}", audit.game_bytes);
    assert_eq!((audit.agents, audit.standings, audit.finished, audit.live), (2, 2, 24, 0));
}
