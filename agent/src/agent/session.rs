//! Main loop of the agent: queue, poll, act, repeat.
//!
//! No state is needed after a restart; every decision follows from the server's view.

use std::fs::File;
use std::time::{Duration, Instant};

use arena::Pool;
use arena_wire::{Code, GameStatus, GameView, OpponentView, QueueView, StatusName};

use super::journal::Journal;
use super::tally::{Failures, Tally};
use super::{AgentError, Options};
use crate::brain::{Brain, House};
use crate::client::{Client, ClientError};
use crate::stop::Stop;

/// Long-poll time, if the server allows it. Ctrl-C may take as long.
const WAIT_S: u32 = 5;

/// Shortest pause between two polls, whatever the server says, and after a refusal.
const PAUSE_MIN: Duration = Duration::from_secs(1);

/// Longest pause between two polls: polling also keeps the place in the queue.
const PAUSE_MAX: Duration = Duration::from_secs(30);

pub(super) struct Session {
    pub(super) client: Client,
    pub(super) brain: Box<dyn Brain>,
    pub(super) stand_in: House,
    pub(super) journal: Journal,
    pub(super) stop: Stop,
    pub(super) options: Options,
    /// Keeps other processes from running the agent.
    _lock: Option<File>,
    pub(super) failures: Failures,
    pub(super) tally: Tally,
    pub(super) skew_told: bool,
    pub(super) rival_told: bool,
    /// True if the arena supports long polling; assumed until disproved.
    arena_waits: bool,
}

/// Work of a run from cron.
#[derive(Clone, Copy)]
pub(super) enum Visit {
    /// All decisions that begin within this time.
    Time(Duration),
    /// One decision that begins within this time.
    Decision(Duration),
}

/// End of a run from cron.
#[derive(Clone, Copy)]
struct Until {
    time: Instant,
    /// It also ends after one decision.
    is_one: bool,
}

/// Reason [`Session::watch`] returned.
enum Watched {
    Over,
    Stopped,
    /// A run from cron has acted, or has waited long enough.
    Enough,
}

impl Session {
    pub(super) fn new(
        client: Client,
        brain: Box<dyn Brain>,
        journal: Journal,
        stop: Stop,
        options: &Options,
        lock: Option<File>,
    ) -> Session {
        let stand_in = House::stand_in();
        let options = options.clone();
        Session {
            client,
            brain,
            stand_in,
            journal,
            stop,
            options,
            _lock: lock,
            failures: Failures::default(),
            tally: Tally::default(),
            skew_told: false,
            rival_told: false,
            arena_waits: true,
        }
    }

    pub(super) fn daemon(&mut self, games: Option<u32>) -> Result<(), AgentError> {
        // An agent that was accepted once waits even for an arena that is down for an hour.
        self.client = self.client.with_patience(Duration::MAX);
        let mut played = 0;
        let mut queue = self.arrive()?;
        loop {
            if self.stop.is_raised() {
                return self.leave(&queue);
            }
            if queue.status == StatusName::Queued && !self.is_ours(&queue) {
                self.tell_rival("it waits in the queue for other games");
            }
            let next = match (queue.status, &queue.active_game) {
                (StatusName::Playing, Some(id)) => {
                    let id = id.clone();
                    if let Watched::Over = self.watch(&id, None)? {
                        played += 1;
                        self.check_brain()?;
                        if games.is_some_and(|games| played >= games) {
                            return Ok(());
                        }
                    }
                    self.client.queue()
                }
                (StatusName::Idle, _) => self.join(&queue),
                _ => {
                    self.stop.pause(poll_pause(queue.poll_after_ms));
                    self.client.queue()
                }
            };
            queue = match next {
                Ok(queue) => queue,
                // Stopped while the server was unavailable: nothing to leave.
                Err(_) if self.stop.is_raised() => return Ok(()),
                Err(error) => return Err(error.into()),
            };
        }
    }

    /// One run of cron.
    pub(super) fn visit(&mut self, visit: Visit) -> Result<(), AgentError> {
        let (Visit::Time(time) | Visit::Decision(time)) = visit;
        let until =
            Until { time: Instant::now() + time, is_one: matches!(visit, Visit::Decision(_)) };
        // Nearly all of a long turn would exceed cron's interval.
        let think = self.options.think.unwrap_or(time);
        self.options.think = Some(think);
        let mut queue = self.arrive()?;
        loop {
            let left = until.time.saturating_duration_since(Instant::now());
            self.client = self.client.with_patience(left);
            queue = match (queue.status, &queue.active_game) {
                (StatusName::Playing, Some(id)) => {
                    let id = id.clone();
                    let watched = self.watch(&id, Some(until))?;
                    self.check_brain()?;
                    if until.is_one || !matches!(watched, Watched::Over) {
                        return Ok(());
                    }
                    self.client.queue()?
                }
                (StatusName::Idle, _) if left.is_zero() => return Ok(()),
                (StatusName::Idle, _) if queue.cool_down_until.is_some() => {
                    self.journal.write("idle", &queue.hint, &[]);
                    return Ok(());
                }
                (StatusName::Idle, _) => self.join(&queue)?,
                _ => {
                    let pause = poll_pause(queue.poll_after_ms);
                    if Instant::now() + pause > until.time || !self.stop.pause(pause) {
                        let sentence = "no opponent yet; staying in the queue for a while";
                        self.journal.write("waiting", sentence, &[]);
                        return Ok(());
                    }
                    self.client.queue()?
                }
            };
        }
    }

    /// State at the start. A place in the queue is kept, unless it is for other games than the
    /// options ask for.
    fn arrive(&mut self) -> Result<QueueView<'static>, ClientError> {
        let queue = self.client.me()?.queue;
        let (StatusName::Queued, Some(ticket)) = (queue.status, &queue.ticket) else {
            return Ok(queue);
        };
        let ruleset = queue.ruleset.as_deref().unwrap_or("an unknown ruleset");
        let pool = queue.pool.as_ref().map(|pool| pool.0);
        if self.is_ours(&queue) {
            self.tell_waiting("still waiting for an opponent");
            return Ok(queue);
        }
        let pool = pool.map_or("an unknown pool", Pool::id);
        let sentence = format!("left the queue for {ruleset}, {pool}");
        self.journal.write("left", &sentence, &[]);
        self.client.leave(ticket)
    }

    /// True if the place in the queue is for the games that the options ask for.
    fn is_ours(&self, queue: &QueueView<'_>) -> bool {
        let Options { ruleset, pool, opponent, .. } = &self.options;
        queue.ruleset.as_deref() == Some(ruleset.id)
            && queue.pool.as_ref().map(|pool| pool.0) == Some(*pool)
            && queue.house == Some(OpponentView(*opponent))
    }

    fn tell_waiting(&self, how: &str) {
        let (ruleset, pool) = (self.options.ruleset.id, self.options.pool.id());
        self.journal.write("queued", &format!("{how}: {ruleset}, {pool}"), &[]);
    }

    /// Joins the queue, as soon as that is allowed.
    fn join(&mut self, queue: &QueueView<'_>) -> Result<QueueView<'static>, ClientError> {
        if let Some(until) = queue.cool_down_until {
            self.journal.write("cooling_down", &queue.hint, &[]);
            let wait = until.0.since(queue.server_time.0);
            // At most `PAUSE_MAX` at a time; then the server is asked again.
            let pause = Duration::from_millis(wait.max(0).unsigned_abs()).min(PAUSE_MAX);
            self.stop.pause(pause.max(PAUSE_MIN));
            return self.client.queue();
        }
        let (ruleset, pool) = (self.options.ruleset, self.options.pool);
        match self.client.join(ruleset, pool, self.options.opponent) {
            Err(error) if error.code() == Some(Code::CoolingDown) => {
                self.journal.write("cooling_down", &error.to_string(), &[]);
                let pause = error.retry_after().unwrap_or(PAUSE_MIN).clamp(PAUSE_MIN, PAUSE_MAX);
                self.stop.pause(pause);
                self.client.queue()
            }
            Ok(queue) if queue.status == StatusName::Idle => {
                // Seated and finished already, or removed from the queue: do not join again at once.
                self.stop.pause(PAUSE_MIN);
                Ok(queue)
            }
            Ok(queue) => {
                self.tell_waiting("waiting for an opponent");
                Ok(queue)
            }
            error => error,
        }
    }

    /// Leaves the queue; a running game is left as it is.
    fn leave(&mut self, queue: &QueueView<'_>) -> Result<(), AgentError> {
        let client = self.client.with_patience(Duration::ZERO);
        let sentence = match (&queue.ticket, &queue.active_game) {
            (Some(ticket), _) => match client.leave(ticket) {
                Ok(_) => "stopped; left the queue".to_owned(),
                Err(error) => format!("stopped; {error}"),
            },
            (None, Some(id)) => {
                format!("stopped; game {id} is still in progress: start again to continue")
            }
            (None, None) => "stopped".to_owned(),
        };
        self.journal.write("stopped", &sentence, &[]);
        Ok(())
    }

    /// Plays a game to its end or `until` a run from cron is over.
    fn watch(&mut self, id: &str, until: Option<Until>) -> Result<Watched, AgentError> {
        let mut acted = false;
        let mut asked = Instant::now();
        let mut game = match self.poll(id, 0)? {
            Some(game) => game,
            None => return Ok(Watched::Stopped),
        };
        self.tally.begin(id);
        self.tell_start(&game);
        self.tell_skew(&game);
        loop {
            if game.status == GameStatus::Over {
                self.tell_end(&game);
                self.failures.end_game(&self.tally);
                return Ok(Watched::Over);
            }
            if self.stop.is_raised() {
                return Ok(Watched::Stopped);
            }
            if is_our_turn(&game) && until.is_none_or(|until| Instant::now() <= until.time) {
                match self.act(&game, asked)? {
                    Some(after) => {
                        acted = true;
                        asked = Instant::now();
                        game = after;
                        continue;
                    }
                    None => {
                        self.stop.pause(PAUSE_MIN);
                    }
                }
            } else {
                if acted && until.is_some_and(|until| until.is_one) {
                    return Ok(Watched::Enough);
                }
                let pause = match self.arena_waits {
                    true => Duration::ZERO,
                    false => poll_pause(game.poll_after_ms),
                };
                if until.is_some_and(|until| Instant::now() + pause > until.time) {
                    let who = if is_our_turn(&game) { "this agent" } else { "the opponent" };
                    let sentence = format!("{who} is to act in {}", game.game_id);
                    self.journal.write("waiting", &sentence, &[]);
                    return Ok(Watched::Enough);
                }
                self.stop.pause(pause);
            }
            asked = Instant::now();
            game = match self.poll(id, WAIT_S)? {
                Some(game) => game,
                None => return Ok(Watched::Stopped),
            };
            let is_news = is_our_turn(&game) || game.status == GameStatus::Over;
            if !is_news && asked.elapsed() < PAUSE_MIN {
                self.arena_waits = false;
            }
        }
    }

    /// Polls the game; `None` if the agent was stopped while the server was unavailable.
    fn poll(&self, id: &str, wait_s: u32) -> Result<Option<GameView<'static>>, AgentError> {
        match self.client.game(id, wait_s) {
            Ok(game) => Ok(Some(game)),
            Err(error) if error.is_passing() && self.stop.is_raised() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

fn is_our_turn(game: &GameView<'_>) -> bool {
    match (&game.you, &game.to_act) {
        (Some(you), Some(to_act)) => you.seat == to_act.seat,
        _ => false,
    }
}

fn poll_pause(poll_after_ms: i64) -> Duration {
    Duration::from_millis(poll_after_ms.max(0).unsigned_abs()).clamp(PAUSE_MIN, PAUSE_MAX)
}
