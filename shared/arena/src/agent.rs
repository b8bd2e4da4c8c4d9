//! An agent: its keys, its place in the queue, the game it was last seated in.
//!
//! The agent does not store that it is playing: it plays while the game it was last seated in is in
//! progress. The end of a game therefore writes no agent, and the two can never disagree.

#![allow(missing_docs, reason = "the names say it")]

use std::fmt;

use crate::counting::Tally;
use crate::game::Game;
use crate::house::Opponent;
use crate::ids::{AgentName, GameId, KeyDigest, Tag, TicketId, Timestamp};
use crate::plan::{Message, Plan, Text, Write};
use crate::rating::Rating;
use crate::standing::Standing;
use crate::terms::Division;

/// SHA-256 of an API key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

impl KeyHash {
    /// The half of the hash that games store.
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

/// The current key and, for [`KEY_OVERLAP_MS`] after a rotation, the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keys {
    pub current: KeyHash,
    /// The key before, valid until the given time.
    pub previous: Option<(KeyHash, Timestamp)>,
}

/// Overlap of two keys: the previous key stays valid this long after a rotation.
pub const KEY_OVERLAP_MS: i64 = 24 * 3_600_000;

/// Window in which a registration can be repeated with the same idempotency key.
const REGISTRATION_REPLAY_MS: i64 = 24 * 3_600_000;

/// Life of a ticket whose agent sends no request.
pub const TICKET_MS: i64 = 10 * 60_000;

/// Life of a registration that has not joined for a rated game, from its last join.
pub const UNUSED_MS: i64 = 30 * 24 * 3_600_000;

/// A ticket older than this should have been handled by the message its join sent.
const OVERLOOKED_MS: i64 = 5_000;

/// Number of join keys remembered, so that a late duplicate does not queue the agent again.
const JOINS_MAX: usize = 4;

/// Number of opponents remembered for pairing.
const OPPONENTS_MAX: usize = 8;

/// A registered agent, as stored.
#[derive(Clone, PartialEq, Debug)]
pub struct Agent {
    pub name: AgentName,
    pub bio: Option<String>,
    /// Address of a page about it.
    pub url: Option<String>,
    /// Agents with the same owner are never paired.
    pub owner: Option<String>,
    pub keys: Keys,
    pub created: Timestamp,
    /// Time from which the name is free again, in whole seconds; `None` once the agent has joined for a
    /// rated game, or was banned.
    pub expires: Option<Timestamp>,
    /// Number of times it has joined the queue.
    pub epoch: u32,
    pub waiting: Option<Waiting>,
    /// The game it was last seated in, over or not.
    pub game: Option<GameId>,
    /// Hashes of its latest opponents, newest last.
    pub opponents: Vec<u32>,
    /// Today's games that can count, by opponent.
    pub tally: Tally,
    /// The latest join keys and the epochs they led to, newest last.
    pub joins: Vec<(Tag, u32)>,
    /// Number of no-shows in a row; a day without one resets it.
    pub no_shows: u8,
    /// End of the penalty for a no-show; it cannot join before.
    pub cool_until: Option<Timestamp>,
    /// The operator's reason for a ban, as the agent is told; it cannot act while there is one.
    pub ban: Option<String>,
}

/// The terms of a request to join.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wanted {
    pub division: Division,
    pub opponent: Opponent,
    /// False for a game outside the ratings, with an opponent that wants the same.
    pub rated: bool,
    pub tag: Option<Tag>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Waiting {
    pub division: Division,
    pub since: Timestamp,
    /// End of the ticket.
    pub until: Timestamp,
    /// Its rating in the division when it joined.
    pub rating: Rating,
    pub opponent: Opponent,
    pub rated: bool,
}

/// Outcome of a request to join.
#[derive(Clone, PartialEq, Debug)]
pub enum Join {
    /// Queued, once the plan is carried out.
    Commit(Plan, TicketId),
    /// Queued already.
    Queued(TicketId),
    /// Seated in a game in progress.
    Playing(GameId),
    /// The last game is over, but the standing read with it predates its end: a transaction is half
    /// visible. Read both again.
    HalfSeen,
    /// The same request was granted before, and its ticket is used up.
    Spent(TicketId),
}

/// A no-show's penalty: the agent cannot join before `until`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoolingDown {
    pub until: Timestamp,
}

impl Agent {
    pub fn register(name: AgentName, key: KeyHash, now: Timestamp) -> Agent {
        Agent {
            name,
            bio: None,
            url: None,
            owner: None,
            keys: Keys { current: key, previous: None },
            created: now,
            expires: Some(unused_until(now)),
            epoch: 0,
            waiting: None,
            game: None,
            opponents: Vec::new(),
            tally: Tally::default(),
            joins: Vec::new(),
            no_shows: 0,
            cool_until: None,
            ban: None,
        }
    }

    /// The digest that its games have: that of its current key, or of none while it is banned.
    pub fn digest(&self) -> KeyDigest {
        if self.ban.is_some() { KeyDigest::NONE } else { self.keys.current.digest() }
    }

    /// True if a registration that hands out `key` repeats the one that created this agent: same
    /// key, within the window, and the agent has not joined since.
    pub fn is_same_registration(&self, key: KeyHash, now: Timestamp) -> bool {
        self.keys.current == key
            && self.epoch == 0
            && now.since(self.created) < REGISTRATION_REPLAY_MS
    }

    /// True if the name is free again at `now`.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    /// The agent's ticket, if it is in the queue at `now`.
    pub fn ticket(&self, now: Timestamp) -> Option<TicketId> {
        let waiting = self.waiting.filter(|waiting| now <= waiting.until);
        waiting.map(|_| self.ticket_of(self.epoch))
    }

    fn ticket_of(&self, epoch: u32) -> TicketId {
        TicketId { agent: self.name.clone(), epoch }
    }

    /// Decides a request to join. `current` is the game named by [`Agent::game`], read after the
    /// agent; `None` if it no longer exists. `standing` is the agent's in the division.
    pub fn join(
        &self,
        wanted: Wanted,
        standing: &Standing,
        current: Option<&Game>,
        now: Timestamp,
    ) -> Result<Join, CoolingDown> {
        let Wanted { division, opponent, rated, tag } = wanted;
        if let Some(ticket) = self.ticket(now) {
            return Ok(Join::Queued(ticket));
        }
        if let Some(game) = current {
            match game.result() {
                None => return Ok(Join::Playing(game.id())),
                Some(result) => {
                    let is_listed = standing.recent.contains(&game.id());
                    let changes_it = !result.is_void() && game.is_rated();
                    if changes_it && game.header().division == division && !is_listed {
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
                created: self.created,
                seen_epoch: self.epoch,
                seen_game: self.game,
                waiting: Waiting {
                    division,
                    since: now,
                    until: now.plus(TICKET_MS),
                    // A game starts with the rating the last one ended with.
                    rating: standing.rating_at(now).stored(),
                    opponent,
                    rated,
                },
                expires: self.expires.filter(|_| !rated).map(|_| unused_until(now)),
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

    /// Gives up an expired ticket, unless it is extended before the write.
    pub fn lapse(&self, now: Timestamp) -> Option<Plan> {
        let waiting = self.waiting.filter(|waiting| now > waiting.until)?;
        Some(self.give_up(Some(waiting.until)))
    }

    fn give_up(&self, until: Option<Timestamp>) -> Plan {
        let write = Write::Leave { agent: self.name.clone(), epoch: self.epoch, until };
        Plan { messages: Vec::new(), writes: vec![write] }
    }

    /// Extends a ticket in the second half of its life: at most one write in five minutes, at any
    /// polling rate.
    pub fn refresh(&self, now: Timestamp) -> Option<Plan> {
        let waiting = self.waiting.filter(|waiting| now <= waiting.until)?;
        (waiting.until.since(now) < TICKET_MS / 2).then(|| Plan {
            messages: vec![Message::queue_changed(waiting.division, now)],
            writes: vec![Write::Refresh {
                agent: self.name.clone(),
                epoch: self.epoch,
                until: now.plus(TICKET_MS),
                expires: self.expires.map(|_| unused_until(now)),
            }],
        })
    }

    /// A ticket that its own message seems to have missed, and a new message for its queue.
    pub fn overlooked(&self, now: Timestamp) -> Option<(TicketId, Message)> {
        let waiting = self.waiting.filter(|waiting| now.since(waiting.since) > OVERLOOKED_MS)?;
        Some((self.ticket(now)?, Message::Match { division: waiting.division, at: now }))
    }

    /// Replaces what the agent says about itself, if anything is new.
    pub fn describe(&self, bio: Option<Text>, url: Option<Text>) -> Option<Plan> {
        let seen = self.keys.current;
        let write = Write::Describe { agent: self.name.clone(), seen, bio, url };
        let is_new = !matches!(write, Write::Describe { bio: None, url: None, .. });
        is_new.then(|| Plan { messages: Vec::new(), writes: vec![write] })
    }

    /// Replaces the API key. The previous one stays valid for a day, but cannot rotate again.
    /// `current` is the game named by [`Agent::game`]; if it is in progress it gets the new key
    /// too.
    pub fn rotate(&self, key: KeyHash, current: Option<&Game>, now: Timestamp) -> Plan {
        let previous = Some((self.keys.current, now.plus(KEY_OVERLAP_MS)));
        self.with_keys(Keys { current: key, previous }, current)
    }

    /// Replaces the keys, also in the game in progress.
    pub(crate) fn with_keys(&self, keys: Keys, current: Option<&Game>) -> Plan {
        let after = Agent { keys, ..self.clone() };
        let writes = [self.rekeyed(keys)].into_iter().chain(after.known_to(current)).collect();
        Plan { messages: Vec::new(), writes }
    }

    /// The write that tells the game in progress, if there is one, the digest of this agent.
    pub(crate) fn known_to(&self, current: Option<&Game>) -> Option<Write> {
        let game = current.filter(|game| game.result().is_none())?;
        let seat = game.seat_of(&self.name)?;
        Some(Write::Rekey { game: game.id(), seat, key: self.digest() })
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
            is_banned: self.ban.is_some(),
            keys,
        }
    }

    pub(crate) fn opponents_with(&self, opponent: u32) -> Vec<u32> {
        let mut opponents = self.opponents.clone();
        opponents.push(opponent);
        newest(opponents, OPPONENTS_MAX)
    }
}

/// End of a registration that is not used after `now`.
fn unused_until(now: Timestamp) -> Timestamp {
    Timestamp::from_ms((now.ms() + UNUSED_MS) / 1_000 * 1_000)
}

pub(crate) fn newest<T>(mut list: Vec<T>, most: usize) -> Vec<T> {
    list.drain(..list.len().saturating_sub(most));
    list
}
