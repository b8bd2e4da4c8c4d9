//! Messages after a restart. Queues are kept in memory only, so whatever was on its way is lost; the
//! tables tell what it was.

use arena::{Bell, Division, Pool, house};
use arena_lambda::App;
use arena_protocol::Backend;
use arena_store::{Fault, Page};
use renju::Ruleset;

/// Games read at once.
const PAGE: u16 = 100;

/// Sends the messages that would be on their way if the queues had been kept: every live game's
/// timer, a call for each house bot that is to act, a look at each queue in which somebody waits.
pub(crate) async fn resume(app: &App) -> Result<(), Fault> {
    let now = app.store.now();
    let mut page = Page::first(PAGE);
    loop {
        let listing = app.store.live(page).await?;
        let mut bells = Vec::new();
        for stored in app.store.games(&listing.entries).await? {
            let game = stored.game.id();
            bells.extend(house::bell(&stored.game));
            bells.extend(stored.armed.map(|fire| Bell::Timer { game, fire }));
        }
        app.store.send(&bells).await?;
        match listing.next {
            Some(after) => page = Page { limit: PAGE, after: Some(after) },
            None => break,
        }
    }
    let mut bells = Vec::new();
    for ruleset in Ruleset::ALL {
        for division in Pool::ALL.map(|pool| Division { ruleset, pool }) {
            if !app.store.tickets(division, now).await?.waiting.is_empty() {
                bells.push(Bell::Match { division, at: now });
            }
        }
    }
    app.store.send(&bells).await
}
