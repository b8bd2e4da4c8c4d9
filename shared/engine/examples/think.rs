//! Answers positions from standard input, one line each: `<ruleset> <size> <nodes> <seed> <plays…>`,
//! where `L3` in the place of nodes asks house level 3 and `T50` gives the search 50 milliseconds.
//! Prints the play, score, depth, nodes, microseconds and the expected line.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::{Duration, Instant};

use renju::{Record, Ruleset};
use renju_engine::{Engine, Level, Limits};

fn main() {
    let mut engine = Engine::new(16 << 20);
    let mut before: Vec<String> = Vec::new();
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let mut words = line.split_whitespace();
        let ruleset = Ruleset::find(words.next().unwrap()).unwrap();
        let size = words.next().unwrap().parse().unwrap();
        let strength = words.next().unwrap();
        let seed = words.next().unwrap().parse().unwrap();
        let plays: Vec<&str> = words.collect();
        let record = Record::parse(ruleset, size, &plays.join(" ")).unwrap();
        // A new game: clear the table, so that no side profits from the last one.
        let game: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let goes_on = before.iter().zip(&game).enumerate().all(|(n, (one, other))| {
            // Third and fourth are the strength and the seed.
            one == other || n == 2 || n == 3
        });
        if !goes_on || game.len() < before.len() {
            engine.clear();
        }
        before = game;
        let start = Instant::now();
        let choice = match strength.strip_prefix('L') {
            Some(level) => {
                let level = &Level::ALL[level.parse::<usize>().unwrap()];
                let seed = seed + plays.len() as u64;
                level.choose(record.position(), &level.limits(), seed, None)
            }
            None => {
                let limits = match strength.strip_prefix('T') {
                    Some(ms) => Limits {
                        deadline: Some(start + Duration::from_millis(ms.parse().unwrap())),
                        ..Limits::nodes(u64::MAX)
                    },
                    None => Limits::nodes(strength.parse().unwrap()),
                };
                engine.choose(record.position(), &limits, seed, None)
            }
        };
        match choice {
            None => println!("over {:?}", record.position().outcome().unwrap()),
            Some(choice) => println!(
                "{} score {} depth {} nodes {} micros {} pv {:?}",
                choice.play,
                choice.score,
                choice.depth,
                choice.nodes,
                start.elapsed().as_micros(),
                choice.pv
            ),
        }
    }
}
