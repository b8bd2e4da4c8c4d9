//! Conversations with the arena, over HTTP, with the real functions. Every test has tables of its own
//! and ends with an audit of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

mod clock;
mod cost;
mod counting;
mod documents;
mod duel;
mod exhibition;
mod front;
mod games;
mod health;
mod house;
mod keys;
mod lists;
mod log;
mod operators;
mod overload;
mod pages;
mod polling;
mod problems;
mod queue;
mod races;
mod restart;
mod retries;
mod share;
mod skill;
mod start;
mod taraguchi10;
mod unreadable;
