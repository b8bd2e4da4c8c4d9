//! Random worlds: thousands of games under faults keep every invariant.
//!
//! `SIM_GAMES` sets the number of games, `SIM_SEED` replays one world, `SIM_TRACE=1` prints its
//! trace.

use std::time::Instant;

use arena_simulator::{GAMES_PER_WORLD, worlds};

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} cannot be read")))
}

#[test]
fn games_under_faults_keep_every_invariant() {
    let games: u64 = variable("SIM_GAMES").unwrap_or(2_000);
    let seeds = match variable("SIM_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..games.div_ceil(GAMES_PER_WORLD),
    };
    let start = Instant::now();
    let outcome = worlds(seeds, variable::<u8>("SIM_TRACE") == Some(1));
    println!("{}", outcome.total.summary(start.elapsed()));
    if let Some((seed, violation)) = outcome.violation {
        panic!(
            "{}: {}\nreplay: SIM_TRACE=1 SIM_SEED={seed} cargo test -p arena-simulator --test games \
             -- --nocapture",
            violation.rule, violation.detail
        );
    }
}
