//! Decisions of an opening that are made by search, without the book.

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use std::collections::HashSet;

use renju::{Phase, Play, Record, Ruleset};
use renju_engine::{Choice, Engine, Limits};

fn choose(record: &Record, limits: &Limits, seed: u64) -> Choice {
    Engine::new(1 << 20).without_book().choose(record.position(), limits, seed, None).unwrap()
}

fn record(ruleset: &str, plays: &str) -> Record {
    Record::parse(Ruleset::find(ruleset).unwrap(), 15, plays).unwrap()
}

#[test]
fn no_decision_takes_more_nodes_than_it_may() {
    let limits = Limits::nodes(3_000);
    let mut decisions = HashSet::new();
    for ruleset in Ruleset::ALL {
        let mut record = Record::new(ruleset);
        for seed in 0..14 {
            if record.position().phase() == Phase::Play {
                break;
            }
            decisions.insert(record.position().phase().due());
            let choice = choose(&record, &limits, seed);
            // Each of some seventy searches may take one node more than its share.
            assert!(choice.nodes <= limits.nodes + 70, "{}: {}", ruleset.id, choice.nodes);
            record.play(choice.play).unwrap();
        }
    }
    assert!(decisions.len() >= 6, "{decisions:?}");
}

#[test]
fn the_offered_stone_that_helps_black_least_is_chosen() {
    // Black's stones i9, j8 and the like build on h8 and g9; a1 is as good as a pass.
    for offer in ["i9,j8,i10,f8,a1", "a1,f8,i10,j8,i9"] {
        let plays = format!("h8 h9 g9 keep i7 declare:5 keep offer:{offer}");
        let choice = choose(&record("renju_soosorv8_rif", &plays), &Limits::nodes(20_000), 1);
        assert_eq!(choice.play, Play::Place("a1".parse().unwrap()), "{offer}");
    }
}

#[test]
fn offers_are_the_stones_that_help_black_most() {
    let record = record("renju_soosorv8_rif", "h8 h9 g9 keep i7 declare:1 keep");
    let choice = choose(&record, &Limits::nodes(40_000), 1);
    let Play::Offer(offer) = choice.play else { panic!("{} is no offer", choice.play) };
    let worth = |point: &str| {
        let mut next = record.clone();
        next.play(Play::Offer(renju::Offer::new(&[point.parse().unwrap()]).unwrap())).unwrap();
        next.play(Play::Place(point.parse().unwrap())).unwrap();
        -choose(&next, &Limits::nodes(20_000), 1).score
    };
    let offered = worth(&offer.points()[0].to_string());
    for other in ["a1", "h12", "k8", "e5"] {
        assert!(offered > worth(other), "{offer:?} is no better than {other}");
    }
}
