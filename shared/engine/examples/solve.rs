//! Times the solver on positions as in vcf_puzzles.jsonl, read from standard input.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::io::Read;
use std::time::Instant;

use renju::{Board, Color, Position, Ruleset};
use renju_engine::{Field, Limits, solve};

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let ruleset = Ruleset::find("renju_free").unwrap();
    let mut times = Vec::new();
    for line in text.lines() {
        let list = |name: &str| {
            let rest = &line[line.find(name).unwrap() + name.len()..];
            rest[..rest.find(']').unwrap()].split('"').skip(1).step_by(2).collect::<Vec<_>>()
        };
        let mut board = Board::new(15);
        for (name, color) in [("\"black\":[", Color::Black), ("\"white\":[", Color::White)] {
            for point in list(name) {
                board.put(point.parse().unwrap(), color);
            }
        }
        let side = if line.contains("\"side\":\"b\"") { Color::Black } else { Color::White };
        let position = Position::analysis(ruleset, board, side, Default::default()).unwrap();
        let start = Instant::now();
        let solution = solve(&mut Field::new(&position), &Limits::nodes(1_000_000), None);
        times.push((start.elapsed().as_micros(), solution.nodes, solution.line.is_some()));
    }
    times.sort_unstable();
    let solved = times.iter().filter(|time| time.2).count();
    let nodes: u64 = times.iter().map(|time| time.1).sum();
    let micros: u128 = times.iter().map(|time| time.0).sum();
    println!("{solved} of {} solved, {nodes} nodes, {micros} µs", times.len());
    for percent in [50, 90, 95, 99] {
        println!("p{percent}: {} µs", times[(times.len() - 1) * percent / 100].0);
    }
    println!("most: {:?}", times.last().unwrap());
}
