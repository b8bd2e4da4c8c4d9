//! An agent: its keys, its place in the queue, the game it was last seated in.
//!
//! Whether an agent is playing is not stored with the agent: it is so while the game it was last
//! seated in goes on. A game's end therefore writes no agent, and the two can never disagree.

use std::fmt;

use crate::counting::Tally;
use crate::game::Game;
use crate::house::Opponent;
use crate::ids::{AgentName, GameId, KeyDigest, Tag, TicketId, Timestamp};
use crate::plan::{Message, Plan, Write};
use crate::rating::Rating;
use crate::standing::Standing;
use crate::terms::Division;

/// What is kept of an API key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

impl KeyHash {
    /// The part that games keep.
    pub fn digest(&self) -> KeyDigest {
        let mut digest = [0; 16];
        digest.copy_from_slice(&self.0[..16]);
        KeyDigest(digest)
    }
}

impl fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyHash")
    }
}

/// The current key and, for a while after a rotation, the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keys {
    /// The current key.
    pub current: KeyHash,
    /// The key before, and until when it is good.
    pub previous: Option<(KeyHash, Timestamp)>,
}

/// How long the previous key is good after a rotation.
pub const KEY_OVERLAP_MS: i64 = 24 * 3_600_000;

/// How long a registration may be repeated with the same idempotency key.
const REGISTRATION_REPLAY_MS: i64 = 24 * 3_600_000;

/// How long a ticket lasts without a sign of life.
pub const TICKET_MS: i64 = 10 * 60_000;

/// A ticket this old should have been seen by the look that its join asked for.
const OVERLOOKED_MS: i64 = 5_000;

/// How many join keys are remembered, so that a late duplicate does not queue the agent again.
const JOINS_MAX: usize = 4;

/// How many opponents are remembered for pairing.
const OPPONENTS_MAX: usize = 8;

/// An agent.
#[derive(Clone, PartialEq, Debug)]
pub struct Agent {
    /// Its name.
    pub name: AgentName,
    /// A line about itself.
    pub bio: Option<String>,
    /// Agents with the same owner are never paired.
    pub owner: Option<String>,
    /// Its API keys.
    pub keys: Keys,
    /// When it registered.
    pub created: Timestamp,
    /// How often it has joined the queue.
    pub epoch: u32,
    /// Its place in the queue.
    pub waiting: Option<Waiting>,
    /// The game it was last seated in, over or not.
    pub game: Option<GameId>,
    /// Hashes of its latest opponents, the newest last.
    pub opponents: Vec<u32>,
    /// Games of the day that count, by opponent.
    pub tally: Tally,
    /// The latest join keys and the epochs they led to, the newest last.
    pub joins: Vec<(Tag, u32)>,
    /// How often it did not show up, until a day has passed without.
    pub no_shows: u8,
    /// Until when it may not join after not showing up.
    pub cool_until: Option<Timestamp>,
}

/// A place in the queue.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Waiting {
    /// Which queue.
    pub division: Division,
    /// Since when.
    pub since: Timestamp,
    /// Until when the ticket is good.
    pub until: Timestamp,
    /// The agent's rating in the division.
    pub rating: Rating,
    /// Whom it wants to play.
    pub opponent: Opponent,
}

/// What becomes of a request to join.
#[derive(Clone, PartialEq, Debug)]
pub enum Join {
    /// Queued, once the plan is carried out.
    Commit(Plan, TicketId),
    /// Queued already.
    Queued(TicketId),
    /// Seated in a game that goes on.
    Playing(GameId),
    /// The last game is over, but the standing that was written with its end is the one before: a
    /// transaction is half visible. Read both again.
    HalfSeen,
    /// The same request was granted before, and its ticket is used up.
    Spent(TicketId),
}

/// Why an agent may not join now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoolingDown {
    /// When it may.
    pub until: Timestamp,
}

impl Agent {
    /// A newly registered agent.
    pub fn register(name: AgentName, key: KeyHash, now: Timestamp) -> Agent {
        Agent {
            name,
            bio: None,
            owner: None,
            keys: Keys { current: key, previous: None },
            created: now,
            epoch: 0,
            waiting: None,
            game: None,
            opponents: Vec::new(),
            tally: Tally::default(),
            joins: Vec::new(),
            no_shows: 0,
            cool_until: None,
        }
    }

    /// Whether a registration that hands out `key` is a repetition of the one that made this agent:
    /// the key is the agent's, it is soon after, and the agent has done nothing since.
    pub fn is_same_registration(&self, key: KeyHash, now: Timestamp) -> bool {
        self.keys.current == key
            && self.epoch == 0
            && now.since(self.created) < REGISTRATION_REPLAY_MS
    }

    /// The ticket the agent waits with at `now`.
    pub fn ticket(&self, now: Timestamp) -> Option<TicketId> {
        let waiting = self.waiting.filter(|waiting| now <= waiting.until);
        waiting.map(|_| self.ticket_of(self.epoch))
    }

    fn ticket_of(&self, epoch: u32) -> TicketId {
        TicketId { agent: self.name.clone(), epoch }
    }

    /// Decides a request to join. `current` is the game [`Agent::game`] names, read after the
    /// agent; `None` if it no longer exists. `standing` is the agent's in the division.
    pub fn join(
        &self,
        division: Division,
        opponent: Opponent,
        standing: &Standing,
        tag: Option<Tag>,
        current: Option<&Game>,
        now: Timestamp,
    ) -> Result<Join, CoolingDown> {
        if let Some(ticket) = self.ticket(now) {
            return Ok(Join::Queued(ticket));
        }
        if let Some(game) = current {
            match game.result() {
                None => return Ok(Join::Playing(game.id())),
                Some(result) => {
                    let is_listed = standing.recent.contains(&game.id());
                    if !result.is_void() && game.header().division == division && !is_listed {
                        return Ok(Join::HalfSeen);
                    }
                }
            }
        }
        if let Some(&(_, epoch)) = self.joins.iter().find(|(known, _)| Some(*known) == tag) {
            return Ok(Join::Spent(self.ticket_of(epoch)));
        }
        if let Some(until) = self.cool_until.filter(|&until| now < until) {
            return Err(CoolingDown { until });
        }
        let epoch = self.epoch + 1;
        let mut joins = self.joins.clone();
        joins.extend(tag.map(|tag| (tag, epoch)));
        let plan = Plan {
            messages: vec![Message::queue_changed(division, now)],
            writes: vec![Write::Join {
                agent: self.name.clone(),
                seen_epoch: self.epoch,
                seen_game: self.game,
                waiting: Waiting {
                    division,
                    since: now,
                    until: now.plus(TICKET_MS),
                    // The rating of the last game is the one the next starts with.
                    rating: standing.rating_at(now).stored(),
                    opponent,
                },
                joins: newest(joins, JOINS_MAX),
            }],
        };
        Ok(Join::Commit(plan, self.ticket_of(epoch)))
    }

    /// Gives up the place in the queue, if there is one.
    pub fn leave(&self) -> Option<Plan> {
        self.waiting?;
        Some(self.give_up(None))
    }

    /// Gives up a ticket that has run out, unless it is prolonged before that is written.
    pub fn lapse(&self, now: Timestamp) -> Option<Plan> {
        let waiting = self.waiting.filter(|waiting| now > waiting.until)?;
        Some(self.give_up(Some(waiting.until)))
    }

    fn give_up(&self, until: Option<Timestamp>) -> Plan {
        let write = Write::Leave { agent: self.name.clone(), epoch: self.epoch, until };
        Plan { messages: Vec::new(), writes: vec![write] }
    }

    /// Prolongs a ticket whose time is half used: one write in five minutes, however often an
    /// agent polls.
    pub fn refresh(&self, now: Timestamp) -> Option<Plan> {
        let waiting = self.waiting.filter(|waiting| now <= waiting.until)?;
        (waiting.until.since(now) < TICKET_MS / 2).then(|| Plan {
            messages: vec![Message::queue_changed(waiting.division, now)],
            writes: vec![Write::Refresh {
                agent: self.name.clone(),
                epoch: self.epoch,
                until: now.plus(TICKET_MS),
            }],
        })
    }

    /// A ticket that its own look seems to have missed, and the message for another look.
    pub fn overlooked(&self, now: Timestamp) -> Option<(TicketId, Message)> {
        let waiting = self.waiting.filter(|waiting| now.since(waiting.since) > OVERLOOKED_MS)?;
        Some((self.ticket(now)?, Message::Match { division: waiting.division, at: now }))
    }

    /// Replaces the API key; the one before stays good for a day, but can do this no more.
    /// `current` is the game [`Agent::game`] names: while it goes on it learns the new key too.
    pub fn rotate(&self, key: KeyHash, current: Option<&Game>, now: Timestamp) -> Plan {
        let previous = Some((self.keys.current, now.plus(KEY_OVERLAP_MS)));
        let mut writes = vec![self.rekeyed(Keys { current: key, previous })];
        if let Some(game) = current.filter(|game| game.result().is_none())
            && let Some(seat) = game.seat_of(&self.name)
        {
            writes.push(Write::Rekey { game: game.id(), seat, key: key.digest() });
        }
        Plan { messages: Vec::new(), writes }
    }

    /// Ends the previous key at once.
    pub fn revoke_previous(&self) -> Option<Plan> {
        self.keys.previous?;
        let write = self.rekeyed(Keys { previous: None, ..self.keys });
        Some(Plan { messages: Vec::new(), writes: vec![write] })
    }

    fn rekeyed(&self, keys: Keys) -> Write {
        Write::Keys {
            agent: self.name.clone(),
            seen: self.keys.current,
            seen_game: self.game,
            keys,
        }
    }

    /// The opponents after a game against `opponent`.
    pub(crate) fn opponents_with(&self, opponent: u32) -> Vec<u32> {
        let mut opponents = self.opponents.clone();
        opponents.push(opponent);
        newest(opponents, OPPONENTS_MAX)
    }
}

/// The last `most` of a list.
pub(crate) fn newest<T>(mut list: Vec<T>, most: usize) -> Vec<T> {
    list.drain(..list.len().saturating_sub(most));
    list
}
