//! The chain of timers, the delays of messages, and polling hints.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixtures;

use arena::timer::{TimerStep, YOUNG_MS, first, step};
use arena::{
    Game, GameId, HOP_MS, Message, Plan, Pool, Timestamp, TurnNumber, Write, poll_after_ms,
};
use fixtures::{PACE, START, at, division, flagged, gomoku, played, resigned};
use renju::Seat;

/// The action at `now` of a timer due at `fire`, in a game whose chain is at `armed`.
fn fired(game: &Game, armed: Timestamp, fire: Timestamp, now: Timestamp) -> TimerStep {
    step(Some((game, Some(armed))), fire, now, &PACE)
}

fn rearm(game: &Game, from: Timestamp, to: Timestamp) -> TimerStep {
    let game = game.id();
    TimerStep::Rearm(Plan {
        messages: vec![Message::Timer { game, fire: to }],
        writes: vec![Write::Rearm { game, from, to }],
    })
}

#[test]
fn the_first_timer_fires_just_when_the_first_turn_is_overdue_or_one_hop_ahead() {
    let fire = |pool| first(gomoku(pool).header(), &PACE);
    assert_eq!(fire(Pool::Fast), at(65_001));
    assert_eq!(fire(Pool::Standard), at(305_001));
    assert_eq!(fire(Pool::Slow), at(900_000));
}

#[test]
fn a_timer_on_time_flags_who_is_overdue() {
    let game = gomoku(Pool::Fast);
    let fire = first(game.header(), &PACE);
    assert_eq!(fired(&game, fire, fire, fire), TimerStep::Flag);
    assert_eq!(fired(&game, fire, fire, fire.plus(3_600_000)), TimerStep::Flag);
    // An overdue game is flagged by any check: a message of another link, a sweep, a lost chain.
    assert_eq!(fired(&game, fire, at(7), fire), TimerStep::Flag);
    assert_eq!(step(Some((&game, None)), fire, fire, &PACE), TimerStep::Flag);
    // And the flag is then accepted.
    assert!(flagged(&game).result().is_some());
}

#[test]
fn a_timer_moves_on_to_the_end_of_the_turn_it_finds() {
    let game = played(gomoku(Pool::Fast), "h8 a1", 20_000);
    let fire = at(65_001);
    // The turn began at 40 s: overdue after 105 s.
    assert_eq!(fired(&game, fire, fire, fire), rearm(&game, fire, at(105_001)));
    assert_eq!(fired(&game, fire, fire, at(105_000)), rearm(&game, fire, at(105_001)));
    assert_eq!(fired(&game, fire, fire, at(105_001)), TimerStep::Flag);
}

#[test]
fn a_timer_that_is_not_the_head_of_the_chain_dies() {
    let game = played(gomoku(Pool::Fast), "h8 a1", 20_000);
    let (old, head) = (at(65_001), at(105_001));
    assert_eq!(fired(&game, head, old, at(65_002)), TimerStep::Drop);
    assert_eq!(step(Some((&game, None)), old, old, &PACE), TimerStep::Drop);
    // Doubled on time: the first advances the chain, the second finds it advanced.
    let TimerStep::Rearm(plan) = fired(&game, old, old, old) else { panic!("the head moves on") };
    let [Write::Rearm { to, .. }] = plan.writes[..] else { panic!("{plan:?}") };
    assert_eq!(fired(&game, to, old, old), TimerStep::Drop);
}

#[test]
fn a_timer_that_fires_early_never_moves_the_chain_back() {
    // The slow game is far from its end, so the next hop is not this link again.
    let game = gomoku(Pool::Slow);
    let fire = first(game.header(), &PACE);
    for (now, next) in [(at(1), at(900_001)), (at(0), at(900_001)), (at(-7_000), at(900_001))] {
        assert_eq!(fired(&game, fire, fire, now), rearm(&game, fire, next));
    }
}

#[test]
fn a_timer_of_a_game_that_is_over_dies() {
    let game = resigned(&gomoku(Pool::Fast), Seat::First);
    let fire = first(game.header(), &PACE);
    for (armed, now) in [(Some(fire), fire), (None, fire), (Some(fire), at(9_999_999))] {
        assert_eq!(step(Some((&game, armed)), fire, now, &PACE), TimerStep::Drop);
    }
}

#[test]
fn a_timer_waits_a_while_for_a_game_that_is_not_there_yet() {
    let missing = |since| step(None, at(65_001), at(65_001 + since), &PACE);
    assert_eq!(missing(-60_000), TimerStep::Later);
    assert_eq!(missing(0), TimerStep::Later);
    assert_eq!(missing(YOUNG_MS - 1), TimerStep::Later);
    assert_eq!(missing(YOUNG_MS), TimerStep::Drop);
    assert_eq!(missing(3_600_000), TimerStep::Drop);
}

#[test]
fn a_slow_game_is_reached_by_hops_of_at_most_fifteen_minutes() {
    let game = gomoku(Pool::Slow);
    let mut fire = first(game.header(), &PACE);
    let mut hops = vec![fire.since(START)];
    loop {
        match fired(&game, fire, fire, fire) {
            TimerStep::Rearm(plan) => {
                let [Message::Timer { fire: next, .. }] = plan.messages[..] else {
                    panic!("{plan:?}")
                };
                assert_eq!(rearm(&game, fire, next), TimerStep::Rearm(plan));
                hops.push(next.since(fire));
                fire = next;
            }
            TimerStep::Flag => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(hops, [900_000, 900_000, 900_000, 900_000, 5_001]);
    assert!(hops.iter().all(|&hop| hop <= HOP_MS));
}

#[test]
fn a_game_in_play_keeps_one_chain_and_decisions_send_nothing() {
    // Twenty decisions, one every 50 s, then silence: each link finds the turn of its time.
    let plays = "a1 c2 e1 g2 i1 k2 m1 o2 a4 c5 e4 g5 i4 k5 m4 o5 a7 c8 e7 g8";
    let game = played(gomoku(Pool::Fast), plays, 50_000);
    let mut fire = first(game.header(), &PACE);
    let mut links = 1;
    loop {
        let decided = (fire.since(START) / 50_000).min(20);
        let seen = game.at(TurnNumber(decided as u32));
        assert_eq!(seen.last_at(), at(decided * 50_000));
        let next = at(decided * 50_000 + 65_001);
        match fired(&seen, fire, fire, fire) {
            TimerStep::Flag => break,
            step => assert_eq!(step, rearm(&seen, fire, next)),
        }
        (fire, links) = (next, links + 1);
    }
    assert_eq!((fire, links), (at(20 * 50_000 + 65_001), 21));
}

#[test]
fn messages_are_delayed_by_no_more_than_a_message_can_be() {
    let game = GameId::from_bytes([0; 10]);
    let timer = |fire| Message::Timer { game, fire }.delay_ms(START);
    assert_eq!(timer(at(65_001)), 65_001);
    assert_eq!(timer(at(0)), 0);
    assert_eq!(timer(at(-5_000)), 0, "what is past is due now");
    assert_eq!(timer(at(HOP_MS)), 900_000);
    assert_eq!(timer(at(HOP_MS + 1)), 900_000);
    assert_eq!(timer(Timestamp::from_ms(i64::MAX)), 900_000);

    let division = division("gomoku_freestyle", Pool::Fast);
    let look = |ms| Message::Match { division, at: at(ms) }.delay_ms(START);
    assert_eq!([-1, 0, 7_000, 900_001].map(look), [0, 0, 7_000, 900_000]);
    assert_eq!(Message::queue_changed(division, START).delay_ms(START), 1_000);
    assert_eq!(Message::Sweep.delay_ms(START), 0);
    assert_eq!(Message::House { game, turn: TurnNumber(3) }.delay_ms(START), 0);
}

#[test]
fn one_look_at_a_queue_serves_all_its_messages_and_no_others() {
    let [fast, slow] = [Pool::Fast, Pool::Slow]
        .map(|pool| Message::Match { division: division("gomoku_freestyle", pool), at: START });
    let later = Message::queue_changed(division("gomoku_freestyle", Pool::Fast), START);
    assert!(fast.is_served_by(&later) && later.is_served_by(&fast));
    assert!(!fast.is_served_by(&slow), "another queue");
    let game = GameId::from_bytes([0; 10]);
    let timer = Message::Timer { game, fire: START };
    for message in [timer, Message::House { game, turn: TurnNumber(3) }, Message::Sweep] {
        assert!(!message.is_served_by(&timer) && !message.is_served_by(&message), "{message:?}");
        assert!(!fast.is_served_by(&message) && !message.is_served_by(&fast), "{message:?}");
    }
}

#[test]
fn who_is_to_act_need_not_wait_and_nobody_waits_for_a_game_that_is_over() {
    let game = played(gomoku(Pool::Fast), "h8", 10_000);
    assert_eq!(poll_after_ms(&game, Some(Seat::Second), at(10_000)), 0);
    assert_ne!(poll_after_ms(&game, Some(Seat::First), at(10_000)), 0);
    assert_ne!(poll_after_ms(&game, None, at(10_000)), 0);
    let over = resigned(&game, Seat::First);
    for viewer in [None, Some(Seat::First), Some(Seat::Second)] {
        assert_eq!(poll_after_ms(&over, viewer, at(11_000)), 0);
    }
}

#[test]
fn the_hint_is_from_a_second_to_half_a_minute_and_at_most_a_quarter_turn() {
    for (pool, most) in [(Pool::Fast, 15_000), (Pool::Standard, 30_000), (Pool::Slow, 30_000)] {
        for think_ms in [0, 10, 3_000, 20_000, 59_000] {
            let game = played(gomoku(pool), "h8 a1 i8 a2 j8", think_ms);
            for waited in [-5_000, 0, 500, 10_000, 59_999, 70_000] {
                for viewer in [Some(Seat::First), None] {
                    let hint = poll_after_ms(&game, viewer, game.last_at().plus(waited));
                    assert!((1_000..=most).contains(&hint), "{pool} {think_ms} {waited}: {hint}");
                }
            }
        }
    }
}

#[test]
fn the_hint_follows_how_long_the_opponent_thinks() {
    let game = played(gomoku(Pool::Standard), "h8 a1 i8 a2 j8", 12_000);
    let hint = |waited| poll_after_ms(&game, Some(Seat::First), game.last_at().plus(waited));
    assert_eq!(hint(0), 12_000);
    assert_eq!(hint(5_000), 7_000);
    // An opponent that thinks longer than usual is given a quarter of that time again.
    assert_eq!(hint(60_000), 15_000);
    // The caller's clock may be behind.
    assert_eq!(hint(-5_000), 12_000);
    // The latest time weighs a third: bob took 12 s, 12 s, then 3 s.
    let quicker = played(played(game, "a3", 3_000), "k8", 10);
    assert_eq!(poll_after_ms(&quicker, Some(Seat::First), quicker.last_at()), 9_000);
}
