//! A running function: the simulator's [`Backend`]. Every call is an await with the effect after
//! it, and a write under way lands even if its sender dies.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Poll;

use arena::{
    Agent, AgentName, Division, Game, GameId, Header, Message, Pace, Plan, Standing, Timestamp,
    Write,
};
use arena_protocol::{
    Backend, Cause, Chore, Commit, Fault as Failure, LiveCursor, LiveGames, Note, Read, Stored,
    Tickets,
};

use crate::answers::{Answer, Hold};
use crate::faults::Fault;
use crate::load::{Arrival, CALL_CPU_MS, Call, INDEX_LAG_MS, call_ms, write_ms};
use crate::queue;
use crate::tables::{Subject, View, standing_key, subject};
use crate::world::{Footprint, Owner, World};

/// Longest way to a service or back.
pub(crate) const LEG_MS_MAX: i64 = 500;

/// Attempts of the SDK.
const SDK_ATTEMPTS_MAX: u32 = 3;

/// Longest pause of the SDK before its second attempt; it doubles.
const SDK_PAUSE_MS: i64 = 50;

#[derive(Clone)]
pub(crate) struct Process {
    pub(crate) world: Rc<World>,
    skew_ms: i64,
    /// True if it runs the previous version of the program.
    is_old: bool,
    hold: Rc<RefCell<Option<Rc<Hold>>>>,
    /// Time from which its processor is free, in a world with load.
    cpu_free: Rc<Cell<i64>>,
}

impl Process {
    /// Starts a function after `delay_ms`, with a timeout of `lifetime_ms`.
    pub(crate) fn start<F: Future<Output = ()> + 'static>(
        world: &Rc<World>,
        delay_ms: i64,
        lifetime_ms: i64,
        body: impl FnOnce(Process) -> F,
    ) {
        Process::start_to(world, delay_ms, lifetime_ms, Footprint::ANYTHING, body);
    }

    /// The same for a function whose first call is known.
    pub(crate) fn start_to<F: Future<Output = ()> + 'static>(
        world: &Rc<World>,
        delay_ms: i64,
        lifetime_ms: i64,
        next: Footprint,
        body: impl FnOnce(Process) -> F,
    ) {
        let most = world.faults.skew_ms;
        let skew_ms = world.within(-most, most).max(if world.is_scripted() { 0 } else { -most });
        let is_old = world.strikes(Fault::OldVersion);
        let until = world.now() + delay_ms + lifetime_ms;
        let (hold, cpu_free) = (Rc::default(), Rc::default());
        let process = Process { world: world.clone(), skew_ms, is_old, hold, cpu_free };
        world.spawn_to(Owner::Process { until }, delay_ms, next, body(process));
    }

    /// From now on the process, and every write it sends, holds a submission.
    pub(crate) fn hold(&self, hold: Hold) {
        *self.hold.borrow_mut() = Some(Rc::new(hold));
    }

    /// The function answers the submission it holds.
    pub(crate) fn answered(&self, answer: &Answer) {
        let hold = self.hold.borrow();
        hold.as_ref().expect("the answering process holds a submission").answered(answer);
    }

    /// Time of one way to a service or back.
    fn leg_ms(&self) -> i64 {
        if self.world.is_scripted() {
            return 0;
        }
        let most_ms = if self.world.strikes(Fault::Slow) { LEG_MS_MAX } else { 15 };
        self.world.within(1, most_ms)
    }

    /// Time until the processor has done this much more work.
    fn compute_ms(&self, cpu_ms: i64) -> i64 {
        let (now, free) = (self.world.now(), &self.cpu_free);
        free.set(free.get().max(now) + cpu_ms);
        free.get() - now
    }

    /// A call of a service: it may be refused on its way, then it takes effect.
    async fn call<T>(
        &self,
        touches: Footprint,
        call: Call<'_>,
        effect: impl FnOnce(&World) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let back_ms = match &self.world.load {
            None => {
                self.world.announce(touches);
                self.world.give_way(self.leg_ms()).await;
                None
            }
            Some(_) => Some(self.arrive(&call).await?),
        };
        if self.world.strikes(Fault::Throttled) {
            return Err(unavailable());
        }
        let done = effect(&self.world);
        let back_ms = back_ms.unwrap_or_else(|| self.leg_ms());
        self.world.sleep(back_ms).await;
        done
    }

    /// Sends a call in a world with load, again if it is throttled. Returns the time of its way
    /// back.
    async fn arrive(&self, call: &Call<'_>) -> Result<i64, Failure> {
        let world = &self.world;
        let load = world.load.as_ref().expect("only a world with load has limits");
        for attempt in 0..SDK_ATTEMPTS_MAX {
            let cpu_ms = self.compute_ms(load.borrow().cpu_ms(call));
            let ms = world.draw(|rng| call_ms(call, rng));
            world.sleep(cpu_ms + ms / 2).await;
            if load.borrow_mut().arrives(world.now(), call) {
                return Ok(ms - ms / 2);
            }
            world.sleep(ms / 2 + world.within(0, SDK_PAUSE_MS << attempt)).await;
        }
        Err(unavailable())
    }

    /// The version seen by a read that this fault can make stale.
    fn view(&self, fault: Fault) -> View {
        let world = &self.world;
        if !world.strikes(fault) {
            let is_old = world.load.is_some() && fault == Fault::IndexLag;
            return View::At(world.now() - if is_old { INDEX_LAG_MS } else { 0 });
        }
        if world.is_scripted() {
            return View::Previous;
        }
        View::At(world.now() - world.within(1, world.faults.stale_ms))
    }

    /// Fails for an item that this process cannot decode.
    fn read_agent(&self, name: &AgentName) -> Result<(), Failure> {
        let is_newer = self.is_old && self.world.newer.borrow().0.contains(name);
        if is_newer { Err(unreadable(true)) } else { Ok(()) }
    }

    fn read_game(&self, id: GameId) -> Result<(), Failure> {
        if self.is_old && self.world.newer.borrow().1.contains(&id) {
            return Err(unreadable(true));
        }
        let is_damaged = self.world.check.borrow().damaged.contains(&id);
        if is_damaged { Err(unreadable(false)) } else { Ok(()) }
    }

    /// Writes as the SDK does: a failed call is sometimes sent again. A transaction is recognised
    /// by its token; a single write has only its condition.
    async fn send_writes(&self, writes: Rc<[Write]>) -> Result<Option<Commit>, Failure> {
        let has_landed = Rc::new(Cell::new(false));
        for attempt in 1.. {
            let (there_ms, back_ms) = self.legs_ms(writes.len());
            let answer = Rc::new(RefCell::new(None));
            let sender = self.world.current();
            let touched = writes.iter().fold(0, |bits, write| bits | bits_of(write));
            let landing = {
                let (process, writes) = (self.clone(), writes.clone());
                let (answer, has_landed) = (answer.clone(), has_landed.clone());
                let hold = self.hold.borrow().clone();
                async move {
                    if let Some(hold) = &hold {
                        hold.sent(-1);
                    }
                    let visible = Cell::new(process.world.now());
                    let landed = process.land(&writes, &has_landed, &visible);
                    // The caller of a completed transaction sees all of it.
                    let back = visible.get() + back_ms;
                    *answer.borrow_mut() = Some((back, landed));
                    process.world.wake_at(sender, back);
                }
            };
            if let Some(hold) = &*self.hold.borrow() {
                hold.sent(1);
            }
            // The checks of an agent's change read its game, too.
            let looked_at = writes.iter().fold(0, |bits, write| bits | self.game_of(write));
            let lands = Footprint { reads: touched | looked_at, writes: touched };
            self.world.spawn_to(Owner::Cloud, there_ms, lands, landing);
            // A task with several calls under way is woken for the others, too.
            let is_back = |(back, _): &mut (i64, _)| self.world.now() >= *back;
            let answer = std::future::poll_fn(|_| match answer.borrow_mut().take_if(is_back) {
                Some((_, answer)) => Poll::Ready(answer),
                None => {
                    // Its own next step may be to answer the submission just written.
                    self.world.announce(reads(touched));
                    Poll::Pending
                }
            })
            .await;
            // In a small world every fault reaches the use case.
            let is_last = attempt == SDK_ATTEMPTS_MAX || self.world.is_scripted();
            if answer.is_ok() || is_last {
                return answer;
            }
            if self.world.load.is_some() {
                let pause_ms = self.world.within(0, SDK_PAUSE_MS << (attempt - 1));
                self.world.sleep(pause_ms).await;
            } else if self.world.draw(|rng| rng.chance(5_000)) {
                return answer;
            }
        }
        unreachable!("the last attempt returns")
    }

    /// Times of a write's way to the tables and back.
    fn legs_ms(&self, writes: usize) -> (i64, i64) {
        if self.world.load.is_none() {
            return (self.leg_ms(), self.leg_ms());
        }
        let ms = self.world.draw(|rng| write_ms(writes, rng));
        (self.compute_ms(CALL_CPU_MS) + ms / 2, ms - ms / 2)
    }

    /// Writes arrive at the tables; `visible` is the time from which plain reads see all of them.
    fn land(
        &self,
        writes: &[Write],
        has_landed: &Cell<bool>,
        visible: &Cell<i64>,
    ) -> Result<Option<Commit>, Failure> {
        let world = &self.world;
        if world.strikes(Fault::Throttled) {
            return Err(unavailable());
        }
        if world.strikes(Fault::Conflict) {
            return Ok(None);
        }
        if has_landed.get() && writes.len() > 1 {
            return Ok(Some(Commit::Done));
        }
        if let Some(load) = &world.load {
            match load.borrow_mut().writes(world.now(), writes, &world.tables.borrow()) {
                Arrival::Granted => {}
                Arrival::Throttled => return Err(unavailable()),
                Arrival::Conflict => return Ok(None),
            }
        }
        let apart_ms = world.faults.apart_ms;
        let visible_at = || {
            let is_late = writes.len() > 1 && world.strikes(Fault::HalfSeen);
            let at = world.now() + if is_late { world.within(1, apart_ms) } else { 0 };
            visible.set(visible.get().max(at));
            at
        };
        let (commit, changes) = world.tables.borrow_mut().commit(writes, visible_at);
        world.trace(|| {
            let verb = if commit == Commit::Done { "lands" } else { "fails" };
            format!("{verb} {}", brief(writes))
        });
        if commit != Commit::Done {
            world.count("conflicts");
            self.decodes(writes)?;
            return Ok(Some(commit));
        }
        has_landed.set(true);
        if let Some(load) = &world.load {
            load.borrow_mut().observe(world.now(), &world.pace, &changes);
            return Ok(Some(commit));
        }
        world.check.borrow_mut().observe(world, writes, &changes);
        if !self.is_old && world.strikes(Fault::NewerItem) {
            self.mark_newer(writes);
        }
        if world.strikes(Fault::Damage) {
            damage(world, writes);
        }
        if world.strikes(Fault::Ambiguous) { Err(unavailable()) } else { Ok(Some(Commit::Done)) }
    }

    /// The game that the agent of a write is in.
    fn game_of(&self, write: &Write) -> u64 {
        let Subject::Agent(name) = subject(write) else { return 0 };
        let agent = self.world.tables.borrow().agent(name, View::Latest);
        agent.and_then(|agent| agent.game).map_or(0, game_bit)
    }

    /// Fails if an item found by a failed write cannot be decoded.
    fn decodes(&self, writes: &[Write]) -> Result<(), Failure> {
        for write in writes {
            match subject(write) {
                Subject::Agent(name) => self.read_agent(name)?,
                Subject::Game(id) => self.read_game(id)?,
                Subject::Standing(..) => {}
            }
        }
        Ok(())
    }

    /// From now on only the newer version can read the written items.
    fn mark_newer(&self, writes: &[Write]) {
        let mut newer = self.world.newer.borrow_mut();
        for write in writes {
            match subject(write) {
                Subject::Agent(name) => {
                    newer.0.insert(name.clone());
                }
                Subject::Game(id) => {
                    newer.1.insert(id);
                }
                Subject::Standing(..) => {}
            }
        }
    }
}

impl Backend for Process {
    fn now(&self) -> Timestamp {
        self.world.timestamp().plus(self.skew_ms)
    }

    fn pace(&self) -> &Pace {
        &self.world.pace
    }

    fn shards(&self) -> u8 {
        self.world.shards
    }

    fn note(&self, note: Note<'_>) {
        if let Note::Failed(fault) = note {
            self.world.count("noted faults");
            self.world.trace(|| format!("notes {fault}"));
        }
    }

    fn is_due(&self, _: Chore) -> bool {
        self.world.is_scripted() || self.world.draw(|rng| rng.chance(5_000))
    }

    async fn pause(&self, ms: u64) {
        let ms = ms.cast_signed();
        let ms = self.world.within(ms / 2, ms).max(1);
        self.world.announce(Footprint::NOTHING);
        self.world.sleep(ms).await;
    }

    async fn agent(&self, name: &AgentName) -> Result<Option<Agent>, Failure> {
        self.call(reads(agent_bit(name)), Call::Agent(name), |world| {
            self.read_agent(name)?;
            let agent = world.tables.borrow().agent(name, View::At(world.now()));
            Ok(agent.map(|agent| (*agent).clone()))
        })
        .await
    }

    async fn standings(
        &self,
        agents: &[&AgentName],
        division: Division,
    ) -> Result<Vec<Standing>, Failure> {
        self.call(reads(standing_bits(agents)), Call::Standings(agents), |world| {
            let tables = world.tables.borrow();
            let standing = |name: &&AgentName| {
                let key = standing_key(name, division);
                let stored = tables.standing(&key, View::At(world.now()));
                stored.map_or(Standing::NEW, |standing| (*standing).clone())
            };
            Ok(agents.iter().map(standing).collect())
        })
        .await
    }

    async fn game(&self, id: GameId, read: Read) -> Result<Option<Stored>, Failure> {
        self.call(reads(game_bit(id)), Call::Game(id, read), |world| {
            self.read_game(id)?;
            let view = match read {
                Read::Strong => View::At(world.now()),
                Read::Cheap => self.view(Fault::StaleRead),
            };
            let stored = world.tables.borrow().game(id, view);
            Ok(stored.map(|stored| (*stored).clone()))
        })
        .await
    }

    async fn agent_and_game(
        &self,
        name: &AgentName,
        id: GameId,
    ) -> Result<(Option<Agent>, Option<Game>), Failure> {
        self.call(reads(agent_bit(name) | game_bit(id)), Call::Both(name, id), |world| {
            self.read_agent(name)?;
            self.read_game(id)?;
            let (tables, now) = (world.tables.borrow(), View::At(world.now()));
            let (agent, game) = (tables.agent(name, View::Latest), tables.game(id, View::Latest));
            // DynamoDB refuses to read items that a transaction is writing.
            if agent != tables.agent(name, now) || game != tables.game(id, now) {
                return Err(Failure::new("read", Cause::Contention));
            }
            Ok((agent.map(|agent| (*agent).clone()), game.map(|stored| stored.game.clone())))
        })
        .await
    }

    async fn games(&self, ids: &[GameId]) -> Result<Vec<Stored>, Failure> {
        let bits = ids.iter().fold(0, |bits, id| bits | game_bit(*id));
        self.call(reads(bits), Call::Games(ids), |world| {
            let tables = world.tables.borrow();
            let readable = ids.iter().filter(|id| self.read_game(**id).is_ok());
            let stored = readable.filter_map(|id| tables.game(*id, self.view(Fault::StaleRead)));
            Ok(stored.map(|stored| (*stored).clone()).collect())
        })
        .await
    }

    async fn tickets(&self, division: Division, now: Timestamp) -> Result<Tickets, Failure> {
        let is_used = self.world.division.get().is_none_or(|used| used == division);
        self.call(reads(if is_used { POOL } else { 0 }), Call::Tickets(division), |world| {
            let mut tickets = Tickets::default();
            let seen = world.tables.borrow().tickets(division, || self.view(Fault::IndexLag));
            for (ticket, until) in seen {
                if self.read_agent(&ticket.name).is_err() {
                    continue;
                }
                if now <= until {
                    tickets.waiting.push(ticket);
                } else {
                    tickets.lapsed.push(ticket.name);
                }
            }
            Ok(tickets)
        })
        .await
    }

    async fn live_games(
        &self,
        shard: u8,
        before: Timestamp,
        after: Option<LiveCursor>,
        limit: u16,
    ) -> Result<LiveGames, Failure> {
        self.call(reads(LIVE), Call::LiveGames(shard), |world| {
            // Short pages, so that sweeps continue over several.
            let limit = usize::from(limit).min(world.faults.page);
            let tables = world.tables.borrow();
            let places = tables.live(after, before, || self.view(Fault::IndexLag));
            let is_here = |place: &LiveCursor| place.1.bytes()[0] % world.shards == shard;
            let mut places: Vec<LiveCursor> = places.filter(is_here).take(limit + 1).collect();
            let next = (places.len() > limit).then(|| places[limit - 1]);
            places.truncate(limit);
            Ok(LiveGames { games: places.into_iter().map(|(_, id)| id).collect(), next })
        })
        .await
    }

    async fn write(&self, writes: &[Write]) -> Result<Option<Commit>, Failure> {
        self.send_writes(writes.into()).await
    }

    async fn send(&self, messages: &[Message]) -> Result<(), Failure> {
        for message in messages {
            self.call(Footprint { reads: 0, writes: QUEUE }, Call::Send, |_| {
                queue::send(&self.world, *message, message.delay_ms(self.now()));
                if self.world.strikes(Fault::Ambiguous) { Err(unavailable()) } else { Ok(()) }
            })
            .await?;
        }
        Ok(())
    }

    async fn heartbeat(&self) -> Result<(), Failure> {
        self.call(Footprint::NOTHING, Call::Other, |world| {
            world.count("sweeps");
            Ok(())
        })
        .await
    }

    async fn admit(&self, _: &str, _: u32, _: u32) -> Result<Option<Timestamp>, Failure> {
        self.call(Footprint::NOTHING, Call::Other, |_| Ok(None)).await
    }
}

/// The bits of a [`Footprint`]: 20 for agents, 20 for games, 16 for standings, and one each for the
/// index of tickets, the index of live games and the queue.
const POOL: u64 = 1 << 60;
const LIVE: u64 = 1 << 61;
const QUEUE: u64 = 1 << 62;

fn hash(text: &str, most: u64) -> u64 {
    text.bytes().fold(7, |hash: u64, byte| hash.wrapping_mul(31) + u64::from(byte)) % most
}

fn agent_bit(name: &AgentName) -> u64 {
    1 << hash(name.as_str(), 20)
}

pub(crate) fn game_bit(id: GameId) -> u64 {
    1 << (20 + u64::from(id.bytes()[0]) % 20)
}

fn standing_bits(agents: &[&AgentName]) -> u64 {
    agents.iter().fold(0, |bits, name| bits | 1 << (40 + hash(name.as_str(), 16)))
}

fn reads(reads: u64) -> Footprint {
    Footprint { reads, writes: 0 }
}

/// The items and indexes that a write changes.
fn bits_of(write: &Write) -> u64 {
    match subject(write) {
        Subject::Agent(name) => agent_bit(name) | POOL,
        Subject::Game(id) => game_bit(id) | LIVE,
        Subject::Standing(agent, _) => standing_bits(&[agent]),
    }
}

fn unavailable() -> Failure {
    Failure::new("call", Cause::Service { is_retryable: true, source: "it failed".into() })
}

fn unreadable(is_newer: bool) -> Failure {
    Failure::new("read", Cause::Unreadable { is_newer, source: "not by this version".into() })
}

/// A game in progress becomes unreadable.
fn damage(world: &World, writes: &[Write]) {
    if let [Write::Advance(game)] = writes {
        world.trace(|| format!("{} is damaged", game.id()));
        world.check.borrow_mut().damage(game);
    }
}

/// Writes in one line, for the trace.
fn brief(writes: &[Write]) -> String {
    let write = |write: &Write| match write {
        Write::Register(agent) => format!("register {}", agent.name),
        Write::Advance(game) | Write::Finish(game) => {
            format!("{} turn {} {:?}", game.id(), game.turn(), game.log().last())
        }
        Write::Create { header, .. } => {
            let Header { id, players, .. } = &**header;
            format!("create {id} {} {}", players.first.name, players.second.name)
        }
        Write::Rate { agent, seen_games, .. } => format!("rate {agent} {seen_games}"),
        other => format!("{other:?}"),
    };
    writes.iter().map(write).collect::<Vec<_>>().join("; ")
}

/// Carries out a plan at once, to set up a scenario.
pub(crate) fn set(world: &World, plan: &Plan) {
    let (commit, changes) = world.tables.borrow_mut().commit(&plan.writes, || world.now());
    assert_eq!(commit, Commit::Done, "{}", brief(&plan.writes));
    world.check.borrow_mut().observe(world, &plan.writes, &changes);
}
