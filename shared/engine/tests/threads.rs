//! Two threads on one table: legal play, in time, interruptible.

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use renju::{Position, Record, Ruleset};
use renju_engine::{Engine, Limits};

fn middle_game(ruleset: &str) -> Position {
    let ruleset = Ruleset::find(ruleset).unwrap();
    let plays = "h8 i9 g7 i7 i8 g8 h6 j8 f9 h9";
    Record::parse(ruleset, ruleset.size, plays).unwrap().position().clone()
}

fn unlimited() -> Limits {
    Limits::nodes(u64::MAX)
}

#[test]
fn two_threads_play_legally_in_every_ruleset() {
    for ruleset in Ruleset::ALL {
        let mut engine = Engine::new(1 << 16).with_threads(2);
        let mut record = Record::new(ruleset);
        for seed in 0..30 {
            let choice = engine.choose(record.position(), &Limits::nodes(1_000), seed, None);
            let Some(choice) = choice else { break };
            record.play(choice.play).unwrap_or_else(|why| panic!("{record}: {why}"));
        }
        assert!(record.plays().len() > 8, "{record}");
    }
}

#[test]
fn two_threads_keep_a_deadline() {
    for ruleset in ["renju_free", "gomoku_capture"] {
        let mut engine = Engine::new(1 << 20).with_threads(2);
        let deadline = Instant::now() + Duration::from_millis(50);
        let limits = Limits { deadline: Some(deadline), ..unlimited() };
        // Only the deadline ends this search; how soon depends on the load of the machine.
        engine.choose(&middle_game(ruleset), &limits, 1, None).unwrap();
        assert!(Instant::now() >= deadline, "{ruleset}: it was ended by something else");
    }
}

#[test]
fn two_threads_end_with_the_nodes_of_the_first() {
    let mut engine = Engine::new(1 << 20).with_threads(2);
    let choice = engine.choose(&middle_game("renju_free"), &Limits::nodes(3_000), 1, None).unwrap();
    assert!(choice.nodes <= 3_001, "{}", choice.nodes);
}

#[test]
fn two_threads_end_when_the_flag_is_raised() {
    let stop = AtomicBool::new(false);
    let mut engine = Engine::new(1 << 20).with_threads(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
        });
        // Only the flag ends this search.
        engine.choose(&middle_game("gomoku_freestyle"), &unlimited(), 1, Some(&stop)).unwrap();
    });
    assert!(stop.into_inner(), "it was ended by something else");
}
