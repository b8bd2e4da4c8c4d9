//! Shared code of tests, benches and measurements.
//!
//! Without features: random numbers and plays, games to start from, settings of a run. With `stage`: a stored
//! game on a DynamoDB that answers from memory. With `arena`: a fresh arena, agents that talk HTTP to it, and
//! what goes wrong between.
//!
//! Requests to an arena go over a real port to the real functions on a real DynamoDB and SQS: those inside this
//! process by default, any LocalStack-compatible server with `ARENA_TEST_ENDPOINT=http://…`, or a pinned
//! LocalStack container with `ARENA_TEST_STACK=localstack` and the feature `localstack`.
//! `TestArena::finish` audits all tables; a test that forgets it fails.

#![allow(missing_docs, reason = "only what a name does not say has a comment")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

#[cfg(feature = "arena")]
mod arena;
mod directory;
#[cfg(feature = "document")]
mod document;
mod fixtures;
#[cfg(any(feature = "arena", feature = "stage"))]
mod line;
mod random;
mod running;
#[cfg(feature = "stage")]
mod stage;

#[cfg(feature = "arena")]
pub use crate::arena::*;
pub use directory::Directory;
#[cfg(feature = "document")]
pub use document::closed;
pub use fixtures::*;
#[cfg(any(feature = "arena", feature = "stage"))]
pub use line::request_line;
pub use random::Random;
pub use running::Running;
#[cfg(feature = "stage")]
pub use stage::{Stage, print_ours};

use std::str::FromStr;

/// The number in this environment variable, which is one or is not set.
#[track_caller]
pub fn setting<T: FromStr>(variable: &str) -> Option<T> {
    let text = std::env::var(variable).ok().filter(|text| !text.is_empty())?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is {text:?}, not a number")))
}

/// The first characters of a text.
pub fn beginning(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}
