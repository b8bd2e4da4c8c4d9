//! The simulated queues: at least once, in no order. A message that is not acknowledged is delivered
//! again after its visibility timeout, five times at most.
//!
//! Deadlines and matchmaking have a queue each, as in the template: a mapping collects messages into
//! batches and runs the referee for each batch, a limited number of times at once.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Poll;

use arena::{GameId, HouseLevel, Message, TurnNumber, house};
use arena_protocol::{Again, Backend, act_for_house, handle, handle_all};

use crate::answers::Hold;
use crate::brain;
use crate::deployment::{
    HOUSE_LIFETIME_MS, HOUSE_VISIBILITY_MS, LIFETIME_MS, RECEIVES_MAX, SOURCES, Source,
    VISIBILITY_MS,
};
use crate::faults::Fault;
use crate::lambda::Running;
use crate::load::latency_ms;
use crate::process::Process;
use crate::world::{Footprint, Owner, World};

/// Longest thinking time of a house bot.
const THINK_MS_MAX: i64 = 5_000;

/// Pollers of a new mapping. Lambda adds as many every second in which they are all busy, which is
/// 300 a minute.
const POLLERS: usize = 5;

#[derive(Clone, Copy)]
struct Delivery {
    message: Message,
    receives: u32,
}

/// One of a mapping's pollers: it collects a batch, then waits for the function to handle it.
#[derive(Default)]
struct Poller {
    batch: Vec<Delivery>,
    /// True from the first message of a batch until there is no more work.
    is_active: bool,
    /// True while the function handles its batch.
    is_busy: bool,
}

#[derive(Default)]
struct Mapping {
    pollers: Vec<Poller>,
    grown_at: i64,
    /// Messages that no poller was free to take.
    backlog: Vec<Delivery>,
}

#[derive(Default)]
pub(crate) struct Queue {
    mappings: [Mapping; SOURCES.len()],
    /// Generation of the messages under way; those of an earlier one were purged.
    generation: u32,
}

impl Queue {
    pub(crate) fn purge(&mut self) {
        for mapping in &mut self.mappings {
            mapping.backlog.clear();
            mapping.pollers.iter_mut().for_each(|poller| poller.batch.clear());
        }
        self.generation += 1;
    }
}

/// Takes a message, which may be lost, doubled or delivered late.
pub(crate) fn send(world: &Rc<World>, message: Message, delay_ms: i64) {
    world.count("messages");
    world.trace(|| format!("sends {message:?} in {delay_ms} ms"));
    world.check.borrow_mut().sent(message);
    if world.strikes(Fault::MessageLost) {
        return;
    }
    let copies = if world.strikes(Fault::MessageDoubled) { 2 } else { 1 };
    for _ in 0..copies {
        let late = world.strikes(Fault::MessageLate);
        let delay_ms = match world.load {
            None => delay_ms + world.within(0, if late { 60_000 } else { 1_000 }),
            // SQS delays by whole seconds.
            Some(_) => (delay_ms + 999) / 1_000 * 1_000 + world.draw(|rng| latency_ms(30, rng)),
        };
        deliver(world, Delivery { message, receives: 0 }, delay_ms);
    }
}

fn deliver(world: &Rc<World>, delivery: Delivery, delay_ms: i64) {
    let generation = world.queue.borrow().generation;
    let there = world.clone();
    world.spawn(Owner::Cloud, delay_ms, async move {
        if there.queue.borrow().generation != generation {
            return;
        }
        if let Message::House { game, turn } = delivery.message {
            return call_house(&there, delivery, game, turn);
        }
        let source = usize::from(matches!(delivery.message, Message::Match { .. }));
        if let Some(poller) = receive(&there, source, delivery) {
            run(&there, source, poller).await;
        }
    });
}

/// A free poller takes the message, or none does. Returns the poller if it was idle.
fn receive(world: &World, source: usize, delivery: Delivery) -> Option<usize> {
    let mut queue = world.queue.borrow_mut();
    let mapping = &mut queue.mappings[source];
    let is_free = |(index, poller): (usize, &Poller)| (!poller.is_busy).then_some(index);
    let mut free: Vec<usize> = mapping.pollers.iter().enumerate().filter_map(is_free).collect();
    if free.is_empty() && world.now() >= mapping.grown_at + 1_000 {
        let known = mapping.pollers.len();
        let most = (known + POLLERS).min(SOURCES[source].runs_max);
        mapping.pollers.resize_with(most, Poller::default);
        mapping.grown_at = world.now();
        free.extend(known..most);
    }
    if free.is_empty() {
        mapping.backlog.push(delivery);
        return None;
    }
    let chosen = world.draw(|rng| *rng.pick(&free));
    let poller = &mut mapping.pollers[chosen];
    poller.batch.push(delivery);
    (!std::mem::replace(&mut poller.is_active, true)).then_some(chosen)
}

/// A poller's work: it collects, has the batch handled, and goes on with what has piled up.
async fn run(world: &Rc<World>, source: usize, poller: usize) {
    let Source { queue: function, batch_max, window_ms, .. } = SOURCES[source];
    loop {
        let wait_ms = match world.load {
            None => world.within(0, window_ms.max(200)),
            Some(_) => window_ms,
        };
        world.sleep(wait_ms).await;
        let batch = {
            let mut queue = world.queue.borrow_mut();
            let Mapping { pollers, backlog, .. } = &mut queue.mappings[source];
            let Poller { batch, is_active, is_busy } = &mut pollers[poller];
            backlog.append(batch);
            let size = backlog.len().min(batch_max);
            let mut pick = || backlog.swap_remove(world.draw(|rng| rng.below(backlog.len())));
            let batch: Vec<Delivery> = (0..size).map(|_| pick()).collect();
            *is_busy = !batch.is_empty();
            *is_active = *is_busy;
            batch
        };
        if batch.is_empty() {
            return;
        }
        handle_batch(world, function, batch).await;
        let mut queue = world.queue.borrow_mut();
        let mapping = &mut queue.mappings[source];
        mapping.pollers[poller].is_busy = false;
        if mapping.backlog.is_empty() {
            mapping.pollers[poller].is_active = false;
            return;
        }
    }
}

/// Has the referee handle a batch, and waits until the function ends or dies.
async fn handle_batch(world: &Rc<World>, function: &'static str, batch: Vec<Delivery>) {
    let open = lease(world, batch.clone(), VISIBILITY_MS);
    let has_ended = Rc::new(Cell::new(false));
    let there = world.clone();
    let end = End { world: world.clone(), poller: world.current(), has_ended: has_ended.clone() };
    Process::start(world, 0, world.faults.referee_ms, |process| async move {
        let _end = end;
        let _running = loop {
            match Running::start(&there, function).await {
                Ok(running) => break running,
                Err(_) => there.sleep(1_000).await,
            }
        };
        let (process, batch) = (&process, batch.into_iter().map(|it| (it, Some(it.message))));
        let failed = handle_all(batch, |delivery, is_served| async move {
            let is_done = is_served || handle(process, delivery.message).await.is_ok();
            (!is_done).then_some(delivery)
        });
        let failed = failed.await;
        // Only a function that returns acknowledges: all messages but those it reports as failed.
        *open.borrow_mut() = failed;
    });
    std::future::poll_fn(|_| {
        if has_ended.get() {
            return Poll::Ready(());
        }
        world.announce(Footprint::NOTHING);
        Poll::Pending
    })
    .await;
}

/// Wakes the poller when the function it waits for returns or dies.
struct End {
    world: Rc<World>,
    poller: u64,
    has_ended: Rc<Cell<bool>>,
}

impl Drop for End {
    fn drop(&mut self) {
        self.has_ended.set(true);
        self.world.wake_at(self.poller, self.world.now());
    }
}

/// Delivers a message of the house bots' queue.
fn call_house(world: &Rc<World>, delivery: Delivery, game: GameId, turn: TurnNumber) {
    let open = lease(world, vec![delivery], HOUSE_VISIBILITY_MS);
    Process::start(world, 0, HOUSE_LIFETIME_MS, |process| async move {
        if act(&process, game, turn).await.is_ok() {
            open.borrow_mut().clear();
        }
    });
}

/// Acts for a house bot. Two calls for the same turn may choose different plays.
pub(crate) async fn act(process: &Process, game: GameId, turn: TurnNumber) -> Result<(), Again> {
    let think = |game: arena::Game, level: HouseLevel| async move {
        let world = &process.world;
        let least_ms = if world.is_scripted() { 0 } else { 10 };
        world.sleep(world.within(least_ms, THINK_MS_MAX)).await;
        let play = world.draw(|rng| brain::choose(&game, rng));
        let submission = house::submission(&game, level, play);
        let (name, now) = (level.name(), process.now());
        let until = world.now() + LIFETIME_MS;
        process.hold(Hold::new(world, &name, game.id(), submission, now, until));
        Ok(play)
    };
    act_for_house(process, game, turn, think).await
}

/// Delivers again what is not acknowledged by then.
fn lease(
    world: &Rc<World>,
    batch: Vec<Delivery>,
    visibility_ms: i64,
) -> Rc<RefCell<Vec<Delivery>>> {
    let open = Rc::new(RefCell::new(batch));
    let (there, lease) = (world.clone(), open.clone());
    world.spawn(Owner::Cloud, visibility_ms, async move {
        for delivery in lease.take() {
            let receives = delivery.receives + 1;
            // After that a message is dropped, and the sweep does its work.
            if receives < RECEIVES_MAX || !there.faults.sweeps {
                there.count("redeliveries");
                deliver(&there, Delivery { receives, ..delivery }, 0);
            }
        }
    });
    open
}
