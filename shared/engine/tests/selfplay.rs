//! Whole games in every ruleset: no illegal play, no foul by choice, and the same seed the same game.
//!
//! `SELFPLAY_GAMES` (games a ruleset, 2 if not set) and `SELFPLAY_NODES` (nodes a move) scale it.

use renju::{Ending, Record, Ruleset};
use renju_engine::{Level, Limits, choose};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn game(ruleset: &'static Ruleset, seed: u64, nodes: u64) -> Record {
    let mut record = Record::new(ruleset);
    let limits = Limits { table_bytes: 1 << 20, ..Limits::nodes(nodes) };
    while let Some(choice) = choose(record.position(), &limits, seed) {
        let had_choice = record.position().legal_points().next().is_some();
        record
            .play(choice.play)
            .unwrap_or_else(|why| panic!("{} seed {seed}: {record}: {why}", ruleset.id));
        if let Some(outcome) = record.position().outcome()
            && let Ending::Foul(foul) = outcome.by
        {
            assert!(!had_choice, "{} seed {seed}: {record}: {foul}", ruleset.id);
        }
    }
    record
}

#[test]
fn games_of_every_ruleset_are_legal_to_the_end() {
    let (games, nodes) = (setting("SELFPLAY_GAMES", 2), setting("SELFPLAY_NODES", 300));
    for ruleset in Ruleset::ALL {
        for seed in 0..games {
            let record = game(ruleset, seed, nodes);
            let outcome = record.position().outcome().unwrap();
            println!("{} {seed}: {} plays, {outcome:?}", ruleset.id, record.plays().len());
        }
    }
}

#[test]
fn the_same_seed_and_nodes_give_the_same_game() {
    for ruleset in Ruleset::ALL {
        assert_eq!(game(ruleset, 5, 150), game(ruleset, 5, 150), "{}", ruleset.id);
    }
}

#[test]
fn every_level_plays_legally() {
    for level in &Level::ALL[..5] {
        for ruleset in Ruleset::ALL {
            let mut record = Record::new(ruleset);
            let limits = Limits { table_bytes: 1 << 18, ..Limits::nodes(200) };
            for seed in 0.. {
                if record.plays().len() >= 40 {
                    break;
                }
                let Some(choice) = level.choose(record.position(), &limits, seed, None) else {
                    break;
                };
                record.play(choice.play).unwrap();
            }
        }
    }
}
