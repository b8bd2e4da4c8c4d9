//! Small worlds: every schedule of every scenario keeps every invariant.
//!
//! By default the first schedules with one fault are run; `SMALL_WORLDS=all` runs all of them up to
//! the scenario's bound, and `SMALL_FAULTS` sets another bound. `SMALL_WORLD` names one scenario,
//! `SMALL_SCRIPT` replays one schedule of it.

use std::env;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use arena_simulator::{SCENARIOS, Scenario, Violation, explore, replay};

/// Schedules of each scenario in the default run, with one fault.
const FIRST: u64 = 4_000;

fn command(scenario: &Scenario, faults_max: u32, line: &str, violation: &Violation) -> String {
    format!(
        "{}: {}\nreplay: SMALL_WORLD={} SMALL_FAULTS={faults_max} SMALL_SCRIPT={line} cargo test -p \
         arena-simulator --test small_worlds -- --nocapture",
        violation.rule, violation.detail, scenario.name
    )
}

#[test]
fn every_schedule_of_every_small_world_keeps_every_invariant() {
    let wanted = env::var("SMALL_WORLD").ok();
    let wanted: Vec<&Scenario> = SCENARIOS
        .iter()
        .filter(|scenario| wanted.as_ref().is_none_or(|name| name == scenario.name))
        .collect();
    assert!(!wanted.is_empty(), "no small world has this name");
    let bound: Option<u32> =
        env::var("SMALL_FAULTS").ok().map(|text| text.parse().expect("a number"));
    if let Ok(line) = env::var("SMALL_SCRIPT") {
        let choices = line.split(',').filter(|choice| !choice.is_empty());
        let choices: Vec<u16> = choices.map(|choice| choice.parse().expect("a number")).collect();
        let faults_max = bound.unwrap_or(1);
        let violation = replay(wanted[0], faults_max, &choices);
        if let Some(violation) = violation {
            panic!("{}", command(wanted[0], faults_max, &line, &violation));
        }
        return;
    }
    let is_all = env::var("SMALL_WORLDS").is_ok_and(|all| all == "all");
    let most = if is_all { u64::MAX } else { FIRST };

    let (next, sum, failed) = (AtomicUsize::new(0), AtomicU64::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(scenario) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (start, faults_max) =
                (Instant::now(), bound.unwrap_or(if is_all { scenario.faults_max } else { 1 }));
            let explored = explore(scenario, faults_max, most);
            sum.fetch_add(explored.schedules, Ordering::Relaxed);
            println!(
                "{}: {} schedules of up to {} choices and {faults_max} faults, {} pruned, {:.1} s",
                scenario.name,
                explored.schedules,
                explored.choices_max,
                explored.pruned,
                start.elapsed().as_secs_f64()
            );
            if let Some((line, violation)) = explored.violation {
                let mut failed = failed.lock().expect("no panic under the lock");
                failed.push(command(scenario, faults_max, &line, &violation));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    println!("{} schedules in all", sum.into_inner());
    let failed = failed.into_inner().expect("no panic under the lock");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
