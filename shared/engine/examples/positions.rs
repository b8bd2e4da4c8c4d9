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

use std::fmt::Write as _;

use arena_support::Random;
use renju::{Color, Outcome, Phase, Play, Point, Record, Ruleset};
use renju_engine::{Engine, Field, Limits, Shape, plies_to_end};

/// Nodes of the search that judges an opening, and the largest score of one that is played.
const OPENING_NODES: u64 = 1_000;
const OPENING_SCORE: i32 = 200;

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
    let mut record = opening(engine, ruleset, &mut random);
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

/// A few stones near the centre that neither side wins quickly.
fn opening(engine: &mut Engine, ruleset: &'static Ruleset, random: &mut Random) -> Record {
    loop {
        let mut record = Record::new(ruleset);
        let middle = record.position().board().size() / 2;
        let stones = 3 + random.below(6);
        let reach = 2 + random.below(3) as u8;
        for _ in 0..4 * stones {
            let mut at = || middle - reach + random.below(2 * usize::from(reach) + 1) as u8;
            let _taken = record.play(Play::Place(Point::new(at(), at()).unwrap()));
            if record.plays().len() == stones || record.position().phase() != Phase::Play {
                break;
            }
        }
        engine.clear();
        let choice = engine.choose(record.position(), &Limits::nodes(OPENING_NODES), 0, None);
        if choice.is_some_and(|choice| choice.score.abs() <= OPENING_SCORE) {
            return record;
        }
    }
}
