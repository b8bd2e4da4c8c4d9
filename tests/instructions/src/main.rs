//! Counts the instructions of a poll and of a move, and of a line of the log, with `valgrind
//! --tool=callgrind` and compares them with the record. The functions are the real ones, on a DynamoDB
//! that answers from memory. A count does not depend on how busy the machine is, so a small change is seen.
//!
//! ```text
//! cargo run --release -p arena-instructions              # compare; exit code 1 beyond 2 %, 3 if it cannot
//! cargo run --release -p arena-instructions -- --write   # a change that was meant
//! ```

use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::process::{Command, ExitCode, Stdio};

use arena::TurnNumber;
use arena_support::{Stage, request_line};
use arena_wire::Noted;
use clap::{Parser, ValueEnum};
use serde_json::{Map, Value, json};

/// The record: counts by kind, and the compiler they hold for. Another one makes other code.
const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/record.json");

/// A change beyond this part of the record is refused.
const TOLERANCE: f64 = 0.02;

/// Counts the instructions of a poll and of a move and compares them with the record
#[derive(Parser)]
#[command(name = "arena-instructions", version)]
struct Arguments {
    /// Replace the record by what is counted now
    #[arg(long)]
    write: bool,

    /// Only make calls of this kind, for valgrind to count
    #[arg(long, value_name = "KIND", hide = true)]
    run: Option<Kind>,

    /// Number of calls
    #[arg(long, value_name = "COUNT", hide = true, default_value_t = 1)]
    calls: u32,
}

/// Work that is counted.
#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Poll,
    Move,
    Line,
}

impl Kind {
    /// Calls of a short and of a long run. The difference is free of what a program does once, and so large
    /// that two counts differ by less than half a percent.
    const fn calls(self) -> [u32; 2] {
        match self {
            Kind::Poll | Kind::Move => [20, 220],
            Kind::Line => [20, 4_020],
        }
    }

    fn name(self) -> String {
        self.to_possible_value().expect("no kind is hidden").get_name().to_owned()
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.run {
        Some(kind) => work(kind, arguments.calls),
        None => compare(arguments.write),
    };
    match done {
        Ok(Compared::Same) => ExitCode::SUCCESS,
        Ok(Compared::Changed) => ExitCode::FAILURE,
        Ok(Compared::Not) => ExitCode::from(3),
        Err(error) => {
            // With standard error gone there is nobody left to tell.
            let _ = writeln!(io::stderr(), "arena-instructions: {error}");
            ExitCode::from(2)
        }
    }
}

/// Result of a comparison.
enum Compared {
    Same,
    Changed,
    /// There is no valgrind, or the record is another compiler's.
    Not,
}

fn work(kind: Kind, calls: u32) -> io::Result<Compared> {
    let stage = Stage::new();
    let (poll, submit) = (stage.poll(), stage.submit());
    let mut bytes = 0;
    for _ in 0..calls {
        let answer = match kind {
            Kind::Poll => stage.run(arena_poll::handle, poll.clone()),
            Kind::Move => stage.run(arena_move::handle, submit.clone()),
            Kind::Line => {
                bytes += line(&stage).len();
                continue;
            }
        };
        assert!(answer.status().is_success(), "{answer:?}");
        bytes += answer.body().len();
    }
    writeln!(io::stdout(), "{bytes}")?;
    Ok(Compared::Same)
}

/// The line that the log gets for a request.
fn line(stage: &Stage) -> Vec<u8> {
    let header = black_box(stage.game.header());
    let noted = Noted {
        agent: Some(header.players.first.name.clone()),
        game: Some(header.id),
        turn: Some(TurnNumber(41)),
        ..Noted::default()
    };
    request_line(&noted)
}

/// Counts everything and compares it with the record, or replaces that.
fn compare(write: bool) -> io::Result<Compared> {
    let mut out = io::stdout();
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        writeln!(out, "not counted: valgrind is not installed")?;
        return Ok(Compared::Not);
    }
    let compiler = compiler()?;
    let mut counts = Map::new();
    for &kind in Kind::value_variants() {
        counts.insert(kind.name(), json!(count(kind)?));
    }
    if write {
        let now = json!({"compiler": compiler, "instructions": counts});
        fs::write(RECORD, format!("{now:#}\n"))?;
    }
    let before: Value = serde_json::from_str(&fs::read_to_string(RECORD)?)?;
    let comparable = before["compiler"] == compiler;
    if !comparable {
        writeln!(out, "not compared: recorded with {}, this is {compiler:?}", before["compiler"])?;
    }
    let mut is_same = true;
    for (name, count) in &counts {
        let recorded = before["instructions"][name].as_f64();
        let change = recorded.zip(count.as_f64()).map(|(recorded, now)| now / recorded - 1.0);
        let told = match change {
            Some(change) if comparable => format!("{:+.2} % of the record", change * 100.0),
            Some(_) => "other compiler".to_owned(),
            None => "not in the record".to_owned(),
        };
        writeln!(out, "{name}: {count} instructions a call, {told}")?;
        let is_in = change.is_some_and(|change| change.abs() <= TOLERANCE);
        is_same &= is_in || !comparable;
    }
    if !is_same {
        writeln!(
            out,
            "more than {} % from the record; if it was meant: \
             cargo run --release -p arena-instructions -- --write",
            TOLERANCE * 100.0
        )?;
    }
    Ok(match (comparable, is_same) {
        (false, _) => Compared::Not,
        (true, true) => Compared::Same,
        (true, false) => Compared::Changed,
    })
}

/// The compiler and what it compiles for, as it says itself.
fn compiler() -> io::Result<String> {
    let output = Command::new("rustc").arg("--version").output()?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(format!("{version} for {}", std::env::consts::ARCH))
}

/// Instructions of one call.
fn count(kind: Kind) -> io::Result<u64> {
    let [few, many] = kind.calls();
    let (less, more) = (total(kind, few)?, total(kind, many)?);
    Ok(more.saturating_sub(less) / u64::from(many - few))
}

/// Instructions of this program when it makes so many calls.
fn total(kind: Kind, calls: u32) -> io::Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["--run", &kind.name(), "--calls", &calls.to_string()])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    let collected =
        told.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    collected
        .filter(|_| output.status.success())
        .ok_or_else(|| io::Error::other(format!("valgrind did not count {}: {told}", kind.name())))
}
