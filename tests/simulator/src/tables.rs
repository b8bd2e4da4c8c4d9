//! The simulated tables: maps of items, and the conditions and effects of each [`Write`]. The
//! DynamoDB expressions of the store must have the same meaning; a test of random plans compares
//! the two.
//!
//! Every item keeps its versions of the last half minute, so that a read or an index can be stale.
//! All changes go through [`Tables::commit`].

#![allow(missing_docs, reason = "the names say it")]

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::rc::Rc;

use arena::pairing::Ticket;
use arena::{
    Agent, AgentName, Division, Entry, Game, GameId, Header, Holder, Pool, Standing, Timestamp,
    Write,
};
use arena_protocol::{Commit, Current, Stale, Stored};

/// Time during which an old version can be seen.
const VERSIONS_MS: i64 = 30_000;

/// The version of an item that is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The latest, visible to plain reads or not.
    Latest,
    /// The latest that was visible at this time.
    At(i64),
    Previous,
}

pub type StandingKey = (AgentName, &'static str, Pool);

pub fn standing_key(agent: &AgentName, division: Division) -> StandingKey {
    (agent.clone(), division.ruleset.id, division.pool)
}

/// The item of a write.
pub(crate) enum Subject<'a> {
    Agent(&'a AgentName),
    Game(GameId),
    Standing(&'a AgentName, Division),
}

pub(crate) fn subject(write: &Write) -> Subject<'_> {
    match write {
        Write::Register(agent) => Subject::Agent(&agent.name),
        Write::Join { agent, .. }
        | Write::Leave { agent, .. }
        | Write::Refresh { agent, .. }
        | Write::Seat { agent, .. }
        | Write::Keys { agent, .. }
        | Write::Describe { agent, .. }
        | Write::Ban { agent, .. }
        | Write::Delete { agent, .. }
        | Write::CoolDown { agent, .. } => Subject::Agent(agent),
        Write::Rate { agent, division, .. } | Write::Unrate { agent, division } => {
            Subject::Standing(agent, *division)
        }
        Write::Create { header, .. } => Subject::Game(header.id),
        Write::Advance(game) | Write::Finish(game) => Subject::Game(game.id()),
        Write::Rearm { game, .. } | Write::Rekey { game, .. } => Subject::Game(*game),
    }
}

/// A change made by a committed write.
pub enum Change {
    Agent(Changed<Agent>),
    Game(Changed<Stored>),
    Standing(StandingKey, Changed<Standing>),
    AgentGone(AgentName),
    StandingGone(StandingKey),
}

/// An item before and after.
pub struct Changed<T> {
    /// `None` for a new item.
    pub before: Option<Rc<T>>,
    pub after: Rc<T>,
}

#[derive(Clone, Default)]
pub struct Tables {
    agents: BTreeMap<AgentName, Versions<Agent>>,
    games: BTreeMap<GameId, Versions<Stored>>,
    standings: BTreeMap<StandingKey, Versions<Standing>>,
    queued: Listed<AgentName>,
    playing: Listed<(Timestamp, GameId)>,
}

impl Tables {
    pub fn agent(&self, name: &AgentName, view: View) -> Option<Rc<Agent>> {
        self.agents.get(name)?.seen(view)
    }

    pub fn game(&self, id: GameId, view: View) -> Option<Rc<Stored>> {
        self.games.get(&id)?.seen(view)
    }

    pub fn standing(&self, key: &StandingKey, view: View) -> Option<Rc<Standing>> {
        self.standings.get(key)?.seen(view)
    }

    pub fn agents(&self) -> impl Iterator<Item = Rc<Agent>> {
        self.agents.values().filter_map(|versions| versions.seen(View::Latest))
    }

    pub fn games(&self) -> impl Iterator<Item = Rc<Stored>> {
        self.games.values().filter_map(|versions| versions.seen(View::Latest))
    }

    pub fn standing_keys(&self) -> impl Iterator<Item = &StandingKey> {
        self.standings.keys()
    }

    /// The index of queued agents: the tickets of a division with their ends. `view` gives the
    /// version that the index shows, item by item.
    pub fn tickets(
        &self,
        division: Division,
        mut view: impl FnMut() -> View,
    ) -> Vec<(Ticket, Timestamp)> {
        let seen = self.queued.keys.keys().filter_map(|name| self.agent(name, view()));
        seen.filter_map(|agent| ticket(&agent, division)).collect()
    }

    /// The index of live games: start and id, in order, between these.
    pub fn live(
        &self,
        after: Option<(Timestamp, GameId)>,
        before: Timestamp,
        mut view: impl FnMut() -> View,
    ) -> impl Iterator<Item = (Timestamp, GameId)> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let places = self.playing.keys.range((start, Bound::Unbounded)).map(|(place, _)| *place);
        places.take_while(move |place| place.0 < before).filter(move |place| {
            self.game(place.1, view()).is_some_and(|stored| stored.armed.is_some())
        })
    }

    /// Makes these writes, all or none. Each is seen by plain reads from `visible_at` on: reads
    /// during a transaction may see some of its writes and not yet others.
    pub fn commit(
        &mut self,
        writes: &[Write],
        mut visible_at: impl FnMut() -> i64,
    ) -> (Commit, Vec<Change>) {
        let failed = writes.iter().enumerate();
        let stale: Vec<Stale> = failed
            .filter(|(_, write)| !self.holds(write))
            .map(|(index, write)| Stale { write: index, current: self.current(write) })
            .collect();
        if !stale.is_empty() {
            return (Commit::Stale(stale), Vec::new());
        }
        (Commit::Done, writes.iter().map(|write| self.write(write, visible_at())).collect())
    }

    /// True if the condition of a write holds.
    fn holds(&self, write: &Write) -> bool {
        let agent = |name: &AgentName| self.agent(name, View::Latest);
        let game = |id: GameId| self.game(id, View::Latest);
        match write {
            Write::Register(new) => agent(&new.name).is_none_or(|old| old.is_expired(new.created)),
            Write::Join { agent: name, created, seen_epoch, seen_game, .. } => {
                let is_same = |old: &Agent| {
                    (old.created, old.epoch, old.game) == (*created, *seen_epoch, *seen_game)
                };
                agent(name).is_some_and(|old| is_same(&old) && old.ban.is_none())
            }
            Write::Leave { agent: name, epoch, until } => agent(name).is_some_and(|old| {
                let is_end = |end: Timestamp| until.is_none_or(|until| until == end);
                old.epoch == *epoch && old.waiting.is_some_and(|waiting| is_end(waiting.until))
            }),
            Write::Refresh { agent: name, epoch, .. } => {
                agent(name).is_some_and(|old| old.epoch == *epoch && old.waiting.is_some())
            }
            Write::Seat { agent: name, epoch, key, .. } => agent(name).is_some_and(|old| {
                old.epoch == *epoch && old.waiting.is_some() && old.keys.current == *key
            }),
            Write::Keys { agent: name, seen, seen_game, is_banned, .. } => {
                let is_same = |old: &Agent| old.keys.current == *seen && old.game == *seen_game;
                agent(name).is_some_and(|old| is_same(&old) && old.ban.is_some() == *is_banned)
            }
            Write::Describe { agent: name, seen, .. } => {
                agent(name).is_some_and(|old| old.keys.current == *seen)
            }
            Write::Ban { agent: name, seen, seen_game, .. }
            | Write::Delete { agent: name, seen, seen_game } => {
                agent(name).is_some_and(|old| old.keys.current == *seen && old.game == *seen_game)
            }
            Write::Unrate { .. } => true,
            Write::CoolDown { agent: name, game, .. } => {
                agent(name).is_some_and(|old| old.game == Some(*game))
            }
            Write::Rate { agent, division, seen_games, .. } => {
                let old = self.standing(&standing_key(agent, *division), View::Latest);
                old.map_or(0, |old| old.listed()) == *seen_games
            }
            Write::Create { header, .. } => game(header.id).is_none(),
            Write::Advance(next) | Write::Finish(next) => {
                game(next.id()).is_some_and(|old| old.game.turn() == Write::seen_turn(next))
            }
            Write::Rearm { game: id, from, .. } => {
                game(*id).is_some_and(|old| old.armed == Some(*from))
            }
            Write::Rekey { game: id, .. } => game(*id).is_some(),
        }
    }

    /// The item of a write.
    fn current(&self, write: &Write) -> Current {
        let found = match subject(write) {
            Subject::Agent(name) => self
                .agent(name, View::Latest)
                .map(|agent| Current::Agent(Box::new((*agent).clone()))),
            Subject::Standing(agent, division) => self
                .standing(&standing_key(agent, division), View::Latest)
                .map(|standing| Current::Standing(Box::new((*standing).clone()))),
            Subject::Game(id) => self
                .game(id, View::Latest)
                .map(|stored| Current::Game(Box::new(stored.game.clone()))),
        };
        found.unwrap_or(Current::Absent)
    }

    /// Makes a change whose condition holds.
    fn write(&mut self, write: &Write, now: i64) -> Change {
        match write {
            Write::Register(agent) => {
                self.queued.set(&agent.name, agent.waiting.is_some(), now);
                let versions = self.agents.entry(agent.name.clone()).or_default();
                Change::Agent(versions.push(now, (**agent).clone()))
            }
            Write::Join { agent, seen_epoch, waiting, expires, joins, .. } => {
                self.change(agent, now, |agent| {
                    agent.epoch = seen_epoch + 1;
                    agent.waiting = Some(*waiting);
                    agent.expires = *expires;
                    if !joins.is_empty() {
                        agent.joins.clone_from(joins);
                    }
                })
            }
            Write::Leave { agent, .. } => self.change(agent, now, |agent| agent.waiting = None),
            Write::Refresh { agent, until, expires, .. } => self.change(agent, now, |agent| {
                agent.waiting.as_mut().expect("a refreshed agent is queued").until = *until;
                agent.expires = expires.or(agent.expires);
            }),
            Write::Seat { agent, game, opponents, tally, .. } => self.change(agent, now, |agent| {
                agent.waiting = None;
                agent.game = Some(*game);
                if !opponents.is_empty() {
                    agent.opponents.clone_from(opponents);
                }
                if !tally.games.is_empty() {
                    agent.tally.clone_from(tally);
                }
            }),
            Write::Keys { agent, keys, .. } => self.change(agent, now, |agent| agent.keys = *keys),
            Write::Describe { agent, bio, url, .. } => self.change(agent, now, |agent| {
                let texts = [(&mut agent.bio, bio), (&mut agent.url, url)];
                for (old, new) in texts {
                    if let Some(new) = new {
                        old.clone_from(new);
                    }
                }
            }),
            Write::Ban { agent, why, .. } => self.change(agent, now, |agent| {
                agent.ban.clone_from(why);
                if why.is_some() {
                    agent.expires = None;
                }
                agent.waiting = None;
            }),
            Write::Delete { agent, .. } => {
                self.agents.entry(agent.clone()).or_default().remove(now);
                self.queued.set(agent, false, now);
                Change::AgentGone(agent.clone())
            }
            Write::Unrate { agent, division } => {
                let key = standing_key(agent, *division);
                if let Some(versions) = self.standings.get_mut(&key) {
                    versions.remove(now);
                }
                Change::StandingGone(key)
            }
            Write::CoolDown { agent, no_shows, until, .. } => self.change(agent, now, |agent| {
                agent.no_shows = *no_shows;
                agent.cool_until = Some(*until);
            }),
            Write::Rate { agent, division, standing, .. } => {
                let key = standing_key(agent, *division);
                let versions = self.standings.entry(key.clone()).or_default();
                Change::Standing(key, versions.push(now, (**standing).clone()))
            }
            Write::Create { header, armed } => {
                let game = Game::start((**header).clone());
                self.put(Stored { game, armed: Some(*armed) }, now)
            }
            Write::Advance(next) | Write::Finish(next) => {
                let old = self.stored(next.id());
                let armed = old.armed.filter(|_| matches!(write, Write::Advance(_)));
                self.put(Stored { game: logged(&old.game, next), armed }, now)
            }
            Write::Rearm { game, to, .. } => {
                let old = self.stored(*game);
                self.put(Stored { armed: Some(*to), ..(*old).clone() }, now)
            }
            Write::Rekey { game, seat, key } => {
                let old = self.stored(*game);
                let mut header = old.game.header().clone();
                header.players[*seat].holder = Holder::Agent(*key);
                let game = restored(&header, old.game.log());
                self.put(Stored { game, armed: old.armed }, now)
            }
        }
    }

    fn change(&mut self, name: &AgentName, now: i64, edit: impl FnOnce(&mut Agent)) -> Change {
        let versions = self.agents.get_mut(name).expect("an agent that changes exists");
        let mut agent = (*versions.seen(View::Latest).expect("it has a version")).clone();
        edit(&mut agent);
        self.queued.set(name, agent.waiting.is_some(), now);
        Change::Agent(versions.push(now, agent))
    }

    fn stored(&self, id: GameId) -> Rc<Stored> {
        self.game(id, View::Latest).expect("a game that changes exists")
    }

    /// Writes a whole game.
    pub(crate) fn put(&mut self, stored: Stored, now: i64) -> Change {
        let place = (stored.game.header().created, stored.game.id());
        self.playing.set(&place, stored.armed.is_some(), now);
        Change::Game(self.games.entry(stored.game.id()).or_default().push(now, stored))
    }
}

/// The index entry of an agent queued in this division, and its end.
fn ticket(agent: &Agent, division: Division) -> Option<(Ticket, Timestamp)> {
    let waiting = agent.waiting.filter(|waiting| waiting.division == division)?;
    let owner = agent.owner.as_ref().map(|owner| owner.bytes().map(u64::from).sum());
    let ticket = Ticket {
        name: agent.name.clone(),
        epoch: agent.epoch,
        since: waiting.since,
        rating: waiting.rating,
        recent: agent.opponents.clone(),
        owner,
        opponent: waiting.opponent,
        rated: waiting.rated,
    };
    Some((ticket, waiting.until))
}

/// The stored game with the log of `next`. A decision does not write the header.
fn logged(old: &Game, next: &Game) -> Game {
    if old.header() == next.header() { next.clone() } else { restored(old.header(), next.log()) }
}

fn restored(header: &Header, log: &[Entry]) -> Game {
    Game::restore(header.clone(), log.iter().copied()).expect("a log that is written replays")
}

/// Keys of the items that an index may show: those listed, and those that were until lately.
#[derive(Clone)]
struct Listed<K> {
    /// Each key, and the time it was taken off the list.
    keys: BTreeMap<K, Option<i64>>,
    left: VecDeque<(i64, K)>,
}

impl<K> Default for Listed<K> {
    fn default() -> Listed<K> {
        Listed { keys: BTreeMap::new(), left: VecDeque::new() }
    }
}

impl<K: Ord + Clone> Listed<K> {
    fn set(&mut self, key: &K, is_listed: bool, now: i64) {
        if is_listed {
            self.keys.insert(key.clone(), None);
        } else if let Some(left @ None) = self.keys.get_mut(key) {
            *left = Some(now);
            self.left.push_back((now, key.clone()));
        }
        while let Some((at, key)) = self.left.pop_front_if(|(at, _)| *at <= now - VERSIONS_MS) {
            if self.keys.get(&key) == Some(&Some(at)) {
                self.keys.remove(&key);
            }
        }
    }
}

/// The recent versions of an item, newest last; `None` once it is deleted.
#[derive(Clone)]
struct Versions<T>(VecDeque<(i64, Option<Rc<T>>)>);

impl<T> Default for Versions<T> {
    fn default() -> Versions<T> {
        Versions(VecDeque::new())
    }
}

impl<T> Versions<T> {
    fn seen(&self, view: View) -> Option<Rc<T>> {
        let mut latest = self.0.iter().rev();
        let seen = match view {
            View::Latest => latest.next(),
            View::At(at) => latest.find(|(written, _)| *written <= at),
            View::Previous => latest.nth(1),
        };
        seen.and_then(|(_, version)| version.clone())
    }

    fn push(&mut self, now: i64, version: T) -> Changed<T> {
        let before = self.seen(View::Latest);
        let after = Rc::new(version);
        self.add(now, Some(after.clone()));
        Changed { before, after }
    }

    fn remove(&mut self, now: i64) {
        self.add(now, None);
    }

    fn add(&mut self, now: i64, version: Option<Rc<T>>) {
        self.0.push_back((now, version));
        // At least two: a stale read may show the previous one, whatever its age.
        while self.0.len() > 2 && self.0[1].0 <= now - VERSIONS_MS {
            self.0.pop_front();
        }
    }
}
