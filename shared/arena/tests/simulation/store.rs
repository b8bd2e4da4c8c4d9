//! The simulated tables: maps of items. Every item keeps the versions of the last half minute, so
//! that a read or an index can be stale. Nothing changes but by [`Store::commit`].

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use arena::{Agent, AgentName, Division, Game, GameId, Plan, Standing, Timestamp, TurnNumber};

use super::mutants::Mutant;

/// How long an old version can still be seen.
const VERSIONS_MS: i64 = 30_000;

/// The time of what looks at the tables from outside, of conditions and of reads in one
/// transaction: the latest version, whether or not it is visible yet.
pub(crate) const LATEST: i64 = i64::MAX;

/// A game as it is stored.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GameItem {
    /// The version every write of the log requires.
    pub(crate) turn: TurnNumber,
    pub(crate) game: Rc<Game>,
    /// The link the chain of timers is at; also the key of the sparse index of live games.
    pub(crate) armed: Option<Timestamp>,
}

/// Whose standing, and in which division.
pub(crate) type StandingKey = (AgentName, String);

pub(crate) fn standing_key(agent: &AgentName, division: Division) -> StandingKey {
    (agent.clone(), division.to_string())
}

/// What a committed write changed.
pub(crate) enum Change {
    Agent(Changed<Agent>),
    Game(Changed<GameItem>),
    Standing(StandingKey, Changed<Standing>),
}

/// An item before and after.
pub(crate) struct Changed<T> {
    pub(crate) before: Option<Rc<T>>,
    pub(crate) after: Rc<T>,
}

/// A condition that did not hold, with the item that shows why, as DynamoDB returns it.
pub(crate) enum Conflict {
    Agent(Option<Rc<Agent>>),
    Game(Option<Rc<GameItem>>),
    Standing,
}

#[derive(Default)]
pub(crate) struct Store {
    pub(crate) mutant: Option<Mutant>,
    pub(crate) agents: BTreeMap<AgentName, Versions<Agent>>,
    pub(crate) games: BTreeMap<GameId, Versions<GameItem>>,
    pub(crate) standings: BTreeMap<StandingKey, Versions<Standing>>,
}

impl Store {
    /// The agent as it was at `at`.
    pub(crate) fn agent(&self, name: &AgentName, at: i64) -> Option<Rc<Agent>> {
        self.agents.get(name)?.at(at)
    }

    /// The game as it was at `at`.
    pub(crate) fn game(&self, id: GameId, at: i64) -> Option<Rc<GameItem>> {
        self.games.get(&id)?.at(at)
    }

    /// The standing as it was at `at`; who has none is new.
    pub(crate) fn standing(&self, key: &StandingKey, at: i64) -> Rc<Standing> {
        let stored = self.standings.get(key).and_then(|versions| versions.at(at));
        stored.unwrap_or_else(|| Rc::new(Standing::NEW))
    }

    /// Every agent.
    pub(crate) fn agents(&self) -> impl Iterator<Item = Rc<Agent>> {
        self.agents.values().filter_map(|versions| versions.at(LATEST))
    }

    /// Every game.
    pub(crate) fn games(&self) -> impl Iterator<Item = Rc<GameItem>> {
        self.games.values().filter_map(|versions| versions.at(LATEST))
    }

    /// The sparse index of waiting agents; `at` says how far it has come, item by item.
    pub(crate) fn pool(&self, mut at: impl FnMut() -> i64) -> Vec<Rc<Agent>> {
        let seen = self.agents.values().filter_map(|versions| versions.at(at()));
        seen.filter(|agent| agent.waiting.is_some()).collect()
    }

    /// The sparse index of live games.
    pub(crate) fn live(&self, mut at: impl FnMut() -> i64) -> Vec<(Timestamp, GameId)> {
        let may_be = |versions: &&Versions<GameItem>| {
            versions.0.iter().any(|(_, item)| item.armed.is_some())
        };
        let seen = self.games.values().filter(may_be).filter_map(|versions| versions.at(at()));
        let place = |item: Rc<GameItem>| (item.game.header().created, item.game.id());
        seen.filter(|item| item.armed.is_some()).map(place).collect()
    }

    /// Carries out the writes of a plan, all or none. Each is seen from `visible_at` on: while a
    /// transaction is carried out, reads beside it may see some of its writes and not yet others.
    pub(crate) fn commit(
        &mut self,
        plan: &Plan,
        mut visible_at: impl FnMut() -> i64,
    ) -> Result<Vec<Change>, Conflict> {
        let mut changes = Vec::new();
        if self.mutant == Some(Mutant::TransactionTorn) {
            for write in &plan.writes {
                match self.check(write) {
                    Err(conflict) if changes.is_empty() => return Err(conflict),
                    Err(_) => break,
                    Ok(()) => changes.push(self.write(write, visible_at())),
                }
            }
            return Ok(changes);
        }
        plan.writes.iter().try_for_each(|write| self.check(write))?;
        changes.extend(plan.writes.iter().map(|write| self.write(write, visible_at())));
        Ok(changes)
    }
}

/// The recent versions of an item, the newest last.
pub(crate) struct Versions<T>(VecDeque<(i64, Rc<T>)>);

impl<T> Default for Versions<T> {
    fn default() -> Versions<T> {
        Versions(VecDeque::new())
    }
}

impl<T> Versions<T> {
    fn at(&self, at: i64) -> Option<Rc<T>> {
        let seen = self.0.iter().rev().find(|(written, _)| *written <= at);
        seen.map(|(_, version)| version.clone())
    }

    pub(crate) fn push(&mut self, now: i64, version: T) -> Changed<T> {
        let before = self.at(LATEST);
        let after = Rc::new(version);
        self.0.push_back((now, after.clone()));
        while self.0.get(1).is_some_and(|(written, _)| *written <= now - VERSIONS_MS) {
            self.0.pop_front();
        }
        Changed { before, after }
    }
}
