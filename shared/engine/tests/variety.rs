//! House levels do not repeat themselves, so that a prepared answer to one game is of no use.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use renju::{Phase, Position, Ruleset};
use renju_engine::Level;

/// The plays of a level against itself; the second player always has the same seed.
fn game(level: Level, ruleset: &'static Ruleset, seed: u64, plies: u64) -> Vec<String> {
    let mut position = Position::new(ruleset);
    let mut plays = Vec::new();
    for ply in 0..plies {
        if let Phase::Over(_) = position.phase() {
            break;
        }
        let lot = if ply % 2 == 0 { seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ply } else { ply };
        let play = level.choose(&position, &level.limits(), lot, None).unwrap().play;
        plays.push(play.to_string());
        position.advance(play).unwrap();
    }
    plays
}

#[test]
fn most_games_of_a_level_go_another_way() {
    const GAMES: u64 = 8;
    for id in ["renju_free", "gomoku_freestyle", "gomoku_capture"] {
        let ruleset = Ruleset::find(id).unwrap();
        for level in [Level::ALL[3], Level::ALL[4]] {
            let games: Vec<_> = (1..=GAMES).map(|seed| game(level, ruleset, seed, 24)).collect();
            let mut distinct = games.clone();
            distinct.sort();
            distinct.dedup();
            let number = level.number;
            println!("{id}, level {number}: {} of {GAMES} games differ", distinct.len());
            assert!(distinct.len() as u64 >= GAMES - 2, "{id}, level {number}: {games:?}");
            assert_eq!(game(level, ruleset, 1, 24), games[0], "the same lots, the same game");
        }
    }
}
