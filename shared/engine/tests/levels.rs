//! House levels against each other, each move with an empty table as in the arena: each level beats
//! the one below.
//!
//! `LEVEL_GAMES` is the number of games per pair. By default six games are played, and only by the
//! levels that answer in a few milliseconds; a level must then win more than half. With it:
//!
//! ```text
//! LEVEL_GAMES=60 cargo test --release -p renju-engine --test levels -- --nocapture
//! ```

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use std::time::Instant;

use renju::{Color, Play, Point, Position, Record, Ruleset};
use renju_engine::{Level, Limits};

use arena_support::Random;

/// Four stones around the centre; each level plays both colours from there.
fn opening(ruleset: &'static Ruleset, seed: u64) -> Position {
    let mut random = Random(seed);
    let mut position = Position::new(ruleset);
    while position.move_number() < 4 {
        let at = |random: &mut Random| 5 + random.below(5) as u8;
        let point = Point::new(at(&mut random), at(&mut random)).unwrap();
        let _taken = position.advance(Play::Place(point));
    }
    position
}

/// Result of the stronger level in one game; a draw is half a point.
fn score(strong: &Level, weak: &Level, start: &Position, color: Color, seed: u64) -> f64 {
    let mut record = Record::from_start(start.clone());
    loop {
        let position = record.position();
        let level = if position.to_move() == color { strong } else { weak };
        let seed = seed + record.plays().len() as u64;
        match level.choose(position, &level.limits(), seed, None) {
            Some(choice) => record.play(choice.play).unwrap(),
            None => break,
        }
    }
    let winner = record.position().outcome().unwrap().winner;
    winner.map_or(0.5, |winner| f64::from(u8::from(winner == color)))
}

#[test]
fn each_level_beats_the_one_below() {
    let setting: Option<u64> = std::env::var("LEVEL_GAMES").ok().and_then(|text| text.parse().ok());
    let games = setting.unwrap_or(6);
    let levels = if setting.is_some() { &Level::ALL[..] } else { &Level::ALL[..5] };
    let least = if setting.is_some() { 0.75 } else { 0.51 };
    let ruleset = Ruleset::find("renju_free").unwrap();
    let mut failed = Vec::new();
    for pair in levels.windows(2) {
        let [weak, strong] = pair else { unreachable!("windows of two") };
        let won: f64 = (0..games)
            .map(|n| {
                let color = if n % 2 == 0 { Color::Black } else { Color::White };
                score(strong, weak, &opening(ruleset, n / 2), color, n << 32)
            })
            .sum();
        println!("level {} against level {}: {won} of {games}", strong.number, weak.number);
        if won < least * games as f64 {
            failed.push(strong.number);
        }
    }
    assert!(failed.is_empty(), "too weak: {failed:?}");
}

#[test]
fn no_level_thinks_longer_than_any_may_however_many_nodes_it_has() {
    let ruleset = Ruleset::find("renju_free").unwrap();
    let record = Record::parse(ruleset, 15, "h8 i9 g7 i7 i8 g8 h6 j8 f9 h9").unwrap();
    let slow = Level { nodes: u64::MAX, ..Level::ALL[6] };
    let start = Instant::now();
    // Only its own time limit ends this search; how soon depends on the load of the machine.
    slow.choose(record.position(), &Limits::nodes(u64::MAX), 1, None).unwrap();
    assert!(start.elapsed() >= Level::TIME, "it was ended by something else");
}
