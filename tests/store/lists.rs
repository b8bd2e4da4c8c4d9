//! Lists, messages and what else is read.

use super::*;
use arena_protocol::Note;

#[tokio::test]
async fn lists_are_complete_ordered_and_paged() {
    for shards in [1, 4] {
        let arena = Arena::start(shards).await;
        let mut ids = Vec::new();
        for index in 0..7 {
            let agents = [format!("one{index}"), format!("two{index}")];
            for agent in &agents {
                arena.register(agent).await;
            }
            ids.push(arena.next_game([&agents[0], &agents[1]], FREE, at(index)).await);
        }
        let newest: Vec<GameId> = ids.iter().rev().copied().collect();
        assert_eq!(pages(|page| arena.store.live(page), 3).await, newest);
        let mut older = Vec::new();
        for shard in 0..shards {
            let mut after = None;
            loop {
                let page = arena.store.live_games(shard, at(4), after, 2).await.unwrap();
                assert!(page.games.len() <= 2);
                older.extend(page.games);
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        older.sort_unstable();
        let mut expected = ids[..4].to_vec();
        expected.sort_unstable();
        assert_eq!(older, expected);

        for (index, id) in ids.iter().enumerate() {
            let winner = arena.resign(*id, Seat::Second, at(50 - index as i64)).await;
            assert_eq!(winner.result().unwrap().winner, Some(Seat::First));
        }
        let finished = |page| arena.store.finished(Some(FREE.ruleset), page);
        assert_eq!(pages(finished, 2).await, ids, "the latest end first");
        assert_eq!(pages(|page| arena.store.finished(None, page), 2).await, ids);
        let ends = pages(|page| arena.store.finished_at(None, page), 2).await;
        assert_eq!(ends[0], (at(50), ids[0]));
        assert_eq!(pages(|page| arena.store.live(page), 2).await, []);
        assert_eq!(pages(|page| arena.store.finished(Some(TARAGUCHI.ruleset), page), 2).await, []);

        let board = pages(|page| arena.store.leaderboard(FREE, page), 4).await;
        assert_eq!(board, [], "nobody is ranked after one game");
        arena.audit().await;
    }
}

#[tokio::test]
async fn the_leaderboard_is_complete_ordered_and_paged() {
    for shards in [1, 4] {
        check_leaderboard(&Arena::start(shards).await).await;
    }
}

async fn check_leaderboard(arena: &Arena) {
    for index in 0..16u8 {
        let agent = format!("agent{index:02}");
        arena.register(&agent).await;
        // The two most uncertain are not ranked.
        let (value, deviation) = (1_500.0 + f64::from(index * 7 % 16), 111.5 - f64::from(index));
        let rating = Rating { value, deviation, ..Rating::NEW }.stored();
        let standing = Box::new(Standing { rating, won: 1, ..Standing::NEW });
        let write = Write::Rate { agent: name(&agent), division: FREE, seen_games: 0, standing };
        let plan = Plan { messages: Vec::new(), writes: vec![write] };
        assert_eq!(commit(&arena.store, &plan).await.unwrap(), Commit::Done);
    }
    let board = pages(|page| arena.store.leaderboard(FREE, page), 4).await;
    let names: BTreeSet<&AgentName> = board.iter().map(|(name, _)| name).collect();
    assert_eq!((board.len(), names.len()), (14, 14));
    let ranks: Vec<f64> = board.iter().map(|(_, row)| row.rating.conservative()).collect();
    assert!(ranks.is_sorted_by(|a, b| a >= b), "{ranks:?}");
    for (agent, row) in &board {
        assert_eq!(*row, arena.standing(agent, FREE).await);
    }
    let (best, standings) = arena.store.profile(&board[0].0).await.unwrap().unwrap();
    assert_eq!(best.name, board[0].0);
    assert_eq!((standings.len(), standings[0].0, standings[0].1.won), (1, FREE, 1));
}

#[tokio::test]
async fn games_of_one_start_are_listed_once_each_whatever_the_shards() {
    for shards in [1, 4, 16] {
        let arena = Arena::start(shards).await;
        let mut ids = arena.create(250).await;
        ids.sort_unstable();
        for limit in [2, 100] {
            let mut listed = pages(|page| arena.store.live(page), limit).await;
            listed.sort_unstable();
            assert!(listed == ids, "{} of 250 in {shards} shards by {limit}", listed.len());
        }
    }
}

#[tokio::test]
async fn items_that_cannot_be_read_are_left_out_of_lists() {
    let arena = Arena::start(1).await;
    let ids = arena.create(3).await;
    arena.damage(ids[1], "l", super::sweep::garbage()).await;
    let unreadable = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&unreadable);
    let store = arena.store.on_behalf(
        None,
        Arc::new(move |note| match note {
            Note::Unreadable(item) => heard.lock().unwrap().push(item.to_string()),
            _ => panic!("nothing else happens"),
        }),
    );
    let games = store.games_in_order(&ids).await.unwrap();
    assert_eq!(games.iter().map(Game::id).collect::<Vec<_>>(), [ids[0], ids[2]]);
    let expected = [format!("item {}/: the log has no format byte", ids[1])];
    assert_eq!(*unreadable.lock().unwrap(), expected);
    let listed = pages(|page| arena.store.live(page), 2).await;
    assert_eq!(listed.len(), 3, "the list itself names it");
}

/// All pages of a list.
async fn pages<T, F>(list: impl Fn(Paging) -> F, limit: u16) -> Vec<T>
where
    F: Future<Output = Result<arena_store::Listing<T>, arena_store::Fault>>,
{
    let (mut entries, mut page) = (Vec::new(), Paging::first(limit));
    loop {
        let listing = list(page).await.unwrap();
        assert!(listing.entries.len() <= usize::from(limit));
        assert!(entries.is_empty() || !listing.entries.is_empty(), "a page with nothing on it");
        assert!(entries.len() < 1_000, "pages without end");
        entries.extend(listing.entries);
        match listing.next {
            // As it comes back from a client.
            Some(next) => page = Paging { limit, after: Some(next.to_string().parse().unwrap()) },
            None => return entries,
        }
    }
}

#[tokio::test]
async fn games_are_read_in_the_order_they_are_asked_for() {
    let arena = Arena::start(1).await;
    let one = arena.game(["alice", "bob"], FREE).await;
    let two = arena.game(["carol", "dave"], FREE).await;
    let nowhere = |n: u8| GameId::from_bytes([n; 10]);
    let mut asked: Vec<GameId> = (0..150).map(nowhere).collect();
    asked.extend([two, one, two]);
    let games = arena.store.games_in_order(&asked).await.unwrap();
    assert_eq!(games.iter().map(Game::id).collect::<Vec<_>>(), [two, one, two]);
    assert_eq!(arena.store.games_in_order(&[]).await.unwrap(), []);
    let missing = arena.submit(nowhere(1), Actor::Clock, Submission::FLAG, at(0)).await;
    assert!(matches!(missing, Err(Refused::NoGame(_))), "{missing:?}");
}

#[tokio::test]
async fn who_waits_for_a_game_hears_of_a_decision_without_a_read() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let mut watch = arena.store.watch(id);
    let start = arena.stored(id).await;
    assert_eq!(watch.later_than(&start), None);
    let settled = arena.play_on(id, at(1)).await;
    assert_eq!(watch.later_than(&start).as_deref(), Some(&settled.game));
}

#[tokio::test]
async fn messages_arrive_and_can_be_read() {
    let arena = Arena::start(1).await;
    let game = GameId::from_bytes([5; 10]);
    let messages: Vec<Message> =
        (0..13).map(|n| Message::Timer { game, fire: at(-n) }).chain([Message::Sweep]).collect();
    arena.store.send(&messages).await.unwrap();
    let house = Message::House { game, turn: TurnNumber(3) };
    let pairing = Message::Match { division: FREE, at: at(0) };
    arena.store.send(&[house, pairing, Message::Sweep]).await.unwrap();
    arena.store.send(&[]).await.unwrap();
    let usage = arena.store.meter().of("send");
    assert_eq!((usage.calls, usage.messages), (5, 17));

    let sqs = arena.access.sqs();
    let receive = async |url: &str, count| {
        let mut received = Vec::new();
        while received.len() < count {
            let call = sqs.receive_message().queue_url(url).max_number_of_messages(10);
            for message in call.send().await.unwrap().messages() {
                received.push(message::parse(message.body().unwrap()).unwrap());
            }
        }
        received
    };
    let received = receive(&arena.store.config().referee_queue_url, 15).await;
    for message in &messages {
        assert!(received.contains(message), "{message:?}");
    }
    assert_eq!(receive(&arena.store.config().match_queue_url, 1).await, [pairing]);
    assert_eq!(receive(&arena.store.config().house_queue_url, 1).await, [house]);
}

#[tokio::test]
async fn creating_everything_again_changes_nothing() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    let earlier = arena.audit().await;
    let again = Store::create(&arena.access, "test", 1, PACE).await.unwrap();
    assert_eq!(again.config(), arena.store.config());
    assert!(again.game(id, Read::Cheap).await.unwrap().is_some());
    arena.play_on(id, at(1)).await;
    let later = arena.audit().await;
    assert_eq!(later.since(&earlier), Vec::<String>::new());
    assert_eq!(earlier.since(&later), [format!("I13 the log of game {id} was rewritten")]);
}
