//! How fast and how small each function starts: from `exec` to the first question for work, on a
//! Runtime API of our own, then ten thousand requests. Beside it, the least that Node and Python do.

mod dynamodb;
mod program;
mod report;
mod requests;
mod runtime_api;
mod server;
mod stage;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use program::Program;
use report::Row;
use stage::Stage;

/// How fast and how small each function starts, beside bare Node and Python
#[derive(Debug, Parser)]
#[command(
    name = "arena-coldstart",
    version,
    after_help = "\
Build the functions first, as they are deployed, in a folder that cargo-lambda does not use:
  cargo build --profile lambda --target-dir target/coldstart $(ls functions | sed 's/^/-p arena-/')
  cargo run -p arena-coldstart

The start is measured with the DynamoDB and SQS clients built for AWS, TLS and all, but no call made.
The requests are answered by a DynamoDB that reads from memory, so that only the function counts.
The exit code is 1 if a goal is missed that does not depend on how busy the machine is: size, memory,
and the processor time of the start."
)]
struct Arguments {
    /// Where the functions are: <DIR>/<package> or <DIR>/<package>/bootstrap
    #[arg(long, value_name = "DIR", default_value = "target/coldstart/lambda")]
    bootstraps: PathBuf,

    /// How often each is started
    #[arg(long, value_name = "COUNT", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    starts: u32,

    /// How many requests each answers before its memory is looked at again
    #[arg(long, value_name = "COUNT", default_value_t = 10_000)]
    requests: u32,

    /// The Python that has boto3
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,

    /// Also write the figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // With standard error gone there is nobody left to tell.
            let _ = writeln!(io::stderr(), "arena-coldstart: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether every goal is met.
async fn run(arguments: Arguments) -> io::Result<bool> {
    let stage = Stage::set().await?;
    let mut rows = Vec::new();
    for program in Program::functions(&arguments.bootstraps)? {
        let start = program.start(arguments.starts).await?;
        let served = program.serve(&stage, arguments.requests).await?;
        rows.push(Row { start: Some(start), served: Some(served), ..Row::of(&program)? });
    }
    for program in Program::others(&arguments.python) {
        // What is not on this machine is not measured, and the table says so.
        let start = program.start(arguments.starts).await.ok();
        rows.push(Row { start, ..Row::of(&program)? });
    }
    write!(io::stdout(), "{}", report::table(&rows, arguments.starts, arguments.requests))?;
    if let Some(file) = arguments.json {
        std::fs::write(file, report::json(&rows))?;
    }
    let missed: Vec<String> = rows.iter().flat_map(Row::missed).collect();
    for goal in &missed {
        writeln!(io::stdout(), "missed: {goal}")?;
    }
    Ok(missed.is_empty())
}
