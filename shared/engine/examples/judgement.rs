//! Tells how well the score right after the opening predicts the result of a game.
//!
//! ```text
//! cargo run --release -p renju-engine --example judgement -- renju_free 200000 16000 openings.txt
//! ```
//!
//! The arguments are the ruleset, the nodes of a move, the nodes of a judged score and a file of openings,
//! one a line (`h8i9g7`). Each opening is played to its end once, on all processors. The first six positions
//! of each game are judged. Prints the AUC: of all pairs of a position from a game Black won and one from a
//! game White won, the share in which the first has the higher score. Then Black's mean chance by the scores,
//! and by the results.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use renju::notation::moves;
use renju::{Color, Outcome, Phase, Play, Record, Ruleset};
use renju_engine::{Engine, Limits, chance, plies_to_end};

const JUDGED: usize = 6;
const STONES_MAX: usize = 160;

/// Score of a position for Black, and the result of its game.
type Judged = (i32, f64);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, nodes, judged, file] = &arguments[..] else {
        panic!("the arguments are ruleset, nodes of a move, nodes of a score and openings");
    };
    let ruleset = Ruleset::find(id).unwrap();
    let [nodes, judged] = [nodes, judged].map(|nodes| Limits::nodes(nodes.parse().unwrap()));
    let text = fs::read_to_string(file).unwrap();
    let openings: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(opening) = openings.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let game = play(ruleset, opening, &nodes, &judged);
                    all.lock().unwrap().extend(game);
                }
            });
        }
    });
    report(&all.into_inner().unwrap());
}

/// Plays an opening to its end; the first positions with their scores and the result.
fn play(ruleset: &'static Ruleset, opening: &str, nodes: &Limits, judged: &Limits) -> Vec<Judged> {
    let mut record = Record::new(ruleset);
    for point in moves::read(opening).unwrap() {
        record.play(Play::Place(point)).unwrap();
    }
    let mut engine = Engine::new(64 << 20);
    let mut judge = Engine::new(16 << 20);
    let mut scores = Vec::new();
    let result = loop {
        if let Phase::Over(Outcome { winner, .. }) = record.position().phase() {
            break winner.map_or(0.5, |winner| f64::from(u8::from(winner == Color::Black)));
        }
        if record.plays().len() >= STONES_MAX {
            break 0.5;
        }
        let is_black = record.position().to_move() == Color::Black;
        let for_black = |score: i32| if is_black { score } else { -score };
        if scores.len() < JUDGED {
            judge.clear();
            let choice = judge.choose(record.position(), judged, 0, None).unwrap();
            scores.push(for_black(choice.score));
        }
        let choice = engine.choose(record.position(), nodes, 0, None).unwrap();
        if plies_to_end(choice.score).is_some() {
            break f64::from(u8::from(for_black(choice.score) > 0));
        }
        record.play(choice.play).unwrap();
    };
    scores.into_iter().map(|score| (score, result)).collect()
}

fn report(all: &[Judged]) {
    let of = |result: f64| all.iter().filter(move |judged| judged.1 == result);
    let (mut right, mut pairs) = (0.0, 0.0);
    for (won, _) in of(1.0) {
        for (lost, _) in of(0.0) {
            right += f64::from((won.cmp(lost) as i8) + 1) / 2.0;
            pairs += 1.0;
        }
    }
    let count = all.len() as f64;
    let mean = |of: fn(&Judged) -> f64| 100.0 * all.iter().map(of).sum::<f64>() / count;
    println!(
        "{count} positions: AUC {:.3}; Black's chance is {:.1} % by the scores, {:.1} % by the results",
        right / pairs,
        mean(|judged| f64::from(chance(judged.0)) / 1_000.0),
        mean(|judged| judged.1),
    );
}
