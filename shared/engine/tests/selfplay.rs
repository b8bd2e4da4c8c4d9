//! Whole games in every ruleset: no illegal play, no avoidable foul, no move over time, and the
//! same game for the same seed.
//!
//! `SELFPLAY_GAMES` is the number of games (default 40), `SELFPLAY_FROM` the number of the first,
//! `SELFPLAY_NODES` the nodes per move (200). With `SELFPLAY_MS` moves are bounded by time instead:
//!
//! ```text
//! SELFPLAY_GAMES=1000 SELFPLAY_MS=20 cargo test --release -p renju-engine --test selfplay -- --nocapture
//! ```

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use std::time::{Duration, Instant};

use renju::{Ending, Record, Ruleset};
use renju_engine::{Engine, Level, Limits, choose};

mod clock;
use clock::timed;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

/// Thinking times of many games, without the time a busy machine kept them waiting.
#[derive(Default)]
struct Clock {
    moves: u32,
    /// Late once, but not when repeated: the machine was busy.
    held_up: u32,
    /// Late three times in a row.
    late: u32,
    most: Duration,
}

impl Clock {
    fn time<T>(&mut self, limit: Duration, mut think: impl FnMut(Instant) -> T) -> T {
        self.moves += 1;
        let late = limit.mul_f64(1.1);
        let mut again = || timed(|| think(Instant::now() + limit));
        let (mut thought, mut took, _) = again();
        self.held_up += u32::from(took > late);
        for _ in 0..2 {
            if took > late {
                (thought, took, _) = again();
            }
        }
        self.late += u32::from(took > late);
        self.most = self.most.max(took);
        thought
    }
}

/// Plays a game to its end with one warm engine for both sides.
fn game(
    ruleset: &'static Ruleset,
    seed: u64,
    nodes: u64,
    clock: Option<(&mut Clock, Duration)>,
) -> Record {
    let mut record = Record::new(ruleset);
    let mut engine = Engine::new(1 << 20);
    let mut clock = clock;
    loop {
        let position = record.position();
        let limits = Limits::nodes(nodes);
        let choice = match &mut clock {
            None => engine.choose(position, &limits, seed, None),
            Some((clock, limit)) => clock.time(*limit, |deadline| {
                let limits = Limits { deadline: Some(deadline), ..limits };
                engine.choose(position, &limits, seed, None)
            }),
        };
        let Some(choice) = choice else { return record };
        let had_choice = position.legal_points().next().is_some();
        record
            .play(choice.play)
            .unwrap_or_else(|why| panic!("{} seed {seed}: {record}: {why}", ruleset.id));
        if let Some(outcome) = record.position().outcome()
            && let Ending::Foul(foul) = outcome.by
        {
            assert!(!had_choice, "{} seed {seed}: {record}: {foul}", ruleset.id);
        }
    }
}

#[test]
fn games_of_every_ruleset_are_legal_to_the_end() {
    let games = setting("SELFPLAY_GAMES").unwrap_or(40);
    let limit = setting("SELFPLAY_MS").map(Duration::from_millis);
    let nodes = setting("SELFPLAY_NODES").unwrap_or(if limit.is_some() { u64::MAX } else { 200 });
    let mut clock = Clock::default();
    let (mut plays, mut draws) = (0, 0);
    let from = setting("SELFPLAY_FROM").unwrap_or(0);
    for n in from..from + games {
        let ruleset = &Ruleset::ALL[n as usize % Ruleset::ALL.len()];
        let record = game(ruleset, n, nodes, limit.map(|limit| (&mut clock, limit)));
        plays += record.plays().len();
        draws += u32::from(record.position().outcome().unwrap().winner.is_none());
    }
    println!("{games} games, {plays} plays, {draws} draws, every play legal");
    if limit.is_some() {
        let Clock { moves, held_up, late, most } = clock;
        println!(
            "{moves} moves, the longest {most:?}; {late} thought longer than the limit + 10 %, and \
             {held_up} that did not when they were thought about again"
        );
        assert!(held_up <= moves / 1_000, "the machine is too busy for this");
        assert_eq!(late, 0);
    }
}

#[test]
fn the_same_seed_and_nodes_give_the_same_game() {
    for ruleset in Ruleset::ALL {
        assert_eq!(game(ruleset, 5, 150, None), game(ruleset, 5, 150, None), "{}", ruleset.id);
    }
}

#[test]
fn a_cleared_engine_plays_like_a_new_one() {
    let mut engine = Engine::new(1 << 20);
    for ruleset in Ruleset::ALL {
        let record = game(ruleset, 2, 100, None);
        for position in record.positions().step_by(5) {
            let limits = Limits { table_bytes: 1 << 20, ..Limits::nodes(500) };
            engine.clear();
            let again = engine.choose(&position, &limits, 9, None);
            assert_eq!(again, choose(&position, &limits, 9), "{}: {record}", ruleset.id);
        }
    }
}

#[test]
fn every_level_plays_legally() {
    for level in &Level::ALL[..5] {
        for ruleset in Ruleset::ALL {
            let mut record = Record::new(ruleset);
            for seed in 0..40 {
                let limits = Limits::nodes(200);
                let choice = level.choose(record.position(), &limits, seed, None);
                let Some(choice) = choice else { break };
                record.play(choice.play).unwrap();
            }
        }
    }
}
