//! Scores favour no colour: over many openings, Black's mean chance by short searches is Black's share of the
//! points in strong games.
//!
//! `results.txt` has an opening a line and Black's result with 200,000 nodes a move: the first and the last word
//! of the games that `examples/judgement.rs` prints. The nets were not fitted to them. `JUDGEMENT_NODES` is the
//! number of nodes for each score (500).

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use renju::notation::moves;
use renju::{Color, Play, Record, Ruleset};
use renju_engine::{Engine, Limits, chance};

#[test]
fn scores_of_renju_favour_no_colour() {
    let limits = Limits::nodes(arena_support::setting("JUDGEMENT_NODES").unwrap_or(500));
    let mut engine = Engine::new(1 << 20);
    let (mut by_scores, mut by_results, mut games) = (0.0, 0.0, 0.0);
    for line in include_str!("results.txt").lines() {
        let (opening, result) = line.split_once(' ').unwrap();
        let mut record = Record::new(Ruleset::find("renju_free").unwrap());
        for point in moves::read(opening).unwrap() {
            record.play(Play::Place(point)).unwrap();
        }
        engine.clear();
        let score = engine.choose(record.position(), &limits, 0, None).unwrap().score;
        let is_black = record.position().to_move() == Color::Black;
        by_scores += f64::from(chance(if is_black { score } else { -score })) / 10.0;
        by_results += 100.0 * result.parse::<f64>().unwrap();
        games += 1.0;
    }
    let (by_scores, by_results) = (by_scores / games, by_results / games);
    println!("Black: {by_scores:.1} % by the scores, {by_results:.1} % by the results");
    assert!((by_scores - by_results).abs() < 3.0, "{by_scores:.1} %, {by_results:.1} %");
}
