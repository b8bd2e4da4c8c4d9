//! The cost of a poll: a game in mid-play as JSON, with legal and forbidden moves.

#![allow(clippy::unwrap_used)]

#[path = "../tests/support/mod.rs"]
mod support;

use arena::Game;
use arena_wire::{Detail, GameView, board_text};
use renju::{Color, Fouls, Phase, Ruleset, Seat};
use support::{game, random_game};

fn main() {
    divan::main();
}

/// A game in mid-play with Black to move; in Renju with points that are forbidden.
fn mid_game(ruleset: &str) -> Game {
    let ruleset = Ruleset::find(ruleset).unwrap();
    let forbidden_min = if matches!(ruleset.fouls, Fouls::Black { .. }) { 2 } else { 0 };
    (0..10_000)
        .map(|seed| random_game(seed, ruleset, 41 + seed as usize % 4))
        .filter(|game| game.result().is_none() && game.position().to_move() == Color::Black)
        .find(|game| game.position().forbidden_points().count() >= forbidden_min)
        .unwrap()
}

fn poll(game: &Game, detail: Detail) -> Vec<u8> {
    let now = game.last_at().plus(1_234);
    let view = GameView::new(game, game.to_act(), now, detail);
    arena_wire::json(&view)
}

const RULESETS: [&str; 3] = ["renju_taraguchi10_international", "gomoku_swap2", "gomoku_capture"];

#[divan::bench(args = RULESETS)]
fn full(bencher: divan::Bencher, ruleset: &str) {
    let game = mid_game(ruleset);
    assert_eq!(game.position().phase(), Phase::Play);
    bencher.bench(|| poll(&game, Detail::FULL));
}

#[divan::bench(args = RULESETS)]
fn without_legal_moves(bencher: divan::Bencher, ruleset: &str) {
    let game = mid_game(ruleset);
    bencher.bench(|| poll(&game, Detail::BRIEF));
}

#[divan::bench]
fn build_only(bencher: divan::Bencher) {
    let game = mid_game(RULESETS[0]);
    bencher.bench(|| GameView::new(&game, game.to_act(), game.last_at(), Detail::FULL));
}

#[divan::bench(args = ["renju_taraguchi10_international", "renju_taraguchi10_rif"])]
fn with_an_example_of_ten_offers(bencher: divan::Bencher, ruleset: &str) {
    let game = game(ruleset, "h8 keep h9 keep i9 keep k8 keep");
    assert!(matches!(game.position().phase(), Phase::Fifth { .. }));
    bencher.bench(|| poll(&game, Detail::FULL));
}

#[divan::bench]
fn as_text(bencher: divan::Bencher) {
    let game = mid_game(RULESETS[0]);
    bencher.bench(|| board_text(&game, Some(Seat::First), game.last_at()));
}
