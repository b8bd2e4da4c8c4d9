//! `renju agent`: plays rated games in an arena, as a daemon or now and then from cron.
//!
//! Its only state is the API key: the server knows everything else.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use arena_wire::Code;

mod act;
mod config;
mod credentials;
mod error;
mod journal;
mod options;
mod session;
mod tally;
mod tell;
mod turn;

pub use config::BadConfig;
pub use error::AgentError;
pub use journal::Log;
pub use options::{
    ABOUT, CronOptions, DaemonOptions, EXAMPLES, Limit, OnFailure, Options, rulesets,
};

use credentials::{Claim, Credentials, Entry};
use journal::Journal;
use session::{Session, Visit};

use crate::brain::{self, IoLog};
use crate::client::{Client, ClientError};
use crate::stop::Stop;

/// Time to keep trying a server that has never answered: its address is probably wrong.
const UNMET_PATIENCE: Duration = Duration::from_secs(10);

/// Time to wait for an arena that is busy when the agent starts.
const FIRST_PATIENCE: Duration = Duration::from_secs(120);

/// Environment variable with the key to use instead of the stored one.
const API_KEY: &str = "RENJU_API_KEY";

/// Time of a run of [`once`].
const ONCE: Duration = Duration::from_secs(60);

/// Plays game after game, until as many are played as the options say or `stop` is set.
pub fn daemon(options: &DaemonOptions, stop: &Stop) -> Result<(), AgentError> {
    run(&options.options, stop, |session| session.daemon(options.limit.games))
}

/// Runs the agents of a file at once. If one fails, the others play on.
pub fn daemons(file: &Path, stop: &Stop) -> Result<(), AgentError> {
    let agents = config::read(file).map_err(AgentError::Config)?;
    if agents.len() > 1 && std::env::var(API_KEY).is_ok_and(|key| !key.is_empty()) {
        let why = format!("{API_KEY} is the key of one agent; unset it to run several");
        return Err(AgentError::Config(BadConfig { file: file.to_owned(), why }));
    }
    let outcomes: Vec<bool> = thread::scope(|scope| {
        let play = |agent| scope.spawn(move || has_played(agent, stop));
        let running: Vec<_> = agents.iter().map(play).collect();
        running.into_iter().map(|agent| agent.join().unwrap_or(false)).collect()
    });
    let failed = outcomes.iter().filter(|is_good| !**is_good).count();
    match failed {
        0 => Ok(()),
        _ => Err(AgentError::SomeFailed { failed, all: outcomes.len() }),
    }
}

/// Runs one agent of several; false if it failed, which is logged.
fn has_played(agent: &DaemonOptions, stop: &Stop) -> bool {
    let played = daemon(agent, stop);
    if let Err(error) = &played {
        journal_of(&agent.options).write("failed", &error.to_string(), &[]);
    }
    played.is_ok()
}

/// One run of cron: looks for a game and decides whenever it is our turn, until the time is over.
pub fn cron(options: &CronOptions, stop: &Stop) -> Result<(), AgentError> {
    visit(&options.options, Visit::Time(options.time), stop)
}

/// One run of cron with one decision: looks for a game, waits up to a minute for the turn, acts, ends.
pub fn once(options: &Options, stop: &Stop) -> Result<(), AgentError> {
    visit(options, Visit::Decision(ONCE), stop)
}

fn visit(options: &Options, visit: Visit, stop: &Stop) -> Result<(), AgentError> {
    match run(options, stop, |session| session.visit(visit)) {
        // The earlier run does what this one would do.
        Err(running @ AgentError::Running { .. }) => {
            journal_of(options).write("running", &running.to_string(), &[]);
            Ok(())
        }
        done => done,
    }
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

fn journal_of(options: &Options) -> Journal {
    Journal::new(options.log, options.name.as_str(), journal::standard_output())
}

/// Session with a key that the server has accepted.
fn open(options: &Options, stop: &Stop) -> Result<Session, AgentError> {
    let mut brain = brain::open(&options.brain).map_err(AgentError::Brain)?;
    brain.check(options.ruleset).map_err(AgentError::Brain)?;
    if let Some(file) = &options.io_log {
        let unlogged = |why: String| AgentError::IoLog { file: file.clone(), why };
        let kinds = "only piskvork:, jsonl: and exec: brains have a dialogue";
        let refusal = unlogged(format!("{kinds}, not {}", brain.name()));
        let log = brain.io_log().ok_or(refusal)?;
        *log = Some(IoLog::append(file).map_err(|error| unlogged(error.to_string()))?);
    }
    let journal = journal_of(options);
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
    // Without a directory for the lock the agent plays all the same.
    let lock = match Credentials::of_user()
        .and_then(|credentials| credentials.claim(client.server(), options.name.as_str()))
    {
        Ok(Claim::Taken(process)) => {
            return Err(AgentError::Running { name: options.name.to_string(), process });
        }
        Ok(Claim::Ours(lock)) => Some(lock),
        Err(_) => None,
    };
    let client = identify(client, options, &journal)?;
    met.store(true, Ordering::Relaxed);
    Ok(Session::new(client, brain, journal, stop.clone(), options, lock))
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
