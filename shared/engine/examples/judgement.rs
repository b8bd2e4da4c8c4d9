//! Tells how well scores predict the results of games, and if they favour a colour.
//!
//! ```text
//! cargo run --release -p renju-engine --example judgement -- renju_free 200000 16000 openings.txt
//! ```
//!
//! The arguments are the ruleset, the nodes of a move, the nodes of a judged score and a file of openings,
//! one a line (`h8i9g7`; `examples/openings.rs` prints some). Each opening is played to its end once, on all
//! processors. The first six positions of each game are judged apart from it, with the nodes of a judged
//! score; later ones have the score of the move.
//!
//! Prints a line for each game: the opening, Black's scores and the result. Then, to standard error, a row
//! for each part of the games: its AUC (of a position from a game Black won and one from a game White won,
//! how often the first has the higher score), Black's mean chance by the scores and by the results, and the
//! points by which scores are too good for Black: without them both would be equal.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use renju::notation::moves;
use renju::{Color, Outcome, Phase, Play, Record, Ruleset};
use renju_engine::{Engine, Limits, chance, plies_to_end};

/// Parts of a game, in plies after the opening. The positions of the first are judged apart.
const PARTS: [Range<usize>; 4] = [0..6, 6..12, 12..24, 24..usize::MAX];
const STONES_MAX: usize = 160;

/// Score of a position for Black, and Black's result in the game.
#[derive(Clone, Copy)]
struct Judged {
    score: i32,
    result: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, nodes, judged, file] = &arguments[..] else {
        panic!("the arguments are ruleset, nodes of a move, nodes of a score and openings");
    };
    let ruleset = Ruleset::find(id).unwrap();
    let [nodes, judged] = [nodes, judged].map(|nodes| Limits::nodes(nodes.parse().unwrap()));
    let text = fs::read_to_string(file).unwrap();
    let openings: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(PARTS.map(|_| Vec::new())));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(opening) = openings.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let game = play(ruleset, opening, &nodes, &judged);
                    let mut all = all.lock().unwrap();
                    let scores: String =
                        game.iter().map(|judged| format!(" {}", judged.score)).collect();
                    println!("{opening}{scores} {}", game.first().map_or(0.5, |game| game.result));
                    for (ply, judged) in game.into_iter().enumerate() {
                        let part = PARTS.iter().position(|part| part.contains(&ply)).unwrap();
                        all[part].push(judged);
                    }
                }
            });
        }
    });
    let all = all.into_inner().unwrap();
    for (part, judged) in PARTS.iter().zip(&all).filter(|(_, judged)| !judged.is_empty()) {
        report(part, judged);
    }
}

/// Plays an opening to its end.
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
        let choice = engine.choose(record.position(), nodes, 0, None).unwrap();
        let score = if PARTS[0].contains(&scores.len()) {
            judge.clear();
            judge.choose(record.position(), judged, 0, None).unwrap().score
        } else {
            choice.score
        };
        scores.push(for_black(score));
        if plies_to_end(choice.score).is_some() {
            break f64::from(u8::from(for_black(choice.score) > 0));
        }
        record.play(choice.play).unwrap();
    };
    scores.into_iter().map(|score| Judged { score, result }).collect()
}

fn report(part: &Range<usize>, all: &[Judged]) {
    let scores = |result: f64| {
        all.iter().filter(move |judged| judged.result == result).map(|judged| judged.score)
    };
    let (mut right, mut pairs) = (0.0, 0.0);
    for won in scores(1.0) {
        for lost in scores(0.0) {
            right += f64::from((won.cmp(&lost) as i8) + 1) / 2.0;
            pairs += 1.0;
        }
    }
    let count = all.len() as f64;
    let by_scores = |less: i32| {
        let chance = |judged: &Judged| match plies_to_end(judged.score) {
            Some(_) => f64::from(chance(judged.score)),
            None => f64::from(chance(judged.score - less)),
        };
        all.iter().map(chance).sum::<f64>() / count / 10.0
    };
    let by_results = 100.0 * all.iter().map(|judged| judged.result).sum::<f64>() / count;
    let off = |less: &i32| ((by_scores(*less) - by_results).abs() * 1e6) as u64;
    eprintln!(
        "plies from {}: {count} positions, AUC {:.3}; Black's chance is {:.1} % by the scores, {by_results:.1} % \
         by the results: {:+} points",
        part.start,
        right / pairs,
        by_scores(0),
        (-1_000..=1_000).min_by_key(off).unwrap(),
    );
}
