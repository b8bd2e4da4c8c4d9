//! A seeded simulation of the arena's real decisions over a simulated store and queue.
//!
//! Every decision is made by the `arena` crate; the simulation carries out the plans it returns,
//! with crashes, lost and doubled messages, stale reads and agents that lie. A failure prints its
//! seed. `SIM_GAMES` sets how many games are played, `SIM_SEED` replays one world, `SIM_MUTANT`
//! puts a mistake into it, `SIM_TRACE=1` prints all that happens.

mod simulation {
    pub(crate) mod agents;
    pub(crate) mod answers;
    pub(crate) mod brain;
    pub(crate) mod call;
    pub(crate) mod check;
    pub(crate) mod desk;
    pub(crate) mod faults;
    pub(crate) mod handlers;
    pub(crate) mod house;
    pub(crate) mod interpret;
    pub(crate) mod mutants;
    pub(crate) mod process;
    pub(crate) mod queue;
    pub(crate) mod referee;
    pub(crate) mod rest;
    pub(crate) mod rng;
    pub(crate) mod run;
    pub(crate) mod store;
    pub(crate) mod world;
}

use std::time::Instant;

use simulation::mutants::Mutant;
use simulation::run::{self, GAMES_PER_WORLD};
use simulation::world::Case;

/// Within how many worlds every mutant must be caught.
const MUTANT_SEEDS: u64 = 200;

/// How many worlds the faults that provoke a mutant must leave whole.
const CONTROL_SEEDS: u64 = 25;

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} cannot be read")))
}

/// The one line that replays a world.
fn replay_command(seed: u64, case: Case) -> String {
    let control = if case.is_control { "SIM_CONTROL=1 " } else { "" };
    let mutant = case.mutant.map(|mutant| format!("SIM_MUTANT={mutant:?} ")).unwrap_or_default();
    format!(
        "SIM_TRACE=1 {control}{mutant}SIM_SEED={seed} cargo test -p arena --test simulation games \
         -- --nocapture"
    )
}

/// Panics with how to see it again if a world has failed.
fn check(outcome: run::Outcome, case: Case) {
    if let Some((seed, violation)) = outcome.violation {
        let command = replay_command(seed, case);
        panic!("{}: {}\nreplay: {command}", violation.rule, violation.detail);
    }
}

#[test]
fn games_under_faults_keep_every_invariant() {
    let mutant = variable::<String>("SIM_MUTANT")
        .map(|name| Mutant::find(&name).unwrap_or_else(|| panic!("there is no mutant {name}")));
    let is_set = |name| variable::<u8>(name) == Some(1);
    let case = Case { mutant, is_control: is_set("SIM_CONTROL"), is_traced: is_set("SIM_TRACE") };
    let games: u64 = variable("SIM_GAMES").unwrap_or(2_000);
    let seeds = match variable("SIM_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..games.div_ceil(GAMES_PER_WORLD),
    };
    let start = Instant::now();
    let outcome = run::worlds(seeds, case);
    println!("{}", outcome.total.summary(start.elapsed()));
    check(outcome, case);
}

#[test]
fn every_mutant_is_caught() {
    let mut survivors = Vec::new();
    for mutant in Mutant::ALL {
        let case = Case { mutant: Some(mutant), ..Case::default() };
        match run::worlds(0..MUTANT_SEEDS, case).violation {
            Some((seed, violation)) => {
                println!("{mutant:?}: {} with seed {seed}", violation.rule);
            }
            None => survivors.push(mutant),
        }
    }
    assert!(survivors.is_empty(), "not caught within {MUTANT_SEEDS} seeds: {survivors:?}");
}

#[test]
fn a_harmless_mutant_breaks_nothing() {
    for mutant in Mutant::HARMLESS {
        let case = Case { mutant: Some(mutant), ..Case::default() };
        check(run::worlds(0..CONTROL_SEEDS, case), case);
    }
}

#[test]
fn what_provokes_a_mutant_is_harmless_without_it() {
    for mutant in Mutant::ALL.into_iter().filter(|mutant| mutant.is_provoked()) {
        let case = Case { mutant: Some(mutant), is_control: true, is_traced: false };
        println!("{mutant:?}");
        check(run::worlds(0..CONTROL_SEEDS, case), case);
    }
}
