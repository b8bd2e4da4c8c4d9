//! Cost of a game, and an agent's first game, as a conversation to read along.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

pub mod cost;
pub mod first_game;
