//! Load: the limits and latencies of DynamoDB, and counters of its use. A world with load has no
//! other faults.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use arena::{Action, AgentName, Division, GameId, Pace, Pool, Write};
use arena_protocol::{Read, Stored};

use crate::lambda::{Invoked, Lambda};
use crate::rng::Rng;
use crate::tables::{Change, Changed, Subject, Tables, View, standing_key, subject};

/// Read and write units a second of one key of a table or an index, and of a table.
const KEY_UNITS: BySide<f64> = BySide { read: 3_000.0, written: 1_000.0 };
const TABLE_UNITS: BySide<f64> = BySide { read: 40_000.0, written: 40_000.0 };

/// Time of a function's share of a processor (256 MB) for a call, and for a thousand tickets.
pub(crate) const CALL_CPU_MS: i64 = 1;
const TICKETS_CPU_MS: i64 = 40;

/// Bytes of a ticket in its index.
const TICKET_BYTES: f64 = 175.0;

/// Time during which a transaction keeps others from its items.
const LOCK_MS: i64 = 10;

/// Age of an index.
pub(crate) const INDEX_LAG_MS: i64 = 50;

/// A call of a service other than a write.
pub(crate) enum Call<'a> {
    Agent(&'a AgentName),
    Standings(&'a [&'a AgentName]),
    Game(GameId, Read),
    Both(&'a AgentName, GameId),
    Games(&'a [GameId]),
    Tickets(Division),
    LiveGames(u8),
    Send,
    Other,
}

/// Outcome of a write's arrival at the tables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrival {
    Granted,
    Throttled,
    /// Another transaction is writing one of the items.
    Conflict,
}

#[derive(Clone, Copy, Default, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct BySide<T> {
    pub read: T,
    pub written: T,
}

impl BySide<f64> {
    fn add(&mut self, more: &BySide<f64>) {
        self.read += more.read;
        self.written += more.written;
    }
}

/// A limit of DynamoDB: a table, or the key of an item or of an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Partition {
    Agents,
    Games,
    /// An agent and its standings, by a hash of the name.
    Agent(u64),
    Game(GameId),
    Pool(&'static str, Pool, u8),
    Board(&'static str, Pool, u8),
    Live(u8),
    Over(&'static str, u8),
}

impl Partition {
    fn name(self) -> &'static str {
        match self {
            Partition::Agents => "table agents",
            Partition::Games => "table games",
            Partition::Agent(_) => "one agent",
            Partition::Game(_) => "one game",
            Partition::Pool(..) => "index pool",
            Partition::Board(..) => "index board",
            Partition::Live(_) => "index status, live",
            Partition::Over(..) => "index status, over",
        }
    }

    fn limit(self) -> BySide<f64> {
        match self {
            Partition::Agents | Partition::Games => TABLE_UNITS,
            _ => KEY_UNITS,
        }
    }

    /// The table whose units are used, unless it is an index.
    fn table(self) -> Option<Partition> {
        match self {
            Partition::Agent(_) => Some(Partition::Agents),
            Partition::Game(_) => Some(Partition::Games),
            _ => None,
        }
    }
}

/// Counters of a measured time.
#[derive(Default)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Measured {
    pub started: u64,
    pub ended: u64,
    /// Milliseconds from the later join of a pair to its seat.
    pub waits: Vec<i64>,
    /// Milliseconds from the time a game was overdue to its end by the clock.
    pub lags: Vec<i64>,
    /// Units in all, index writes included.
    pub units: BySide<f64>,
    /// Most units in one second of one key, by table and index.
    pub peaks: BTreeMap<&'static str, BySide<f64>>,
    pub throttles: BTreeMap<&'static str, u64>,
    pub conflicts: u64,
    pub messages: u64,
    pub lambda: Invoked,
    /// Agents of the burst that were seated, and the time of the last seat.
    pub burst: (usize, i64),
}

pub(crate) struct Load {
    pub(crate) lambda: Lambda,
    shards: u8,
    /// The second that the following counters are of.
    second: i64,
    used: HashMap<Partition, BySide<f64>>,
    /// Number of tickets in each key of the index.
    tickets: HashMap<Partition, i64>,
    /// Items of a transaction under way, and standings (true).
    locked: HashMap<(Partition, bool), i64>,
    pub(crate) measured: Measured,
}

impl Load {
    pub(crate) fn new(shards: u8, concurrency_max: usize) -> Load {
        Load {
            lambda: Lambda::new(concurrency_max),
            shards,
            second: 0,
            used: HashMap::new(),
            tickets: HashMap::new(),
            locked: HashMap::new(),
            measured: Measured::default(),
        }
    }

    /// Processor time of a call.
    pub(crate) fn cpu_ms(&self, call: &Call<'_>) -> i64 {
        match call {
            Call::Tickets(division) => {
                let shards = 0..self.shards;
                let tickets = shards.filter_map(|k| self.tickets.get(&pool(*division, k)));
                CALL_CPU_MS + tickets.sum::<i64>() * TICKETS_CPU_MS / 1_000
            }
            _ => CALL_CPU_MS,
        }
    }

    /// Starts a new second, if it is time.
    fn turn(&mut self, now: i64) {
        if now / 1_000 == self.second {
            return;
        }
        self.second = now / 1_000;
        for (partition, used) in self.used.drain() {
            let peak = self.measured.peaks.entry(partition.name()).or_default();
            peak.read = peak.read.max(used.read);
            peak.written = peak.written.max(used.written);
        }
        self.locked.retain(|_, until| *until > now);
    }

    /// Uses these units, or none if one of the keys has no more.
    fn uses(&mut self, now: i64, units: &[(Partition, BySide<f64>)]) -> bool {
        self.turn(now);
        let both = |key: &Partition| [Some(*key), key.table()].into_iter().flatten();
        let keys = || units.iter().flat_map(|(key, more)| both(key).map(move |key| (key, more)));
        for (key, more) in keys() {
            let (used, limit) = (self.used.get(&key).copied().unwrap_or_default(), key.limit());
            let is_over = |used: f64, more: f64, limit| more > 0.0 && used + more > limit;
            if is_over(used.read, more.read, limit.read)
                || is_over(used.written, more.written, limit.written)
            {
                *self.measured.throttles.entry(key.name()).or_default() += 1;
                return false;
            }
        }
        for (key, more) in keys() {
            self.used.entry(key).or_default().add(more);
        }
        units.iter().for_each(|(_, more)| self.measured.units.add(more));
        true
    }

    /// A call arrives; false if it is throttled.
    pub(crate) fn arrives(&mut self, now: i64, call: &Call<'_>) -> bool {
        let read = |partition, read| (partition, BySide { read, written: 0.0 });
        let units = match call {
            Call::Agent(name) => vec![read(agent(name), 1.0)],
            Call::Standings(names) => names.iter().map(|name| read(agent(name), 1.0)).collect(),
            Call::Game(id, Read::Strong) => vec![read(Partition::Game(*id), 1.0)],
            Call::Game(id, Read::Cheap) => vec![read(Partition::Game(*id), 0.5)],
            Call::Both(name, id) => vec![read(agent(name), 2.0), read(Partition::Game(*id), 2.0)],
            Call::Games(ids) => ids.iter().map(|id| read(Partition::Game(*id), 0.5)).collect(),
            Call::Tickets(division) => (0..self.shards)
                .map(|shard| {
                    let key = pool(*division, shard);
                    let tickets = self.tickets.get(&key).copied().unwrap_or(0) as f64;
                    read(key, 0.5 * (tickets * TICKET_BYTES / 4_096.0).ceil().max(1.0))
                })
                .collect(),
            Call::LiveGames(shard) => vec![read(Partition::Live(*shard), 1.0)],
            Call::Send => {
                self.measured.messages += 1;
                Vec::new()
            }
            Call::Other => Vec::new(),
        };
        self.uses(now, &units)
    }

    /// Writes arrive.
    pub(crate) fn writes(&mut self, now: i64, writes: &[Write], tables: &Tables) -> Arrival {
        let locks: Vec<_> = writes.iter().map(|write| (item(write), is_standing(write))).collect();
        if locks.iter().any(|lock| self.locked.get(lock).is_some_and(|until| *until > now)) {
            self.measured.conflicts += 1;
            return Arrival::Conflict;
        }
        let each = if writes.len() > 1 { 2.0 } else { 1.0 };
        let write = |partition, written| (partition, BySide { read: 0.0, written });
        let mut units = Vec::with_capacity(2 * writes.len());
        for it in writes {
            units.push(write(item(it), each));
            units.extend(self.listed(it, tables).into_iter().map(|key| write(key, 1.0)));
        }
        if !self.uses(now, &units) {
            return Arrival::Throttled;
        }
        if writes.len() > 1 {
            self.locked.extend(locks.into_iter().map(|lock| (lock, now + LOCK_MS)));
        }
        Arrival::Granted
    }

    /// The keys of indexes that a write changes; twice for an entry that moves.
    fn listed(&self, write: &Write, tables: &Tables) -> Vec<Partition> {
        let ticket = |name: &AgentName| {
            let old = tables.agent(name, View::Latest).and_then(|agent| agent.waiting);
            old.map(|waiting| pool(waiting.division, self.shard(name)))
        };
        match write {
            Write::Join { agent, waiting, .. } => {
                let new = pool(waiting.division, self.shard(agent));
                ticket(agent).into_iter().chain([new]).collect()
            }
            Write::Leave { agent, .. }
            | Write::Refresh { agent, .. }
            | Write::Seat { agent, .. } => ticket(agent).into_iter().collect(),
            Write::Rate { agent, division, standing, .. } => {
                let old = tables.standing(&standing_key(agent, *division), View::Latest);
                let is_listed = |rating: arena::Rating| !rating.is_provisional();
                let times = usize::from(old.is_some_and(|old| is_listed(old.rating)))
                    + usize::from(is_listed(standing.rating));
                let shard = self.shard(agent);
                vec![Partition::Board(division.ruleset.id, division.pool, shard); times]
            }
            Write::Create { header, .. } => vec![Partition::Live(self.game_shard(header.id))],
            Write::Finish(game) => {
                let shard = self.game_shard(game.id());
                vec![Partition::Live(shard), Partition::Over(game.ruleset().id, shard)]
            }
            _ => Vec::new(),
        }
    }

    /// The shard of an agent's ticket and of its standings, as in the store.
    fn shard(&self, name: &AgentName) -> u8 {
        (fnv_64(name.as_str()) % u64::from(self.shards)) as u8
    }

    fn game_shard(&self, id: GameId) -> u8 {
        id.bytes()[0] % self.shards
    }

    /// Counts a committed change.
    pub(crate) fn observe(&mut self, now: i64, pace: &Pace, changes: &[Change]) {
        let mut joined = None;
        for change in changes {
            match change {
                Change::Agent(Changed { before: Some(before), after }) => {
                    for (waiting, more) in [(before.waiting, -1), (after.waiting, 1)] {
                        if let Some(waiting) = waiting {
                            let key = pool(waiting.division, self.shard(&after.name));
                            *self.tickets.entry(key).or_default() += more;
                        }
                    }
                    if before.game != after.game {
                        joined = joined.max(before.waiting.map(|waiting| waiting.since.ms()));
                        if before.game.is_none() && after.name.as_str().starts_with("burst-") {
                            self.measured.burst.0 += 1;
                            self.measured.burst.1 = now;
                        }
                    }
                }
                Change::Game(Changed { before: None, .. }) => {
                    self.measured.started += 1;
                    self.measured.waits.extend(joined.map(|since| now - since));
                }
                Change::Game(Changed { before: Some(before), after }) => {
                    self.ended(now, pace, before, after);
                }
                _ => {}
            }
        }
    }

    fn ended(&mut self, now: i64, pace: &Pace, before: &Rc<Stored>, after: &Rc<Stored>) {
        if before.game.result().is_some() || after.game.result().is_none() {
            return;
        }
        self.measured.ended += 1;
        let last = after.game.log().last().map(|entry| entry.action);
        let overdue = before.game.overdue_from(pace);
        if let (Some(Action::Timeout | Action::NoShow), Some(overdue)) = (last, overdue) {
            self.measured.lags.push(now - overdue.ms());
        }
    }
}

fn pool(division: Division, shard: u8) -> Partition {
    Partition::Pool(division.ruleset.id, division.pool, shard)
}

fn agent(name: &AgentName) -> Partition {
    Partition::Agent(fnv_64(name.as_str()))
}

fn fnv_64(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn is_standing(write: &Write) -> bool {
    matches!(subject(write), Subject::Standing(..))
}

/// The key of a written item.
fn item(write: &Write) -> Partition {
    match subject(write) {
        Subject::Agent(name) | Subject::Standing(name, _) => agent(name),
        Subject::Game(id) => Partition::Game(id),
    }
}

/// Time of a call, both ways.
pub(crate) fn call_ms(call: &Call<'_>, rng: &mut Rng) -> i64 {
    let usual_ms = match call {
        Call::Send => 8,
        Call::Games(_) => 12,
        Call::Both(..) => 10,
        _ => 4,
    };
    latency_ms(usual_ms, rng)
}

/// Time of a write or a transaction, both ways.
pub(crate) fn write_ms(writes: usize, rng: &mut Rng) -> i64 {
    latency_ms(if writes > 1 { 15 } else { 8 }, rng)
}

/// A latency around `usual_ms`; one in a hundred is up to ten times as long.
pub(crate) fn latency_ms(usual_ms: i64, rng: &mut Rng) -> i64 {
    let ms = rng.within(usual_ms * 3 / 4, usual_ms * 5 / 4);
    if rng.chance(100) { ms + rng.within(0, 9 * usual_ms) } else { ms }
}
