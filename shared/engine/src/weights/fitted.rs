//! The tables of the move order, printed by `examples/tune.rs` from 2200 games of 800 nodes a move
//! and ruleset.

use super::Order;

impl Order {
    /// Rulesets in which both colours may make what they like.
    pub(crate) const FREE: Order = Order {
        shapes: [
            [-88, -61, -54, -9, -57, 13, 72, 27, 10, 73, 90, 0, 0, 0, 0],
            [-86, -75, -76, -72, -69, -27, 1, 4, 16, 79, 63, 0, 192, 0, 0],
        ],
        classes: [
            [-71, 28, 49, 58, 81, 93, 36, 400, 800, 0],
            [-111, 8, 21, 116, 4, 35, 182, 190, 600, 0],
        ],
        distance: [0, 27, 12, 10, 8, -6, -23, -28],
    };

    /// Renju with Black to move.
    pub(crate) const RENJU_BLACK: Order = Order {
        shapes: [
            [-84, -61, -50, -1, -63, -1, 58, 22, 6, 67, 85, 0, -5, 0, -34],
            [-80, -70, -73, -70, -66, -23, 6, 3, 16, 85, 59, 0, 189, 0, 0],
        ],
        classes: [
            [-69, 33, 59, 0, 84, 91, 91, 400, 800, -261],
            [-106, 12, 34, 120, 5, 39, 187, 185, 600, 0],
        ],
        distance: [0, 26, 11, 6, 7, -6, -15, -27],
    };

    /// Renju with White to move.
    pub(crate) const RENJU_WHITE: Order = Order {
        shapes: [
            [-87, -59, -51, -7, -58, 10, 69, 27, 9, 74, 92, 0, 0, 0, 0],
            [-97, -83, -84, -78, -75, -36, -7, -9, 11, 85, 37, 114, 194, 0, -136],
        ],
        classes: [
            [-74, 24, 50, 53, 78, 100, 67, 400, 800, 0],
            [-116, 0, 15, 0, 5, 40, 174, 195, 600, 4],
        ],
        distance: [0, 25, 14, 13, 5, -5, -22, -27],
    };
}
