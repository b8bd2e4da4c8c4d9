//! Weights of the move order; the values are in `fitted`.

mod fitted;

use crate::class::Class;
use crate::shape::Shape;

/// Move order by what a move makes, what it denies the opponent, and its distance from the last
/// stone: 64 units make it e times as likely to be the best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) shapes: [[i16; Shape::COUNT]; 2],
    pub(crate) classes: [[i16; Class::COUNT]; 2],
    pub(crate) distance: [i16; 8],
}
