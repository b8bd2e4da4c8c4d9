//! Interface between the use cases and the outside world.

use std::fmt::Display;

use arena::pairing::Ticket;
use arena::{
    Agent, AgentName, Division, Game, GameId, Message, Pace, Standing, TicketId, Timestamp,
    TurnNumber, Write,
};

use crate::commit::Commit;
use crate::fault::Fault;

/// I/O of the use cases, implemented by the store and by the simulator; used with static dispatch.
///
/// After a fault of [`Backend::write`] or [`Backend::send`] the call may or may not have taken
/// effect.
#[allow(async_fn_in_trait, reason = "callers that need Send futures see the concrete types")]
pub trait Backend {
    /// This machine's clock.
    fn now(&self) -> Timestamp;

    /// Time limits of the deployment.
    fn pace(&self) -> &Pace;

    /// Number of shards of the list of live games.
    fn shards(&self) -> u8;

    /// Records an event for the log and the metrics.
    fn note(&self, note: Note<'_>);

    /// True once in a while for each chore, as far as this process remembers; false in between.
    fn is_due(&self, chore: Chore) -> bool;

    /// Waits for a random time from `ms / 2` to `ms`, so that two writers in conflict get out of
    /// step.
    async fn pause(&self, ms: u64);

    /// An agent; a strong read.
    async fn agent(&self, name: &AgentName) -> Result<Option<Agent>, Fault>;

    /// The standings of these agents in a division, in this order; strong reads.
    /// [`Standing::NEW`] for an agent that has not played there.
    async fn standings(
        &self,
        agents: &[&AgentName],
        division: Division,
    ) -> Result<Vec<Standing>, Fault>;

    /// A game, read as `read` says.
    async fn game(&self, id: GameId, read: Read) -> Result<Option<Stored>, Fault>;

    /// An agent and a game as of one moment: never half of a transaction.
    async fn agent_and_game(
        &self,
        name: &AgentName,
        id: GameId,
    ) -> Result<(Option<Agent>, Option<Game>), Fault>;

    /// These games in any order, without those that do not exist or cannot be decoded; cheap reads.
    async fn games(&self, ids: &[GameId]) -> Result<Vec<Stored>, Fault>;

    /// The queue of a division, from an index that may lag behind.
    async fn tickets(&self, division: Division, now: Timestamp) -> Result<Tickets, Fault>;

    /// At most `limit` games in progress of a shard that started before `before`, oldest first,
    /// from an index that may lag behind.
    async fn live_games(
        &self,
        shard: u8,
        before: Timestamp,
        after: Option<LiveCursor>,
        limit: u16,
    ) -> Result<LiveGames, Fault>;

    /// Makes these writes, all or none. `None` if another transaction was writing the same items:
    /// nothing is written, and the next attempt may succeed.
    async fn write(&self, writes: &[Write]) -> Result<Option<Commit>, Fault>;

    /// Sends these messages. Sending one again is harmless.
    async fn send(&self, messages: &[Message]) -> Result<(), Fault>;

    /// Records that the sweep ran.
    async fn heartbeat(&self) -> Result<(), Fault>;

    /// Counts a registration from `address`; `limit` are granted in `window_s` seconds. `Some` is
    /// the time from which the next one is granted.
    async fn admit(
        &self,
        address: &str,
        window_s: u32,
        limit: u32,
    ) -> Result<Option<Timestamp>, Fault>;
}

/// Consistency of a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// Half the price; may be a moment old.
    Cheap,
    /// The latest version.
    Strong,
}

#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, PartialEq, Debug)]
pub struct Stored {
    pub game: Game,
    /// The current link of its chain of timers; `None` once the game is over.
    pub armed: Option<Timestamp>,
}

/// The queue of a division.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tickets {
    /// Valid tickets.
    pub waiting: Vec<Ticket>,
    /// Agents whose ticket has expired and is still listed.
    pub lapsed: Vec<AgentName>,
}

/// Position in a shard's list of live games: start and id of a game.
pub type LiveCursor = (Timestamp, GameId);

/// A page of a shard's live games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveGames {
    /// The games that can be decoded.
    pub games: Vec<GameId>,
    /// End of this page; `None` if it is the last.
    pub next: Option<LiveCursor>,
}

/// Work that many requests ask for but that needs doing only once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Chore {
    /// Sending the message to a late house bot again.
    CallHouse(GameId, TurnNumber),
    /// Pairing the queue of a ticket that seems to have been missed.
    PairAgain(TicketId),
}

/// An event for the log and the metrics.
#[derive(Clone, Copy)]
pub enum Note<'a> {
    /// The caller, authenticated.
    Agent(&'a AgentName),
    /// The game and the turn of this request.
    Turn(GameId, TurnNumber),
    /// The clock ended a game that was overdue since this time.
    Ended(Timestamp),
    /// A game was started for agents queued since these times.
    Matched(&'a [Timestamp]),
    /// A stored item was skipped because it cannot be decoded.
    Unreadable(&'a dyn Display),
    /// Part of the work failed; the rest continues.
    Failed(&'a Fault),
}
