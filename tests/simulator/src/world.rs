//! The clock and the scheduler: one heap of wake-ups, tasks that are plain `async` functions, and
//! one source of choices. A task that is dropped between two polls has crashed at that await.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use arena::{AgentName, Division, GameId, Pace, Timestamp};

use crate::check::Check;
use crate::faults::{Fault, Faults};
use crate::load::Load;
use crate::queue::Queue;
use crate::rng::Rng;
use crate::script::{Choices, Script};
use crate::tables::Tables;

pub(crate) const START_MS: i64 = 1_800_000_000_000;

/// Owner of a task, which decides what can happen to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// The network and the services: never dies.
    Cloud,
    /// A function: can crash, and is killed at this time.
    Process { until: i64 },
    /// The agent with this number: can restart.
    Agent(usize),
}

struct Task {
    owner: Owner,
    next: Footprint,
    future: Pin<Box<dyn Future<Output = ()>>>,
}

/// The items that the next step of a task reads and writes, as bit sets. Two items may share a bit,
/// which only makes independent steps seem dependent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprint {
    pub(crate) reads: u64,
    pub(crate) writes: u64,
}

impl Footprint {
    /// An unknown step.
    pub(crate) const ANYTHING: Footprint = Footprint { reads: !0, writes: !0 };
    /// A step that touches no item.
    pub(crate) const NOTHING: Footprint = Footprint { reads: 0, writes: 0 };

    /// Both steps as one.
    fn and(self, other: Footprint) -> Footprint {
        Footprint { reads: self.reads | other.reads, writes: self.writes | other.writes }
    }

    /// True if the order of two steps makes no difference.
    fn is_independent(self, other: Footprint) -> bool {
        self.writes & (other.reads | other.writes) == 0 && self.reads & other.writes == 0
    }
}

/// Number of events by name.
pub(crate) type Tally = BTreeMap<&'static str, u64>;

pub(crate) struct World {
    pub(crate) pace: Pace,
    pub(crate) shards: u8,
    /// The only queue that is used in a small world.
    pub(crate) division: Cell<Option<Division>>,
    pub(crate) faults: Faults,
    /// Limits and latencies of AWS; `None` in worlds with faults instead.
    pub(crate) load: Option<RefCell<Load>>,
    pub(crate) tables: RefCell<Tables>,
    pub(crate) queue: RefCell<Queue>,
    pub(crate) check: RefCell<Check>,
    pub(crate) tally: RefCell<Tally>,
    /// Items that only the newer version of the program can read.
    pub(crate) newer: RefCell<(BTreeSet<AgentName>, BTreeSet<GameId>)>,
    /// True while faults strike.
    pub(crate) is_faulty: Cell<bool>,
    /// True while agents join for new games.
    pub(crate) is_open: Cell<bool>,
    struck: RefCell<BTreeMap<Fault, u64>>,
    choices: RefCell<Choices>,
    is_scripted: bool,
    now: Cell<i64>,
    current: Cell<u64>,
    next_id: Cell<u64>,
    tasks: RefCell<BTreeMap<u64, Task>>,
    wakes: RefCell<BinaryHeap<Reverse<(i64, u64, u64)>>>,
    restarted: RefCell<Vec<usize>>,
    /// Tasks whose next step was tried first in an earlier schedule, and makes no difference here.
    asleep: RefCell<Vec<(u64, Footprint)>>,
    /// True if every possible next step was tried first in an earlier schedule.
    pub(crate) is_redundant: Cell<bool>,
    /// `None` is an unknown step.
    announced: Cell<Option<Footprint>>,
    is_traced: bool,
}

impl World {
    /// A world with randomness from a seed.
    pub(crate) fn random(seed: u64, is_traced: bool) -> Rc<World> {
        let mut rng = Rng::new(seed);
        let faults = Faults::draw(&mut rng);
        let house_after_ms = *rng.pick(&[None, None, Some(5_000), Some(30_000)]);
        let pace = Pace { house_after_ms, ..Pace::STANDARD };
        World::new(Choices::Random(rng), pace, faults, None, is_traced)
    }

    /// A world without faults and with the limits of AWS.
    pub(crate) fn loaded(seed: u64, faults: Faults, load: Load) -> Rc<World> {
        let choices = Choices::Random(Rng::new(seed));
        World::new(choices, Pace::STANDARD, faults, Some(load), false)
    }

    /// A small world with choices from a script.
    pub(crate) fn scripted(
        script: Script,
        pace: Pace,
        faults: Faults,
        is_traced: bool,
    ) -> Rc<World> {
        World::new(Choices::Scripted(script, Rng::new(0)), pace, faults, None, is_traced)
    }

    fn new(
        choices: Choices,
        pace: Pace,
        faults: Faults,
        load: Option<Load>,
        is_traced: bool,
    ) -> Rc<World> {
        Rc::new(World {
            pace,
            shards: faults.shards,
            division: Cell::new(None),
            faults,
            load: load.map(RefCell::new),
            tables: RefCell::default(),
            queue: RefCell::default(),
            check: RefCell::default(),
            tally: RefCell::default(),
            newer: RefCell::default(),
            is_faulty: Cell::new(true),
            is_open: Cell::new(true),
            struck: RefCell::default(),
            is_scripted: choices.is_scripted(),
            choices: RefCell::new(choices),
            now: Cell::new(START_MS),
            current: Cell::new(0),
            next_id: Cell::new(1),
            tasks: RefCell::default(),
            wakes: RefCell::default(),
            restarted: RefCell::default(),
            asleep: RefCell::default(),
            is_redundant: Cell::new(false),
            announced: Cell::new(None),
            is_traced,
        })
    }

    /// The true time.
    pub(crate) fn now(&self) -> i64 {
        self.now.get()
    }

    /// Largest difference of two clocks, as an allowance: negative.
    pub(crate) fn skew_ms(&self) -> i64 {
        -2 * self.faults.skew_ms
    }

    pub(crate) fn timestamp(&self) -> Timestamp {
        Timestamp::from_ms(self.now.get())
    }

    /// Sets the clock while a scenario is set up.
    pub(crate) fn set_now(&self, now: Timestamp) {
        self.now.set(now.ms());
    }

    pub(crate) fn is_scripted(&self) -> bool {
        self.is_scripted
    }

    pub(crate) fn draw<T>(&self, draw: impl FnOnce(&mut Rng) -> T) -> T {
        draw(self.choices.borrow_mut().rng())
    }

    pub(crate) fn within(&self, least: i64, most: i64) -> i64 {
        self.choices.borrow_mut().within(least, most)
    }

    /// True if this fault strikes now.
    pub(crate) fn strikes(&self, fault: Fault) -> bool {
        let strikes =
            self.is_faulty.get() && self.choices.borrow_mut().strikes(fault, &self.faults);
        if strikes {
            *self.struck.borrow_mut().entry(fault).or_default() += 1;
            self.trace(|| format!("{fault:?} strikes"));
        }
        strikes
    }

    /// Number of times each fault struck.
    pub(crate) fn struck(&self) -> BTreeMap<Fault, u64> {
        self.struck.borrow().clone()
    }

    /// The script with the choices made, once the world has run.
    pub(crate) fn into_script(self) -> Option<Script> {
        self.choices.into_inner().script()
    }

    pub(crate) fn count(&self, what: &'static str) {
        *self.tally.borrow_mut().entry(what).or_default() += 1;
    }

    /// Checks an invariant outside of a write.
    pub(crate) fn require(&self, holds: bool, rule: &'static str, detail: impl FnOnce() -> String) {
        self.check.borrow_mut().require(holds, rule, detail);
    }

    pub(crate) fn trace(&self, line: impl FnOnce() -> String) {
        if self.is_traced {
            eprintln!("{:>12.3} {}", (self.now() - START_MS) as f64 / 1e3, line());
        }
    }

    /// Starts a task after `delay_ms`.
    pub(crate) fn spawn(
        &self,
        owner: Owner,
        delay_ms: i64,
        future: impl Future<Output = ()> + 'static,
    ) -> u64 {
        self.spawn_to(owner, delay_ms, Footprint::ANYTHING, future)
    }

    /// The same for a task whose first step is known.
    pub(crate) fn spawn_to(
        &self,
        owner: Owner,
        delay_ms: i64,
        next: Footprint,
        future: impl Future<Output = ()> + 'static,
    ) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        self.tasks.borrow_mut().insert(id, Task { owner, next, future: Box::pin(future) });
        self.wake_at(id, self.now() + delay_ms);
        id
    }

    /// Declares items that the next step of the current task touches. A task with several calls
    /// under way declares those of all.
    pub(crate) fn announce(&self, next: Footprint) {
        let announced = self.announced.get().unwrap_or(Footprint::NOTHING);
        self.announced.set(Some(announced.and(next)));
    }

    pub(crate) fn current(&self) -> u64 {
        self.current.get()
    }

    pub(crate) fn wake_at(&self, id: u64, at: i64) {
        let order = self.next_id.get();
        self.next_id.set(order + 1);
        self.wakes.borrow_mut().push(Reverse((at, order, id)));
    }

    /// Suspends the current task.
    pub(crate) fn sleep(self: &Rc<World>, ms: i64) -> Sleep {
        Sleep { world: self.clone(), until: self.now() + ms, is_set: false }
    }

    /// Suspends the current task, always behind other ready tasks.
    pub(crate) async fn give_way(self: &Rc<World>, ms: i64) {
        let (until, mut has_waited) = (self.now() + ms, false);
        self.wake_at(self.current(), until);
        std::future::poll_fn(|_| {
            let is_due = std::mem::replace(&mut has_waited, true) && self.now() >= until;
            if is_due { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// Runs the world until `end`, or until the first violation. Returns the agents that restarted,
    /// as soon as one does.
    pub(crate) fn run(&self, end: i64, is_done: impl Fn() -> bool) -> Vec<usize> {
        while !is_done() {
            let Some((at, id)) = self.next_wake(end) else { break };
            self.now.set(at);
            self.wake(id);
            if !self.restarted.borrow().is_empty() {
                return self.restarted.take();
            }
        }
        if !is_done() {
            self.now.set(end);
        }
        Vec::new()
    }

    /// The next task to run: one of those that are ready first.
    fn next_wake(&self, end: i64) -> Option<(i64, u64)> {
        let mut wakes = self.wakes.borrow_mut();
        let (at, id) = wakes.peek().map(|Reverse((at, _, id))| (*at, *id))?;
        if at > end {
            return None;
        }
        wakes.pop();
        if !self.is_scripted || !self.is_faulty.get() {
            return Some((at, id));
        }
        let tasks = self.tasks.borrow();
        let mut ready = vec![id];
        while let Some(Reverse((_, _, id))) = wakes.peek().filter(|next| next.0.0 == at) {
            ready.push(*id);
            wakes.pop();
        }
        // A task with several calls under way is woken for each of them, and runs once.
        let mut seen = BTreeSet::new();
        ready.retain(|id| tasks.contains_key(id) && seen.insert(*id));
        if ready.is_empty() {
            drop((wakes, tasks));
            return self.next_wake(end);
        }
        // Sleep sets: of two independent steps only one order is run.
        let mut asleep = self.asleep.borrow_mut();
        let is_awake = |id: &u64| !asleep.iter().any(|(sleeper, _)| sleeper == id);
        let awake: Vec<u64> = ready.iter().copied().filter(is_awake).collect();
        if awake.is_empty() {
            self.is_redundant.set(true);
            return None;
        }
        // A step that touches nothing may as well come first.
        let touches_nothing = |id: &u64| tasks[id].next.is_independent(Footprint::ANYTHING);
        let index = match awake.iter().position(touches_nothing) {
            Some(index) => index,
            None => self.choices.borrow_mut().order(awake.len()),
        };
        let tried = if touches_nothing(&awake[index]) { 0 } else { index };
        let (chosen, step) = (awake[index], tasks[&awake[index]].next);
        asleep.extend(awake[..tried].iter().map(|id| (*id, tasks[id].next)));
        asleep.retain(|(_, next)| next.is_independent(step));
        ready.retain(|id| *id != chosen);
        for (order, id) in ready.into_iter().enumerate() {
            wakes.push(Reverse((at, order as u64, id)));
        }
        Some((at, chosen))
    }

    fn wake(&self, id: u64) {
        let Some(mut task) = self.tasks.borrow_mut().remove(&id) else { return };
        let dies = match task.owner {
            Owner::Cloud => false,
            Owner::Process { until } => self.now() > until || self.strikes(Fault::Crash),
            Owner::Agent(number) => {
                let restarts = self.strikes(Fault::Restart);
                if restarts {
                    self.restarted.borrow_mut().push(number);
                }
                restarts
            }
        };
        if dies {
            self.trace(|| format!("task {id} of {:?} dies", task.owner));
            return;
        }
        self.current.set(id);
        self.announced.set(None);
        let poll = task.future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if poll.is_pending() {
            task.next = self.announced.get().unwrap_or(Footprint::ANYTHING);
            self.tasks.borrow_mut().insert(id, task);
        }
    }

    /// Ends the tasks of these owners.
    pub(crate) fn end_tasks(&self, is_ended: impl Fn(Owner) -> bool) {
        let ended: Vec<Task> = self
            .tasks
            .borrow_mut()
            .extract_if(.., |_, task| is_ended(task.owner))
            .map(|(_, task)| task)
            .collect();
        drop(ended);
    }
}

pub(crate) struct Sleep {
    world: Rc<World>,
    until: i64,
    is_set: bool,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.world.now() >= self.until {
            return Poll::Ready(());
        }
        if !self.is_set {
            self.world.wake_at(self.world.current(), self.until);
            self.is_set = true;
        }
        Poll::Pending
    }
}
