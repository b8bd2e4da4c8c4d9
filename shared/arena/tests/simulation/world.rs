//! The clock and the scheduler: one heap of wake-ups, tasks that are plain `async` functions, and
//! one source of chance. A task that is dropped between two polls has crashed at that await.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use arena::{Pace, Timestamp};

use super::check::Check;
use super::faults::{Fault, Faults};
use super::mutants::Mutant;
use super::queue::Queue;
use super::rng::Rng;
use super::store::Store;

/// The function timeout: a process that lives longer is killed.
pub(crate) const LIFETIME_MS: i64 = 4_000;

/// Who a task belongs to, which decides what can happen to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// The network, the services: never dies.
    Cloud,
    /// A function: can crash, and is killed at this time.
    Process { until: i64 },
    /// The agent of this number: can restart.
    Agent(usize),
}

struct Task {
    owner: Owner,
    future: Pin<Box<dyn Future<Output = ()>>>,
}

/// How often what happened.
pub(crate) type Tally = BTreeMap<&'static str, u64>;

/// What is to be run, beside the seed.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Case {
    /// A mistake, with the faults that show it.
    pub(crate) mutant: Option<Mutant>,
    /// Only the faults, without the mistake.
    pub(crate) is_control: bool,
    pub(crate) is_traced: bool,
}

pub(crate) struct World {
    pub(crate) mutant: Option<Mutant>,
    pub(crate) pace: Pace,
    pub(crate) faults: Faults,
    pub(crate) store: RefCell<Store>,
    pub(crate) queue: RefCell<Queue>,
    pub(crate) check: RefCell<Check>,
    pub(crate) tally: RefCell<Tally>,
    /// Whether things go wrong.
    pub(crate) is_faulty: Cell<bool>,
    /// Whether agents still look for new games.
    pub(crate) is_open: Cell<bool>,
    struck: RefCell<[u64; Fault::ALL.len()]>,
    rng: RefCell<Rng>,
    now: Cell<i64>,
    current: Cell<u64>,
    next_id: Cell<u64>,
    tasks: RefCell<HashMap<u64, Task>>,
    wakes: RefCell<BinaryHeap<Reverse<(i64, u64, u64)>>>,
    restarted: RefCell<Vec<usize>>,
    is_traced: bool,
}

impl World {
    pub(crate) fn new(seed: u64, case: Case) -> Rc<World> {
        let mut rng = Rng::new(seed);
        let mut faults = Faults::draw(&mut rng);
        if let Some(mutant) = case.mutant {
            mutant.provoke(&mut faults);
        }
        let mutant = case.mutant.filter(|_| !case.is_control);
        let house_after_ms = *rng.pick(&[None, None, Some(5_000), Some(30_000)]);
        Rc::new(World {
            mutant,
            pace: Pace { house_after_ms, ..Pace::STANDARD },
            faults,
            store: RefCell::new(Store { mutant, ..Store::default() }),
            queue: RefCell::default(),
            check: RefCell::default(),
            tally: RefCell::default(),
            is_faulty: Cell::new(true),
            is_open: Cell::new(true),
            struck: RefCell::default(),
            rng: RefCell::new(rng),
            now: Cell::new(1_800_000_000_000),
            current: Cell::new(0),
            next_id: Cell::new(1),
            tasks: RefCell::default(),
            wakes: RefCell::default(),
            restarted: RefCell::default(),
            is_traced: case.is_traced,
        })
    }

    /// The true time.
    pub(crate) fn now(&self) -> i64 {
        self.now.get()
    }

    pub(crate) fn timestamp(&self) -> Timestamp {
        Timestamp::from_ms(self.now.get())
    }

    pub(crate) fn is(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// Draws from the world's chance.
    pub(crate) fn draw<T>(&self, draw: impl FnOnce(&mut Rng) -> T) -> T {
        draw(&mut self.rng.borrow_mut())
    }

    /// Whether this goes wrong now.
    pub(crate) fn strikes(&self, fault: Fault) -> bool {
        let strikes = self.is_faulty.get() && self.draw(|rng| rng.chance(self.faults.rate(fault)));
        if strikes {
            self.struck.borrow_mut()[fault as usize] += 1;
        }
        strikes
    }

    /// How often each fault struck.
    pub(crate) fn struck(&self) -> [u64; Fault::ALL.len()] {
        *self.struck.borrow()
    }

    pub(crate) fn count(&self, what: &'static str) {
        *self.tally.borrow_mut().entry(what).or_default() += 1;
    }

    pub(crate) fn trace(&self, line: impl FnOnce() -> String) {
        if self.is_traced {
            eprintln!("{:>12.3} {}", (self.now() - 1_800_000_000_000) as f64 / 1e3, line());
        }
    }

    /// Starts a task after `delay_ms`.
    pub(crate) fn spawn(
        &self,
        owner: Owner,
        delay_ms: i64,
        future: impl Future<Output = ()> + 'static,
    ) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        self.tasks.borrow_mut().insert(id, Task { owner, future: Box::pin(future) });
        self.wake_at(id, self.now() + delay_ms);
        id
    }

    pub(crate) fn current(&self) -> u64 {
        self.current.get()
    }

    pub(crate) fn wake_at(&self, id: u64, at: i64) {
        let order = self.next_id.get();
        self.next_id.set(order + 1);
        self.wakes.borrow_mut().push(Reverse((at, order, id)));
    }

    /// Lets time pass for the task that waits.
    pub(crate) fn sleep(self: &Rc<World>, ms: i64) -> Sleep {
        Sleep { world: self.clone(), until: self.now() + ms, is_set: false }
    }

    /// Lets the world run until `end`, or until the first violation. Returns the agents that
    /// restarted, as soon as one does.
    pub(crate) fn run(&self, end: i64, is_done: impl Fn() -> bool) -> Vec<usize> {
        while !is_done() {
            let next = self.wakes.borrow().peek().map(|Reverse((at, _, id))| (*at, *id));
            let Some((at, id)) = next.filter(|(at, _)| *at <= end) else { break };
            self.wakes.borrow_mut().pop();
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
        let poll = task.future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if poll.is_pending() {
            self.tasks.borrow_mut().insert(id, task);
        }
    }

    /// Ends every task of the agents; at the end of the world, of everybody.
    pub(crate) fn end_tasks(&self, is_ended: impl Fn(Owner) -> bool) {
        let ended: Vec<Task> = self
            .tasks
            .borrow_mut()
            .extract_if(|_, task| is_ended(task.owner))
            .map(|e| e.1)
            .collect();
        drop(ended);
    }
}

/// A pause of the task that awaits it.
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
