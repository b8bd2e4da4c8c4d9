//! The arena's use cases: load, decide, commit, notify. Each is written once, over [`Backend`].
//!
//! The Lambda functions call them with the store (DynamoDB and SQS); the simulator calls the same
//! code with maps and a virtual clock, so it tests what is deployed. Every await is a call of the
//! backend (or a house bot thinking), so a use case can stop after any of them and leave nothing
//! half done.
//!
//! Decisions are made by `arena`, in pure functions; nothing here names a table, a status code or a
//! clock.

mod account;
mod backend;
mod commit;
mod fault;
mod game;
mod house;
mod matchmaking;
mod message;
mod operator;
mod queue;
mod refused;
mod sweep;
mod timer;

pub use account::{Caller, Registered, Rotated, describe, register, revoke, rotate};
pub use backend::{Backend, Chore, LiveCursor, LiveGames, Note, Read, Stored, Tickets};
pub use commit::{Commit, Current, Stale, commit};
pub use fault::{Cause, Fault};
pub use game::{Seen, Settled, enforce, game, game_at, look, settle, submit};
pub use house::{NoPlay, act_for_house};
pub use message::{handle, handle_all};
pub use operator::{Declined, ban, delete, reset_key, rule, unban};
pub use queue::{InQueue, join, leave, place};
pub use refused::{Again, Refused};

/// Attempts of a decision when other writers are faster.
const ATTEMPTS_MAX: usize = 4;
