//! The frames of capture gomoku over a socket: one JSON text each way, the whole board in every one.
//!
//! Unlike the rest of the API these shapes are not ours: camelCase, `X` and `O`, `board[y][x]`, as
//! the front ends of that game send them. Fields nobody here knows are left alone.

mod reply;
mod request;

pub use reply::{Rated, Reply, Searched};
pub use request::{BadFrame, Difficulty, FRAME_MAX, Request};

use renju::Color;

use crate::word::{Spelled, Word};

/// The side of the board in every frame.
pub const SIDE: u8 = 19;

/// A colour as these frames write it: the first player is `X`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stone(Color);

impl Spelled for Stone {
    const WORDS: &'static [(Stone, &'static str)] =
        &[(Stone(Color::Black), "X"), (Stone(Color::White), "O")];
}

type Letter = Word<Stone>;
