//! The tables of the evaluation, printed by `examples/tune.rs` from 2200 games of 800 nodes a move
//! and ruleset.

use crate::class::Class;
use crate::shape::Shape;

/// What each count is worth, for the player to move and for the opponent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    pub(crate) shapes: [[i32; Shape::COUNT]; 2],
    pub(crate) classes: [[i32; Class::COUNT]; 2],
    pub(crate) to_move: i32,
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
            [0, -1, 0, 0, 1, 4, 5, 7, 10, 20, 18, 0, 43, 0, 0],
            [0, -1, -1, 0, 1, 4, 4, 6, 11, 18, 18, 0, 50, 79, 0],
        ],
        classes: [[0, 5, 24, 32, 9, 35, 41, 150, 300, 0], [0, 2, 24, 44, 6, 33, 65, 49, 79, 0]],
        to_move: 2,
        order: Order {
            shapes: [
                [-88, -61, -54, -9, -57, 13, 72, 27, 10, 73, 90, 0, 0, 0, 0],
                [-86, -75, -76, -72, -69, -27, 1, 4, 16, 79, 63, 0, 192, 0, 0],
            ],
            classes: [
                [-71, 28, 49, 58, 81, 93, 36, 400, 800, 0],
                [-111, 8, 21, 116, 4, 35, 182, 190, 600, 0],
            ],
            distance: [0, 27, 12, 10, 8, -6, -23, -28],
        },
    };

    /// Renju with Black to move.
    pub(crate) const RENJU_BLACK: Weights = Weights {
        shapes: [
            [0, 0, -1, -1, 0, 2, 3, 6, 11, 7, 11, 17, -11, 0, 18],
            [0, -1, -1, -1, 1, 3, 2, 6, 7, 15, 13, 0, 39, 63, 0],
        ],
        classes: [[0, 4, 17, 0, 12, 31, 28, 150, 300, -31], [0, 3, 17, 35, 8, 22, 48, 36, 63, 0]],
        to_move: 3,
        order: Order {
            shapes: [
                [-84, -61, -50, -1, -63, -1, 58, 22, 6, 67, 85, 0, -5, 0, -34],
                [-80, -70, -73, -70, -66, -23, 6, 3, 16, 85, 59, 0, 189, 0, 0],
            ],
            classes: [
                [-69, 33, 59, 0, 84, 91, 91, 400, 800, -261],
                [-106, 12, 34, 120, 5, 39, 187, 185, 600, 0],
            ],
            distance: [0, 26, 11, 6, 7, -6, -15, -27],
        },
    };

    /// Renju with White to move.
    pub(crate) const RENJU_WHITE: Weights = Weights {
        shapes: [
            [0, -1, -1, -1, 1, 3, 3, 7, 7, 17, 14, 0, 28, 0, 0],
            [0, -1, -1, -1, 1, 1, 3, 5, 12, 8, 11, -2, 34, 68, -3],
        ],
        classes: [[0, 5, 18, 26, 10, 22, 26, 150, 300, 0], [0, 2, 18, 0, 9, 30, 45, 39, 68, -7]],
        to_move: -1,
        order: Order {
            shapes: [
                [-87, -59, -51, -7, -58, 10, 69, 27, 9, 74, 92, 0, 0, 0, 0],
                [-97, -83, -84, -78, -75, -36, -7, -9, 11, 85, 37, 114, 194, 0, -136],
            ],
            classes: [
                [-74, 24, 50, 53, 78, 100, 67, 400, 800, 0],
                [-116, 0, 15, 0, 5, 40, 174, 195, 600, 4],
            ],
            distance: [0, 25, 14, 13, 5, -5, -22, -27],
        },
    };
}
