//! Small worlds: every schedule of a few requests and messages, not a sample.
//!
//! Calls take no time here. If several tasks are ready, the next one is a choice; so is every
//! fault, up to a number of them. A schedule is run from the start with the choices of its script;
//! then the last choice that has another option takes it. The scenario, the use cases and the
//! checks are the same for every schedule, so a violation that no schedule shows cannot happen
//! within the bound.

#![allow(missing_docs, reason = "the names say it")]

use std::rc::Rc;

use arena::{Message, Pace};

use crate::check::Violation;
use crate::faults::{Fault, Faults};
use crate::process::Process;
use crate::queue;
use crate::scenarios::Scene;
use crate::script::Script;
use crate::world::{Footprint, World};

/// Time of the choices in a scenario; the rest runs without them.
const SCENE_MS: i64 = 900;

const MINUTE_MS: i64 = 60_000;

/// A scenario and the bound to which its schedules are run.
pub struct Scenario {
    /// Name for replaying it.
    pub name: &'static str,
    /// Faults that may strike in one schedule.
    pub faults_max: u32,
    pub(crate) faults: &'static [Fault],
    /// Creates the items and starts the functions.
    pub(crate) set: fn(&mut Scene),
}

/// Result of running the schedules of a scenario.
pub struct Explored {
    pub schedules: u64,
    /// Schedules that were broken off: they differ from one that was run only in the order of
    /// independent steps.
    pub pruned: u64,
    /// Most choices in one schedule.
    pub choices_max: usize,
    /// The first violation, and the script that leads to it.
    pub violation: Option<(String, Violation)>,
}

/// Runs the schedules of a scenario with at most `faults_max` faults, in order, until all or `most`
/// have been run.
pub fn explore(scenario: &Scenario, faults_max: u32, most: u64) -> Explored {
    let mut explored = Explored { schedules: 0, pruned: 0, choices_max: 0, violation: None };
    let mut next = Some(Script::of(&[], faults_max));
    while let Some(this) = next.take_if(|_| explored.schedules < most) {
        let (ran, is_redundant, violation) = run(scenario, this, false);
        explored.schedules += u64::from(!is_redundant);
        explored.pruned += u64::from(is_redundant);
        explored.choices_max = explored.choices_max.max(ran.made());
        if let Some(violation) = violation {
            explored.violation = Some((ran.line(), violation));
            return explored;
        }
        next = ran.next(faults_max);
    }
    explored
}

/// Runs the one schedule that these choices lead to within the same bound, and prints its trace.
pub fn replay(scenario: &Scenario, faults_max: u32, choices: &[u16]) -> Option<Violation> {
    run(scenario, Script::of(choices, faults_max), true).2
}

fn run(scenario: &Scenario, script: Script, is_traced: bool) -> (Script, bool, Option<Violation>) {
    let mut faults = Faults::none();
    for fault in scenario.faults {
        faults.set(*fault, 1);
    }
    let pace = Pace { house_after_ms: Some(5_000), ..Pace::STANDARD };
    let world = World::scripted(script, pace, faults, is_traced);
    let mut scene = Scene::new(&world);
    (scenario.set)(&mut scene);
    drop(scene);
    let is_broken = || world.check.borrow().violation.is_some();
    world.run(world.now() + SCENE_MS, is_broken);

    let is_redundant = world.is_redundant.get();
    // No faults from here on: the sweep finishes what was left undone.
    world.is_faulty.set(false);
    world.check.borrow_mut().calm_since = Some(world.now());
    if !is_redundant {
        for wait_ms in [70_000, 80_000] {
            world.run(world.now() + wait_ms, is_broken);
            queue::send(&world, Message::Sweep, 0);
        }
        world.run(world.now() + 200_000, is_broken);
        if !is_broken() {
            world.check.borrow_mut().settle(&world);
        }
    }
    world.end_tasks(|_| true);
    let violation = world.check.borrow().violation.clone();
    let world = Rc::into_inner(world).expect("the tasks of a world end with it");
    (world.into_script().expect("a small world has a script"), is_redundant, violation)
}

/// Starts a function of a scenario; it touches `next` before its first call.
pub(crate) fn start<F: Future<Output = ()> + 'static>(
    world: &Rc<World>,
    next: Footprint,
    body: impl FnOnce(Process) -> F,
) {
    Process::start_to(world, 0, MINUTE_MS, next, body);
}
