//! Plays two versions of the engine against each other, in any ruleset: with captures, which the Gomocup
//! protocol does not have, and with the decisions of an opening.
//!
//! ```text
//! cargo build --release -p renju-engine --example think   # in both versions
//! cargo run --release -p renju-engine --example versus -- new/think 28800 old/think 34400 gomoku_capture 400 openings.txt
//! ```
//!
//! The arguments are the programs built from `examples/think.rs` with their nodes of a move, the ruleset, the
//! number of games and a file of openings (`examples/openings.rs` prints some), each of which is played twice
//! at most. Without a file games start with an empty board, each pair with its own seed. The programs change
//! seats after every game, and two games make a pair. Pairs are played on all processors. ± is a 95 %
//! interval, computed over pairs.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use renju::notation::moves;
use renju::{Color, Phase, Play, Record, Ruleset, Seat};

/// Plays after which a game is a draw.
const PLAYS_MAX: usize = 200;

/// A running program.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    nodes: String,
}

impl Program {
    fn start(path: &str, nodes: &str) -> Program {
        let mut command = Command::new(path);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Program { child, input, output: BufReader::new(output), nodes: nodes.to_owned() }
    }

    fn choose(&mut self, record: &Record, seed: usize) -> Play {
        let ruleset = record.position().ruleset();
        let plays: Vec<String> = record.plays().iter().map(Play::to_string).collect();
        let (id, size, nodes) = (ruleset.id, ruleset.size, &self.nodes);
        writeln!(self.input, "{id} {size} {nodes} {seed} {}", plays.join(" ")).unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        answer.split_once(" score").unwrap().0.parse().unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Result of a game for the first program.
struct Game {
    score: f64,
    /// Colour that won.
    winner: Option<Color>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [one, one_nodes, two, two_nodes, id, games, file @ ..] = &arguments[..] else {
        panic!("the arguments are two programs with their nodes, ruleset, games and openings");
    };
    let empty = Record::new(Ruleset::find(id).unwrap());
    let text = file.first().map_or(String::new(), |file| fs::read_to_string(file).unwrap());
    let opening = |line: &str| {
        let mut record = empty.clone();
        for point in moves::read(line).unwrap() {
            record.play(Play::Place(point)).unwrap();
        }
        record
    };
    let lines = text.lines().filter(|line| !line.is_empty());
    let openings: Vec<Record> = lines.map(opening).collect();
    let pairs = games.parse::<usize>().unwrap() / 2;
    assert!(pairs > 0, "games are played in pairs");
    assert!(file.is_empty() || pairs <= openings.len(), "there are {} openings", openings.len());
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut programs = [Program::start(one, one_nodes), Program::start(two, two_nodes)];
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= pairs {
                        break;
                    }
                    let start = openings.get(pair).unwrap_or(&empty);
                    let games = [Seat::First, Seat::Second]
                        .map(|seat| play(&mut programs, start.clone(), seat, 1_000 * pair));
                    all.lock().unwrap().push(games);
                }
            });
        }
    });
    report(&all.into_inner().unwrap());
}

/// Plays a game in which the first program has the seat.
fn play(programs: &mut [Program; 2], mut record: Record, seat: Seat, seed: usize) -> Game {
    let outcome = loop {
        if let Phase::Over(outcome) = record.position().phase() {
            break Some(outcome);
        }
        if record.plays().len() >= PLAYS_MAX {
            break None;
        }
        let to_act = record.position().to_act().unwrap();
        let program = &mut programs[usize::from(to_act != seat)];
        let play = program.choose(&record, seed + record.plays().len());
        record.play(play).unwrap();
    };
    let winner = outcome.and_then(|outcome| outcome.winner);
    let mine = record.position().color_of(seat);
    Game { score: winner.map_or(0.5, |winner| f64::from(u8::from(winner == mine))), winner }
}

fn report(pairs: &[[Game; 2]]) {
    let games = || pairs.iter().flatten();
    let count = |score: f64| games().filter(|game| game.score == score).count();
    let won_by = |color| games().filter(|game| game.winner == Some(color)).count();
    let n = pairs.len() as f64;
    let points = |pair: &[Game; 2]| (pair[0].score + pair[1].score) / 2.0;
    let mean = pairs.iter().map(points).sum::<f64>() / n;
    let spread = pairs.iter().map(|pair| (points(pair) - mean).powi(2)).sum::<f64>() / n;
    let elo = |share: f64| -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10();
    let error = 1.96 * (spread / n).sqrt();
    println!(
        "{} won, {} drawn, {} lost: {:+.0} ± {:.0} Elo; Black won {}, White {}",
        count(1.0),
        count(0.5),
        count(0.0),
        elo(mean),
        (elo(mean + error) - elo(mean - error)) / 2.0,
        won_by(Color::Black),
        won_by(Color::White),
    );
}
