//! The opening book matches its generator, and openings are decided by it.
//!
//! `BOOK_ROWS` is the number of rows searched again (default three, one of each length),
//! `BOOK_NODES` the nodes used to judge balance (20,000). After a change of the search or its
//! tables print the book again with `examples/book.rs`.

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use std::collections::HashSet;

use renju::{Color, NamedOpening, Phase, Play, Point, Position, Record, Ruleset};
use renju_engine::book::{Game, Stones, rows};
use renju_engine::{Engine, Limits, choose};

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

#[test]
fn rows_searched_again_are_worth_what_the_book_says() {
    let again: Vec<(Stones, i32)> = match setting("BOOK_ROWS") {
        Some(count) => rows().step_by((rows().count() / count as usize).max(1)).collect(),
        None => {
            let of = |game, len| {
                let mut rows = rows().filter(move |(s, _)| s.game == game && s.points.len() == len);
                rows.nth(17).unwrap()
            };
            vec![of(Game::Renju, 4), of(Game::Renju, 5), of(Game::Gomoku, 3)]
        }
    };
    for (stones, worth) in again {
        assert_eq!(stones.measure(), worth, "{stones:?}");
    }
}

#[test]
fn no_stones_are_in_the_book_twice_and_every_opening_is_there() {
    let mut keys = HashSet::new();
    let mut lengths = [0; 6];
    for (stones, _) in rows() {
        assert!(keys.insert((stones.game, stones.key())), "{stones:?}");
        lengths[stones.points.len()] += usize::from(stones.game == Game::Renju);
    }
    for opening in NamedOpening::ALL {
        let points = opening.stones().to_vec();
        assert!(keys.contains(&(Game::Renju, Stones { game: Game::Renju, points }.key())));
    }
    assert_eq!(lengths[3], 26);
    assert!(lengths[4] > 26 * 30 && lengths[5] > 26 * 30, "{lengths:?}");
}

/// The opening after these stones; colours are kept at every swap before the last.
fn after(ruleset: &str, points: &[Point]) -> Position {
    let mut record = Record::new(Ruleset::find(ruleset).unwrap());
    for &point in points {
        while record.position().phase() == Phase::Swap {
            record.play(Play::Keep).unwrap();
        }
        record.play(Play::Place(point)).unwrap();
    }
    record.position().clone()
}

#[test]
fn the_colour_that_the_book_prefers_is_taken_however_little_time_there_is() {
    let mut taken = [0; 2];
    for ruleset in ["renju_taraguchi10_international", "renju_taraguchi10_rif"] {
        for (stones, worth) in rows().filter(|(stones, _)| stones.game == Game::Renju) {
            let position = after(ruleset, &stones.points);
            assert_eq!(position.phase(), Phase::Swap);
            let mine = position.color_of(position.to_act().unwrap());
            let choice = choose(&position, &Limits::nodes(1), 0).unwrap();
            let then = if choice.play == Play::Swap { !mine } else { mine };
            let better = if worth > 0 { Color::Black } else { Color::White };
            assert!(worth == 0 || then == better, "{stones:?} {worth}: {}", choice.play);
            assert_eq!((choice.score, choice.nodes), (worth.abs(), 0));
            taken[usize::from(then == Color::White)] += 1;
        }
    }
    assert!(taken.iter().all(|&count| count > 100), "{taken:?} take Black and White");
}

#[test]
fn swap2_is_decided_by_the_book() {
    ["gomoku_swap2_exact5", "gomoku_swap2"].into_iter().for_each(swap2_by_the_book);
}

fn swap2_by_the_book(ruleset: &str) {
    let mut decisions = [0; 3];
    for (stones, worth) in rows().filter(|(stones, _)| stones.game == Game::Gomoku) {
        let position = after(ruleset, &stones.points);
        let mine = position.color_of(position.to_act().unwrap());
        let choice = choose(&position, &Limits::nodes(1), 0).unwrap();
        assert_eq!(choice.nodes, 0);
        let better = if worth > 0 { Color::Black } else { Color::White };
        match choice.play {
            Play::PutTwo => decisions[0] += 1,
            Play::Swap => assert_ne!(mine, better, "{stones:?} {worth}"),
            Play::Keep => assert_eq!(mine, better, "{stones:?} {worth}"),
            play => panic!("{play} in {position:?}"),
        }
        decisions[1] += u32::from(choice.play == Play::Swap);
        decisions[2] += u32::from(choice.play != Play::PutTwo && worth.abs() < 20);
    }
    let [put_two, swap, loose] = decisions;
    assert!(put_two > 50 && swap > 50, "{put_two} put two, {swap} swap");
    assert_eq!(loose, 0, "what is balanced is made sharper");
}

/// Distance from balance, by a search without the book.
fn imbalance(position: &Position) -> i32 {
    let free = Ruleset::find("renju_free").unwrap();
    let pairs = position.pairs();
    let free = Position::analysis(free, *position.board(), position.to_move(), pairs).unwrap();
    let limits = Limits::nodes(setting("BOOK_NODES").unwrap_or(20_000));
    choose(&free, &limits, 77).unwrap().score.abs().min(500)
}

#[test]
fn fourth_stones_of_the_book_are_better_balanced() {
    let (mut with, mut without) = (0, 0);
    for opening in NamedOpening::ALL {
        for (engine, sum) in
            [(Engine::new(1 << 20), &mut with), (Engine::new(1 << 20).without_book(), &mut without)]
        {
            let mut engine = engine;
            let mut position = after("renju_taraguchi10_rif", &opening.stones());
            position.advance(Play::Keep).unwrap();
            let choice = engine.choose(&position, &Limits::nodes(2_000), 1, None).unwrap();
            position.advance(choice.play).unwrap();
            *sum += imbalance(&position);
        }
    }
    println!("off balance by {} with the book, {} without", with / 26, without / 26);
    assert!(with < without, "{with} with the book, {without} without");
}
