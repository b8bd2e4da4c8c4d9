//! The sweep: once a minute it does the work of lost messages.
//!
//! A failure of one game or one queue is noted and the rest continues; the next sweep tries it
//! again.

use arena::{Division, Message, Pool, Timestamp, house};
use renju::Ruleset;

use crate::backend::{Backend, LiveCursor, Note, Stored};
use crate::commit::commit;
use crate::refused::Again;
use crate::timer;

/// A timer this late counts as lost.
const LATE_MS: i64 = 60_000;

/// A ticket this old has been missed by its own message.
const MISSED_MS: i64 = 30_000;

/// Games checked by one message: the most that one batch read can fetch.
const PAGE: u16 = 100;

/// Checks every queue and the first games of the first shard; sends a message for each of the other
/// shards.
pub(crate) async fn everything<B: Backend>(world: &B) -> Result<(), Again> {
    let others: Vec<Message> =
        (1..world.shards()).map(|shard| Message::SweepOn { shard, after: None }).collect();
    if !others.is_empty() {
        world.send(&others).await?;
    }
    let done = [note_failure(world, games(world, 0, None).await), queues(world).await];
    world.heartbeat().await?;
    // Delivered again, this message would sweep the other shards again.
    if others.is_empty() { done.into_iter().collect() } else { Ok(()) }
}

/// Checks one page of a shard's live games and sends a message for the next, so that no number of
/// games outlasts a function's timeout.
pub(crate) async fn games<B: Backend>(
    world: &B,
    shard: u8,
    after: Option<LiveCursor>,
) -> Result<(), Again> {
    let page = world.live_games(shard, world.now(), after, PAGE).await?;
    // The list is older than the games; changes are written on condition.
    let games = world.games(&page.games).await?;
    if page.next.is_some() {
        world.send(&[Message::SweepOn { shard, after: page.next }]).await?;
    }
    let mut all = Ok(());
    for stored in games {
        all = note_failure(world, game(world, stored).await).and(all);
    }
    // Delivered again, this message would send the next page's message again, and so would every
    // page after it.
    if page.next.is_some() { Ok(()) } else { all }
}

/// Ends a game that is overdue, sends a late house bot its message again, and restarts a chain of
/// timers that broke off.
async fn game<B: Backend>(world: &B, stored: Stored) -> Result<(), Again> {
    let Stored { game, armed } = stored;
    let now = world.now();
    let Some(overdue) = game.overdue_from(world.pace()) else { return Ok(()) };
    if now > overdue {
        return timer::end(world, game).await;
    }
    if let Some(message) = house::late_message(&game, now) {
        world.send(&[message]).await?;
    }
    match armed.filter(|fire| now.since(*fire) > LATE_MS) {
        Some(fire) => timer::fired(world, game.id(), fire).await,
        None => Ok(()),
    }
}

async fn queues<B: Backend>(world: &B) -> Result<(), Again> {
    let mut all = Ok(());
    for ruleset in Ruleset::ALL {
        for pool in Pool::ALL {
            let swept = queue(world, Division { ruleset, pool }, world.now()).await;
            all = note_failure(world, swept).and(all);
        }
    }
    all
}

/// Has a queue paired if a ticket in it is too old, and removes expired tickets.
async fn queue<B: Backend>(world: &B, division: Division, now: Timestamp) -> Result<(), Again> {
    let tickets = world.tickets(division, now).await?;
    if tickets.waiting.iter().any(|ticket| now.since(ticket.since) > MISSED_MS) {
        world.send(&[Message::Match { division, at: now }]).await?;
    }
    let mut all = Ok(());
    for name in tickets.lapsed {
        let let_go = async {
            let agent = world.agent(&name).await?;
            if let Some(plan) = agent.and_then(|agent| agent.lapse(now)) {
                commit(world, &plan).await?;
            }
            Ok(())
        };
        all = note_failure(world, let_go.await).and(all);
    }
    all
}

/// Notes a failure at once, so that the rest can continue.
fn note_failure<B: Backend>(world: &B, result: Result<(), Again>) -> Result<(), Again> {
    result.map_err(|again| match again {
        Again::Fault(fault) => {
            world.note(Note::Failed(&fault));
            Again::Noted
        }
        other => other,
    })
}
