//! Many at once: exactly one wins, and everybody is told the truth.

use arena_support::{Agent, Match, Setup, TestArena, place};
use serde_json::Value;
use tokio::task::JoinSet;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_50_concurrent_different_moves_exactly_one_wins_and_49_are_shown_the_game() {
    let arena = TestArena::start_for_races().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let mut moves = JoinSet::new();
    for index in 0..50_usize {
        let point = format!("{}{}", (b'a' + (index % 15) as u8) as char, index / 15 + 1);
        let call = players.first.act_with(&players.id, 0, place(&point), &format!("key-{index}"));
        moves.spawn(async move { (point, call.send_patiently().await) });
    }
    let replies = moves.join_all().await;
    let game = players.game().await;
    let (won, lost): (Vec<_>, Vec<_>) = replies.into_iter().partition(|(_, r)| r.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 49));
    assert_eq!(game["moves"].as_array().unwrap().len(), 1);
    assert_eq!(game["moves"][0]["point"]["name"], won[0].0);
    for (_, reply) in lost {
        let problem = reply.problem(409, "turn_mismatch");
        assert_eq!(problem["game"]["moves"], game["moves"]);
        assert_eq!(problem["game"]["you"]["name"], players.first.name);
        assert_eq!(problem["already_applied"], false);
    }
    arena.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_50_copies_of_one_move_all_get_the_same_bytes() {
    let arena = TestArena::start_for_races().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let call = players.first.act(&players.id, 0, place("h8"));
    let mut copies = JoinSet::new();
    for _ in 0..50 {
        let call = call.clone();
        copies.spawn(async move { call.send_patiently().await });
    }
    let replies = copies.join_all().await;
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.body == replies[0].body));
    assert!(replies.iter().filter(|reply| !reply.is_replay()).count() <= 1);
    assert_eq!(players.game().await["turn_number"], 1);
    arena.finish().await;
}

/// The trap that Powertools fell into three times: the key is compared with what the failed
/// condition returns, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_key_with_another_body_is_422_on_the_conflict_path_too() {
    let arena = TestArena::start_for_races().await;
    let players = arena.match_up("renju_free", ["alice", "bob"]).await;
    let mut game = players.game().await;
    let mut on_conflict = 0;
    for round in 0..20 {
        let agent = players.to_act(&game).clone();
        let call = |rank: usize| {
            let point = format!("{}{rank}", (b'a' + (round % 10)) as char);
            agent.act_with(&players.id, u64::from(round), place(&point), &format!("key-{round}"))
        };
        let ranks = if round < 10 { [1, 15] } else { [3, 13] };
        let [one, other] = ranks.map(call);
        let stale_before = arena.context().store.meter().of("advance").stale;
        let (one, other) = tokio::join!(one.send(), other.send());
        on_conflict += arena.context().store.meter().of("advance").stale - stale_before;
        let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
        game = won.ok();
        let problem = lost.problem(422, "idempotency_key_reused");
        assert_eq!(problem["game"]["turn_number"], round + 1);
        assert_eq!(problem["game"]["moves"], game["moves"]);
    }
    assert!(on_conflict > 0, "no round reached the conflict path");
    arena.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_move_vs_timeout_exactly_one_of_the_two_is_written() {
    let turn_ms = 8_000;
    let setup = Setup { turn_ms: Some(turn_ms), grace_ms: 0, ..Setup::default() };
    let arena = TestArena::with(setup).await;
    arena.require_atomic_writes().await;
    let mut games = JoinSet::new();
    for pair in 0..12_i64 {
        let names = [format!("early-{pair}"), format!("late-{pair}")];
        let players = arena.match_up("renju_free", [&names[0], &names[1]]).await;
        games.spawn(async move {
            let game = players.run("h8 i9").await;
            race(&players, &game, 2 * (pair - 6)).await
        });
    }
    let outcomes = games.join_all().await;
    let audit = arena.finish().await;
    for (id, moved) in outcomes {
        let log = audit.games[&id.parse().unwrap()].log();
        let third = log[2].action;
        let was_move = matches!(third, arena::Action::Play(_));
        assert!(was_move || third == arena::Action::Timeout, "{third:?}");
        assert_eq!(was_move, moved, "what the agent was told is what happened");
    }
}

/// A move that is sent this long after the deadline, and three who want to end the game. Whether
/// the agent was told that it had moved.
async fn race(players: &Match, game: &Value, offset_ms: i64) -> (String, bool) {
    let until = game["turn_deadline_ms"].as_i64().unwrap() + offset_ms - arena_support::now_ms();
    tokio::time::sleep(std::time::Duration::from_millis(until.max(0) as u64)).await;
    let call = players.first.act(&players.id, 2, place("a1"));
    let polls = async {
        for _ in 0..8 {
            tokio::join!(players.game(), players.game());
        }
    };
    let (reply, ()) = tokio::join!(call.send(), polls);
    let moved = reply.status == 200;
    if !moved {
        let code = reply.json()["code"].as_str().unwrap().to_owned();
        assert!(["deadline_passed", "game_over"].contains(&code.as_str()), "{}", reply.text());
        reply.problem(409, &code);
    }
    players.over(60).await;
    (players.id.clone(), moved)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rating_is_written_exactly_once_however_many_end_the_game_at_once() {
    let setup = Setup { turn_ms: Some(6_000), grace_ms: 0, ..Setup::default() };
    let arena = TestArena::with(setup).await;
    arena.require_atomic_writes().await;
    for round in 0..2 {
        let names = [format!("one-{round}"), format!("two-{round}")];
        let players = arena.match_up("renju_free", [&names[0], &names[1]]).await;
        let game = players.run("h8 i9").await;
        let timer = arena.timer_of(&players.id).await;
        let wait = game["turn_deadline_ms"].as_i64().unwrap() - arena_support::now_ms();
        tokio::time::sleep(std::time::Duration::from_millis(wait.max(0) as u64)).await;
        let polls = async { tokio::join!(players.game(), players.game(), players.game()) };
        let [one, two, flag, again] = [&timer; 4].map(|timer| [timer.as_str()]);
        tokio::join!(
            players.first.resign(&players.id),
            players.second.resign(&players.id),
            polls,
            arena.deliver(&one),
            arena.deliver(&two),
            arena.deliver(&flag),
            arena.deliver(&again),
        );
        players.over(60).await;
        arena.deliver(&one).await;
        let results = [&players.first, &players.second];
        let first = arena.results(results[0], "renju_free").await;
        let second = arena.results(results[1], "renju_free").await;
        assert_eq!((first.iter().sum::<u64>(), second.iter().sum::<u64>()), (1, 1));
        assert_eq!(first[0], second[1], "one won what the other lost");
    }
    arena.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_is_never_in_two_games_however_many_join_and_pair_at_once() {
    let arena = TestArena::start_for_races().await;
    let mut agents = Vec::new();
    for number in 0..12 {
        agents.push(Agent::register(&arena.client, &format!("agent-{number}")).await);
    }
    for round in 0..3 {
        let mut joins = JoinSet::new();
        for agent in agents.iter().chain(&agents) {
            let agent = agent.clone();
            joins.spawn(async move { agent.join("renju_free").await });
        }
        let pairing = async { tokio::join!(arena.pair("renju_free"), arena.pair("renju_free")) };
        tokio::join!(joins.join_all(), pairing);
        tokio::join!(arena.pair("renju_free"), arena.pair("renju_free"), arena.pair("renju_free"));
        let audit = arena.audit().await;
        assert!(
            audit.live >= 1 && audit.live * 2 + audit.waiting == 12,
            "round {round}: {audit:?}"
        );
        // All leave, wherever they are.
        for agent in &agents {
            agent.post("/queue/leave").send().await.ok();
            if let Some(id) = agent.me().await["active_game"].as_str() {
                let key = format!("{round}");
                agent.act_with(id, 0, arena_support::resign(), &key).send().await.ok();
            }
        }
    }
    let audit = arena.finish().await;
    assert_eq!((audit.live, audit.waiting), (0, 0));
}
