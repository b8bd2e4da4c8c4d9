//! Plays games of the engine with itself and prints labelled positions for `examples/train.rs`.
//!
//! ```text
//! cargo run --release -p renju-engine --example positions -- renju_free 1000 4000 1 > renju.txt
//! ```
//!
//! The arguments are the ruleset, the number of games, the nodes of a search and the seed. A line is
//! the score of the player to move, the result of the game for that player (`-` off the game line) and
//! the moves from the empty board. Half of the positions of a game lead to one off its line, a few
//! plausible moves away. A game ends as soon as a search proves who wins.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fmt::Write as _;

use arena_support::Random;
use renju::{Outcome, Phase, Play, Point, Record, Ruleset};
use renju_engine::{Engine, Field, Limits, Shape, plies_to_end};

/// Nodes of the search that judges an opening, and the largest score of one that is played.
const OPENING_NODES: u64 = 1_000;
const OPENING_SCORE: i32 = 200;

/// Stones after which a game is a draw.
const STONES_MAX: usize = 140;

struct Labelled {
    score: i32,
    moves: Vec<Point>,
    on_line: bool,
}

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

/// Plays one game and prints its positions.
fn play(engine: &mut Engine, ruleset: &'static Ruleset, nodes: u64, seed: u64) {
    let mut random = Random(seed);
    let mut record = opening(engine, ruleset, &mut random);
    engine.clear();
    let mut labelled = Vec::new();
    let limits = Limits::nodes(nodes);
    // The result for Black in halves.
    let result = loop {
        if let Phase::Over(Outcome { winner, .. }) = record.position().phase() {
            break winner.map_or(1, |winner| 2 * u8::from(winner == renju::Color::Black));
        }
        if record.plays().len() >= STONES_MAX {
            break 1;
        }
        let to_move = record.position().to_move();
        let choice = engine.choose(record.position(), &limits, seed, None).unwrap();
        labelled.push(Labelled { score: choice.score, moves: points(&record), on_line: true });
        if plies_to_end(choice.score).is_some() {
            let black_wins = (choice.score > 0) == (to_move == renju::Color::Black);
            break 2 * u8::from(black_wins);
        }
        if random.below(2) == 0 {
            labelled.extend(off_line(engine, &record, &limits, &mut random));
        }
        record.play(choice.play).unwrap();
    };
    let mut text = String::new();
    for Labelled { score, moves, on_line } in labelled {
        let mine = if moves.len() % 2 == 0 { result } else { 2 - result };
        let result = match (on_line, mine) {
            (false, _) => "-",
            (true, 0) => "0",
            (true, 1) => "0.5",
            (true, _) => "1",
        };
        let moves: String = moves.iter().map(Point::to_string).collect();
        writeln!(text, "{score} {result} {moves}").unwrap();
    }
    print!("{text}");
}

/// A position one to three plausible moves away, with its score.
fn off_line(
    engine: &mut Engine,
    record: &Record,
    limits: &Limits,
    random: &mut Random,
) -> Option<Labelled> {
    let mut record = record.clone();
    for _ in 0..=random.below(3) {
        let field = Field::new(record.position());
        let plausible = |point: &Point| {
            let makes =
                |color| field.shapes(*point, color).into_iter().max() >= Some(Shape::OpenTwo);
            renju::Color::BOTH.into_iter().any(makes)
        };
        let points: Vec<Point> = record.position().legal_points().filter(plausible).collect();
        let point = points.get(random.below(points.len().max(1)))?;
        record.play(Play::Place(*point)).ok()?;
    }
    let choice = engine.choose(record.position(), limits, 0, None)?;
    Some(Labelled { score: choice.score, moves: points(&record), on_line: false })
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

fn points(record: &Record) -> Vec<Point> {
    let place = |play: &Play| match play {
        Play::Place(point) => Some(*point),
        _ => None,
    };
    record.plays().iter().filter_map(place).collect()
}
