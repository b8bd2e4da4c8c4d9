//! The arena's decisions as pure functions: games, the queue, pairing, ratings, timers, house bots.
//!
//! Nothing here reads a clock, draws a random number or performs I/O. Times and ids arrive as
//! arguments; changes are returned as a [`Plan`].

mod agent;
mod counting;
mod game;
mod hint;
pub mod house;
mod ids;
mod operator;
pub mod pairing;
mod plan;
pub mod progress;
mod rating;
pub mod seating;
mod standing;
mod terms;
pub mod timer;

pub use agent::{
    Agent, CoolingDown, Join, KEY_OVERLAP_MS, KeyHash, Keys, TICKET_MS, UNUSED_MS, Waiting, Wanted,
};
pub use counting::{Tally, Uncounted};
pub use game::{
    Action, Actor, BrokenLog, Decision, Entry, Game, GameResult, Header, Holder, Intent, Player,
    Reason, Rejection, Ruling, Submission,
};
pub use hint::poll_after_ms;
pub use house::{HouseLevel, Opponent};
pub use ids::{AgentName, GameId, InvalidId, KeyDigest, Tag, TicketId, Timestamp, TurnNumber};
pub use operator::Playing;
pub use plan::{HOP_MS, Message, Plan, Text, Write};
pub use rating::{Rating, Score};
pub use standing::{RECENT_MAX, Standing};
pub use terms::{Division, Pace, Pool, UnknownPool};
