//! The parts of the arena's answers that an agent of the crowd looks at. The rest is skipped, so
//! that reading costs the crowd little beside what answering costs the arena.

use arena_wire::{GameStatus, StatusName};
use serde::Deserialize;
use serde_json::{Map, Value};

/// `POST /agents/register`.
#[derive(Deserialize)]
pub(crate) struct Registered {
    pub(crate) api_key: String,
}

/// Any queue route, and `GET /agents/me`.
#[derive(Deserialize)]
pub(crate) struct Place {
    pub(crate) status: StatusName,
    pub(crate) active_game: Option<String>,
    pub(crate) poll_after_ms: i64,
}

/// A game.
#[derive(Deserialize)]
pub(crate) struct Sight<'a> {
    pub(crate) ruleset: &'a str,
    pub(crate) status: GameStatus,
    pub(crate) turn_number: u32,
    pub(crate) poll_after_ms: i64,
    #[serde(borrow)]
    pub(crate) required_action: Option<Due<'a>>,
    #[serde(borrow, default)]
    pub(crate) legal_moves: Vec<Spot<'a>>,
    #[serde(borrow)]
    pub(crate) forbidden_moves: Vec<Spot<'a>>,
}

/// The decision that is due.
#[derive(Deserialize)]
pub(crate) struct Due<'a> {
    pub(crate) path: &'a str,
    pub(crate) example: Map<String, Value>,
    #[serde(borrow, default)]
    pub(crate) alternatives: Vec<Due<'a>>,
}

/// A point.
#[derive(Deserialize)]
pub(crate) struct Spot<'a> {
    pub(crate) name: &'a str,
}
