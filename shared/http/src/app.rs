//! What every function is handed: the store, the clock's pace, the limits.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fmt};

use arena::{
    Actor, Agent, AgentName, Game, GameId, Pace, Submission, TICKET_MS, TicketId, Timestamp,
    TurnNumber, house,
};
use arena_store::{Access, Config, MissingVariable, Refused, Store, Trace};
use arena_wire::{Code, Noted};
use renju::Seat;

use crate::health::Health;
use crate::key::Pepper;
use crate::limit::Limiter;
use crate::log::{self, Log};
use crate::quota::{Place, Quota};
use crate::received::now;
use crate::recent::Recent;
use crate::refusal::Refusal;

/// A function's surroundings. A cheap handle, passed by value.
#[derive(Clone, Debug)]
pub struct App {
    /// The tables and the queues.
    pub store: Store,
    inner: Arc<Inner>,
    /// What has become known about the request at hand, for its line in the log.
    noted: Arc<Mutex<Noted>>,
}

#[derive(Debug)]
struct Inner {
    settings: Settings,
    limiter: Limiter,
    /// Turns of house bots that were called for again.
    calls: Recent<(GameId, TurnNumber)>,
    /// Tickets whose queue was looked at again.
    nudges: Recent<TicketId>,
    health: Health,
    players_waiting: Quota<Option<AgentName>>,
    spectators_waiting: Quota<Option<AgentName>>,
}

/// What a deployment decides.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The clock.
    pub pace: Pace,
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
            pace: Pace::STANDARD,
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

impl App {
    /// A function's surroundings. Does no I/O.
    pub fn new(store: Store, settings: Settings) -> App {
        let (calls, nudges) = (Recent::every(house::LATE_MS), Recent::every(TICKET_MS));
        let Waits { players, each_player, spectators } = settings.waits;
        let inner = Inner {
            limiter: Limiter::new(settings.requests_per_second),
            settings,
            calls,
            nudges,
            health: Health::default(),
            players_waiting: Quota::new(players, each_player),
            spectators_waiting: Quota::new(spectators, spectators),
        };
        let inner = Arc::new(inner);
        App { store, inner, noted: Arc::default() }
    }

    /// The surroundings of one request or message: what is noted is its own, and what it sends can
    /// be found by its trace.
    pub fn for_one(&self, trace: Option<Trace>) -> App {
        let (store, inner) = (self.store.traced(trace), Arc::clone(&self.inner));
        App { store, inner, noted: Arc::default() }
    }

    /// From the environment of a Lambda function: the store's variables, and optionally `ARENA_PEPPER`
    /// (only `register` cannot do without), `ARENA_WAIT_MS_MAX`, `ARENA_TURN_MS`, `ARENA_GRACE_MS`,
    /// `ARENA_HOUSE_AFTER_MS` (absent or 0: no house bots), `ARENA_REGISTRATIONS_PER_HOUR`, `ARENA_LOG`.
    pub fn from_env() -> Result<App, StartError> {
        let mut settings = Settings::standard(pepper()?);
        settings.pace.turn_ms = number("ARENA_TURN_MS")?;
        if let Some(grace_ms) = number("ARENA_GRACE_MS")? {
            settings.pace.grace_ms = grace_ms;
        }
        settings.pace.house_after_ms = number("ARENA_HOUSE_AFTER_MS")?.filter(|&ms| ms > 0);
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
        Ok(App::new(store, settings))
    }

    /// Refuses when nothing can be written.
    pub async fn check_health(&self) -> Result<(), Refusal> {
        self.inner.health.check(&self.store).await
    }

    /// The game with this id, perhaps a moment old. One that a cheap read does not find yet is
    /// looked for properly.
    pub async fn game(&self, id: GameId) -> Result<Game, Refusal> {
        let found = match self.store.game(id).await? {
            Some(game) => Some(game),
            None => self.store.game_now(id).await?,
        };
        let game = found
            .ok_or_else(|| Refusal::plain(Code::NotFound, format!("there is no game {id}")))?;
        self.note_turn(id, game.turn());
        Ok(game)
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

    /// The game an agent was last seated in, as it is now; `None` if it was never seated, or if
    /// that game no longer exists. A damaged one can neither go on nor be ended, and no longer
    /// exists for its players: otherwise they could never play again.
    pub async fn last_game(&self, agent: &Agent) -> Result<Option<Game>, Refusal> {
        let found = match self.store.last_game(agent).await {
            Err(fault) if fault.is_damage() => {
                log::fault(&fault);
                None
            }
            found => found?,
        };
        match found {
            Some(game) => self.enforce(game).await.map(Some),
            None => Ok(None),
        }
    }

    /// The game, ended first if the player to act is out of time: whoever sees that does what the
    /// referee would.
    pub async fn enforce(&self, game: Game) -> Result<Game, Refusal> {
        let (at, pace) = (now(), *self.pace());
        let Some(overdue) = game.overdue_from(&pace).filter(|overdue| at > *overdue) else {
            return Ok(game);
        };
        let decide = |game: &Game| game.apply(Actor::Clock, Submission::FLAG, at, &pace);
        match self.store.settle(game, decide, at, &pace).await {
            Ok(settled) => {
                self.note_flag(overdue);
                Ok(settled.game)
            }
            // Somebody was faster: that is the game to show.
            Err(Refused::Rejected(_, game)) => Ok(*game),
            Err(refused) => Err(Refusal::of_update(refused, None)),
        }
    }

    /// Keeps an agent's place in the queue: asking is the sign of life that prolongs a ticket. A ticket
    /// that should have been seen by now gets another look, once: the index may have been too slow for
    /// its own, and the sweep comes only once a minute.
    pub async fn keep_place(&self, agent: &Agent, now: Timestamp) -> Result<(), Refusal> {
        if let Some(plan) = agent.refresh(now) {
            // If it fails, the agent was seated or left meanwhile, and the next look will tell.
            self.store.commit(&plan, now).await?;
        } else if let Some((ticket, bell)) = agent.overlooked(now)
            && self.inner.nudges.is_due(ticket, now)
        {
            self.store.ring(&[bell], now).await?;
        }
        Ok(())
    }

    /// Calls a house bot again that should long have acted: its opponent need not wait for the
    /// sweep. Not to be done for everybody who looks, or many looks would be many calls.
    /// A call that fails is logged and forgotten: the sweep calls too.
    pub async fn call_again(&self, game: &Game) {
        let now = now();
        if let Some(bell) = house::late_bell(game, now)
            && self.inner.calls.is_due((game.id(), game.turn()), now)
            && let Err(fault) = self.store.ring(&[bell], now).await
        {
            log::fault(&fault);
        }
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

    /// Notes for the log which turn of which game the request is about.
    pub fn note_turn(&self, game: GameId, turn: TurnNumber) {
        self.note(|noted| (noted.game, noted.turn) = (Some(game), Some(turn)));
    }

    /// Notes for the log and the metrics that a game was ended that became overdue at this time.
    pub fn note_flag(&self, overdue: Timestamp) {
        let lag_ms = now().since(overdue);
        self.note(|noted| noted.deadline_lag_ms.push(lag_ms));
    }

    /// Notes for the log and the metrics that a game was started for agents that waited since then.
    pub fn note_match(&self, since: &[Timestamp]) {
        let now = now();
        self.note(|noted| {
            noted.matches += 1;
            noted.queue_wait_ms.extend(since.iter().map(|since| now.since(*since)));
        });
    }

    /// Logs which stored items were passed over, and counts them.
    pub(crate) fn note_unreadable(&self) {
        let unreadable = self.store.take_unreadable();
        for item in &unreadable {
            log::notice("unreadable item", &item.to_string());
        }
        self.note(|noted| noted.unreadable += unreadable.len() as u32);
    }

    pub(crate) fn note_agent(&self, agent: &AgentName) {
        self.note(|noted| noted.agent = Some(agent.clone()));
    }

    fn note(&self, add: impl FnOnce(&mut Noted)) {
        // Notes are whole after every statement; a panic elsewhere does not spoil them.
        add(&mut self.noted.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn with_noted<T>(&self, read: impl FnOnce(&Noted) -> T) -> T {
        read(&self.noted.lock().unwrap_or_else(PoisonError::into_inner))
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

    /// The clock.
    pub fn pace(&self) -> &Pace {
        &self.inner.settings.pace
    }

    pub(crate) fn limiter(&self) -> &Limiter {
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
