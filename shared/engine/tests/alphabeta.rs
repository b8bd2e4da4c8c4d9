//! Capture games against a plain search that shares no code with the engine, both colours of random
//! openings.
//!
//! `CAPTURE_NODES` is the engine's nodes per move (default 10,000), counted so that the games are
//! the same on every machine.

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

mod plain;

use std::num::NonZero;
use std::thread;

use plain::Plain;
use renju::{Color, Play, Point, Position, Ruleset};
use renju_engine::{Engine, Limits};

const GAMES: usize = 40;

/// Three stones in the middle.
fn opening(seed: usize) -> Position {
    let mut position = Position::new(Ruleset::find("gomoku_capture").unwrap());
    for n in 0..3 {
        let places = |point: &Point| point.ring(Point::centre(19)) <= 2;
        let points: Vec<Point> = position.legal_points().filter(places).collect();
        let pick = (seed * 7 + n * 11 + seed * n * 5) % points.len();
        position.advance(Play::Place(points[pick])).unwrap();
    }
    position
}

/// Result of the engine as `color`; a draw is half a point.
fn score(mut position: Position, color: Color, limits: &Limits) -> f64 {
    let mut engine = Engine::new(8 << 20);
    while position.outcome().is_none() {
        let play = if position.to_move() == color {
            engine.choose(&position, limits, 1, None).unwrap().play
        } else {
            Play::Place(Plain::choose(&position))
        };
        position.advance(play).expect("both play by the rules");
    }
    let winner = position.outcome().unwrap().winner;
    winner.map_or(0.5, |winner| f64::from(u8::from(winner == color)))
}

#[test]
fn a_plain_search_is_beaten_nine_times_in_ten() {
    let nodes = std::env::var("CAPTURE_NODES").ok().and_then(|nodes| nodes.parse().ok());
    let limits = Limits::nodes(nodes.unwrap_or(10_000));
    let game = |n: usize| {
        let color = if n.is_multiple_of(2) { Color::Black } else { Color::White };
        score(opening(n / 2), color, &limits)
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let won: f64 = thread::scope(|scope| {
        let share =
            |from: usize| scope.spawn(move || (from..GAMES).step_by(threads).map(game).sum());
        let shares: Vec<_> = (0..threads).map(share).collect();
        shares.into_iter().map(|share| -> f64 { share.join().unwrap() }).sum()
    });
    println!("{won} of {GAMES}");
    assert!(won >= 0.9 * GAMES as f64, "{won} of {GAMES}");
}
