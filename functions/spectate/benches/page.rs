//! CPU time of the page of a game. The goal is a millisecond.

#![allow(clippy::unwrap_used, reason = "a bench stops where it cannot go on")]

use arena::{
    Actor, Division, Game, GameId, Header, Intent, KeyDigest, Pace, Player, Pool, Rating,
    Submission, Tag, TicketId, Timestamp, TurnNumber,
};
use divan::Bencher;
use renju::{BySeat, Play, Ruleset};

/// Mid-game: 36 stones in 41 decisions, four forbidden points.
const PLAYS: &str = "h8 swap i7 keep i6 swap g8 keep j9 swap e13 g7 k9 g9 g6 g12 e9 k3 f6 e7 g10 \
                     j4 f5 h10 j5 f3 h7 f11 j8 i8 f8 l10 k11 l6 i13 k6 e11 d8 f9 l3 i9";

fn main() {
    divan::main();
}

fn game() -> Game {
    let ticket = |agent: &str| TicketId { agent: agent.parse().unwrap(), epoch: 1 };
    let player = |name: &str| Player::agent(name.parse().unwrap(), KeyDigest([7; 16]), Rating::NEW);
    let ruleset = Ruleset::find("renju_taraguchi10_international").unwrap();
    let start = Game::start(Header {
        id: GameId::of(&ticket("alice"), &ticket("bob")),
        division: Division { ruleset, pool: Pool::Standard },
        turn_ms: Pool::Standard.turn_ms(),
        budget_ms: None,
        uncounted: None,
        players: BySeat { first: player("alice"), second: player("bob") },
        created: Timestamp::from_ms(1_790_000_000_000),
    });
    PLAYS.split_whitespace().fold(start, |game, word| {
        let seat = game.to_act().unwrap();
        let play: Play = word.parse().unwrap();
        let tag = Tag::of(&game.header().players[seat].name, &game.turn().to_string());
        let submission = Submission { intent: Intent::Play(game.turn(), play), tag };
        let at = game.last_at().plus(1_230);
        game.apply(Actor::Seat(seat), submission, at, &Pace::STANDARD)
            .unwrap()
            .into_commit()
            .unwrap()
    })
}

/// The current page, from the game to its last byte.
#[divan::bench]
fn latest(bencher: Bencher) {
    let game = game();
    let now = game.last_at();
    bencher.bench_local(|| {
        arena_spectate::game_page(&game, game.turn(), "https://arena.example", now)
    });
}

/// The page of an earlier turn.
#[divan::bench]
fn earlier(bencher: Bencher) {
    let game = game();
    let now = game.last_at();
    bencher.bench_local(|| {
        arena_spectate::game_page(&game, TurnNumber(20), "https://arena.example", now)
    });
}
