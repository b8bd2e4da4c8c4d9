//! Ends of games: full boards, rows of six, and a five that is also a foul.

mod slow;

use renju::{
    ByColor, Color, Ending, Foul, Offer, Outcome, Phase, Play, Point, Position, Record, Ruleset,
};
use slow::Grid;
use slow::playout::every_game;

/// A full board without a row of three and with as many stones of each colour as a real game: pairs
/// along ranks and diagonals, single stones along columns. No part of it holds a three.
fn peaceful(point: Point) -> Color {
    if (point.x() + 2 * point.y()) % 4 < 2 { Color::Black } else { Color::White }
}

const DRAW: Outcome = Outcome { winner: None, by: Ending::BoardFull };

fn ruleset(id: &str) -> &'static Ruleset {
    Ruleset::find(id).expect("the ruleset is one of ours")
}

fn won(winner: Color, by: Ending) -> Option<Outcome> {
    Some(Outcome { winner: Some(winner), by })
}

/// Result of a stone on `point`.
fn outcome(id: &str, grid: Grid, color: Color, point: &str) -> Option<Outcome> {
    let board = grid.to_board();
    let position = Position::analysis(ruleset(id), board, color, ByColor::default())
        .expect("the ruleset is played on this board");
    let at = point.parse().expect("the point is written well");
    position.play(Play::Place(at)).expect("the point is open").outcome()
}

/// A play that follows the peaceful board.
fn peaceful_play(position: &Position) -> Play {
    let fits = |play: &Play| match *play {
        Play::Place(at) => peaceful(at) == position.to_move(),
        play => play == Play::Keep || play == Play::Declare(1),
    };
    if matches!(position.phase(), Phase::Offer { .. }) {
        let mut points = position.board().empty_points();
        let at = points.find(|&at| peaceful(at) == Color::Black).expect("a black point is left");
        return Play::Offer(Offer::new(&[at]).expect("one point is an offer"));
    }
    position.plays().find(fits).expect("the peaceful board has a stone for every turn")
}

#[test]
fn a_full_board_is_a_draw_in_every_game_without_captures() {
    for (ruleset, size) in every_game().filter(|(ruleset, _)| ruleset.pairs_to_win.is_none()) {
        let mut record = Record::sized(ruleset, size).unwrap();
        while record.position().outcome().is_none() {
            record.play(peaceful_play(record.position())).unwrap();
        }
        let last = record.position();
        let side = u16::from(size);
        assert_eq!(last.outcome(), Some(DRAW), "{} {size}: {record}", ruleset.id);
        assert_eq!((last.move_number(), last.board().is_full()), (side * side, true));
        assert_eq!((last.to_act(), last.plays().count()), (None, 0));
    }
}

#[test]
fn the_last_stone_can_still_win() {
    let full = |row: &str| {
        let above = "5 x o x o o\n4 o x o x x\n3 o o x x o\n2 x o x o x\n";
        Grid::read(5, &format!("{above}1 {row}\n  a b c d e"))
    };
    let outcome = |row| outcome("gomoku_freestyle", full(row), Color::Black, "e1");
    assert_eq!(outcome("o x x x ."), Some(DRAW));
    assert_eq!(outcome("x x x x ."), won(Color::Black, Ending::Five));
}

/// The outermost empty point has no empty points on both sides in any line, so it is in no three
/// and never barred: only a full board leaves a player without a move.
#[test]
fn the_capture_game_is_drawn_when_no_point_is_left() {
    for id in ["gomoku_capture", "gomoku_capture_42"] {
        for &size in ruleset(id).sizes {
            let corner = Point::new(0, size - 1).unwrap();
            let mut board = renju::Board::new(size);
            for at in Point::all(size).filter(|&at| at != corner) {
                board.put(at, peaceful(at));
            }
            // The other colour in the corner is next to single stones and captures nothing.
            let color = !peaceful(corner);
            let pairs = ByColor { black: 4, white: 4 };
            let position = Position::analysis(ruleset(id), board, color, pairs).unwrap();
            assert_eq!(position.plays().collect::<Vec<_>>(), [Play::Place(corner)]);
            let last = position.play(Play::Place(corner)).unwrap();
            assert_eq!((last.outcome(), last.pairs()), (Some(DRAW), pairs), "{id} {size}");
        }
    }
}

#[test]
fn six_in_a_row_plays_on_where_five_must_be_exact() {
    let six = Grid::read(7, "4 x x x . x x .\n a b c d e f g");
    assert_eq!(outcome("gomoku_exact5", six, Color::Black, "d4"), None);
    let wins = won(Color::Black, Ending::Five);
    assert_eq!(outcome("gomoku_freestyle", six, Color::Black, "d4"), wins);
    let seven = Grid::read(7, "7 x x x . x x x\n a b c d e f g");
    assert_eq!(outcome("gomoku_exact5", seven, Color::Black, "d7"), None);
    let six_and_five = Grid::read(
        7,
        "7 . . . o . . .
         6 . . . o . . .
         5 . . . o . . .
         4 o o o . o o .
         3 . . . o . . .
           a b c d e f g",
    );
    let wins = won(Color::White, Ending::Five);
    assert_eq!(outcome("gomoku_exact5", six_and_five, Color::White, "d4"), wins);
}

fn renju() -> impl Iterator<Item = &'static str> {
    Ruleset::ALL.iter().map(|ruleset| ruleset.id).filter(|id| id.starts_with("renju"))
}

#[test]
fn white_wins_with_an_overline_and_black_loses_with_one() {
    let white = Grid::read(15, "8 o o o . o o\n e f g h i j");
    let black = Grid::read(15, "8 x x x . x x\n e f g h i j");
    for id in renju() {
        let expected = won(Color::White, Ending::Five);
        assert_eq!(outcome(id, white, Color::White, "h8"), expected, "{id}");
        let expected = won(Color::White, Ending::Foul(Foul::Overline));
        assert_eq!(outcome(id, black, Color::Black, "h8"), expected, "{id}");
    }
}

#[test]
fn white_may_make_every_shape_that_is_a_foul_for_black() {
    let crosses = Grid::read(
        15,
        "10 . . o . .
          9 . . o . .
          8 o o . . .
            f g h i j",
    );
    for id in renju() {
        assert_eq!(outcome(id, crosses, Color::White, "h8"), None, "{id}");
    }
}

/// A five along the rank, and six up the column.
const FIVE_AND_OVERLINE: &str = "
    11 . . . x .
    10 . . . x .
     9 . . . x .
     8 x x x . x
     7 . . . x .
     6 . . . x .
       e f g h i";

/// A five along the rank, and fours up the column and along the diagonal.
const FIVE_AND_DOUBLE_FOUR: &str = "
    11 . . . x . . x
    10 . . . x . x .
     9 . . . x x . .
     8 x x x . x . .
       e f g h i j k";

/// A five along the rank, and threes up the column and along the diagonal.
const FIVE_AND_DOUBLE_THREE: &str = "
     9 . . . x .
     8 x x x . x
     7 . . x x .
     6 . x . . .
       e f g h i";

#[test]
fn a_five_that_is_a_foul_wins_or_loses_by_precedence() {
    for (foul, diagram) in [
        (Foul::Overline, FIVE_AND_OVERLINE),
        (Foul::DoubleFour, FIVE_AND_DOUBLE_FOUR),
        (Foul::DoubleThree, FIVE_AND_DOUBLE_THREE),
    ] {
        for id in renju() {
            let expected = if id == "renju_taraguchi10_international" {
                won(Color::White, Ending::Foul(foul))
            } else {
                won(Color::Black, Ending::Five)
            };
            let outcome = outcome(id, Grid::read(15, diagram), Color::Black, "h8");
            assert_eq!(outcome, expected, "{id} {foul}");
        }
    }
}
