//! Runs worlds: each from the first registration to the rest after the last game.

#![allow(missing_docs, reason = "the names say it")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::catch_unwind;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arena::{Division, Message, Pool};
use renju::Ruleset;

use crate::agents::{self, Client};
use crate::check::Violation;
use crate::faults::Fault;
use crate::queue;
use crate::rest::MATCH_MS;
use crate::world::{Owner, World};

/// After this number of games the agents stop joining.
pub const GAMES_PER_WORLD: u64 = 20;

const MINUTE_MS: i64 = 60_000;

/// A world that has not had its games by then ends with fewer.
const OPEN_MS_MAX: i64 = 3 * 24 * 60 * MINUTE_MS;

/// An echoed request arrives within this time, and a ticket it may have brought has expired.
const ECHO_MS: i64 = 35 * MINUTE_MS;

/// Sums over many worlds.
#[derive(Default)]
pub struct Total {
    counts: BTreeMap<&'static str, u64>,
    struck: BTreeMap<Fault, u64>,
    worlds: u64,
    simulated_ms: i64,
    worst_recovery_ms: i64,
}

impl Total {
    fn add(&mut self, other: &Total) {
        for (what, count) in &other.counts {
            *self.counts.entry(what).or_default() += count;
        }
        for (fault, count) in &other.struck {
            *self.struck.entry(*fault).or_default() += count;
        }
        self.worlds += other.worlds;
        self.simulated_ms += other.simulated_ms;
        self.worst_recovery_ms = self.worst_recovery_ms.max(other.worst_recovery_ms);
    }

    /// A few lines of text.
    pub fn summary(&self, took: Duration) -> String {
        let counts: Vec<String> =
            self.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        let struck: Vec<String> =
            self.struck.iter().map(|(fault, count)| format!("{fault:?} {count}")).collect();
        let games = self.counts.get("games").copied().unwrap_or(0);
        format!(
            "{} worlds, {:.1} simulated days, {:.0} games/s: {}\nfaults: {}\n\
             worst recovery {:.0} s after the grace",
            self.worlds,
            self.simulated_ms as f64 / 86_400_000.0,
            games as f64 / took.as_secs_f64(),
            counts.join(", "),
            struck.join(", "),
            self.worst_recovery_ms as f64 / 1e3,
        )
    }
}

/// Result of running many worlds.
pub struct Outcome {
    pub total: Total,
    /// The violation of the least seed that has one.
    pub violation: Option<(u64, Violation)>,
}

/// Runs a world for every seed, on all cores, until one fails.
pub fn worlds(seeds: Range<u64>, is_traced: bool) -> Outcome {
    let next = AtomicU64::new(seeds.start);
    let failed = AtomicU64::new(u64::MAX);
    let outcome = Mutex::new(Outcome { total: Total::default(), violation: None });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= seeds.end || seed > failed.load(Ordering::Relaxed) {
            return;
        }
        let (total, violation) = catch_unwind(|| world(seed, is_traced)).unwrap_or_else(|_| {
            let detail = "see the message above".to_owned();
            (Total::default(), Some(Violation { rule: "panic", detail }))
        });
        let mut outcome = outcome.lock().expect("no world panics with the lock");
        outcome.total.add(&total);
        if let Some(violation) = violation
            && outcome.violation.as_ref().is_none_or(|(least, _)| seed < *least)
        {
            failed.fetch_min(seed, Ordering::Relaxed);
            outcome.violation = Some((seed, violation));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    outcome.into_inner().expect("no world panics with the lock")
}

fn world(seed: u64, is_traced: bool) -> (Total, Option<Violation>) {
    let world = World::random(seed, is_traced);
    let start = world.now();
    let clients = populate(&world);
    sweep_every_minute(&world);

    let is_broken = || world.check.borrow().violation.is_some();
    let games = || world.tally.borrow().get("games").copied().unwrap_or(0);
    run(&world, &clients, start + OPEN_MS_MAX, || is_broken() || games() >= GAMES_PER_WORLD);

    world.trace(|| "calm".to_owned());
    world.is_open.set(false);
    world.is_faulty.set(false);
    world.check.borrow_mut().calm_since = Some(world.now());
    if world.faults.purge {
        world.queue.borrow_mut().purge();
    }
    if world.faults.vanish {
        world.end_tasks(|owner| matches!(owner, Owner::Agent(_)));
    }
    let calm = world.now();
    run(&world, &clients, calm + MATCH_MS, is_broken);
    if !is_broken() {
        world.check.borrow_mut().matched(&world);
    }
    let turn_ms = clients.iter().flat_map(|client| &client.divisions);
    let turn_ms = turn_ms.map(|division| division.pool.turn_ms()).max().unwrap_or(0);
    let rest = calm + ECHO_MS + i64::from(turn_ms) + 5 * MINUTE_MS;
    // Agents that finish their games may need a few turns more.
    let more = if world.faults.vanish { 0 } else { 120 * MINUTE_MS };
    run(&world, &clients, rest + more, is_broken);
    if !is_broken() {
        world.check.borrow_mut().settle(&world);
    }
    world.end_tasks(|_| true);

    let check = world.check.borrow();
    let total = Total {
        counts: world.tally.borrow().clone(),
        struck: world.struck(),
        worlds: 1,
        simulated_ms: world.now() - start,
        worst_recovery_ms: check.worst_recovery_ms,
    };
    (total, check.violation.clone())
}

fn run(world: &Rc<World>, clients: &[Rc<Client>], end: i64, is_done: impl Fn() -> bool) {
    loop {
        let restarted = world.run(end, &is_done);
        if restarted.is_empty() {
            return;
        }
        for number in restarted {
            start(world, &clients[number]);
        }
    }
}

fn start(world: &Rc<World>, client: &Rc<Client>) {
    world.spawn(Owner::Agent(client.number), 0, agents::live(world.clone(), client.clone()));
}

/// A few agents with a division or two in common.
fn populate(world: &Rc<World>) -> Vec<Rc<Client>> {
    let count = world.draw(|rng| 3 + rng.below(8));
    let divisions: Vec<Division> = (0..world.draw(|rng| 1 + rng.below(2)))
        .map(|_| {
            world.draw(|rng| {
                let default = rng.chance(7_000);
                let ruleset = if default { &Ruleset::ALL[0] } else { rng.pick(Ruleset::ALL) };
                let pool = *rng.pick(&[Pool::Fast, Pool::Fast, Pool::Standard, Pool::Slow]);
                Division { ruleset, pool }
            })
        })
        .collect();
    let clients: Vec<Rc<Client>> = (0..count)
        .map(|number| {
            let related = number >= 3 && world.draw(|rng| rng.chance(3_000));
            let owner = related.then(|| "somebody".to_owned());
            Rc::new(Client::new(number, owner, divisions.clone()))
        })
        .collect();
    for client in &clients {
        start(world, client);
    }
    clients
}

pub(crate) fn sweep_every_minute(world: &Rc<World>) {
    if !world.faults.sweeps {
        return;
    }
    let there = world.clone();
    world.spawn(Owner::Cloud, 0, async move {
        loop {
            there.sleep(MINUTE_MS).await;
            queue::send(&there, Message::Sweep, 0);
        }
    });
}
