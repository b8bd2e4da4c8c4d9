//! Scores: how good a position is for the player to move, wins counted by their distance.

/// A score from the view of the player to move.
pub type Score = i32;

/// A win on the spot; a win in `n` plies is `n` less.
pub const WIN: Score = 30_000;

/// Scores beyond this are wins that the search has seen to the end.
pub(crate) const WON: Score = WIN - 1_000;

/// The largest score of a position that is not decided.
pub(crate) const EVALUATION_MAX: Score = 20_000;

pub(crate) const fn win_in(ply: i32) -> Score {
    WIN - ply
}

pub(crate) const fn loss_in(ply: i32) -> Score {
    ply - WIN
}

/// How many plies away the end of the game is, where the score says so.
pub const fn plies_to_end(score: Score) -> Option<i32> {
    if score > WON {
        Some(WIN - score)
    } else if score < -WON {
        Some(WIN + score)
    } else {
        None
    }
}

/// In the table wins are counted from the stored position, in the search from the root.
pub(crate) const fn to_table(score: i16, ply: i32) -> i16 {
    let score = score as Score;
    (if score > WON {
        score + ply
    } else if score < -WON {
        score - ply
    } else {
        score
    }) as i16
}

pub(crate) const fn from_table(score: i16, ply: i32) -> i16 {
    let score = score as i32;
    (if score > WON {
        score - ply
    } else if score < -WON {
        score + ply
    } else {
        score
    }) as i16
}
