//! Reviews of games whose mistakes are known.

#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot do")]

use renju::{Color, Record, Ruleset};
use renju_engine::{Engine, Judgement, Limits, Review, chance, plies_to_end};

fn record(ruleset: &str, plays: &str) -> Record {
    let ruleset = Ruleset::find(ruleset).unwrap();
    Record::parse(ruleset, ruleset.size, plays).unwrap()
}

fn review(record: &Record) -> Review {
    Review::of(record, &mut Engine::new(1 << 20), &Limits::nodes(2_000))
}

fn last(plays: &str) -> Option<Judgement> {
    review(&record("renju_free", plays)).moves.last().unwrap().judgement
}

#[test]
fn a_win_that_is_not_played_is_missed() {
    let review = review(&record("renju_free", "h8 h9 i8 i9 j8 j9 a1"));
    let missed = review.moves.last().unwrap();
    assert_eq!(missed.judgement, Some(Judgement::MissedWin));
    assert!(plies_to_end(missed.before).is_some() && missed.before > 0);
    assert!(["g8", "k8"].contains(&missed.line[0].to_string().as_str()));
    // White had to stop the open three.
    assert_eq!(review.moves[5].judgement, Some(Judgement::Blunder));
    assert!(review.accuracy.black.unwrap() < 100 && review.accuracy.white.unwrap() < 100);
    assert_eq!(last("h8 h9 i8 i9 j8 j9 k8"), None);
}

#[test]
fn a_forbidden_move_is_a_foul() {
    assert_eq!(last("h8 a1 g8 a3 i9 a5 i10 o1 i8"), Some(Judgement::Foul));
}

/// White's four j7 k6 l5 m4 can be blocked on i8 alone, where Black would make two threes.
#[test]
fn a_move_that_leads_to_a_forbidden_block_is_a_trap() {
    assert_eq!(last("n3 k6 h8 l5 g8 m4 i9 a1 i10"), Some(Judgement::Trap));
    // Without the fouls there is no trap.
    let free = review(&record("gomoku_freestyle", "n3 k6 h8 l5 g8 m4 i9 a1 i10"));
    assert_ne!(free.moves.last().unwrap().judgement, Some(Judgement::Trap));
}

/// The first stones are put where both colours are wanted, not to win.
#[test]
fn the_opening_is_not_judged() {
    let game = record("gomoku_swap2", "h8 a1 i8 put-two a2 j8 keep a3 k8");
    let review = review(&game);
    let judgements: Vec<_> = review.moves.iter().map(|each| each.judgement).collect();
    assert_eq!(judgements[..5], [None; 5]);
    assert!(judgements[5..].iter().any(Option::is_some), "{judgements:?}");
}

#[test]
fn chances_follow_the_score() {
    assert_eq!([chance(0), chance(29_990), chance(-29_990)], [500, 1_000, 0]);
    assert_eq!(chance(200) + chance(-200), 1_000);
    assert!((-2_000..2_000).all(|score| chance(score) <= chance(score + 1)));
}

/// Games of the engine against itself, under every ruleset, openings and captures included.
#[test]
fn every_game_has_a_review_and_always_the_same() {
    for ruleset in Ruleset::ALL {
        let mut game = Record::new(ruleset);
        let mut engine = Engine::new(1 << 16);
        for turn in 0..36 {
            let Some(choice) = engine.choose(game.position(), &Limits::nodes(60), turn, None)
            else {
                break;
            };
            game.play(choice.play).unwrap();
        }
        let limits = Limits::nodes(60);
        let review = Review::of(&game, &mut Engine::new(1 << 16), &limits);
        let stones: Vec<_> = game.stones().collect();
        let seen: Vec<_> = review.moves.iter().map(|each| (each.point, each.color)).collect();
        assert_eq!(seen, stones, "{}", ruleset.id);
        assert_eq!(Review::of(&game, &mut Engine::new(1 << 16), &limits), review);
        for color in Color::BOTH {
            assert!(review.accuracy[color].is_none_or(|percent| percent <= 100));
        }
    }
}
