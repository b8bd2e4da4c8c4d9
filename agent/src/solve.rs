//! `renju solve`: wins by continuous fours, one position per line in, one answer per line out.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use renju::Point;
use renju_engine::{Field, Limits, Solution};
use serde::Serialize;
use serde_json::Value;

mod puzzle;

use crate::lines::{self, Line, Lines};
use puzzle::Puzzle;

/// Long help of the subcommand.
pub const ABOUT: &str = "\
Find wins by continuous fours: every move makes a four, every reply is the only block, until there are
two threats at once, a block that is forbidden, or a five.

A position is one line of JSON:
  side           \"b\" or \"w\": the attacker, who is to move
  black, white   the stones: [\"h8\",\"i9\"]
  rule           \"renju\" (default) or the id of a ruleset without captures
  size           side of the board, if the ruleset allows several
  id             any value; other fields are ignored

The answer is the attacker's moves and the replies, or `none`, with the number of positions searched
and the time. An invalid line is answered with an error; the run continues and ends with exit code 1.";

/// Examples for the help page.
pub const EXAMPLES: &str = r#"Examples:
  $ echo '{"side":"b","black":["h8","i8","j8","k9","k10"],"white":["g8","i9","n1","o3"]}' | renju solve
  line 1: k8 l8 k7 (2 nodes, 0.4 ms)
  $ renju solve puzzles.jsonl more.jsonl.gz --json > answers.jsonl"#;

/// Arguments of `renju solve`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Files of positions, gzipped if the name ends in .gz [default: standard input]
    pub files: Vec<PathBuf>,
    /// Give up a position after searching this many
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub nodes: u64,
    /// Write JSON objects
    #[arg(long)]
    pub json: bool,
}

/// Result for one line.
#[derive(Serialize)]
struct Answer {
    /// Id of the position, or its line number.
    id: Value,
    #[serde(flatten)]
    found: Found,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Solved {
        /// The attacker's moves and the replies; `null` if no win was found.
        line: Option<Vec<String>>,
        /// True if the search was exhaustive, so that `null` is a proof.
        complete: bool,
        nodes: u64,
        ms: f64,
    },
    Error {
        error: String,
    },
}

/// Statistics of a run.
#[derive(Clone, Default, Debug)]
pub struct Summary {
    /// Time per position.
    times: Vec<Duration>,
    won: usize,
    /// Number of invalid lines.
    pub bad: usize,
}

/// Answers the positions of all files, or of `input` if there are none.
pub fn run(options: &Options, input: impl Read, mut output: impl Write) -> io::Result<Summary> {
    let mut summary = Summary::default();
    if options.files.is_empty() {
        answer_all(options, input, &mut output, &mut summary)?;
    }
    for file in &options.files {
        let named =
            |why: io::Error| io::Error::new(why.kind(), format!("{}: {why}", file.display()));
        let input = lines::open(file).map_err(named)?;
        answer_all(options, input, &mut output, &mut summary).map_err(named)?;
    }
    output.flush()?;
    Ok(summary)
}

fn answer_all(
    options: &Options,
    input: impl Read,
    mut output: impl Write,
    summary: &mut Summary,
) -> io::Result<()> {
    let mut lines = Lines::new(input);
    let mut number = 0_u64;
    while let Some(line) = lines.read()? {
        number += 1;
        let answer = match line {
            Line::Text(text) if text.trim_ascii().is_empty() => continue,
            Line::Text(text) => answer(options, number, Puzzle::read(text), summary),
            Line::TooLong => {
                answer(options, number, Err("the line is too long".to_owned()), summary)
            }
        };
        if options.json {
            serde_json::to_writer(&mut output, &answer)?;
            writeln!(output)?;
        } else {
            writeln!(output, "{answer}")?;
        }
        if lines.may_wait() {
            output.flush()?;
        }
    }
    Ok(())
}

fn answer(
    options: &Options,
    number: u64,
    puzzle: Result<Puzzle, String>,
    summary: &mut Summary,
) -> Answer {
    match puzzle {
        Ok(Puzzle { id, position }) => {
            let start = Instant::now();
            let limits = Limits { depth: u8::MAX, ..Limits::nodes(options.nodes) };
            let solution = renju_engine::solve(&mut Field::new(&position), &limits, None);
            let time = start.elapsed();
            summary.times.push(time);
            summary.won += usize::from(solution.line.is_some());
            Answer { id: id.unwrap_or_else(|| number.into()), found: Found::of(solution, time) }
        }
        Err(error) => {
            summary.bad += 1;
            Answer { id: number.into(), found: Found::Error { error } }
        }
    }
}

impl Found {
    fn of(solution: Solution, time: Duration) -> Found {
        let names = |line: Vec<Point>| line.iter().map(ToString::to_string).collect();
        let Solution { line, nodes, complete } = solution;
        Found::Solved { line: line.map(names), complete, nodes, ms: milliseconds(time) }
    }
}

/// Rounded to the precision of the clock.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Value::Number(number) => write!(f, "line {number}: ")?,
            Value::String(id) => write!(f, "{id}: ")?,
            other => write!(f, "{other}: ")?,
        }
        match &self.found {
            Found::Error { error } => write!(f, "error: {error}"),
            Found::Solved { line, complete, nodes, ms } => {
                match (line, complete) {
                    (Some(line), _) => f.write_str(&line.join(" "))?,
                    (None, true) => f.write_str("none")?,
                    (None, false) => f.write_str("none found")?,
                }
                write!(f, " ({nodes} nodes, {ms:.1} ms)")
            }
        }
    }
}

impl fmt::Display for Summary {
    /// Writes `141 positions, 141 won, half within 0.3 ms, 95 % within 3.1 ms, all within 12.0 ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions, {} won", self.times.len(), self.won)?;
        let mut times = self.times.clone();
        times.sort_unstable();
        let within = |percent: usize| times.get((times.len() * percent).div_ceil(100).max(1) - 1);
        if let (Some(&half), Some(&most), Some(&all)) = (within(50), within(95), within(100)) {
            let [half, most, all] = [half, most, all].map(milliseconds);
            write!(
                f,
                ", half within {half:.1} ms, 95 % within {most:.1} ms, all within {all:.1} ms"
            )?;
        }
        if self.bad > 0 {
            write!(f, "; {} bad lines", self.bad)?;
        }
        Ok(())
    }
}
