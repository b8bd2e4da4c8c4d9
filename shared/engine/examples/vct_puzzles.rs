//! Makes puzzles for the search for threats: positions of self-play that the winner won with a threat
//! on every move, in which a long search proves a win and no win by fours exists. Neither the games nor
//! the proofs use the search for threats. Writes one line of JSON each; `tests/vct_puzzles.jsonl.gz` is
//!
//! ```text
//! cargo run --release -p renju-engine --example vct_puzzles -- 240 1 | gzip -9n
//! ```
//!
//! with the engine as it was then: the arguments are the number of puzzles and the seed.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

use renju::{Color, Play, Point, Position, Record, Ruleset};
use renju_engine::{Class, Engine, Field, Limits, plies_to_end, solve};

use arena_support::Random;

/// Nodes of a move in self-play, of the search that proves a win, and of that for fours.
const PLAY: u64 = 1_500;
const PROVE: u64 = 100_000;
const FOURS: u64 = 50_000;

/// Least number of plies to the end, so that a puzzle is worth solving.
const PLIES_MIN: i32 = 9;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().unwrap());
    let (count, seed): (u64, u64) = (arguments.next().unwrap(), arguments.next().unwrap());
    let mut engine = Engine::new(16 << 20).without_threats();
    let (mut made, mut games) = (0, 0);
    while made < count {
        let id = match games % 8 {
            3 => "gomoku_freestyle",
            6 => "gomoku_exact5",
            _ => "renju_free",
        };
        let ruleset = Ruleset::find(id).unwrap();
        let record = play(&mut engine, ruleset, seed << 32 | games);
        games += 1;
        if let Some((position, plies)) = puzzle(&mut engine, &record) {
            made += 1;
            println!("{}", line(made, &position, plies));
            eprintln!("{made} of {count} after {games} games");
        }
    }
}

/// A game from a random opening around the centre.
fn play(engine: &mut Engine, ruleset: &'static Ruleset, seed: u64) -> Record {
    let mut random = Random(seed);
    let mut record = Record::new(ruleset);
    let stones = 3 + random.below(4);
    while record.plays().len() < stones {
        let mut at = || 5 + random.below(5) as u8;
        let point = Point::new(at(), at()).unwrap();
        let _taken = record.play(Play::Place(point));
    }
    engine.clear();
    while let Some(choice) = engine.choose(record.position(), &Limits::nodes(PLAY), seed, None) {
        record.play(choice.play).unwrap();
    }
    record
}

/// The earliest of the winner's last turns from which every move was a threat or answered one, without
/// a win by fours, in which a win is proved.
fn puzzle(engine: &mut Engine, record: &Record) -> Option<(Position, i32)> {
    let winner = record.position().outcome()?.winner?;
    let mut best = None;
    let positions: Vec<Position> = record.positions().collect();
    for (position, &play) in positions.into_iter().zip(record.plays()).rev() {
        if position.to_move() != winner {
            continue;
        }
        let (Play::Place(point), field) = (play, Field::new(&position)) else { break };
        if field.class(point, winner) == Class::Quiet && field.class(point, !winner) != Class::Five
        {
            break;
        }
        let fours = solve(&mut Field::new(&position), &Limits::nodes(FOURS), None);
        if fours.line.is_some() || !fours.complete {
            continue;
        }
        engine.clear();
        let choice = engine.choose(&position, &Limits::nodes(PROVE), 1, None)?;
        match plies_to_end(choice.score).filter(|_| choice.score > 0) {
            Some(plies) => best = Some((position, plies)),
            None => break,
        }
    }
    best.filter(|&(_, plies)| plies >= PLIES_MIN)
}

fn line(id: u64, position: &Position, plies: i32) -> String {
    let [black, white] = Color::BOTH.map(|color| {
        let names = position.board().stones_of(color).map(|point| format!("\"{point}\""));
        names.collect::<Vec<_>>().join(",")
    });
    let side = if position.to_move() == Color::Black { "b" } else { "w" };
    let rule = position.ruleset().id;
    format!(
        r#"{{"id":"{id}","rule":"{rule}","side":"{side}","plies":{plies},"black":[{black}],"white":[{white}]}}"#
    )
}
