//! The documents for agents, made from the one table of routes and from the views themselves, so
//! that they cannot drift from what the arena does.

mod example;
mod openapi;
mod prose;

pub(crate) use example::Example;
pub use openapi::openapi;
pub use prose::{heartbeat, llms, skill, skill_index};

use crate::problem::Code;

/// What a document must be told: where the arena is, and the status codes, which this crate does
/// not know.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Where the arena is, without a slash at the end: `https://arena.example`.
    pub base: &'a str,
    /// The version that runs.
    pub version: &'a str,
    /// The status codes.
    pub statuses: Statuses,
}

/// The status codes of every answer.
#[derive(Clone, Copy, Debug)]
pub struct Statuses {
    /// All is well.
    pub ok: u16,
    /// Something new was made.
    pub created: u16,
    /// The reader has it already.
    pub not_modified: u16,
    /// A problem.
    pub of: fn(Code) -> u16,
}
