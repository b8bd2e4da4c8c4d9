//! Tunable numbers of the search. A change here changes which moves are played; docs/engine-log.md
//! lists the experiments.

use crate::score::Score;

/// Half the first aspiration window around the score of the previous iteration.
pub(crate) const ASPIRATION: Score = 60;
/// Factor by which the window grows when the score falls outside it.
pub(crate) const ASPIRATION_GROWTH: Score = 4;
/// A window wider than this is opened fully instead of grown again.
pub(crate) const ASPIRATION_MAX: Score = 500;
/// First iteration with an aspiration window; shallower scores vary too much.
pub(crate) const ASPIRATION_DEPTH: i32 = 4;

/// Depth of the search when only one move is possible.
pub(crate) const SINGLE_MOVE_DEPTH: u8 = 4;

/// Nodes of one search for continuous fours inside a full-strength search.
pub(crate) const FOURS_NODES: u64 = 100;
/// Multiple of that at the root.
pub(crate) const FOURS_ROOT_SHARE: u64 = 20;
/// Longest sequence of fours that is searched for, at the root and below it.
pub(crate) const FOURS_ROOT_DEPTH: u8 = 60;
pub(crate) const FOURS_DEPTH: u8 = 16;
/// Fours allowed in each round of iterative deepening of [`solve`](crate::solve).
pub(crate) const FOURS_DEEPENING: [u8; 5] = [4, 8, 14, 24, 112];
/// Penalty of a four for each step of distance from the last stone.
pub(crate) const FOURS_DISTANCE: i32 = 3;

/// Nodes for continuous fours at a new position of the search for threats, and when its proof is
/// collected.
pub(crate) const THREATS_FOURS: u64 = 60;
pub(crate) const THREATS_FOURS_AGAIN: u64 = 2_000;
/// Nodes after which the search looks for threats first.
pub(crate) const THREATS_FROM: u64 = 4_000;
/// Parts of the nodes so far, one in so many, that may be used to look for own threats at the root and
/// for the opponent's after the best move.
pub(crate) const THREATS_OWN: u64 = 16;
pub(crate) const THREATS_VETO: u64 = 10;
/// Fewest nodes for which the search for threats is resumed.
pub(crate) const THREATS_LEAST: u64 = 200;

/// Reverse futility: a calm node this deep at most returns its evaluation if that is above beta by
/// this margin for each ply.
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 6;
pub(crate) const REVERSE_FUTILITY_MARGIN: Score = 68;

/// Razoring: a calm node this deep at most returns its evaluation if that is below alpha by the base plus
/// the margin for each ply.
pub(crate) const RAZORING_DEPTH: i32 = 3;
pub(crate) const RAZORING_BASE: Score = 150;
pub(crate) const RAZORING_MARGIN: Score = 150;

/// Futility: a calm node this deep at most skips quiet moves if its evaluation is below alpha by the
/// base plus the margin for each ply.
pub(crate) const FUTILITY_DEPTH: i32 = 4;
pub(crate) const FUTILITY_BASE: Score = 60;
pub(crate) const FUTILITY_MARGIN: Score = 70;

/// Internal iterative reduction: a node this deep without a stored move is searched a ply less deep.
pub(crate) const IIR_DEPTH: i32 = 4;

/// Searches with fewer nodes follow no continuous attacks: with them the house levels below were too
/// close to each other.
pub(crate) const ATTACKS_FROM: u64 = 4_000;

/// Late move reductions start at this depth and after this many moves, at the root and below it.
pub(crate) const LMR_ROOT_DEPTH: i32 = 3;
pub(crate) const LMR_ROOT_MOVES: usize = 3;
pub(crate) const LMR_DEPTH: i32 = 2;
pub(crate) const LMR_MOVES: i32 = 2;
/// Plies by which a three is reduced less if the same player's move before it was a three or four.
pub(crate) const LMR_ATTACK: i32 = 2;

/// Singular extension: least depth of the node, and how much shallower the stored entry may be.
pub(crate) const SINGULAR_DEPTH: i32 = 6;
pub(crate) const SINGULAR_STORED: i32 = 3;
/// Points for each ply by which every other move must be worse.
pub(crate) const SINGULAR_MARGIN: Score = 2;

/// Move ordering: bonus of the stored move, which goes first.
pub(crate) const ORDER_STORED: i32 = 1 << 20;
/// Bonus of a killer, a move that refuted a sibling.
pub(crate) const ORDER_KILLER: i32 = 60;
/// Bonus of the move that last refuted the opponent's move.
pub(crate) const ORDER_COUNTER: i32 = 40;
/// Bonus of a move that captures.
pub(crate) const ORDER_CAPTURE: i32 = 150;
/// Share of the history score in the order of moves.
pub(crate) const ORDER_HISTORY_DIVISOR: i32 = 64;

/// Bonus of a refutation in the history, for each squared ply of depth, and its upper limit.
pub(crate) const HISTORY_BONUS: i32 = 32;
pub(crate) const HISTORY_BONUS_MAX: i32 = 2_048;
/// Bound of the history scores, which decay towards it.
pub(crate) const HISTORY_MAX: i32 = 16_384;

/// Moves tried at a calm node: 7 at depth 1, 11 at depth 2, 15 at depth 3; twice that on the principal
/// variation.
pub(crate) const fn calm_moves(depth: i32, is_pv: bool) -> i32 {
    let most = 5 + 2 * depth + depth * depth / 2;
    if is_pv { 2 * most } else { most }
}

/// Plies by which the `tried`th move is searched less deep.
pub(crate) fn reduction(depth: i32, tried: i32) -> i32 {
    ((depth as f32).ln() * (tried as f32).ln() + 0.5) as i32
}
