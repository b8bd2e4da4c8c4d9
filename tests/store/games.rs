//! Decisions, races between them, ends.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn one_of_24_different_moves_wins() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    for turn in 0..6 {
        let seat = if turn % 2 == 0 { Seat::First } else { Seat::Second };
        let mut racers = JoinSet::new();
        for racer in 0..24u8 {
            let store = arena.store.clone();
            let spot = Play::Place(Point::from_index(24 * turn + usize::from(racer), 15).unwrap());
            let key = turn as u8 * 24 + racer;
            let submission = place(TurnNumber(turn as u32), spot, key);
            racers.spawn(async move {
                let result = submit(&store, id, Actor::Seat(seat), submission, at(1)).await;
                (submission.tag, result)
            });
        }
        let mut winners = Vec::new();
        let mut losers = Vec::new();
        for (tag, result) in racers.join_all().await {
            match result {
                Ok(settled) => winners.push((tag, settled)),
                refused => losers.push(rejection(refused)),
            }
        }
        let [(tag, settled)] = &winners[..] else { panic!("turn {turn}: {}", winners.len()) };
        assert_eq!((settled.game.log()[turn].tag, settled.replayed), (*tag, false));
        let current = TurnNumber(turn as u32 + 1);
        for (rejection, game) in losers {
            assert_eq!(rejection, Rejection::TurnMismatch { current, already_applied: false });
            assert_eq!(game, settled.game, "the loser sees who won");
        }
    }
    arena.audit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_move_sent_24_times_is_written_once() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let submission = place(TurnNumber(0), point("h8"), 99);
    let mut racers = JoinSet::new();
    for _ in 0..24 {
        let store = arena.store.clone();
        racers.spawn(async move {
            submit(&store, id, Actor::Seat(Seat::First), submission, at(1)).await.unwrap()
        });
    }
    let settled = racers.join_all().await;
    assert_eq!(settled.iter().filter(|settled| !settled.replayed).count(), 1);
    let game = arena.store.game(id, Read::Cheap).await.unwrap().unwrap().game;
    assert!(settled.iter().all(|settled| settled.game == game));
    assert_eq!(game.turn(), TurnNumber(1));

    // Later, when the game has gone on, it is still the same answer; another move is not.
    arena.play_on(id, at(2)).await;
    let again = arena.submit(id, Actor::Seat(Seat::First), submission, at(3)).await.unwrap();
    assert_eq!(
        (again.turn, again.replayed, again.game.turn()),
        (TurnNumber(0), true, TurnNumber(2))
    );
    let other = place(TurnNumber(0), point("h9"), 99);
    let refused = arena.submit(id, Actor::Seat(Seat::First), other, at(3)).await;
    assert_eq!(rejection(refused).0, Rejection::KeyReused);
    arena.audit().await;
}

/// The trap that Powertools fell into three times: the key is compared with what the failed
/// condition returns, too.
#[tokio::test]
async fn a_key_reused_for_another_move_is_found_on_the_conflict_path() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let first = Actor::Seat(Seat::First);
    // Between the other request's read and its write, this one is written.
    let read = arena.store.game(id, Read::Strong).await.unwrap().unwrap().game;
    let one = place(TurnNumber(0), point("h8"), 1);
    let settled = arena.submit(id, first, one, at(1)).await.unwrap();
    let other = place(TurnNumber(0), point("h9"), 1);
    let refused = settle(&arena.store, read, first, other, at(1)).await;
    assert_eq!(rejection(refused), (Rejection::KeyReused, settled.game));
    assert_eq!(arena.store.meter().of("advance").stale, 1);
    arena.audit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_ends_once_and_is_rated_once() {
    let arena = Arena::start(2).await;
    for round in 0..5 {
        let agents = [format!("alice{round}"), format!("bob{round}")];
        let id = arena.game([&agents[0], &agents[1]], FREE).await;
        for second in [1, 1, 1, 1, 2] {
            arena.play_on(id, at(second)).await;
        }
        // Late for a move, early enough for nobody: both resign while the clock runs out.
        let mut racers = JoinSet::new();
        for racer in 0..12u8 {
            let store = arena.store.clone();
            let (actor, request, now) = match racer % 3 {
                0 => (Actor::Seat(Seat::First), Intent::Resign, at(62)),
                1 => (Actor::Seat(Seat::Second), Intent::Resign, at(62)),
                _ => (Actor::Clock, Intent::Flag, at(68)),
            };
            let tag = if actor == Actor::Clock { Tag::CLOCK } else { tag(100 + racer) };
            let submission = Submission { intent: request, tag };
            racers.spawn(async move { submit(&store, id, actor, submission, now).await });
        }
        let results = racers.join_all().await;
        let winners: Vec<_> = results.iter().filter_map(|result| result.as_ref().ok()).collect();
        assert_eq!(winners.len(), 1);
        let ended = &winners[0].game;
        for result in results.iter().filter(|result| result.is_err()) {
            let Err(Refused::Rejected(rejection, game, _)) = result else { panic!("{result:?}") };
            assert_eq!((rejection, game.as_ref()), (&Rejection::GameOver, ended));
        }
        for seat in Seat::BOTH {
            let player = &ended.header().players[seat];
            let standing = arena.standing(&player.name, FREE).await;
            assert_eq!((standing.games(), &standing.recent[..]), (1, &[id][..]));
            let expected = Rating::NEW.after(Rating::NEW, ended.result().unwrap().score(seat));
            assert_eq!(standing.rating, expected);
        }
        let Stored { game, armed } = arena.store.game(id, Read::Strong).await.unwrap().unwrap();
        assert_eq!((&game, armed), (ended, None));
    }
    let audit = arena.audit().await;
    assert_eq!((audit.finished, audit.live), (5, 0));
}

#[tokio::test]
async fn who_does_not_show_up_is_not_rated_but_has_to_wait() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let early = arena.submit(id, Actor::Clock, Submission::FLAG, at(65)).await;
    assert_eq!(rejection(early).0, Rejection::NotOverdue);
    let ended = arena.submit(id, Actor::Clock, Submission::FLAG, at(66)).await.unwrap().game;
    assert_eq!(ended.result().unwrap().reason, Reason::NoShow);
    let absentee = ended.header().players.first.name.clone();
    let other = ended.header().players.second.name.clone();
    let agent = arena.agent(absentee.as_str()).await;
    assert_eq!((agent.no_shows, agent.cool_until), (1, Some(at(126))));
    let new = Standing::NEW;
    assert!(agent.join(FREE, Opponent::Anyone, &new, None, Some(&ended), at(125)).is_err());
    assert_eq!(arena.agent(other.as_str()).await.no_shows, 0);
    assert_eq!(arena.standing(&absentee, FREE).await, Standing::NEW);
    let abandon = arena.store.meter().of("abandon");
    println!("abandon: {} write units", abandon.write_units);
    assert_eq!(abandon.write_units, 6.0);
    arena.join(other.as_str(), FREE, at(70)).await;
    assert_eq!(arena.audit().await.finished, 1);
    let again = arena.submit(id, Actor::Clock, Submission::FLAG, at(70)).await;
    assert_eq!(rejection(again).0, Rejection::GameOver);
}

#[tokio::test]
async fn who_waits_for_a_game_hears_of_a_decision_without_a_read() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let mut watch = arena.store.watch(id);
    let start = arena.store.game(id, Read::Cheap).await.unwrap().unwrap().game;
    assert_eq!(watch.later_than(&start), None);
    let settled = arena.play_on(id, at(1)).await;
    assert_eq!(watch.later_than(&start).as_deref(), Some(&settled.game));
}
