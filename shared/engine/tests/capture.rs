//! Captures: the engine takes the last pair, breaks a five that can be broken, and makes none that
//! can.

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use renju::{Board, ByColor, Color, Ending, Outcome, Position, Ruleset};
use renju_engine::{Limits, choose};

fn position(black: &str, white: &str, to_move: Color, pairs: (u8, u8)) -> Position {
    let ruleset = Ruleset::find("gomoku_capture").unwrap();
    let mut board = Board::new(19);
    for (stones, color) in [(black, Color::Black), (white, Color::White)] {
        for point in stones.split_whitespace() {
            board.put(point.parse().unwrap(), color);
        }
    }
    let pairs = ByColor { black: pairs.0, white: pairs.1 };
    Position::analysis(ruleset, board, to_move, pairs).unwrap()
}

fn after(position: &Position, nodes: u64) -> Position {
    let choice = choose(position, &Limits::nodes(nodes), 1).unwrap();
    position.play(choice.play).unwrap()
}

#[test]
fn the_fifth_pair_is_taken() {
    let next = after(&position("c3 k10", "d3 e3 k12", Color::Black, (4, 0)), 2_000);
    assert_eq!(next.outcome(), Some(Outcome { winner: Some(Color::Black), by: Ending::Pairs }));
}

#[test]
fn a_five_that_a_capture_breaks_is_broken() {
    // White can capture f6 and f7 from f5, between it and f8, and so break the row on rank 7.
    let black = "d7 e7 f7 g7 h7 f6";
    let next = after(&position(black, "f8 a1 a3", Color::White, (0, 0)), 2_000);
    assert_eq!(next.outcome(), None);
    assert!(!next.board().has_five(Color::Black));
}

#[test]
fn a_five_that_nothing_breaks_is_made() {
    let next = after(&position("d7 e7 f7 g7", "d9 a1 a3 j12", Color::Black, (0, 0)), 2_000);
    assert_eq!(next.outcome(), Some(Outcome { winner: Some(Color::Black), by: Ending::Five }));
}
