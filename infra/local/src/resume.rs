//! Messages after a restart. Queues are kept in memory only, so their messages are lost; the tables
//! tell which ones.

use arena::{Division, Message, Pool, house};
use arena_lambda::Context;
use arena_protocol::Backend;
use arena_store::{Fault, Paging};
use renju::Ruleset;

/// Games read at once.
const PAGE: u16 = 100;

/// Sends the messages that would be under way if the queues had been kept: the timer of every live
/// game, a message to each house bot that is to act, and one for each queue with tickets.
pub(crate) async fn resume(context: &Context) -> Result<(), Fault> {
    let now = context.store.now();
    let mut paging = Paging::first(PAGE);
    loop {
        let listing = context.store.live(paging).await?;
        let mut messages = Vec::new();
        for stored in context.store.games(&listing.entries).await? {
            let game = stored.game.id();
            messages.extend(house::message(&stored.game));
            messages.extend(stored.armed.map(|fire| Message::Timer { game, fire }));
        }
        context.store.send(&messages).await?;
        match listing.next {
            Some(after) => paging = Paging { limit: PAGE, after: Some(after) },
            None => break,
        }
    }
    let mut messages = Vec::new();
    for ruleset in Ruleset::ALL {
        for division in Pool::ALL.map(|pool| Division { ruleset, pool }) {
            if !context.store.tickets(division, now).await?.waiting.is_empty() {
                messages.push(Message::Match { division, at: now });
            }
        }
    }
    context.store.send(&messages).await
}
