//! The tables of the evaluation, in the form `examples/tune.rs` prints.
//!
//! These are the tuner's start: what it has printed so far wins no more games than they do.

use crate::class::Class;
use crate::shape::Shape;

/// What each count is worth, for the player to move and for the opponent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    pub(crate) shapes: [[i32; Shape::COUNT]; 2],
    pub(crate) classes: [[i32; Class::COUNT]; 2],
    pub(crate) to_move: i32,
    pub(crate) pair: i32,
    pub(crate) order: Order,
}

/// How promising a move is, by what it makes and what it takes from the opponent, and by its distance
/// from the last stone: 64 units make it e times as likely to be the best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) shapes: [[i16; Shape::COUNT]; 2],
    pub(crate) classes: [[i16; Class::COUNT]; 2],
    pub(crate) distance: [i16; 8],
}

impl Weights {
    /// Rulesets in which both colours may make what they like.
    pub(crate) const FREE: Weights = Weights {
        shapes: [
            [0, 0, 1, 1, 2, 5, 7, 6, 14, 16, 20, 20, 40, 0, 0],
            [0, 0, 1, 1, 2, 5, 6, 6, 12, 14, 14, 14, 40, 0, 0],
        ],
        classes: [[0, 4, 25, 80, 0, 20, 300, 0, 0, -10], [0, 2, 10, 40, 0, 10, 90, 30, 0, -10]],
        to_move: 20,
        pair: 70,
        order: Order {
            shapes: [
                [0, 0, 0, 0, 9, 24, 30, 33, 72, 84, 90, 150, 270, 600, 0],
                [0, 0, 0, 0, 6, 16, 20, 22, 48, 56, 60, 100, 180, 400, 0],
            ],
            classes: [
                [0, 60, 130, 200, 90, 180, 900, 1500, 5000, 0],
                [0, 40, 90, 150, 20, 60, 500, 700, 3000, -20],
            ],
            distance: [0; 8],
        },
    };

    /// Renju with Black to move.
    pub(crate) const RENJU_BLACK: Weights = Weights::FREE;

    /// Renju with White to move.
    pub(crate) const RENJU_WHITE: Weights = Weights::FREE;
}
