//! The explanation of a point proves its verdict.

#![allow(clippy::unwrap_used, reason = "helpers of a test may stop it")]

use renju::notation::{diagram::Diagram, flat};
use renju::{Board, Color, Explanation, Foul, Mark, Point, Precedence, Refusal};

const BOARDS: [&str; 2] =
    [include_str!("../benches/game_like.txt"), include_str!("../benches/hard.txt")];

/// The verdict that follows from the shapes an explanation lists.
fn verdict(explanation: &Explanation, precedence: Precedence) -> Mark {
    let five = explanation.rows.iter().any(|row| row.stones.len() == 5);
    let overline = explanation.rows.iter().any(|row| row.stones.len() > 5);
    let threes = explanation.threes.iter().filter(|three| three.counts()).count();
    if five && precedence == Precedence::FiveFirst {
        Mark::Five
    } else if overline {
        Mark::Foul(Foul::Overline)
    } else if explanation.fours.len() >= 2 {
        Mark::Foul(Foul::DoubleFour)
    } else if threes >= 2 {
        Mark::Foul(Foul::DoubleThree)
    } else if five {
        Mark::Five
    } else {
        Mark::Quiet
    }
}

/// Checks that every refused straight four is refused for a valid reason.
fn check_refusals(explanation: &Explanation, precedence: Precedence) -> usize {
    let moves = explanation.threes.iter().flat_map(|three| &three.moves);
    moves
        .filter_map(|next| match next.refusal.as_ref()? {
            Refusal::Five => Some(1),
            Refusal::Foul(_, None) => Some(1),
            Refusal::Foul(foul, Some(proof)) => {
                assert_eq!(proof.point, next.point);
                assert_eq!(verdict(proof, precedence), Mark::Foul(*foul));
                Some(1 + check_refusals(proof, precedence))
            }
        })
        .sum()
}

#[test]
fn the_listed_shapes_prove_the_verdict() {
    let mut refused = 0;
    for line in BOARDS.iter().flat_map(|boards| boards.lines()) {
        let board: Board = flat::read(line, 15).unwrap();
        for precedence in [Precedence::FiveFirst, Precedence::FoulFirst] {
            for point in board.empty_points() {
                let explanation = board.explain(point, Color::Black, precedence).unwrap();
                assert_eq!(explanation.mark, board.mark(point, Color::Black, precedence));
                assert_eq!(verdict(&explanation, precedence), explanation.mark, "{point} {line}");
                refused += check_refusals(&explanation, precedence);
            }
        }
    }
    assert!(refused > 1_000, "the boards must hold threes that do not count, not {refused}");
}

#[test]
fn a_point_that_is_taken_has_no_explanation() {
    let mut board = Board::new(15);
    let centre = Point::centre(15);
    board.put(centre, Color::White);
    assert_eq!(board.explain(centre, Color::Black, Precedence::FiveFirst), None);
}

#[test]
fn a_rejected_three_says_why_in_words() {
    let diagram = Diagram::read(
        "11 . x . . .
         10 . x . . .
          9 . x . . .
          8 x . x . .
          7 . x . x .
          6 . x . x .
            e f g h i",
        15,
    )
    .unwrap();
    let h8 = "h8".parse().unwrap();
    let explanation = diagram.board().explain(h8, Color::Black, Precedence::FiveFirst).unwrap();
    assert_eq!(
        explanation.to_string(),
        "h8 is neither a five nor a foul
  horizontal three e8 g8 h8, but f8 would be a foul (overline):
    f8 is a foul: overline
      vertical row of 6: f6 f7 f8 f9 f10 f11
      horizontal four e8 f8 g8 h8, five at d8 i8
  vertical three h6 h7 h8, straight four by h5, then five at h4 h9
  vertical three h6 h7 h8, straight four by h9, then five at h5 h10"
    );
}
