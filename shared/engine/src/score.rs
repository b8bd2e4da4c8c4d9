//! Scores for the player to move; wins are scored by their distance.

/// Score from the point of view of the player to move.
pub type Score = i32;

/// Score of a won game; a win in `n` plies scores `n` less.
pub const WIN: Score = 30_000;

/// Scores above this are proven wins.
pub(crate) const WON: Score = WIN - 1_000;

/// Largest score of an undecided position.
pub(crate) const EVALUATION_MAX: Score = 20_000;

pub(crate) const fn win_in(ply: i32) -> Score {
    WIN - ply
}

pub(crate) const fn loss_in(ply: i32) -> Score {
    ply - WIN
}

/// Number of plies to the end of the game, if the score is a proven win or loss.
pub const fn plies_to_end(score: Score) -> Option<i32> {
    if score > WON {
        Some(WIN - score)
    } else if score < -WON {
        Some(WIN + score)
    } else {
        None
    }
}

/// Win distances are stored from the position; the search counts them from the root.
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
