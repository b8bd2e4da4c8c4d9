//! Start, memory and size of each function: from `exec` to the first `GET /next` of a Runtime API of our own.
//! Beside it, the least that Node and Python do.

mod program;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use flate2::Compression;
use flate2::write::GzEncoder;

use program::{Program, Start};

/// Processor time up to the first request for work. Wall time is no less, and more by what else the machine does.
const START_MAX: Duration = Duration::from_millis(4);
const PEAK_KB_MAX: u64 = 9_000;
const GZIP_MAX: usize = 3_500_000;
/// `spectate` also carries the pages, the module of their analysis and what paints pictures.
const GZIP_MAX_OF_PAGES: usize = 4_100_000;

/// Time, memory and size of each function's start, beside bare Node and Python
#[derive(Debug, Parser)]
#[command(
    name = "arena-coldstart",
    version,
    after_help = "\
Build the functions first, as they are deployed, in a folder that cargo-lambda does not use:
  cargo build --profile lambda --target-dir target/coldstart $(ls functions | sed 's/^/-p arena-/')
  cargo run -p arena-coldstart

The start is measured with the DynamoDB and SQS clients built for AWS, TLS and all, but no call made; only
register reads its secret, from a server on this machine.
The exit code is 1 if a goal is missed that does not depend on how busy the machine is: size, memory,
and the processor time of the start."
)]
struct Arguments {
    /// Folder of the functions, each as `arena-poll` or `arena-poll/bootstrap`
    #[arg(long, value_name = "DIR", default_value = "target/coldstart/lambda")]
    bootstraps: PathBuf,

    /// Starts of each
    #[arg(long, value_name = "COUNT", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    starts: u32,

    /// The Python that has boto3
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // With standard error gone there is nobody left to tell.
            let _ = writeln!(io::stderr(), "arena-coldstart: {error}");
            ExitCode::from(2)
        }
    }
}

/// True if every goal is met.
fn run(arguments: &Arguments) -> io::Result<bool> {
    let mut out = io::stdout();
    writeln!(
        out,
        "| program | start, min of {} | median | processor | peak memory | gzip |\n\
         |---|---:|---:|---:|---:|---:|",
        arguments.starts
    )?;
    let mut missed = Vec::new();
    for (name, binary) in functions(&arguments.bootstraps)? {
        let start = Program::new(&name, [&binary]).start(arguments.starts)?;
        let gzip = gzip_bytes(&binary)?;
        writeln!(out, "{} {:.2} MB |", row(&name, &start), gzip as f64 / 1e6)?;
        missed.extend(misses(&name, &start, gzip));
    }
    let script = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    for program in [
        Program::new("Node, bare", [Path::new("node"), &script("bare.mjs")]),
        Program::new("Python with boto3", [&arguments.python, &script("bare.py")]),
    ] {
        match program.start(arguments.starts) {
            Ok(start) => writeln!(out, "{} – |", row(&program.name, &start))?,
            Err(_) => writeln!(out, "| {} | does not start here | | | | |", program.name)?,
        }
    }
    for goal in &missed {
        writeln!(out, "missed: {goal}")?;
    }
    Ok(missed.is_empty())
}

/// Name and file of every function of the workspace, found by its folder.
fn functions(bootstraps: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../functions"))? {
        let name = format!("arena-{}", entry?.file_name().to_string_lossy());
        let mut binary = bootstraps.join(&name);
        if binary.is_dir() {
            binary.push("bootstrap");
        }
        let binary = fs::canonicalize(&binary).map_err(|error| {
            let what = format!("{}: {error}: build it first (--help)", binary.display());
            io::Error::new(error.kind(), what)
        })?;
        found.push((name, binary));
    }
    found.sort();
    Ok(found)
}

fn gzip_bytes(binary: &Path) -> io::Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&fs::read(binary)?)?;
    encoder.finish().map(|bytes| bytes.len())
}

fn row(name: &str, start: &Start) -> String {
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    let cpu = start.cpu.map_or("–".to_owned(), ms);
    let peak_mb = start.peak_kb as f64 / 1e3;
    format!("| {name} | {} | {} | {cpu} | {peak_mb:.1} MB |", ms(start.min), ms(start.median))
}

/// The goals that a function misses.
fn misses(name: &str, start: &Start, gzip: usize) -> Vec<String> {
    let cpu = start.cpu.unwrap_or_default();
    let gzip_max = if name == "arena-spectate" { GZIP_MAX_OF_PAGES } else { GZIP_MAX };
    let goals = [
        (cpu > START_MAX, format!("takes {cpu:?} to start, more than {START_MAX:?}")),
        (
            start.peak_kb > PEAK_KB_MAX,
            format!("takes {} KB, more than {PEAK_KB_MAX}", start.peak_kb),
        ),
        (gzip > gzip_max, format!("has {gzip} bytes in gzip, more than {gzip_max}")),
    ];
    let missed = goals.into_iter().filter(|(is_missed, _)| *is_missed);
    missed.map(|(_, goal)| format!("{name} {goal}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_goal_can_be_missed() {
        let start = |micros, peak_kb| {
            let cpu = Duration::from_micros(micros);
            Start { min: cpu, median: cpu, cpu: Some(cpu), peak_kb }
        };
        assert_eq!(misses("poll", &start(4_000, 9_000), 3_500_000), Vec::<String>::new());
        let all = misses("poll", &start(4_001, 9_001), 3_500_001);
        assert_eq!(all.len(), 3, "{all:?}");
        assert!(all.iter().all(|goal| goal.starts_with("poll ")), "{all:?}");
    }

    /// A program is timed up to its request for work, and one that never makes it is told.
    #[test]
    fn a_start_is_timed_up_to_the_first_request_for_work() {
        let ask = "exec 3<> /dev/tcp/${AWS_LAMBDA_RUNTIME_API/:/\\/}; \
                   printf 'GET /2018-06-01/runtime/invocation/next HTTP/1.1\\r\\n\\r\\n' >&3; read -u 3";
        let bash = |script: &str| Program::new("bash", ["bash", "-c", script]);
        let start = bash(ask).start(2).unwrap();
        assert!(start.min <= start.median && start.peak_kb > 500, "{start:?}");
        let ended = bash("exit 3").start(1).unwrap_err().to_string();
        assert!(ended.contains("bash ended"), "{ended}");
        assert!(Program::new("none", ["/nothing/here"]).start(1).is_err());
    }
}
