//! Weights of the evaluation and the move ordering; the values are in `fitted`.

mod fitted;

use crate::class::Class;
use crate::shape::Shape;

/// Value of each shape and class, for the player to move and for the opponent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    pub(crate) shapes: [[i32; Shape::COUNT]; 2],
    pub(crate) classes: [[i32; Class::COUNT]; 2],
    pub(crate) to_move: i32,
    pub(crate) order: Order,
}

/// Move ordering by what a move makes, what it denies the opponent, and its distance from the last
/// stone: 64 units make it e times as likely to be the best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) shapes: [[i16; Shape::COUNT]; 2],
    pub(crate) classes: [[i16; Class::COUNT]; 2],
    pub(crate) distance: [i16; 8],
}
