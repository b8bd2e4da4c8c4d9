//! Shared context of a function: the store, the settings, the limits.

#![allow(missing_docs, reason = "the names say it")]

use std::sync::Arc;

use arena::{AgentName, Game};
use arena_store::environment::{VariableError, number, required, variable};
use arena_store::{Access, Config, Fault, Store, Trace, parameter};
use arena_wire::Code;
use renju::Seat;
use thiserror::Error;

use crate::cache::Lists;
use crate::front::Front;
use crate::health::Health;
use crate::key::Pepper;
use crate::limit::Limiter;
use crate::log::Log;
use crate::notes::Notes;
use crate::quota::{Quota, Slot};
use crate::refusal::Refusal;
use crate::site;

/// Cheap to clone and passed by value.
#[derive(Clone, Debug)]
pub struct Context {
    pub store: Store,
    inner: Arc<Inner>,
    /// Events of the current request, for its log line.
    pub(crate) notes: Arc<Notes>,
}

#[derive(Debug)]
struct Inner {
    settings: Settings,
    limiter: Limiter,
    health: Health,
    lists: Lists,
    players_waiting: Quota<Option<AgentName>>,
    spectators_waiting: Quota<Option<AgentName>>,
}

/// Configuration of a deployment.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Longest wait of a poll. Waiting costs money on Lambda, so the default is 0.
    pub wait_ms_max: i64,
    pub waits: Waits,
    /// Time for which a function shows the same page of games to all, instead of reading them again.
    pub lists_ms: u64,
    /// Registrations granted to one address in an hour.
    pub registrations_per_hour: u32,
    /// Requests a second granted to one key, in the long run.
    pub requests_per_second: u32,
    /// The secret from which repeatable registrations derive their keys. Only the function that
    /// hands out keys has it.
    pub pepper: Option<Pepper>,
    /// If there is a front, only its requests are answered.
    pub front: Option<Front>,
    /// Address that documents name, without a slash at the end; the one of the request if `None`.
    pub public_url: Option<String>,
    pub log: Log,
    /// Name of this function in the log and the metrics.
    pub function: String,
}

/// Number of polls that can wait at once; more are answered at once. Players have their own slots,
/// which clients without a key cannot take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waits {
    /// Players of the game they wait for.
    pub players: usize,
    /// The same for each agent: a well-behaved one waits once, or twice after a lost connection.
    pub each_player: usize,
    pub spectators: usize,
}

impl Waits {
    /// A waiting poll costs some memory, and one read a second for each game.
    pub const STANDARD: Waits = Waits { players: 1_024, each_player: 4, spectators: 256 };
}

impl Settings {
    pub fn standard(pepper: impl Into<Option<Pepper>>) -> Settings {
        Settings {
            wait_ms_max: 0,
            waits: Waits::STANDARD,
            lists_ms: 2_000,
            registrations_per_hour: 20,
            requests_per_second: 20,
            pepper: pepper.into(),
            front: None,
            public_url: None,
            log: Log::Off,
            function: "arena".to_owned(),
        }
    }
}

impl Context {
    /// Does no I/O.
    pub fn new(store: Store, settings: Settings) -> Context {
        let Waits { players, each_player, spectators } = settings.waits;
        let inner = Inner {
            limiter: Limiter::new(settings.requests_per_second),
            settings,
            health: Health::default(),
            lists: Lists::default(),
            players_waiting: Quota::new(players, each_player),
            spectators_waiting: Quota::new(spectators, spectators),
        };
        Context { store, inner: Arc::new(inner), notes: Arc::default() }
    }

    /// The context of one request or message: with its own notes and trace.
    pub(crate) fn for_one(&self, trace: Option<Trace>) -> Context {
        let notes = Arc::new(Notes::default());
        let listener = Arc::clone(&notes);
        let store = self.store.on_behalf(trace, Arc::new(move |note| listener.take(note)));
        Context { store, inner: Arc::clone(&self.inner), notes }
    }

    /// Reads the environment of a Lambda function: the store's variables, and optionally
    /// `ARENA_WAIT_MS_MAX`, `ARENA_REGISTRATIONS_PER_HOUR`, `ARENA_FRONT_DIGESTS`, `ARENA_PUBLIC_URL`,
    /// `ARENA_LOG`. Does no I/O.
    pub fn from_env() -> Result<Context, StartError> {
        Context::with(&Access::from_env()?, None)
    }

    /// The same for the function that hands out keys. The pepper is in Parameter Store under the name
    /// in `ARENA_PEPPER_PARAMETER`, because a variable can be read by all who may list functions.
    pub async fn from_env_with_pepper() -> Result<Context, StartError> {
        let access = Access::from_env()?;
        let text = parameter(&access, &required(&variable, "ARENA_PEPPER_PARAMETER")?).await?;
        // A short pepper could be guessed.
        let pepper = Pepper::new(text.into_bytes()).ok_or(StartError::Pepper)?;
        Context::with(&access, Some(pepper))
    }

    fn with(access: &Access, pepper: Option<Pepper>) -> Result<Context, StartError> {
        let mut settings = Settings::standard(pepper);
        if let Some(wait_ms_max) = number("ARENA_WAIT_MS_MAX")? {
            settings.wait_ms_max = wait_ms_max;
        }
        if let Some(most) = number("ARENA_REGISTRATIONS_PER_HOUR")? {
            settings.registrations_per_hour = most;
        }
        settings.front = checked("ARENA_FRONT_DIGESTS", Front::parse, "SHA-256 digests in hex")?;
        settings.public_url =
            checked("ARENA_PUBLIC_URL", site::parse, "an address such as https://arena.example")?;
        settings.log = Log::from_env(Log::Json)?;
        if let Some(function) = variable("AWS_LAMBDA_FUNCTION_NAME") {
            settings.function = function;
        }
        let store = Store::new(access, Config::from_env()?);
        Ok(Context::new(store, settings))
    }

    /// Refuses if the tables cannot be written.
    pub async fn check_health(&self) -> Result<(), Refusal> {
        self.inner.health.check(&self.store).await
    }

    /// A slot to wait for a change of this game; `None` if too many are waiting.
    pub fn wait(&self, game: &Game, viewer: Option<Seat>) -> Option<Slot<Option<AgentName>>> {
        match viewer {
            Some(seat) => self.wait_as(&game.header().players[seat].name),
            None => self.inner.spectators_waiting.take(None),
        }
    }

    /// A slot for an agent to wait; `None` if too many are waiting.
    pub fn wait_as(&self, agent: &AgentName) -> Option<Slot<Option<AgentName>>> {
        self.inner.players_waiting.take(Some(agent.clone()))
    }

    /// Number of polls that are waiting.
    pub fn waiting(&self) -> usize {
        self.inner.players_waiting.taken() + self.inner.spectators_waiting.taken()
    }

    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    pub fn pepper(&self) -> Result<&Pepper, Refusal> {
        let pepper = self.inner.settings.pepper.as_ref();
        pepper.ok_or_else(|| Refusal::plain(Code::Internal, "no keys are handed out here"))
    }

    pub(crate) fn lists(&self) -> &Lists {
        &self.inner.lists
    }

    pub fn limiter(&self) -> &Limiter {
        &self.inner.limiter
    }
}

/// The parsed value of a variable, if it is set.
fn checked<T>(
    name: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
    wanted: &'static str,
) -> Result<Option<T>, VariableError> {
    let invalid = |text: String| VariableError::invalid(name, text, wanted);
    variable(name).map(|text| parse(&text).ok_or_else(|| invalid(text))).transpose()
}

/// Reason why a function cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    #[error(transparent)]
    Variable(#[from] VariableError),
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("the pepper must have at least {} bytes", Pepper::BYTES_MIN)]
    Pepper,
}
