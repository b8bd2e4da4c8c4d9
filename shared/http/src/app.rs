//! What every function is handed: the store, the clock's pace, the limits.

use std::cmp::Ordering;
use std::sync::Arc;
use std::{env, fmt};

use arena::{Actor, Agent, Game, GameId, Pace, Submission, TurnNumber};
use arena_store::{Access, Config, MissingVariable, Refused, Store};
use arena_wire::Code;

use crate::key::Pepper;
use crate::limit::Limiter;
use crate::received::now;
use crate::refusal::Refusal;

/// A function's surroundings. A cheap handle, passed by value.
#[derive(Clone, Debug)]
pub struct App {
    /// The tables and the queue.
    pub store: Store,
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    settings: Settings,
    limiter: Limiter,
}

/// What a deployment decides.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The clock.
    pub pace: Pace,
    /// How long a poll may wait for news. On Lambda waiting costs money, so the default is 0.
    pub wait_ms_max: i64,
    /// How many agents one address may register in an hour.
    pub registrations_per_hour: u32,
    /// The secret from which repeatable registrations derive their keys.
    pub pepper: Pepper,
}

impl Settings {
    /// The settings of production.
    pub fn standard(pepper: Pepper) -> Settings {
        Settings { pace: Pace::STANDARD, wait_ms_max: 0, registrations_per_hour: 20, pepper }
    }
}

impl App {
    /// A function's surroundings. Does no I/O.
    pub fn new(store: Store, settings: Settings) -> App {
        App { store, inner: Arc::new(Inner { settings, limiter: Limiter::default() }) }
    }

    /// From the environment of a Lambda function: the store's variables and `ARENA_PEPPER`, and
    /// optionally `ARENA_WAIT_MS_MAX`, `ARENA_TURN_MS`, `ARENA_GRACE_MS`,
    /// `ARENA_REGISTRATIONS_PER_HOUR`.
    pub fn from_env() -> Result<App, StartError> {
        let pepper = env::var("ARENA_PEPPER").ok().and_then(|text| Pepper::new(text.into_bytes()));
        let mut settings = Settings::standard(pepper.ok_or(StartError::Pepper)?);
        settings.pace.turn_ms = number("ARENA_TURN_MS")?;
        if let Some(grace_ms) = number("ARENA_GRACE_MS")? {
            settings.pace.grace_ms = grace_ms;
        }
        if let Some(wait_ms_max) = number("ARENA_WAIT_MS_MAX")? {
            settings.wait_ms_max = wait_ms_max;
        }
        if let Some(most) = number("ARENA_REGISTRATIONS_PER_HOUR")? {
            settings.registrations_per_hour = most;
        }
        let store = Store::new(&Access::from_env()?, Config::from_env()?);
        Ok(App::new(store, settings))
    }

    /// The game with this id, perhaps a moment old. One that a cheap read does not find yet is
    /// looked for properly.
    pub async fn game(&self, id: GameId) -> Result<Game, Refusal> {
        let found = match self.store.game(id).await? {
            Some(game) => Some(game),
            None => self.store.game_now(id).await?,
        };
        found.ok_or_else(|| Refusal::plain(Code::NotFound, format!("there is no game {id}")))
    }

    /// The game after `turn` decisions, or with all there are; and whether that is settled: whoever
    /// asks again will see the same.
    pub async fn game_at(
        &self,
        id: GameId,
        turn: Option<TurnNumber>,
    ) -> Result<(Game, bool), Refusal> {
        let mut game = self.game(id).await?;
        let Some(turn) = turn else {
            let is_over = game.result().is_some();
            return Ok((game, is_over));
        };
        if game.turn() < turn {
            // A cheap read may be a moment old.
            game = self.store.game_now(id).await?.unwrap_or(game);
        }
        match game.turn().cmp(&turn) {
            Ordering::Less => {
                let seen = game.turn();
                let detail = format!("game {id} has seen {seen} decisions, not {turn}");
                Err(Refusal::plain(Code::NotFound, detail))
            }
            Ordering::Equal => Ok((game, true)),
            Ordering::Greater => Ok((game.at(turn), true)),
        }
    }

    /// The game an agent was last seated in, as it is now.
    pub async fn last_game(&self, agent: &Agent) -> Result<Option<Game>, Refusal> {
        let Some(id) = agent.game else { return Ok(None) };
        match self.store.game_now(id).await? {
            Some(game) => self.enforce(game).await.map(Some),
            None => Ok(None),
        }
    }

    /// The game, ended first if the player to act is out of time: whoever sees that does what the
    /// referee would.
    pub async fn enforce(&self, game: Game) -> Result<Game, Refusal> {
        let (now, pace) = (now(), *self.pace());
        if game.overdue_from(&pace).is_none_or(|overdue| now <= overdue) {
            return Ok(game);
        }
        let decide = |game: &Game| game.apply(Actor::Clock, Submission::FLAG, now, &pace);
        match self.store.settle(game, decide, now).await {
            Ok(settled) => Ok(settled.game),
            // Somebody was faster: that is the game to show.
            Err(Refused::Rejected(_, game)) => Ok(*game),
            Err(refused) => Err(Refusal::of_update(refused, None)),
        }
    }

    /// What the deployment decided.
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// The clock.
    pub fn pace(&self) -> &Pace {
        &self.inner.settings.pace
    }

    pub(crate) fn limiter(&self) -> &Limiter {
        &self.inner.limiter
    }
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
    /// `ARENA_PEPPER` is absent or too short.
    Pepper,
    /// A variable that should be a number is none.
    Number {
        /// The variable.
        name: &'static str,
        /// Its value.
        text: String,
    },
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
        }
    }
}

impl std::error::Error for StartError {}
