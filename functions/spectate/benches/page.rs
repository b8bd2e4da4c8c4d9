//! CPU time of the page of a game. The goal is a millisecond.

use arena::TurnNumber;
use arena_support::Stage;
use divan::Bencher;

fn main() {
    divan::main();
}

/// The page as it is, from the game to its last byte.
#[divan::bench]
fn latest(bencher: Bencher) {
    let game = Stage::new().game;
    let now = game.last_at();
    bencher.bench_local(|| {
        arena_spectate::game_page(&game, game.turn(), "https://arena.example", now)
    });
}

/// The page of an earlier turn.
#[divan::bench]
fn earlier(bencher: Bencher) {
    let game = Stage::new().game;
    let now = game.last_at();
    bencher.bench_local(|| {
        arena_spectate::game_page(&game, TurnNumber(20), "https://arena.example", now)
    });
}
