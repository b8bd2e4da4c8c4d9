//! Limits of a search: nodes, depth, the clock, the stop flag.

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use renju::{Board, Color, Play, Point, Position, Record, Ruleset};
use renju_engine::{Engine, Limits, choose, plies_to_end};

use arena_support::Random;

fn position(ruleset: &str, plays: &str) -> Position {
    let ruleset = Ruleset::find(ruleset).unwrap();
    Record::parse(ruleset, ruleset.size, plays).unwrap().position().clone()
}

const OPEN: &str = "h8 i9 g7 i7 i8 g8 h6 j8 f9 h9";

#[test]
fn a_search_never_looks_at_more_nodes_than_it_may() {
    for nodes in [1, 2, 50, 1_000, 20_000] {
        let choice = choose(&position("renju_free", OPEN), &Limits::nodes(nodes), 1).unwrap();
        assert!(choice.nodes <= nodes + 1, "{} of {nodes}", choice.nodes);
    }
}

#[test]
fn a_search_never_goes_deeper_than_it_may() {
    let limits = Limits { depth: 2, ..Limits::nodes(u64::MAX) };
    let choice = choose(&position("renju_free", OPEN), &limits, 1).unwrap();
    assert_eq!(choice.depth, 2);
}

#[test]
fn a_deadline_that_has_passed_still_gives_a_legal_play() {
    for ruleset in Ruleset::ALL {
        let mut record = Record::new(ruleset);
        let limits = Limits { deadline: Some(Instant::now()), ..Limits::nodes(u64::MAX) };
        let limits = Limits { table_bytes: 1 << 16, ..limits };
        for _ in 0..14 {
            let choice = choose(record.position(), &limits, 3).unwrap();
            record.play(choice.play).unwrap();
        }
    }
}

#[test]
fn a_raised_flag_ends_the_search() {
    let stop = AtomicBool::new(true);
    let limits = Limits { deadline: None, ..Limits::nodes(u64::MAX) };
    let mut engine = Engine::new(1 << 20);
    let choice = engine.choose(&position("renju_free", OPEN), &limits, 1, Some(&stop)).unwrap();
    assert!(choice.nodes <= 32);
}

#[test]
fn a_deadline_is_kept() {
    let deadline = Instant::now() + Duration::from_millis(50);
    let limits = Limits { deadline: Some(deadline), ..Limits::nodes(u64::MAX) };
    // Only the deadline ends this search; how soon depends on the load of the machine.
    choose(&position("gomoku_capture", OPEN), &limits, 1).unwrap();
    assert!(Instant::now() >= deadline, "it was ended by something else");
}

#[test]
fn a_win_on_the_board_is_played_and_counted() {
    let position = position("renju_free", "h8 a1 h9 a3 h10 a5 h11 b1");
    let choice = choose(&position, &Limits::nodes(1_000), 1).unwrap();
    let next = position.play(choice.play).unwrap();
    assert!(next.outcome().is_some(), "{}", choice.play);
    assert_eq!(plies_to_end(choice.score), Some(1));
}

#[test]
fn an_open_three_is_stopped_and_an_open_four_made() {
    let attacked = position("renju_free", "h8 a1 h9 o1 h10");
    let Some(choice) = choose(&attacked, &Limits::nodes(5_000), 1) else { panic!("not over") };
    let Play::Place(point) = choice.play else { panic!("a stone is due") };
    assert!(point.x() == 7, "{point}");
    let winning = position("renju_free", "h8 a1 h9 o1 h10 a15");
    let choice = choose(&winning, &Limits::nodes(5_000), 1).unwrap();
    assert!(plies_to_end(choice.score).is_some_and(|plies| plies <= 3), "{}", choice.score);
}

#[test]
fn a_foul_is_never_chosen_while_a_legal_point_is_left() {
    let mut random = Random(3);
    let mut fouls = 0;
    for ruleset in ["renju_free", "renju_taraguchi10_international"] {
        for n in 0..150 {
            // Far more black stones than white, so that fouls are everywhere.
            let mut board = Board::new(15);
            for _ in 0..20 + random.below(25) {
                let at = |random: &mut Random| 3 + random.below(9) as u8;
                let point = Point::new(at(&mut random), at(&mut random)).unwrap();
                let color = if random.below(3) == 0 { Color::White } else { Color::Black };
                if board.is_empty(point) {
                    board.put(point, color);
                }
            }
            let ruleset = Ruleset::find(ruleset).unwrap();
            let position =
                Position::analysis(ruleset, board, Color::Black, Default::default()).unwrap();
            fouls += position.forbidden_points().count();
            for nodes in [1, 40, 600] {
                let choice = choose(&position, &Limits::nodes(nodes), n).unwrap();
                let Play::Place(point) = choice.play else { panic!("a stone is due") };
                assert!(position.legal_points().any(|legal| legal == point), "{point}\n{board:?}");
            }
        }
    }
    assert!(fouls > 500, "{fouls} fouls");
}

#[test]
fn a_lost_game_is_drawn_out_as_long_as_it_goes() {
    // White has two open threes, and no stone stops both. A four on rank 3 gains Black two plies.
    let stones = "e3 d3 f3 h8 g3 i8 a15 j8 o15 e10 a1 e11 o1 e12";
    for ruleset in ["renju_free", "gomoku_freestyle"] {
        let choice = choose(&position(ruleset, stones), &Limits::nodes(50_000), 1).unwrap();
        let four = ["h3", "i3"].map(|point| Play::Place(point.parse().unwrap()));
        assert!(four.contains(&choice.play), "{ruleset}: {}", choice.play);
        assert_eq!(plies_to_end(choice.score), Some(6), "{ruleset}");
    }
}

#[test]
fn a_game_lost_to_a_block_that_is_forbidden_is_searched_to_its_end() {
    // White wins on h8, where Black would make a double-three; nothing else stops it.
    let stones = "f8 h9 g8 h10 f6 h11 g7 h12 h13 o15 a1 o13";
    let position = position("renju_free", stones);
    assert!(position.forbidden_points().any(|(point, _)| point == "h8".parse().unwrap()));
    let choice = choose(&position, &Limits::nodes(5_000), 1).unwrap();
    assert_eq!(plies_to_end(choice.score), Some(2));
}

#[test]
fn a_game_that_is_decided_is_not_thought_about_to_the_last_node() {
    for (moves, is_won) in [
        ("h13 c11 f8 e11 b11 f14 f11 e10 e9 d12 e13 f10 c13 d10", false),
        ("d12 i8 h10 i11 f10 g10 f11 f9 h11 h12 e11 g9 f12 g11 g12 g13 f14 f13", true),
    ] {
        let position = position("gomoku_freestyle", moves);
        let choice = choose(&position, &Limits::nodes(400_000), 1).unwrap();
        assert!(plies_to_end(choice.score).is_some(), "{moves}: {}", choice.score);
        assert_eq!(choice.score > 0, is_won, "{moves}");
        assert!(choice.nodes < 200_000, "{moves}: {} nodes", choice.nodes);
    }
}
