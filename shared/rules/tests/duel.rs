//! Capture gomoku with the options two players can agree on, and games that continue from a board.

mod slow;

use renju::{Board, ByColor, Color, Ending, IllegalPlay, Outcome, Play, Point, Position, Ruleset};
use slow::playout::some_play;
use slow::random::Random;

fn at(name: &str) -> Point {
    name.parse().expect("the point is written well")
}

/// A game that continues with Black to move.
fn set_up(ruleset: &'static Ruleset, black: &str, white: &str, pairs: (u8, u8)) -> Position {
    let mut board = Board::new(19);
    for (stones, color) in [(black, Color::Black), (white, Color::White)] {
        stones.split_whitespace().for_each(|name| board.put(at(name), color));
    }
    let pairs = ByColor { black: pairs.0, white: pairs.1 };
    Position::set_up(ruleset, board, Color::Black, pairs).expect("19×19 is a size of duels")
}

fn duel(pairs_to_win: Option<u8>, double_three: bool) -> &'static Ruleset {
    Ruleset::duel(pairs_to_win, double_three).expect("such a duel can be agreed on")
}

fn won(winner: Color, by: Ending) -> Option<Outcome> {
    Some(Outcome { winner: Some(winner), by })
}

#[test]
fn the_agreed_number_of_pairs_wins_and_no_fewer() {
    for goal in 1..=Ruleset::PAIRS_MAX {
        let ruleset = duel(Some(goal), true);
        let before = set_up(ruleset, "c3 k10", "d3 e3", (goal - 1, 0));
        let after = before.play(Play::Place(at("f3"))).unwrap();
        assert_eq!(after.outcome(), won(Color::Black, Ending::Pairs), "{goal}");
        if goal > 1 {
            let before = set_up(ruleset, "c3 k10", "d3 e3", (goal - 2, 0));
            let after = before.play(Play::Place(at("f3"))).unwrap();
            assert_eq!((after.outcome(), after.pairs().black), (None, goal - 1));
        }
        for (pairs, winner) in [((goal, 0), Color::Black), ((0, goal), Color::White)] {
            assert_eq!(set_up(ruleset, "", "", pairs).outcome(), won(winner, Ending::Pairs));
        }
    }
    assert_eq!(Ruleset::duel(Some(0), true), None);
    assert_eq!(Ruleset::duel(Some(Ruleset::PAIRS_MAX + 1), true), None);
}

#[test]
fn without_captures_nothing_is_taken() {
    for double_three in [true, false] {
        let before = set_up(duel(None, double_three), "c3", "d3 e3", (0, 0));
        let after = before.play(Play::Place(at("f3"))).unwrap();
        assert_eq!((after.board().stones(), after.pairs()), (4, ByColor::default()));
    }
}

#[test]
fn a_double_three_is_rejected_where_it_was_agreed() {
    for pairs_to_win in [None, Some(5)] {
        let rejected = IllegalPlay::DoubleThree { point: at("j10") };
        let cross =
            |double_three| set_up(duel(pairs_to_win, double_three), "i10 k10 j9 j11", "", (0, 0));
        assert_eq!(cross(true).play(Play::Place(at("j10"))), Err(rejected));
        assert!(cross(false).play(Play::Place(at("j10"))).is_ok());
    }
}

#[test]
fn a_five_that_stands_is_judged_when_a_game_goes_on() {
    let five = "d7 e7 f7 g7 h7";
    for double_three in [true, false] {
        // Without captures, or if nothing can be captured, the row has won.
        for pairs_to_win in [None, Some(5)] {
            let ruleset = duel(pairs_to_win, double_three);
            assert_eq!(
                set_up(ruleset, "", five, (0, 0)).outcome(),
                won(Color::White, Ending::Five)
            );
            assert_eq!(
                set_up(ruleset, five, "", (0, 0)).outcome(),
                won(Color::Black, Ending::Five)
            );
        }
        // Black captures f7 and f6 from f5 and breaks the row, so the game continues.
        let open = format!("{five} f6");
        assert_eq!(set_up(duel(Some(5), double_three), "f8", &open, (0, 0)).outcome(), None);
        // Or it captures any pair and has enough of them.
        let (black, white) = ("m3 a1", format!("{five} n3 o3"));
        let outcome = set_up(duel(Some(5), double_three), black, &white, (4, 0)).outcome();
        assert_eq!(outcome, None);
        let outcome = set_up(duel(Some(5), double_three), black, &white, (3, 0)).outcome();
        assert_eq!(outcome, won(Color::White, Ending::Five));
    }
}

/// The result of a board does not depend on how it was reached.
#[test]
fn a_game_set_up_from_any_of_its_boards_stands_as_it_stood() {
    let free = ["gomoku_freestyle", "gomoku_exact5", "gomoku_capture", "gomoku_capture_42"];
    let named = free.iter().map(|id| Ruleset::find(id).unwrap());
    let goals = [None, Some(1), Some(3), Some(10)];
    let duels = goals.iter().flat_map(|&goal| [duel(goal, true), duel(goal, false)]);
    let mut random = Random::new(7);
    let mut fives = 0;
    for ruleset in named.chain(duels) {
        for _ in 0..30 {
            let mut position = Position::sized(ruleset, 15).unwrap();
            while position.outcome().is_none() {
                position.advance(some_play(&position, &mut random)).unwrap();
                let (board, pairs) = (*position.board(), position.pairs());
                let again = Position::set_up(ruleset, board, position.to_move(), pairs).unwrap();
                assert_eq!(again.outcome(), position.outcome(), "{}: {board:?}", ruleset.id);
            }
            fives += usize::from(position.outcome().is_some_and(|o| o.by == Ending::Five));
        }
    }
    assert!(fives > 30, "random play must make rows too, not {fives}");
}
