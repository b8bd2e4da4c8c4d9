//! The simulated queue: at least once, in no order. A message that is not acknowledged is delivered
//! again after its visibility timeout, five times at most.

use std::cell::RefCell;
use std::rc::Rc;

use arena::{GameId, HouseLevel, Message, TurnNumber, house};
use arena_protocol::{Again, Backend, act_for_house, handle};

use crate::answers::Hold;
use crate::brain;
use crate::faults::Fault;
use crate::process::{LIFETIME_MS, Process};
use crate::world::{Owner, World};

/// Visibility timeout of a message, and the timeout of a house bot; as in the template.
const VISIBILITY_MS: i64 = 120_000;
const HOUSE_LIFETIME_MS: i64 = 30_000;
const HOUSE_VISIBILITY_MS: i64 = 180_000;
const RECEIVES_MAX: u32 = 5;
const BATCH_MAX: usize = 10;

/// Longest thinking time of a house bot.
const THINK_MS_MAX: i64 = 5_000;

#[derive(Clone, Copy)]
struct Delivery {
    message: Message,
    receives: u32,
}

#[derive(Default)]
pub(crate) struct Queue {
    visible: Vec<Delivery>,
    /// Generation of the messages under way; those of an earlier one were purged.
    generation: u32,
}

impl Queue {
    pub(crate) fn purge(&mut self) {
        self.visible.clear();
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
        let jitter_ms = world.within(0, if late { 60_000 } else { 1_000 });
        deliver(world, Delivery { message, receives: 0 }, delay_ms + jitter_ms);
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
        there.queue.borrow_mut().visible.push(delivery);
        let collects = there.queue.borrow().visible.len() == 1;
        if collects {
            let wait_ms = there.within(0, 200);
            there.sleep(wait_ms).await;
            hand_out(&there);
        }
    });
}

/// Delivers all visible messages to referees, in batches of any order.
fn hand_out(world: &Rc<World>) {
    let mut visible = std::mem::take(&mut world.queue.borrow_mut().visible);
    while !visible.is_empty() {
        let size = visible.len().min(BATCH_MAX);
        let batch: Vec<Delivery> = (0..size)
            .map(|_| visible.swap_remove(world.draw(|rng| rng.below(visible.len()))))
            .collect();
        let open = lease(world, batch.clone(), VISIBILITY_MS);
        Process::start(world, 0, world.faults.referee_ms, |process| async move {
            let (mut failed, mut earlier): (Vec<Delivery>, Vec<Message>) = (Vec::new(), Vec::new());
            for delivery in batch {
                let message = delivery.message;
                if !earlier.iter().any(|other| message.is_served_by(other))
                    && handle(&process, message).await.is_err()
                {
                    failed.push(delivery);
                }
                earlier.push(message);
            }
            // Only a function that returns acknowledges: all messages but those it reports as
            // failed.
            *open.borrow_mut() = failed;
        });
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
