//! `renju agent`: plays rated games in an arena, as a daemon or one turn at a time from cron.
//!
//! Its only state is the API key: the server knows everything else.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arena::{AgentName, HouseLevel, Opponent, Pool};
use arena_wire::Code;
use clap::{Args, ValueEnum};
use renju::Ruleset;

mod credentials;
mod journal;
mod session;
mod tally;
mod tell;
mod turn;

pub use journal::Log;

use credentials::{Credentials, Entry};
use journal::Journal;
use session::Session;

use crate::brain::{self, BrainError, IoLog};
use crate::client::{Client, ClientError};
use crate::stop::Stop;

/// Long help of the subcommand.
pub const ABOUT: &str = "\
Play rated games in an arena.

The first run registers the name and stores the key in ~/.config/renju (RENJU_API_KEY overrides
it). The agent keeps no other state: kill it at any moment, start it again, and it continues the game.
HTTPS trusts the usual CA certificates, or those in the file that SSL_CERT_FILE names.

A brain is one of
  house:<level>         house bot: 0 random, 1 wins and blocks, 2 weighs lines, 3 to 6 search ever
                        deeper
  engine:<ms>           our engine at full strength, with this many milliseconds per decision
  piskvork:<command>    a program that speaks the Gomocup protocol
  codeclash:<main.py>   a Python file with a function get_move(board, color)
  jsonl:<command>       a program that reads a line of JSON and writes a line of JSON per decision
  exec:<command>        the same, but the program is started for each decision

docs/brains.md describes the JSON, with examples in Python and JavaScript.

Programs run with the rights of this user. The tool makes swaps, offers and choices for brains that
cannot, and plays elsewhere if a brain chooses a forbidden point. If a brain fails (an illegal move, no
answer in time, a crash), the game is resigned: games are rated, and a move by anyone else would make the
rating wrong. --on-failure changes that. The log says who made each decision: brain, opening or fallback.";

/// Examples for the help page.
pub const EXAMPLES: &str = "\
Examples:
  $ renju agent daemon --name ada --brain codeclash:main.py
  $ renju agent daemon --name ada --brain 'piskvork:./pbrain-ada' --ruleset renju_free --games 10
  */3 * * * * renju agent once --name ada --brain 'exec:./think.sh' --pool slow";

/// Time to keep trying a server that has never answered: its address is probably wrong.
const UNMET_PATIENCE: Duration = Duration::from_secs(10);

/// Time to wait for an arena that is busy when the agent starts.
const FIRST_PATIENCE: Duration = Duration::from_secs(120);

/// Environment variable with the key to use instead of the stored one.
const API_KEY: &str = "RENJU_API_KEY";

/// Arguments of `renju agent`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Address of the arena
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub server: String,
    /// Name of the agent: 3 to 32 of a-z, 0-9, _ and -
    #[arg(long)]
    pub name: AgentName,
    /// Program that chooses the moves: house:LEVEL, engine:MS, piskvork:COMMAND, codeclash:FILE.py,
    /// jsonl:COMMAND, exec:COMMAND
    #[arg(long, default_value = "house:2")]
    pub brain: String,
    /// Ruleset to queue for
    #[arg(long, default_value = Ruleset::ALL[0].id, value_parser = Ruleset::find)]
    pub ruleset: &'static Ruleset,
    /// Pool to queue in: fast, standard or slow
    #[arg(long, default_value = Pool::Standard.id(), value_parser = read_pool)]
    pub pool: Pool,
    /// Opponent: anyone (a house bot if no agent comes), agents only, or house:LEVEL at once
    #[arg(long, value_name = "OPPONENT", default_value = "anyone", value_parser = read_opponent)]
    pub opponent: Opponent,
    /// Time limit for a decision, in seconds [default: nearly the whole turn; a minute in `once`]
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    pub think: Option<Duration>,
    /// Reaction to a failure of the brain: an illegal move, no answer in time, a crash
    #[arg(long, value_enum, value_name = "REACTION", default_value_t = OnFailure::Resign)]
    pub on_failure: OnFailure,
    /// Stop after so many failures of the brain; a game without one resets the count
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub max_failures: u32,
    /// Append every line to and from the brain's program to this file, with its time
    #[arg(long, value_name = "FILE")]
    pub io_log: Option<PathBuf>,
    /// Format of the log on standard output
    #[arg(long, value_enum, default_value_t = Log::Text)]
    pub log: Log,
}

/// Reaction to a failure of the brain.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum OnFailure {
    /// Resign the game, so that the rating is that of the brain
    Resign,
    /// Let a house bot of level 4 make this decision
    Fallback,
    /// Exit at once and leave the game to its clock; start again to continue it
    Exit,
}

fn read_pool(text: &str) -> Result<Pool, String> {
    text.parse().map_err(|_| "pools are fast, standard and slow".to_owned())
}

fn read_opponent(text: &str) -> Result<Opponent, String> {
    let level = text.strip_prefix("house:").and_then(|level| level.parse().ok());
    match (text, level.and_then(HouseLevel::new)) {
        ("anyone", _) => Ok(Opponent::Anyone),
        ("agents", _) => Ok(Opponent::Agents),
        (_, Some(level)) => Ok(Opponent::House(level)),
        _ => Err("opponents are anyone, agents and house:0 to house:6".to_owned()),
    }
}

fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds, such as 2.5".to_owned())
}

/// Reason an agent ended by itself.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names of most fields say it")]
pub enum AgentError {
    /// A request failed.
    Client(ClientError),
    /// The arena rejected the key.
    WrongKey {
        /// Source of the key.
        from: String,
        server: String,
    },
    /// The key belongs to another agent.
    OtherName {
        /// Name of the agent with this key.
        known: String,
        /// Name given on the command line.
        asked: String,
    },
    /// Another agent has the name.
    NameTaken { name: String, server: String },
    /// The credentials file cannot be read or written.
    Credentials(io::Error),
    /// No such brain.
    Brain(BrainError),
    /// The dialogue cannot be logged.
    IoLog { file: PathBuf, why: String },
    /// The brain failed too often.
    BrokenBrain { failures: u32, last: String },
    /// The brain failed, and the options say to exit then.
    BrainFailed { game: String, why: String },
    /// The ruleset or the history of a game is unknown to this version.
    UnknownGame { game: String, why: String },
}

/// Plays game after game, until `games` are played or `stop` is set.
pub fn daemon(options: &Options, games: Option<u32>, stop: &Stop) -> Result<(), AgentError> {
    run(options, stop, |session| session.daemon(games))
}

/// One run of cron: looks for a game, waits up to a minute for the turn, acts, ends.
pub fn once(options: &Options, stop: &Stop) -> Result<(), AgentError> {
    run(options, stop, Session::once)
}

fn run(
    options: &Options,
    stop: &Stop,
    work: impl FnOnce(&mut Session) -> Result<(), AgentError>,
) -> Result<(), AgentError> {
    match open(options, stop).and_then(|mut session| work(&mut session)) {
        // Stopped by the user while the server was unavailable: not an error.
        Err(AgentError::Client(error)) if error.is_passing() && stop.is_raised() => Ok(()),
        done => done,
    }
}

/// Session with a key that the server has accepted.
fn open(options: &Options, stop: &Stop) -> Result<Session, AgentError> {
    let mut brain = brain::open(&options.brain).map_err(AgentError::Brain)?;
    if let Some(file) = &options.io_log {
        let unlogged = |why: String| AgentError::IoLog { file: file.clone(), why };
        let kinds = "only piskvork:, jsonl: and exec: brains have a dialogue";
        let refusal = unlogged(format!("{kinds}, not {}", brain.name()));
        let log = brain.io_log().ok_or(refusal)?;
        *log = Some(IoLog::append(file).map_err(|error| unlogged(error.to_string()))?);
    }
    let journal = Journal::new(options.log, options.name.as_str(), journal::standard_output());
    let met = Arc::new(AtomicBool::new(false));
    let client = {
        let (journal, stop, met) = (journal.clone(), stop.clone(), Arc::clone(&met));
        let started = Instant::now();
        Client::new(&options.server)?.with_patience(FIRST_PATIENCE).with_pause(
            move |trouble, pause| {
                let is_unmet = matches!(trouble, ClientError::Unreachable { .. })
                    && !met.load(Ordering::Relaxed)
                    && started.elapsed() + pause > UNMET_PATIENCE;
                if is_unmet {
                    return false;
                }
                let sentence = format!("{trouble}; trying again in {:.1} s", pause.as_secs_f64());
                journal.write("trouble", &sentence, &[]);
                stop.pause(pause)
            },
        )
    };
    let client = identify(client, options, &journal)?;
    met.store(true, Ordering::Relaxed);
    Ok(Session::new(client, brain, journal, stop.clone(), options))
}

/// Client with the agent's key: given, stored, or from a new registration.
fn identify(client: Client, options: &Options, journal: &Journal) -> Result<Client, AgentError> {
    if let Some(key) = std::env::var(API_KEY).ok().filter(|key| !key.is_empty()) {
        return known(client.with_key(key.trim()), options.name.as_str(), API_KEY.to_owned());
    }
    let (server, name) = (client.server().to_owned(), options.name.as_str());
    let credentials = Credentials::of_user().map_err(AgentError::Credentials)?;
    let entry = credentials.entry_or(&server, name, || Ok(Entry::Registering(secret()?)));
    let secret = match entry.map_err(AgentError::Credentials)? {
        Entry::ApiKey(key) => {
            return known(client.with_key(&key), name, credentials.file().display().to_string());
        }
        Entry::Registering(secret) => secret,
    };
    let registered = client.register(name, Some(&secret)).map_err(|error| {
        // The next start must not repeat a registration that was refused for good.
        if !error.is_passing() && error.code().is_some() {
            let _ = credentials.set(&server, name, None);
        }
        match error.code() {
            Some(Code::NameTaken) => {
                AgentError::NameTaken { name: name.to_owned(), server: server.clone() }
            }
            _ => AgentError::Client(error),
        }
    })?;
    let entry = Entry::ApiKey(registered.api_key.to_string());
    credentials.set(&server, name, Some(entry)).map_err(AgentError::Credentials)?;
    let kept = credentials.file().display().to_string();
    journal.write("registered", &format!("registered at {server}; the key is in {kept}"), &[]);
    Ok(client.with_key(&registered.api_key))
}

/// Checks that the server knows the client's key as that of `name`.
fn known(client: Client, name: &str, from: String) -> Result<Client, AgentError> {
    match client.me() {
        Ok(me) if me.name == name => Ok(client),
        Ok(me) => {
            Err(AgentError::OtherName { known: me.name.into_owned(), asked: name.to_owned() })
        }
        Err(error) if error.code() == Some(Code::Unauthenticated) => {
            Err(AgentError::WrongKey { from, server: client.server().to_owned() })
        }
        Err(error) => Err(error.into()),
    }
}

/// A secret that cannot be guessed.
fn secret() -> io::Result<String> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl From<ClientError> for AgentError {
    fn from(error: ClientError) -> AgentError {
        AgentError::Client(error)
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentError::Client(error) => error.fmt(f),
            AgentError::WrongKey { from, server } => {
                write!(f, "{server} rejected the API key from {from}")
            }
            AgentError::OtherName { known, asked } => {
                write!(f, "the API key belongs to {known}, not to {asked}: use --name {known}")
            }
            AgentError::NameTaken { name, server } => write!(
                f,
                "{name} is taken at {server} and its key is not here; choose another --name, or set \
                 {API_KEY}"
            ),
            AgentError::Credentials(error) => {
                write!(f, "cannot access the credentials file: {error}")
            }
            AgentError::Brain(error) => error.fmt(f),
            AgentError::IoLog { file, why } => {
                write!(f, "cannot log the dialogue to {}: {why}", file.display())
            }
            AgentError::BrokenBrain { failures, last } => write!(
                f,
                "no more games: the brain has failed {failures} times since its last game without \
                 a failure; the last one was {last}"
            ),
            AgentError::BrainFailed { game, why } => {
                write!(f, "{why}; game {game} is still in progress: start again to continue")
            }
            AgentError::UnknownGame { game, why } => {
                write!(f, "game {game} cannot be played by this version: {why}")
            }
        }
    }
}

impl std::error::Error for AgentError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            AgentError::Client(error) => Some(error),
            AgentError::Credentials(error) => Some(error),
            AgentError::Brain(error) => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opponent_is_anyone_an_agent_or_a_house_bot_of_a_level_there_is() {
        assert_eq!(read_opponent("anyone"), Ok(Opponent::Anyone));
        assert_eq!(read_opponent("agents"), Ok(Opponent::Agents));
        for level in 0..=6 {
            let house = HouseLevel::new(level).map(Opponent::House);
            assert_eq!(read_opponent(&format!("house:{level}")).ok(), house);
            assert!(house.is_some());
        }
        for text in ["", "house", "house:", "house:7", "house:-1", "house:x", "Anyone", "agents "] {
            let why = read_opponent(text).unwrap_err();
            assert_eq!(why, "opponents are anyone, agents and house:0 to house:6", "{text:?}");
        }
    }
}
