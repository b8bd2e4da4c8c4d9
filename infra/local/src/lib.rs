//! The whole arena in one process: the same functions as on Lambda, behind one port, on a DynamoDB
//! and an SQS inside the process. Decides nothing about a game.

mod arena;
mod body;
mod data;
mod duel;
mod error;
mod exhibition;
mod functions;
mod gateway;
mod limits;
mod pump;
mod resume;
mod server;
mod services;
mod stack;

pub use crate::arena::{Arena, Options};
pub use data::pepper;
pub use error::{StartError, Unusable};
pub use limits::{Limits, Requests};
pub use stack::{Endpoint, Stack};
