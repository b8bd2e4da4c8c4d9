//! Plays games of the engine with itself, and prints them with scores for `examples/train.rs`.
//!
//! ```text
//! cargo run --release -p renju-engine --example positions -- renju_free 1000 4000 1 > renju.txt
//! ```
//!
//! The arguments are the ruleset, the number of games, the nodes of a search and the seed. A line is a
//! game: the moves of its opening without spaces, then a word for each further move, the score of the
//! player to move and the move, `-34j10`, and last the result for Black, `0`, `0.5` or `1`. `34?l8` is a
//! random move that was played instead of the best one, so that positions off the best line are seen too.
//! A game ends as soon as a search proves who wins.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod common;

use std::fmt::Write as _;
use std::ops::Range;

use arena_support::Random;
use renju::{Color, Outcome, Phase, Play, Point, Record, Ruleset};
use renju_engine::{Engine, Field, Limits, Shape, plies_to_end};

/// Stones of an opening, and the largest score of one that is played.
const OPENING_STONES: Range<usize> = 3..9;
const OPENING_SCORE: i32 = 300;

/// Stones after which a game is a draw.
const STONES_MAX: usize = 140;

/// One move in so many is a random one.
const RANDOM: usize = 14;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, games, nodes, seed] = arguments.try_into().expect("ruleset, games, nodes and seed");
    let ruleset = Ruleset::find(&id).unwrap();
    let nodes: u64 = nodes.parse().unwrap();
    let seed: u64 = seed.parse().unwrap();
    let mut engine = Engine::new(4 << 20).with_taste(15);
    for game in 0..games.parse().unwrap() {
        let seed = seed << 32 | game;
        play(&mut engine, ruleset, nodes, seed);
    }
}

/// Plays one game and prints it.
fn play(engine: &mut Engine, ruleset: &'static Ruleset, nodes: u64, seed: u64) {
    let mut random = Random(seed);
    let mut record = common::opening(engine, ruleset, OPENING_STONES, OPENING_SCORE, &mut random);
    engine.clear();
    let mut text: String = record.plays().iter().map(Play::to_string).collect();
    let limits = Limits::nodes(nodes);
    let result = loop {
        if let Phase::Over(Outcome { winner, .. }) = record.position().phase() {
            break winner.map_or("0.5", |winner| if winner == Color::Black { "1" } else { "0" });
        }
        if record.plays().len() >= STONES_MAX {
            break "0.5";
        }
        let to_move = record.position().to_move();
        let choice = engine.choose(record.position(), &limits, seed, None).unwrap();
        write!(text, " {}", choice.score).unwrap();
        if plies_to_end(choice.score).is_some() {
            write!(text, "{}", choice.play).unwrap();
            break if (choice.score > 0) == (to_move == Color::Black) { "1" } else { "0" };
        }
        let lot = random.below(RANDOM) == 0;
        let play = match if lot { plausible(&record, &mut random) } else { None } {
            Some(play) => {
                text.push('?');
                play
            }
            None => choice.play,
        };
        write!(text, "{play}").unwrap();
        record.play(play).unwrap();
    };
    println!("{text} {result}");
}

/// A random move that makes an open two or more for either colour.
fn plausible(record: &Record, random: &mut Random) -> Option<Play> {
    let field = Field::new(record.position());
    let makes =
        |point: Point, color| field.shapes(point, color).into_iter().max() >= Some(Shape::OpenTwo);
    let points: Vec<Point> = record
        .position()
        .legal_points()
        .filter(|&point| Color::BOTH.into_iter().any(|color| makes(point, color)))
        .collect();
    Some(Play::Place(*points.get(random.below(points.len().max(1)))?))
}
