//! Shared context of a function: the store, the settings, the limits.

use std::sync::Arc;
use std::{env, fmt};

use arena::{AgentName, Game};
use arena_store::{Access, Config, MissingVariable, Store, Trace};
use arena_wire::Code;
use renju::Seat;

use crate::health::Health;
use crate::key::Pepper;
use crate::limit::Limiter;
use crate::log::Log;
use crate::notes::Notes;
use crate::quota::{Place, Quota};
use crate::refusal::Refusal;

/// Shared context of a function. A cheap handle, passed by value.
#[derive(Clone, Debug)]
pub struct Context {
    /// The tables and the queues.
    pub store: Store,
    inner: Arc<Inner>,
    /// What the request at hand has led to, for its line in the log.
    pub(crate) notes: Arc<Notes>,
}

#[derive(Debug)]
struct Inner {
    settings: Settings,
    limiter: Limiter,
    health: Health,
    players_waiting: Quota<Option<AgentName>>,
    spectators_waiting: Quota<Option<AgentName>>,
}

/// What a deployment decides.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long a poll may wait for news. On Lambda waiting costs money, so the default is 0.
    pub wait_ms_max: i64,
    /// How many polls may wait at once.
    pub waits: Waits,
    /// How many agents one address may register in an hour.
    pub registrations_per_hour: u32,
    /// How many requests a key may make in a second, in the long run.
    pub requests_per_second: u32,
    /// The secret from which repeatable registrations derive their keys. Only the function that
    /// hands out keys has it.
    pub pepper: Option<Pepper>,
    /// Whether each request gets a line in the log.
    pub log: Log,
    /// What the log and the metrics call this function.
    pub function: String,
}

/// How many polls may wait at once; what is asked beyond is answered at once. Players have places of
/// their own, so that nobody without a key can take them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waits {
    /// Players of the game they wait for.
    pub players: usize,
    /// The same for each agent: an honest one waits once, or twice after a lost connection.
    pub each_player: usize,
    /// Everybody else.
    pub spectators: usize,
}

impl Waits {
    /// A waiting poll costs some memory, and a read a second for each game that is waited for.
    pub const STANDARD: Waits = Waits { players: 1_024, each_player: 4, spectators: 256 };
}

impl Settings {
    /// The settings of production.
    pub fn standard(pepper: impl Into<Option<Pepper>>) -> Settings {
        Settings {
            wait_ms_max: 0,
            waits: Waits::STANDARD,
            registrations_per_hour: 20,
            requests_per_second: 20,
            pepper: pepper.into(),
            log: Log::Off,
            function: "arena".to_owned(),
        }
    }
}

impl Context {
    /// The context of a function. Does no I/O.
    pub fn new(store: Store, settings: Settings) -> Context {
        let Waits { players, each_player, spectators } = settings.waits;
        let inner = Inner {
            limiter: Limiter::new(settings.requests_per_second),
            settings,
            health: Health::default(),
            players_waiting: Quota::new(players, each_player),
            spectators_waiting: Quota::new(spectators, spectators),
        };
        Context { store, inner: Arc::new(inner), notes: Arc::default() }
    }

    /// The context of one request or message: what is noted is its own, and what it sends can be
    /// found by its trace.
    pub(crate) fn for_one(&self, trace: Option<Trace>) -> Context {
        let notes = Arc::new(Notes::default());
        let listener = Arc::clone(&notes);
        let store = self.store.on_behalf(trace, Arc::new(move |note| listener.take(note)));
        Context { store, inner: Arc::clone(&self.inner), notes }
    }

    /// From the environment of a Lambda function: the store's variables, and optionally `ARENA_PEPPER`
    /// (only `register` cannot do without), `ARENA_WAIT_MS_MAX`, `ARENA_REGISTRATIONS_PER_HOUR`,
    /// `ARENA_LOG`.
    pub fn from_env() -> Result<Context, StartError> {
        let mut settings = Settings::standard(pepper()?);
        if let Some(wait_ms_max) = number("ARENA_WAIT_MS_MAX")? {
            settings.wait_ms_max = wait_ms_max;
        }
        if let Some(most) = number("ARENA_REGISTRATIONS_PER_HOUR")? {
            settings.registrations_per_hour = most;
        }
        settings.log = Log::from_env(Log::Json)?;
        if let Ok(function) = env::var("AWS_LAMBDA_FUNCTION_NAME") {
            settings.function = function;
        }
        let store = Store::new(&Access::from_env()?, Config::from_env()?);
        Ok(Context::new(store, settings))
    }

    /// Refuses when nothing can be written.
    pub async fn check_health(&self) -> Result<(), Refusal> {
        self.inner.health.check(&self.store).await
    }

    /// A place to wait for news of this game, or `None` if too many wait already.
    pub fn wait(&self, game: &Game, viewer: Option<Seat>) -> Option<Place<Option<AgentName>>> {
        match viewer {
            Some(seat) => {
                let name = game.header().players[seat].name.clone();
                self.inner.players_waiting.take(Some(name))
            }
            None => self.inner.spectators_waiting.take(None),
        }
    }

    /// How many polls wait now.
    pub fn waiting(&self) -> usize {
        self.inner.players_waiting.taken() + self.inner.spectators_waiting.taken()
    }

    /// What the deployment decided.
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// The secret from which repeatable registrations derive their keys.
    pub fn pepper(&self) -> Result<&Pepper, Refusal> {
        let pepper = self.inner.settings.pepper.as_ref();
        pepper.ok_or_else(|| Refusal::plain(Code::Internal, "no keys are handed out here"))
    }

    /// How often each key may ask.
    pub fn limiter(&self) -> &Limiter {
        &self.inner.limiter
    }
}

/// Absent is not short: a pepper that anybody could guess is a mistake.
fn pepper() -> Result<Option<Pepper>, StartError> {
    let text = env::var("ARENA_PEPPER").ok().filter(|text| !text.is_empty());
    text.map(|text| Pepper::new(text.into_bytes()).ok_or(StartError::Pepper)).transpose()
}

fn number<T: std::str::FromStr>(name: &'static str) -> Result<Option<T>, StartError> {
    match env::var(name) {
        Ok(text) if !text.is_empty() => {
            text.parse().map(Some).map_err(|_| StartError::Number { name, text })
        }
        _ => Ok(None),
    }
}

/// Why a function cannot start.
#[derive(Debug)]
pub enum StartError {
    /// A variable the store needs.
    Variable(MissingVariable),
    /// `ARENA_PEPPER` is too short, or absent where keys are handed out.
    Pepper,
    /// A variable that should be a number is none.
    Number {
        /// The variable.
        name: &'static str,
        /// Its value.
        text: String,
    },
    /// `ARENA_LOG` is neither `json` nor `off`.
    Log(String),
}

impl From<MissingVariable> for StartError {
    fn from(variable: MissingVariable) -> StartError {
        StartError::Variable(variable)
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Variable(variable) => variable.fmt(f),
            StartError::Pepper => {
                write!(f, "ARENA_PEPPER must hold at least {} bytes", Pepper::BYTES_MIN)
            }
            StartError::Number { name, text } => write!(f, "{name} is {text:?}, not a number"),
            StartError::Log(text) => write!(f, "ARENA_LOG is {text:?}, not json or off"),
        }
    }
}

impl std::error::Error for StartError {}
