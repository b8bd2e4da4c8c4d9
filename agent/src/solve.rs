//! `renju solve`: wins by continuous fours, or by threes and fours, one position per line in, one
//! answer per line out.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use renju::{Point, Position};
use renju_engine::{Field, Limits, Proof, Solution, Threats};
use serde::Serialize;
use serde_json::Value;

mod puzzle;

use crate::lines::{self, Line, Lines};
use puzzle::Puzzle;

/// Long help of the subcommand.
pub const ABOUT: &str = "\
Find wins by continuous fours: every move makes a four, every reply is the only block, until there are
two threats at once, a block that is forbidden, or a five.

With --vct threes count as well: every move makes a four or an open three. A three has several replies,
so the win is a tree. Its longest line is printed; --json has all of it as `steps`. A step is a move of
the attacker and, for every reply that does not lose at once, the number of the next step. The first
step is number 0. Every tree is checked by the rules alone, reply by reply, before it is printed.

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
  $ renju solve puzzles.jsonl more.jsonl.gz --json > answers.jsonl
  $ echo '{"side":"w","black":["d4","l3","d12"],"white":["h8","i8","g9","g10"]}' | renju solve --vct
  line 1: g8 (1 steps, 3 nodes, 0.1 ms)"#;

/// Arguments of `renju solve`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Files of positions, gzipped if the name ends in .gz [default: standard input]
    pub files: Vec<PathBuf>,
    /// Give up a position after searching this many
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub nodes: u64,
    /// Find wins by threes and fours
    #[arg(long)]
    pub vct: bool,
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
        /// The whole win, if threes were searched.
        #[serde(skip_serializing_if = "Option::is_none")]
        steps: Option<Vec<Step>>,
        /// True if the search was exhaustive, so that `null` is a proof.
        complete: bool,
        nodes: u64,
        ms: f64,
    },
    Error {
        error: String,
    },
}

/// A move of the attacker, and the numbers of the steps that answer the replies.
#[derive(Serialize)]
struct Step {
    attack: String,
    replies: BTreeMap<String, usize>,
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
            let mut field = Field::new(&position);
            let found = if options.vct {
                let threats = renju_engine::solve_threats(&mut field, &limits, None);
                Found::by_threats(threats, &position, start.elapsed())
            } else {
                let fours = renju_engine::solve(&mut field, &limits, None);
                Found::by_fours(fours, start.elapsed())
            };
            summary.count(&found);
            Answer { id: id.unwrap_or_else(|| number.into()), found }
        }
        Err(error) => {
            let found = Found::Error { error };
            summary.count(&found);
            Answer { id: number.into(), found }
        }
    }
}

impl Found {
    fn by_fours(Solution { line, nodes, complete }: Solution, time: Duration) -> Found {
        let line = line.as_deref().map(names);
        Found::Solved { line, steps: None, complete, nodes, ms: milliseconds(time) }
    }

    /// A win whose proof does not hold is an error, never an answer.
    fn by_threats(threats: Threats, position: &Position, time: Duration) -> Found {
        let Threats { proof, nodes, complete } = threats;
        if let Some(Err(flaw)) = proof.as_ref().map(|proof| proof.verify(position)) {
            return Found::Error { error: format!("the proof does not hold: {flaw}") };
        }
        let line = proof.as_ref().map(|proof| names(&proof.line()));
        let steps = proof.as_ref().map(steps);
        Found::Solved { line, steps, complete, nodes, ms: milliseconds(time) }
    }
}

fn names(points: &[Point]) -> Vec<String> {
    points.iter().map(ToString::to_string).collect()
}

fn steps(proof: &Proof) -> Vec<Step> {
    let step = |step: &renju_engine::Step| Step {
        attack: step.attack.to_string(),
        replies: step.replies.iter().map(|(reply, next)| (reply.to_string(), *next)).collect(),
    };
    proof.steps.iter().map(step).collect()
}

impl Summary {
    fn count(&mut self, found: &Found) {
        match found {
            Found::Solved { line, ms, .. } => {
                self.times.push(Duration::from_secs_f64(ms / 1e3));
                self.won += usize::from(line.is_some());
            }
            Found::Error { .. } => self.bad += 1,
        }
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
            Found::Solved { line, steps, complete, nodes, ms } => {
                match (line, complete) {
                    (Some(line), _) => f.write_str(&line.join(" "))?,
                    (None, true) => f.write_str("none")?,
                    (None, false) => f.write_str("none found")?,
                }
                f.write_str(" (")?;
                if let Some(steps) = steps {
                    write!(f, "{} steps, ", steps.len())?;
                }
                write!(f, "{nodes} nodes, {ms:.1} ms)")
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
