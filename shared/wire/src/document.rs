//! The documents for agents, made from the one table of routes and from the views themselves, so
//! that they cannot drift from what the arena does.

mod example;
mod openapi;
mod prose;
mod reference;

pub(crate) use example::Example;
pub use openapi::openapi;
pub use prose::{duel, heartbeat, llms, skill, skill_index};
pub use reference::reference;

use crate::problem::Code;

/// Facts that a document needs and this crate does not know.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "plain data")]
pub struct Site<'a> {
    /// Base URL without a slash at the end: `https://arena.example`.
    pub base: &'a str,
    pub version: &'a str,
    pub statuses: Statuses,
}

/// The status codes of every answer.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "plain data")]
pub struct Statuses {
    pub ok: u16,
    pub created: u16,
    pub not_modified: u16,
    /// The status of a problem.
    pub of: fn(Code) -> u16,
}
