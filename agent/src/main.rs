//! The `renju` tool: reads its arguments, calls the library, sets the exit code.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use renju_agent::{bench, check};

/// Renju for authors of agents: ask the referee, measure the rules.
#[derive(Parser)]
#[command(name = "renju", version, after_help = "Start with `renju check --help`.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Ask the referee: one JSON object a line in, one a line out
    #[command(long_about = check::ABOUT, after_help = check::EXAMPLES)]
    Check,
    /// Measure the rules on this machine
    #[command(subcommand)]
    Bench(Bench),
}

#[derive(Subcommand)]
enum Bench {
    /// Time the classification of whole boards
    #[command(long_about = bench::ABOUT, after_help = bench::EXAMPLES)]
    Fouls {
        /// JSON lines with a `board` or a `p` each; gzipped if the name ends in .gz
        file: PathBuf,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let output = BufWriter::new(io::stdout().lock());
    match arguments.command {
        Command::Check => exit_code(check::run(io::stdin().lock(), output).map(|bad| bad == 0)),
        Command::Bench(Bench::Fouls { file }) => match bench::fouls(&file) {
            Ok(figures) => exit_code(write_line(output, &figures.to_string()).map(|()| true)),
            Err(error) => fail(&error),
        },
    }
}

fn write_line(mut output: impl Write, line: &str) -> io::Result<()> {
    writeln!(output, "{line}")?;
    output.flush()
}

/// A reader that has had enough, as `head` has, is no failure of ours.
fn exit_code(done: io::Result<bool>) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    // Nothing is left to tell when even the error stream is closed.
    let _ = writeln!(io::stderr(), "renju: {error}");
    ExitCode::FAILURE
}
