//! Games to start from.

use renju::{Color, Play, Point, Position, Record, Ruleset};

/// The ruleset an agent plays that names none.
pub const TARAGUCHI: &str = "renju_taraguchi10_international";

/// Mid-game of [`TARAGUCHI`]: 36 stones in 41 decisions, Black to move, 185 legal points and 4 forbidden ones.
pub const MID_GAME: &str = "h8 swap i7 keep i6 swap g8 keep j9 swap e13 g7 k9 g9 g6 g12 e9 k3 f6 e7 g10 \
                            j4 f5 h10 j5 f3 h7 f11 j8 i8 f8 l10 k11 l6 i13 k6 e11 d8 f9 l3 i9";

/// Five stones of a game without an opening: from here on a resignation counts between newcomers.
pub const FIVE_STONES: &str = "h8 i9 a1 o15 c1";

/// Ten points that may be offered together while they are empty.
pub const TEN: [&str; 10] = ["i8", "i9", "j8", "j9", "j10", "k8", "k9", "k10", "k11", "l8"];

/// An opening without a swap, up to the fifth move: Black has h8 and f8, White g7 and e9.
pub const QUIET_OPENING: &str = "h8 keep g7 keep f8 keep e9 keep";

/// A game by its plays.
pub fn record(ruleset: &str, plays: &str) -> Record {
    let ruleset = Ruleset::find(ruleset).unwrap();
    Record::parse(ruleset, ruleset.size, plays).unwrap()
}

/// A play of a long and dull game: no swap, no five, no foul. Panics when the game is over.
pub fn quiet_play(position: &Position) -> Play {
    if position.plays().any(|play| play == Play::Keep) {
        return Play::Keep;
    }
    let is_white = position.to_move() == Color::White;
    Play::Place(quiet_point(position.legal_points(), is_white.into()).expect("a legal point"))
}

/// One of these points for a player who has all turns that are even, or all that are odd: of a pattern that fills
/// the board without a five, as long as it has any.
pub fn quiet_point(legal: impl Iterator<Item = Point>, turn: u32) -> Option<Point> {
    let legal: Vec<Point> = legal.collect();
    let is_ours = |point: &&Point| u32::from(point.x() / 2 + point.y()) % 2 == turn % 2;
    legal.iter().find(is_ours).or(legal.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quiet_points_never_make_five() {
        let mut position = Position::new(Ruleset::find("gomoku_freestyle").unwrap());
        for turn in 0..220 {
            let play = quiet_play(&position);
            let point = quiet_point(position.legal_points(), turn).unwrap();
            assert_eq!(play, Play::Place(point), "turn {turn}");
            position.advance(play).unwrap();
            assert_eq!(position.outcome(), None, "turn {turn}");
        }
    }
}
