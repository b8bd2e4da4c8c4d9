//! Plans: writes with their conditions, as data.
//!
//! The store turns a plan into one conditional DynamoDB write or one transaction; the simulator
//! carries out the same plan on maps. All changes go through plans.

#![allow(missing_docs, reason = "the names say it")]

use renju::Seat;

use crate::agent::{Agent, KeyHash, Keys, Waiting};
use crate::counting::Tally;
use crate::game::{Game, Header};
use crate::ids::{AgentName, GameId, KeyDigest, Tag, Timestamp, TurnNumber};
use crate::standing::Standing;
use crate::terms::Division;

/// A change: its messages are sent first, then all its writes happen together or not at all.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Sent before the writes that make them necessary.
    pub messages: Vec<Message>,
    /// One is a conditional write, several are a transaction.
    pub writes: Vec<Write>,
}

/// A message to the referee or to the house bots. It names what to check and has no authority:
/// lost, late or doubled, it can only cause a decision to be asked for again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Message {
    /// Check a game's clock. The time also identifies the link in the game's chain of timers.
    Timer { game: GameId, fire: Timestamp },
    /// Pair the tickets of a queue.
    Match { division: Division, at: Timestamp },
    /// Let a house bot act, if it is its turn. The only message that does not go to the referee:
    /// engines are slow, and deadlines must not wait for them.
    House { game: GameId, turn: TurnNumber },
    /// Check all games and queues.
    Sweep,
    /// Check the games of one shard of the list of live games, from the start or `after` the last
    /// game checked.
    SweepOn { shard: u8, after: Option<(Timestamp, GameId)> },
}

/// The longest delay of a message.
pub const HOP_MS: i64 = 900_000;

/// Time until a write is visible in an index, at most.
const INDEX_LAG_MS: i64 = 1_000;

impl Message {
    /// Pairs a queue once a change made there at `now` is visible in the index.
    pub fn queue_changed(division: Division, now: Timestamp) -> Message {
        Message::Match { division, at: now.plus(INDEX_LAG_MS) }
    }

    pub fn delay_ms(&self, now: Timestamp) -> i64 {
        match *self {
            Message::Timer { fire, .. } => fire.since(now).clamp(0, HOP_MS),
            Message::Match { at, .. } => at.since(now).clamp(0, HOP_MS),
            Message::House { .. } | Message::Sweep | Message::SweepOn { .. } => 0,
        }
    }

    /// True if handling `other` handles this message too: a queue is paired once in a batch.
    pub fn is_served_by(&self, other: &Message) -> bool {
        let queue = |message: &Message| match message {
            Message::Match { division, .. } => Some(*division),
            _ => None,
        };
        queue(self).is_some() && queue(self) == queue(other)
    }
}

/// New value of a text; `None` removes it.
pub type Text = Option<String>;

/// One conditional write. Each variant says what it requires.
#[derive(Clone, PartialEq, Debug)]
pub enum Write {
    /// Requires that the name is free, or was registered and not used until `created` of this agent.
    Register(Box<Agent>),
    /// Requires that the agent has neither joined nor been seated since it was read, is not banned, and
    /// is still the one that was registered at `created`.
    Join {
        agent: AgentName,
        created: Timestamp,
        seen_epoch: u32,
        seen_game: Option<GameId>,
        waiting: Waiting,
        expires: Option<Timestamp>,
        joins: Vec<(Tag, u32)>,
    },
    /// Requires that the agent is in the queue with this epoch and, if given, this end. The end is
    /// given for an expired ticket only.
    Leave { agent: AgentName, epoch: u32, until: Option<Timestamp> },
    /// Requires that the agent is in the queue with this epoch.
    /// Moves the end of an unused name too, if it has one.
    Refresh { agent: AgentName, epoch: u32, until: Timestamp, expires: Option<Timestamp> },
    /// Requires that the agent is in the queue with this epoch and has this key.
    Seat {
        agent: AgentName,
        epoch: u32,
        /// The key whose digest the game has.
        key: KeyHash,
        game: GameId,
        opponents: Vec<u32>,
        /// Today's games that can count, including this one if it can.
        tally: Tally,
    },
    /// Requires that the key is the one that was read, and that the agent has not been seated,
    /// banned or unbanned since: a game must never keep a key its player has replaced.
    Keys { agent: AgentName, seen: KeyHash, seen_game: Option<GameId>, is_banned: bool, keys: Keys },
    /// Requires that the key is the one that was read: the name may be another's by now. `None` leaves
    /// a text as it is.
    Describe { agent: AgentName, seen: KeyHash, bio: Option<Text>, url: Option<Text> },
    /// Requires that the key is the one that was read, and that the agent has not been seated
    /// since. Bans the agent, which leaves the queue; without a reason, ends its ban.
    Ban { agent: AgentName, seen: KeyHash, seen_game: Option<GameId>, why: Option<String> },
    /// Requires the same. Removes the agent and frees its name.
    Delete { agent: AgentName, seen: KeyHash, seen_game: Option<GameId> },
    /// Requires nothing. Removes the agent's standing in the division, if it has one.
    Unrate { agent: AgentName, division: Division },
    /// Requires that this is still the last game of the agent.
    CoolDown { agent: AgentName, game: GameId, no_shows: u8, until: Timestamp },
    /// Requires that the agent's standing in the division has this number of games, counted or not.
    Rate { agent: AgentName, division: Division, seen_games: u32, standing: Box<Standing> },
    /// Requires that no such game exists. Its chain of timers starts with the link `armed`.
    Create { header: Box<Header>, armed: Timestamp },
    /// Requires that the game is at the turn before the last of this log.
    Advance(Box<Game>),
    /// Requires the same; also takes the game off the clock and off the list of live games.
    Finish(Box<Game>),
    /// Requires that the chain of timers is at link `from`.
    Rearm { game: GameId, from: Timestamp, to: Timestamp },
    /// Requires that the game exists.
    Rekey { game: GameId, seat: Seat, key: KeyDigest },
}

impl Write {
    /// The turn a game must be at for its last entry to be written.
    pub fn seen_turn(game: &Game) -> TurnNumber {
        TurnNumber(game.turn().0.checked_sub(1).expect("a game is written with a new entry"))
    }
}
