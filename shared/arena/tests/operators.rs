//! Decisions of operators about agents.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

mod fixtures;

use arena::{Agent, KeyDigest, Keys, Playing, Pool, Write, seating};
use renju::{BySeat, Ruleset, Seat};

use fixtures::{PACE, START, at, division, key, name, rating, resigned, start};

fn live() -> arena::Game {
    start(division("gomoku_freestyle", Pool::Fast))
}

fn agent() -> Agent {
    Agent { game: Some(live().id()), ..Agent::register(name("bob"), key(1), START) }
}

#[test]
fn a_ban_takes_effect_in_the_game_in_progress_and_so_does_its_end() {
    let (bob, game) = (agent(), live());
    let (who, seen, seen_game) = (name("bob"), key(1), bob.game);
    let why = Some("spam".to_owned());
    let ban = Write::Ban { agent: who.clone(), seen, seen_game, why: why.clone() };
    let rekey = |key| Write::Rekey { game: game.id(), seat: Seat::Second, key };
    assert_eq!(bob.banned("spam", Some(&game)).writes, [ban.clone(), rekey(KeyDigest::NONE)]);
    for current in [None, Some(resigned(&game, Seat::First))] {
        assert_eq!(bob.banned("spam", current.as_ref()).writes, std::slice::from_ref(&ban));
    }
    assert_eq!(bob.unbanned(Some(&game)), None);

    let bob = Agent { ban: why, ..bob };
    assert_eq!(bob.digest(), KeyDigest::NONE);
    let unban = Write::Ban { agent: who, seen, seen_game, why: None };
    assert_eq!(bob.unbanned(Some(&game)).unwrap().writes, [unban, rekey(key(1).digest())]);
}

#[test]
fn a_new_key_is_the_only_one_and_ends_no_ban() {
    let game = live();
    for ban in [None, Some("spam".to_owned())] {
        let (is_banned, previous) = (ban.is_some(), Some((key(9), at(1))));
        let bob = Agent { ban, keys: Keys { current: key(1), previous }, ..agent() };
        let plan = bob.reset_key(key(2), Some(&game));
        let (agent, seen, seen_game) = (name("bob"), key(1), bob.game);
        let keys = Keys { current: key(2), previous: None };
        let write = Write::Keys { agent, seen, seen_game, is_banned, keys };
        let digest = if is_banned { KeyDigest::NONE } else { key(2).digest() };
        let rekey = Write::Rekey { game: game.id(), seat: Seat::Second, key: digest };
        assert_eq!(plan.writes, [write, rekey]);
    }
}

#[test]
fn an_agent_is_deleted_with_every_standing_unless_it_plays() {
    let (bob, game) = (agent(), live());
    assert_eq!(bob.deleted(Some(&game)), Err(Playing(game.id())));
    for current in [None, Some(resigned(&game, Seat::First))] {
        let plan = bob.deleted(current.as_ref()).unwrap();
        let (agent, seen, seen_game) = (name("bob"), key(1), bob.game);
        assert_eq!(plan.writes[0], Write::Delete { agent, seen, seen_game });
        for ruleset in Ruleset::ALL {
            for pool in Pool::ALL {
                let division = arena::Division { ruleset, pool };
                assert!(plan.writes.contains(&Write::Unrate { agent: name("bob"), division }));
            }
        }
        assert_eq!(plan.writes.len(), 1 + 3 * Ruleset::ALL.len());
        assert!(plan.writes.len() <= 100, "one transaction of DynamoDB");
    }
}

#[test]
fn a_name_registered_again_plays_games_of_its_own() {
    let division = division("gomoku_freestyle", Pool::Fast);
    let waiting = |text: &str, since| {
        let waiting = arena::Waiting {
            division,
            since: at(since),
            until: at(600_000),
            rating: rating(1500.0, 80.0),
            opponent: arena::Opponent::Agents,
            rated: true,
        };
        let agent = Agent::register(name(text), key(1), START);
        Agent { epoch: 1, waiting: Some(waiting), ..agent }
    };
    let game = |alice: i64, bob: i64, now| {
        let (alice, bob) = (waiting("alice", alice), waiting("bob", bob));
        let players = BySeat { first: &alice, second: &bob };
        let plan = seating::seat(players, division, at(now), &PACE).unwrap();
        let Some(Write::Create { header, .. }) = plan.writes.last() else { panic!("{plan:?}") };
        header.id
    };
    let first = game(1, 2, 3);
    assert_eq!(first, game(1, 2, 4), "the same tickets");
    assert_ne!(first, game(1, 3, 4), "the first ticket of another bob");
    assert_ne!(first, game(3, 2, 4), "the first ticket of another alice");
}
