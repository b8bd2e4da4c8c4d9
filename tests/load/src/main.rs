//! A crowd of agents against the whole arena.
//!
//! Starts the real `arena-local`, lets agents register, queue and play over HTTP, some of them
//! badly on purpose, and measures. Afterwards all games are ended, the server is stopped and its
//! tables are audited. Whatever must not happen makes the exit code 1.
//!
//! It can also attack the server beside two honest players (`--attack`), or kill and restart it again
//! and again (`--kill`).

mod agent;
mod attack;
mod crowd;
mod decision;
mod mischief;
mod process;
mod ratings;
mod run;
mod soak;
mod tables;
mod tally;

use std::io::{self, Write};
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgGroup, Parser, value_parser};

use attack::Attack;

/// A crowd of agents against the whole arena: rates, latencies, memory, and an audit afterwards
#[derive(Clone, Debug, Parser)]
#[command(
    name = "arena-load",
    version,
    group = ArgGroup::new("arena").required(true).args(["server", "url"]),
    after_help = "\
Every agent joins a queue, polls as the server's hints say, plays legal moves of nine rulesets,
resigns sooner or later and joins again. Some decisions are repeated, sent twice at once, meant for
another turn or plain garbage. Only answers that the API documents are accepted.

Prints one line of JSON. The exit code is 1 if a goal was missed, an answer was not as it should be
or the audit found anything. It stays on this machine and stops by itself.

Memory: the local DynamoDB remembers every transaction for ten minutes, about 1 KB each and two for
a game, so a short run sees it grow by that much. Whether it stays flat takes --seconds 960.

With --attack two honest agents play before, during and after each attack; prints a table of what
they had to wait (median / 99th percentile, in milliseconds, until a request was granted) and of the
server's memory. The exit code is 1 if a promise was broken: moves within 250 ms, 150 MiB, and as many
good answers to 2,000 requests/s as to 600.

Examples:
  cargo build --release -p arena-local -p arena-load
  target/release/arena-load --server target/release/arena-local
  target/release/arena-load --server target/release/arena-local --attack all
  target/release/arena-load --server target/release/arena-local --kill 10"
)]
struct Arguments {
    /// The arena-local to start, on a free port with its data in a temporary directory
    #[arg(long, value_name = "PROGRAM")]
    server: Option<PathBuf>,

    /// A running arena on this machine instead; its memory and tables are not looked at
    #[arg(long, value_name = "URL", value_parser = loopback)]
    url: Option<String>,

    /// Number of agents
    #[arg(long, value_name = "COUNT", default_value_t = 2_000, value_parser = value_parser!(u32).range(2..=20_000))]
    agents: u32,

    /// Length of the measurement
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = value_parser!(u64).range(5..=3_600))]
    seconds: u64,

    /// Time that the crowd plays before that
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = value_parser!(u64).range(0..=600))]
    warm_up: u64,

    /// Requests a second that the crowd sends at most; 0 is as many as it can
    #[arg(long, value_name = "COUNT", default_value_t = 600)]
    rate: u32,

    /// Requests a second that must be answered
    #[arg(long, value_name = "COUNT", default_value_t = 500)]
    goal: u32,

    /// Seed of who plays what
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Directory of the server's data; it is not removed afterwards
    #[arg(long, value_name = "DIR", conflicts_with_all = ["url", "attack"])]
    data: Option<String>,

    /// Attack the server instead, and measure what honest players notice
    #[arg(long, value_name = "KIND", conflicts_with = "url")]
    attack: Option<Attack>,

    /// Length of each attack
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = value_parser!(u64).range(5..=120))]
    attack_seconds: u64,

    /// The address of this machine that attacks come from; that of honest players is 127.0.0.1
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.2", value_parser = loopback_address)]
    attack_from: IpAddr,

    /// Let agents play each other and house bots for so many minutes instead, and kill the server every
    /// 5 to 15 seconds
    #[arg(long, value_name = "MINUTES", conflicts_with_all = ["url", "attack"], value_parser = value_parser!(u64).range(1..=600))]
    kill: Option<u64>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match outcome(&Arguments::parse()).await {
        Ok(Outcome { violations, text }) => {
            for violation in &violations {
                eprintln!("arena-load: {violation}");
            }
            // Nobody reads it: the exit code still tells.
            let _ = writeln!(io::stdout(), "{}", text.trim_end());
            if violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("arena-load: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Text that a run prints, and the reasons why it has failed.
struct Outcome {
    violations: Vec<String>,
    text: String,
}

async fn outcome(arguments: &Arguments) -> io::Result<Outcome> {
    let Some(program) = &arguments.server else { return run::run(arguments).await };
    match (arguments.attack, arguments.kill) {
        (Some(Attack::Ratings), _) => {
            let text = ratings::run(program).await?;
            Ok(Outcome { violations: Vec::new(), text })
        }
        (Some(attack), _) => {
            let report = attack::run(arguments, program, attack).await?;
            Ok(Outcome { violations: report.violations(), text: report.to_string() })
        }
        (None, Some(minutes)) => soak::run(arguments, program, minutes).await,
        (None, None) => run::run(arguments).await,
    }
}

/// A plain HTTP address on this machine.
fn loopback(url: &str) -> Result<String, String> {
    let rest = url.strip_prefix("http://").ok_or("it must start with http://")?;
    let authority = rest.split('/').next().unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let here = host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    if here { Ok(url.to_owned()) } else { Err(format!("{host} is not this machine")) }
}

fn loopback_address(text: &str) -> Result<IpAddr, String> {
    let address: IpAddr = text.parse().map_err(|_| "it must be an IP address")?;
    if address.is_loopback() { Ok(address) } else { Err("it is not this machine".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_put_under_load() {
        for url in ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:80/"] {
            assert!(loopback(url).is_ok(), "{url}");
        }
        for url in ["https://127.0.0.1", "http://example.org:80", "http://10.0.0.1/127.0.0.1", "x"]
        {
            assert!(loopback(url).is_err(), "{url}");
        }
    }

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
