//! The harness: a fresh arena for each test, agents that talk HTTP to it, and what goes wrong between.
//!
//! Requests go over a real port to the real functions on a real DynamoDB and SQS: those inside this
//! process by default, any LocalStack-compatible server with `ARENA_TEST_ENDPOINT=http://…`, or a
//! pinned LocalStack container with `ARENA_TEST_STACK=localstack` and the feature `localstack`.
//! [`TestArena::finish`] audits all tables; a test that forgets it fails.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

mod act;
mod agent;
mod arena;
mod client;
mod conform;
pub mod cost;
mod fault;
pub mod first_game;
#[cfg(feature = "localstack")]
mod localstack;
mod r#match;
mod probe;
mod process;
mod server;

pub use crate::arena::{Setup, TestArena, batch, failed};
pub use act::{Act, offer, place, resign, swap};
pub use agent::Agent;
pub use client::{Call, Client, Reply};
pub use fault::{Faults, Trouble};
#[cfg(feature = "localstack")]
pub use localstack::localstack;
pub use r#match::{FIVE_STONES, Match};
pub use process::Process;
pub use server::Server;

/// The ruleset an agent plays that names none.
pub const TARAGUCHI: &str = "renju_taraguchi10_international";

/// Ten points that may be offered together while they are empty.
pub const TEN: [&str; 10] = ["i8", "i9", "j8", "j9", "j10", "k8", "k9", "k10", "k11", "l8"];

/// An opening without a swap, up to the fifth move: Black has h8 and f8, White g7 and e9.
pub const QUIET_OPENING: &str = "h8 keep g7 keep f8 keep e9 keep";

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    arena_store::now().ms()
}

/// Waits for a condition that others bring about; fails after `seconds`.
pub async fn eventually<T, F: Future<Output = Option<T>>>(
    what: &str,
    seconds: u64,
    mut look: impl FnMut() -> F,
) -> T {
    let until = tokio::time::Instant::now() + std::time::Duration::from_secs(seconds);
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(tokio::time::Instant::now() < until, "{what}: not within {seconds} s");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}
