//! `cargo run`: the whole arena on this machine.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use arena::Pace;
use arena_lambda::{Log, Settings};
use arena_local::{Arena, Limits, Options, Stack, pepper};
use clap::Parser;

const HOUR_S: i64 = 3_600;
const WEEK_S: i64 = 7 * 24 * HOUR_S;
/// Time between two decisions of an exhibition.
const EXHIBITION_EVERY: Duration = Duration::from_millis(2_500);
/// Proxies and clients give up on a reply that takes longer.
const WAIT_S_MAX: i64 = 300;

/// The whole arena in one process: register, queue and play over HTTP on this machine
#[derive(Parser)]
#[command(
    name = "arena-local",
    version,
    after_help = "\
Nothing else is needed: DynamoDB and SQS run inside. Agents, games and ratings are kept in the data
directory and survive a restart, also a hard one. ARENA_LOG=all logs every request."
)]
struct Arguments {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// Directory for agents, games and ratings
    #[arg(long, value_name = "DIR", default_value = "arena-data")]
    data: PathBuf,

    /// Keep nothing: all data is lost when the arena stops
    #[arg(long, conflicts_with = "data")]
    ephemeral: bool,

    /// Seconds for one decision, in all pools (default: 60 fast, 300 standard, 3600 slow)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=WEEK_S))]
    turn_seconds: Option<u32>,

    /// Seconds after a deadline until the game is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(..=HOUR_S))]
    grace_seconds: u32,

    /// Seconds between two sweeps for lost timers and missed tickets
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=WEEK_S))]
    sweep_seconds: u32,

    /// Seconds an agent waits for another before it plays a house bot (0: no house bots)
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(..=WEEK_S))]
    house_seconds: u32,

    /// While nobody else plays, let two house bots play an unrated game for spectators (default)
    #[arg(long, overrides_with = "no_exhibition")]
    exhibition: bool,

    /// No games of two house bots
    #[arg(long, overrides_with = "exhibition")]
    no_exhibition: bool,

    /// Longest wait of a poll with ?wait=, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 25, value_parser = clap::value_parser!(u32).range(..=WAIT_S_MAX))]
    wait_seconds: u32,

    /// Registrations granted to one address in an hour (0: none)
    #[arg(long, value_name = "COUNT", default_value_t = 1_000)]
    registrations: u32,

    /// Requests a second granted to one key, in the long run
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    requests: u32,

    /// Serve duels (capture gomoku over a WebSocket) on a separate port, besides /ws
    #[arg(long, value_name = "PORT", env = "MINIMAX_PORT")]
    duel_port: Option<u16>,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is gone, there is no other place to report to.
            let _ = writeln!(io::stderr(), "arena-local: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> io::Result<()> {
    let dir = (!arguments.ephemeral).then_some(arguments.data.as_path());
    let stack = match dir {
        Some(dir) => Stack::file(dir)?,
        None => Stack::memory()?,
    };
    let pace = Pace {
        turn_ms: arguments.turn_seconds.map(|seconds| seconds * 1_000),
        grace_ms: i64::from(arguments.grace_seconds) * 1_000,
        house_after_ms: Some(i64::from(arguments.house_seconds) * 1_000).filter(|&ms| ms > 0),
        ..Pace::STANDARD
    };
    let settings = Settings {
        wait_ms_max: i64::from(arguments.wait_seconds) * 1_000,
        registrations_per_hour: arguments.registrations,
        requests_per_second: arguments.requests,
        log: Log::from_env(Log::Off).map_err(io::Error::other)?,
        ..Settings::standard(pepper(dir)?)
    };
    let options = Options {
        listen: arguments.listen,
        settings,
        pace,
        sweep_every: Duration::from_secs(arguments.sweep_seconds.into()),
        exhibition: (pace.house_after_ms.is_some() && !arguments.no_exhibition)
            .then_some(EXHIBITION_EVERY),
        duel: arguments.duel_port.map(|port| SocketAddr::new(arguments.listen.ip(), port)),
        limits: Limits::default(),
    };
    let arena = Arena::start(stack, options).await?;
    // Before the greeting: whoever has read it may send a signal at once.
    let stopped = stop_signal()?;
    greet(arena.address(), dir.is_some().then_some(&arguments.data))?;
    if let Some(address) = arena.duel_address() {
        writeln!(io::stdout(), "Duels alone at ws://{address}")?;
    }
    stopped.await?;
    writeln!(io::stderr(), "stopping: open requests are finished first")?;
    arena.stop().await;
    Ok(())
}

fn greet(address: SocketAddr, data: Option<&PathBuf>) -> io::Result<()> {
    let kept =
        data.map_or("nothing is kept".to_owned(), |dir| format!("data in {}", dir.display()));
    writeln!(
        io::stdout(),
        "Renju Arena is open at http://{address} ({kept}; stop with Ctrl-C)\n\
         Watch games or play one: http://{address}/\n\
         Try: curl -s http://{address}/agents/register -d '{{\"name\":\"my-first-bot\"}}' \
         -H 'content-type: application/json'"
    )
}

/// Catches Ctrl-C and SIGTERM from now on; the future resolves on the first.
#[cfg(unix)]
fn stop_signal() -> io::Result<impl Future<Output = io::Result<()>>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => Ok(()),
            _ = terminate.recv() => Ok(()),
        }
    })
}

/// Resolves on Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> io::Result<impl Future<Output = io::Result<()>>> {
    Ok(tokio::signal::ctrl_c())
}
