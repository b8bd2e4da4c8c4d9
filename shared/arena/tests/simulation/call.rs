//! A request over the network and its reply: either may be lost, and a request may come twice.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::faults::Fault;
use super::process::Process;
use super::world::World;

/// How long an agent waits for a reply.
const PATIENCE_MS: i64 = 10_000;

/// Sends a request to the function `handler`; `None` when no reply comes.
pub(crate) fn call<T: 'static, F: Future<Output = T> + 'static>(
    world: &Rc<World>,
    route: &'static str,
    handler: impl Fn(Process) -> F,
) -> Waiting<T> {
    world.count(route);
    let reply = Rc::new(RefCell::new(None));
    let mut delays = Vec::new();
    if !world.strikes(Fault::RequestLost) {
        delays.push(world.draw(|rng| rng.within(5, 60)));
    }
    if world.strikes(Fault::RequestDoubled) {
        delays.push(world.draw(|rng| rng.within(5, 3_000)));
    }
    if world.strikes(Fault::RequestEcho) {
        delays.push(world.draw(|rng| rng.within(5_000, 1_200_000)));
    }
    let asker = world.current();
    for delay_ms in delays {
        let reply = reply.clone();
        Process::start(world, delay_ms, |process| {
            let world = process.world.clone();
            let handled = handler(process);
            async move {
                let answer = handled.await;
                if !world.strikes(Fault::ReplyLost) {
                    reply.borrow_mut().get_or_insert(answer);
                    world.wake_at(asker, world.now() + 10);
                }
            }
        });
    }
    let until = world.now() + PATIENCE_MS;
    world.wake_at(asker, until);
    Waiting { world: world.clone(), reply, until }
}

/// The wait for a reply.
pub(crate) struct Waiting<T> {
    world: Rc<World>,
    reply: Rc<RefCell<Option<T>>>,
    until: i64,
}

impl<T> Future for Waiting<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<T>> {
        let reply = self.reply.take();
        if reply.is_some() || self.world.now() >= self.until {
            return Poll::Ready(reply);
        }
        Poll::Pending
    }
}
