//! A request over the network and its reply: either may be lost, and a request may arrive twice.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use arena::Timestamp;

use crate::deployment::LIFETIME_MS;
use crate::faults::Fault;
use crate::lambda::Running;
use crate::process::Process;
use crate::world::World;

/// Time an agent waits for a reply.
const PATIENCE_MS: i64 = 10_000;

/// Longest time the gateway takes to start a function.
const GATEWAY_MS_MAX: i64 = 500;

/// Sends a request to the function `handler` with the time of receipt; `None` if no reply arrives or
/// no function is free.
pub(crate) fn call<T: 'static, F: Future<Output = T> + 'static>(
    world: &Rc<World>,
    route: &'static str,
    handler: impl Fn(Process, Timestamp) -> F,
) -> Waiting<T> {
    world.count(route);
    let reply = Rc::new(RefCell::new(None));
    let mut delays = Vec::new();
    if !world.strikes(Fault::RequestLost) {
        delays.push(world.within(5, 60));
    }
    if world.strikes(Fault::RequestDoubled) {
        delays.push(world.within(5, 3_000));
    }
    if world.strikes(Fault::RequestEcho) {
        delays.push(world.within(5_000, 1_200_000));
    }
    let asker = world.current();
    for delay_ms in delays {
        let reply = reply.clone();
        let most = world.faults.skew_ms;
        let received = world.timestamp().plus(delay_ms + world.within(-most, most));
        let is_slow = world.strikes(Fault::SlowGateway);
        let gateway_ms = world.within(0, if is_slow { GATEWAY_MS_MAX } else { 15 });
        Process::start(world, delay_ms + gateway_ms, LIFETIME_MS, |process| {
            let world = process.world.clone();
            let handled = handler(process, received);
            async move {
                let Ok(_running) = Running::start(&world, route).await else {
                    reply.borrow_mut().get_or_insert(None);
                    return world.wake_at(asker, world.now() + 10);
                };
                let answer = handled.await;
                if !world.strikes(Fault::ReplyLost) {
                    reply.borrow_mut().get_or_insert(Some(answer));
                    world.wake_at(asker, world.now() + 10);
                }
            }
        });
    }
    let until = world.now() + PATIENCE_MS;
    world.wake_at(asker, until);
    Waiting { world: world.clone(), reply, until }
}

pub(crate) struct Waiting<T> {
    world: Rc<World>,
    /// `Some(None)` is a refusal for lack of concurrency.
    reply: Rc<RefCell<Option<Option<T>>>>,
    until: i64,
}

impl<T> Future for Waiting<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<T>> {
        let reply = self.reply.take();
        if reply.is_some() || self.world.now() >= self.until {
            return Poll::Ready(reply.flatten());
        }
        Poll::Pending
    }
}
