//! What each [`Write`] requires and does, on maps. The DynamoDB expressions of the deployed store
//! say the same.

use std::rc::Rc;

use arena::{Agent, AgentName, Entry, Game, GameId, Header, Sitter, Tag, Timestamp, Write};

use super::mutants::Mutant;
use super::store::{Change, Conflict, GameItem, LATEST, Store, standing_key};

impl Store {
    /// Whether what a write requires is so.
    pub(crate) fn check(&self, write: &Write) -> Result<(), Conflict> {
        match write {
            Write::Register(agent) => self.require(&agent.name, |old| old.is_none()),
            Write::Join { agent, seen_epoch, seen_game, .. } => self.require_agent(agent, |old| {
                let same_epoch = old.epoch == *seen_epoch || self.is(Mutant::JoinEpochUnchecked);
                same_epoch && (old.game == *seen_game || self.is(Mutant::JoinGameUnchecked))
            }),
            Write::Leave { agent, epoch, until } => self.require_agent(agent, |old| {
                let same_end = |end: Timestamp| until.is_none_or(|until| until == end);
                old.waiting.is_some_and(|waiting| same_end(waiting.until)) && old.epoch == *epoch
            }),
            Write::Refresh { agent, epoch, .. } => {
                self.require_agent(agent, |old| old.waiting.is_some() && old.epoch == *epoch)
            }
            Write::Seat { agent, epoch, key, .. } => self.require_agent(agent, |old| {
                let waits = old.waiting.is_some() || self.is(Mutant::SeatUnchecked);
                let same_epoch = old.epoch == *epoch
                    || self.is(Mutant::SeatUnchecked)
                    || self.is(Mutant::SeatEpochUnchecked);
                let same_key = old.keys.current == *key || self.is(Mutant::SeatKeyUnchecked);
                waits && same_epoch && same_key
            }),
            Write::Keys { agent, seen, seen_game, .. } => self.require_agent(agent, |old| {
                let unseated = old.game == *seen_game || self.is(Mutant::KeysGameUnchecked);
                old.keys.current == *seen && unseated
            }),
            Write::CoolDown { agent, game, .. } => {
                self.require_agent(agent, |old| old.game == Some(*game))
            }
            Write::Rate { agent, division, seen_games, .. } => {
                let games = self.standing(&standing_key(agent, *division), LATEST).listed();
                let same = games == *seen_games || self.is(Mutant::RateUnchecked);
                if same { Ok(()) } else { Err(Conflict::Standing) }
            }
            Write::Create { header, .. } => match self.game(header.id, LATEST) {
                Some(old) => Err(Conflict::Game(Some(old))),
                None => Ok(()),
            },
            Write::Advance(next) | Write::Finish(next) => {
                let by_clock = next.log().last().is_some_and(|entry| entry.tag == Tag::CLOCK);
                let unchecked = self.is(Mutant::TurnUnchecked)
                    || (self.is(Mutant::TimeoutTurnUnchecked) && by_clock);
                let same_turn = |old: &GameItem| old.turn == Write::seen_turn(next);
                self.require_game(next.id(), |old| same_turn(old) || unchecked)
            }
            Write::Rearm { game, from, .. } => self.require_game(*game, |old| {
                let unchecked = self.is(Mutant::RearmUnchecked) && old.armed.is_some();
                old.armed == Some(*from) || unchecked
            }),
            Write::Rekey { game, .. } => self.require_game(*game, |_| true),
        }
    }

    fn require(
        &self,
        name: &AgentName,
        condition: impl Fn(Option<&Agent>) -> bool,
    ) -> Result<(), Conflict> {
        let old = self.agent(name, LATEST);
        if condition(old.as_deref()) { Ok(()) } else { Err(Conflict::Agent(old)) }
    }

    fn require_agent(
        &self,
        name: &AgentName,
        condition: impl Fn(&Agent) -> bool,
    ) -> Result<(), Conflict> {
        self.require(name, |old| old.is_some_and(&condition))
    }

    fn require_game(
        &self,
        id: GameId,
        condition: impl Fn(&GameItem) -> bool,
    ) -> Result<(), Conflict> {
        let old = self.game(id, LATEST);
        if old.as_deref().is_some_and(condition) { Ok(()) } else { Err(Conflict::Game(old)) }
    }

    /// Makes a change whose requirements are met.
    pub(crate) fn write(&mut self, write: &Write, now: i64) -> Change {
        match write {
            Write::Register(agent) => {
                let versions = self.agents.entry(agent.name.clone()).or_default();
                Change::Agent(versions.push(now, (**agent).clone()))
            }
            Write::Join { agent, seen_epoch, waiting, joins, .. } => {
                let forgets = self.is(Mutant::JoinKeyForgotten);
                self.change(agent, now, |agent| {
                    agent.epoch = seen_epoch + 1;
                    agent.waiting = Some(*waiting);
                    if !forgets {
                        agent.joins.clone_from(joins);
                    }
                })
            }
            Write::Leave { agent, .. } => self.change(agent, now, |agent| agent.waiting = None),
            Write::Refresh { agent, until, .. } => self.change(agent, now, |agent| {
                agent.waiting.as_mut().expect("who is refreshed waits").until = *until;
            }),
            Write::Seat { agent, game, opponents, tally, .. } => self.change(agent, now, |agent| {
                agent.waiting = None;
                agent.game = Some(*game);
                agent.opponents.clone_from(opponents);
                agent.tally.clone_from(tally);
            }),
            Write::Keys { agent, keys, .. } => self.change(agent, now, |agent| agent.keys = *keys),
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
                let game = Rc::new(Game::start((**header).clone()));
                self.put(GameItem { turn: game.turn(), game, armed: Some(*armed) }, now)
            }
            Write::Advance(next) => {
                let old = self.stored(next.id());
                self.put(self.logged(&old, next, old.armed), now)
            }
            Write::Finish(next) => {
                let old = self.stored(next.id());
                let armed = old.armed.filter(|_| self.is(Mutant::FinishLeavesIndex));
                self.put(self.logged(&old, next, armed), now)
            }
            Write::Rearm { game, to, .. } => {
                let old = self.stored(*game);
                self.put(GameItem { armed: Some(*to), ..(*old).clone() }, now)
            }
            Write::Rekey { game, seat, key } => {
                let old = self.stored(*game);
                let mut header = old.game.header().clone();
                header.players[*seat].sitter = Sitter::Agent(*key);
                let game = restored(&header, old.game.log());
                self.put(GameItem { game, ..(*old).clone() }, now)
            }
        }
    }

    fn change(&mut self, name: &AgentName, now: i64, edit: impl FnOnce(&mut Agent)) -> Change {
        let old = self.agent(name, LATEST).expect("an agent that changes exists");
        let mut agent = (*old).clone();
        edit(&mut agent);
        Change::Agent(self.agents.entry(name.clone()).or_default().push(now, agent))
    }

    fn stored(&self, id: GameId) -> Rc<GameItem> {
        self.game(id, LATEST).expect("a game that changes exists")
    }

    fn put(&mut self, item: GameItem, now: i64) -> Change {
        Change::Game(self.games.entry(item.game.id()).or_default().push(now, item))
    }

    /// The item with the log of `next`. A move writes no header: the stored one stays.
    fn logged(&self, old: &GameItem, next: &Game, armed: Option<Timestamp>) -> GameItem {
        let untagged = |entry: &Entry| Entry { tag: Tag::CLOCK, ..*entry };
        let game = if self.is(Mutant::TagNotStored) {
            let log: Vec<Entry> = next.log().iter().map(untagged).collect();
            restored(old.game.header(), &log)
        } else if old.game.header() != next.header() {
            restored(old.game.header(), next.log())
        } else {
            Rc::new(next.clone())
        };
        GameItem { turn: game.turn(), game, armed }
    }

    fn is(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }
}

fn restored(header: &Header, log: &[Entry]) -> Rc<Game> {
    let game = Game::restore(header.clone(), log.iter().copied());
    Rc::new(game.expect("a log that is written replays"))
}
