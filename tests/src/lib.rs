//! Cost of a game, bytes of a game played by a language model, and an agent's first game to read along.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

pub mod cost;
pub mod first_game;
pub mod skill_bytes;
