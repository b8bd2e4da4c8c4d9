//! Prints random openings, one a line, for `renju match --openings` and `examples/judgement.rs`.
//!
//! ```text
//! cargo run --release -p renju-engine --example openings -- renju_free 200 100 1 > openings.txt
//! ```
//!
//! The arguments are the ruleset, the number of openings, the largest score of one and the seed. An
//! opening has four to seven stones near the centre, and no two have the same moves.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod common;

use std::collections::HashSet;

use arena_support::Random;
use renju::{Play, Ruleset};
use renju_engine::Engine;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, count, most, seed] = arguments.try_into().expect("ruleset, count, score and seed");
    let ruleset = Ruleset::find(&id).unwrap();
    let (count, most) = (count.parse().unwrap(), most.parse().unwrap());
    let mut random = Random(seed.parse().unwrap());
    let mut engine = Engine::new(4 << 20);
    let mut printed = HashSet::new();
    while printed.len() < count {
        let record = common::opening(&mut engine, ruleset, 4..8, most, &mut random);
        let text: String = record.plays().iter().map(Play::to_string).collect();
        if printed.insert(text.clone()) {
            println!("{text}");
        }
    }
}
