//! Plans: what to write and what must still be true when it is written, as data.
//!
//! The store turns a plan into one conditional DynamoDB write or one transaction; the simulator
//! carries out the same plan on maps. Nothing else changes anything.

use renju::Seat;

use crate::agent::{Agent, KeyHash, Keys, Waiting};
use crate::counting::Tally;
use crate::game::{Game, Header};
use crate::ids::{AgentName, GameId, KeyDigest, Timestamp, TurnNumber};
use crate::standing::Standing;
use crate::terms::Division;

/// A change: its messages are sent first, then all its writes happen together or not at all.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Messages that must be on their way before the writes make them necessary.
    pub messages: Vec<Message>,
    /// The writes. One is a conditional write, several are a transaction.
    pub writes: Vec<Write>,
}

/// A message to the referee or to the house bots. It says where to look and has no authority: lost, late or doubled,
/// it can only cause a decision to be asked for again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Message {
    /// Look at a game's clock.
    Timer {
        /// The game.
        game: GameId,
        /// When to look; also tells which link of the game's one chain this is.
        fire: Timestamp,
    },
    /// Look whether tickets can be paired.
    Match {
        /// The queue.
        division: Division,
        /// When to look.
        at: Timestamp,
    },
    /// Look whether a house bot is to act. The only message that the referee does not hear: engines
    /// think slowly, and deadlines must not wait for them.
    House {
        /// The game.
        game: GameId,
        /// The turn it is to act in.
        turn: TurnNumber,
    },
    /// Look at all games and queues.
    Sweep,
    /// Look at the games of a shard of the list of live games, or go on with them.
    SweepOn {
        /// The shard.
        shard: u8,
        /// The start and the id of the last game that was looked at.
        after: Option<(Timestamp, GameId)>,
    },
}

/// The longest a message can be delayed.
pub const HOP_MS: i64 = 900_000;

/// How long it may take until a write has reached an index.
const INDEX_LAG_MS: i64 = 1_000;

impl Message {
    /// Looks at a queue as soon as what changes there at `now` has reached the index.
    pub fn queue_changed(division: Division, now: Timestamp) -> Message {
        Message::Match { division, at: now.plus(INDEX_LAG_MS) }
    }

    /// How long from `now` the message should be delayed.
    pub fn delay_ms(&self, now: Timestamp) -> i64 {
        match *self {
            Message::Timer { fire, .. } => fire.since(now).clamp(0, HOP_MS),
            Message::Match { at, .. } => at.since(now).clamp(0, HOP_MS),
            Message::House { .. } | Message::Sweep | Message::SweepOn { .. } => 0,
        }
    }

    /// True if handling `other` serves this message too: one look at a queue is enough for a batch.
    pub fn is_served_by(&self, other: &Message) -> bool {
        let queue = |message: &Message| match message {
            Message::Match { division, .. } => Some(*division),
            _ => None,
        };
        queue(self).is_some() && queue(self) == queue(other)
    }
}

/// One conditional write. Each variant names what it requires.
#[derive(Clone, PartialEq, Debug)]
pub enum Write {
    /// Requires that the name is free.
    Register(Box<Agent>),
    /// Requires that the agent has neither joined nor been seated since it was read.
    Join {
        /// Who.
        agent: AgentName,
        /// The epoch that was read; the new one is the next.
        seen_epoch: u32,
        /// The game that was read.
        seen_game: Option<GameId>,
        /// The place in the queue.
        waiting: Waiting,
        /// The join keys to remember.
        joins: Vec<(crate::ids::Tag, u32)>,
    },
    /// Requires that the agent waits with this epoch and, if it is named, with this end.
    Leave {
        /// Who.
        agent: AgentName,
        /// The ticket's epoch.
        epoch: u32,
        /// The ticket's end that was read, if it is given up for having run out.
        until: Option<Timestamp>,
    },
    /// Requires that the agent waits with this epoch.
    Refresh {
        /// Who.
        agent: AgentName,
        /// The ticket's epoch.
        epoch: u32,
        /// The ticket's new end.
        until: Timestamp,
    },
    /// Requires that the agent waits with this epoch and has this key.
    Seat {
        /// Who.
        agent: AgentName,
        /// The ticket's epoch.
        epoch: u32,
        /// The key the game has been given the digest of.
        key: KeyHash,
        /// The game.
        game: GameId,
        /// The opponents to remember.
        opponents: Vec<u32>,
        /// The games of the day that count, this one with them if it does.
        tally: Tally,
    },
    /// Requires that the key is the one that was read, and that the agent has not been seated
    /// since: a game must never keep a key that is no longer its player's.
    Keys {
        /// Who.
        agent: AgentName,
        /// The current key that was read.
        seen: KeyHash,
        /// The game that was read.
        seen_game: Option<GameId>,
        /// The keys from now on.
        keys: Keys,
    },
    /// Requires that the agent is still the one seated in this game.
    CoolDown {
        /// Who.
        agent: AgentName,
        /// The game it did not show up in.
        game: GameId,
        /// How often in a row now.
        no_shows: u8,
        /// Until when it may not join.
        until: Timestamp,
    },
    /// Requires that the agent has been rated this often in the division before.
    Rate {
        /// Who.
        agent: AgentName,
        /// Where.
        division: Division,
        /// How many games were in the standing that was read, counted or not.
        seen_games: u32,
        /// The standing from now on.
        standing: Box<Standing>,
    },
    /// Requires that no such game exists.
    Create {
        /// What is fixed at the start.
        header: Box<Header>,
        /// When the first link of its chain of timers fires.
        armed: Timestamp,
    },
    /// Requires that the game is at the turn before the last of this log.
    Advance(Box<Game>),
    /// Requires the same; takes the game off the clock and off the list of live games.
    Finish(Box<Game>),
    /// Requires that the chain of timers is at this link.
    Rearm {
        /// The game.
        game: GameId,
        /// The link that fired.
        from: Timestamp,
        /// The next.
        to: Timestamp,
    },
    /// Requires that the game exists.
    Rekey {
        /// The game.
        game: GameId,
        /// Whose key.
        seat: Seat,
        /// The new key's digest.
        key: KeyDigest,
    },
}

impl Write {
    /// The turn a game must be at for its next entry to be written.
    pub fn seen_turn(game: &Game) -> TurnNumber {
        TurnNumber(game.turn().0.checked_sub(1).expect("a game is written with a new entry"))
    }
}
