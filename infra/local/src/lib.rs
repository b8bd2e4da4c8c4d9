//! The whole arena in one process: the same functions as on Lambda, behind one port, on a DynamoDB
//! and an SQS that run inside. Nothing here decides anything about a game.

mod arena;
mod body;
mod duel;
mod functions;
mod gateway;
mod limits;
mod pepper;
mod pump;
mod server;
mod stack;

pub use crate::arena::{Arena, Options};
pub use limits::{Limits, Requests};
pub use pepper::pepper;
pub use stack::Stack;
