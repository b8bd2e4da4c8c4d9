//! Messages to the referee. A message names what to check and has no authority: its effect is
//! decided from a fresh read and written on condition, so a lost, late or doubled one changes
//! nothing.

use std::future::poll_fn;
use std::task::Poll;

use arena::Message;
use futures_util::future::maybe_done;

use crate::backend::Backend;
use crate::refused::Again;
use crate::{matchmaking, sweep, timer};

/// Handles a message to the referee.
pub async fn handle<B: Backend>(world: &B, message: Message) -> Result<(), Again> {
    match message {
        Message::Timer { game, fire } => timer::fired(world, game, fire).await,
        Message::Match { division, .. } => Ok(matchmaking::pair(world, division).await?),
        // Sent to the wrong queue: forwarded, so that it is not lost.
        Message::House { .. } => Ok(world.send(&[message]).await?),
        Message::Sweep => sweep::everything(world).await,
        Message::SweepOn { shard, after } => sweep::games(world, shard, after).await,
    }
}

/// Handles the messages of a batch together and returns what must be delivered again; everything
/// else is acknowledged. None waits for another: a long pairing in one division must not use up the
/// time of the others. `None` is a message that could not be parsed; `each` gets it too.
///
/// `each` gets every delivery, and true if an earlier message of the batch serves it: then there is
/// nothing to do. If the earlier one fails, it comes again, for both; after its last delivery the
/// sweep does its work.
pub async fn handle_all<D, F, T>(
    batch: impl IntoIterator<Item = (D, Option<Message>)>,
    each: impl Fn(D, bool) -> F,
) -> Vec<T>
where
    F: Future<Output = Option<T>>,
{
    let mut earlier: Vec<Message> = Vec::new();
    let start = |(delivery, message): (D, Option<Message>)| {
        let is_served =
            message.is_some_and(|it| earlier.iter().any(|other| it.is_served_by(other)));
        earlier.extend(message.filter(|_| !is_served));
        Box::pin(maybe_done(each(delivery, is_served)))
    };
    let mut works: Vec<_> = batch.into_iter().map(start).collect();
    // Not `join_all`: beyond thirty it polls only what was woken, and the simulator's tasks have no
    // waker. Those still at work are few: at most one for each division, or a small batch.
    poll_fn(|cx| {
        let mut is_done = true;
        for work in &mut works {
            is_done &= work.as_mut().poll(cx).is_ready();
        }
        if is_done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    works.into_iter().filter_map(|mut work| work.as_mut().take_output().flatten()).collect()
}
