//! The sweep: once a minute, whatever a lost message left undone.

use arena::{Bell, Division, Pool, Timestamp, house};
use arena_http::App;
use arena_store::{Cursor, Page};
use renju::Ruleset;

use crate::{Again, clock};

/// A timer this late is taken for lost.
const LATE_MS: i64 = 60_000;

/// A ticket this old has been missed by its own message.
const MISSED_MS: i64 = 30_000;

/// How many games one message looks at: as many as one read of their items can fetch.
const PAGE: u16 = 100;

/// Looks at every live game and every queue.
pub(crate) async fn look(app: &App, now: Timestamp) -> Result<(), Again> {
    games(app, None, now).await?;
    queues(app, now).await?;
    app.store.heartbeat(now).await?;
    Ok(())
}

/// Ends games that are overdue, calls house bots again that should long have acted and takes up
/// chains of timers that broke off, one page of the list of
/// live games; the rest is left to the next message, so that no number of games outlasts a function.
pub(crate) async fn games(app: &App, after: Option<Cursor>, now: Timestamp) -> Result<(), Again> {
    let listing = app.store.live_before(now, Page { limit: PAGE, after }).await?;
    // The list is older than the games; what is done about one is written on condition.
    let games = app.store.armed_games(&listing.entries).await?;
    let last = games.iter().map(|(game, _)| (game.header().created, game.id())).max();
    if let (Some(_), Some((created, game))) = (listing.next, last) {
        app.store.ring(&[Bell::SweepOn { created, game }], now).await?;
    }
    for (game, armed) in games {
        let Some(overdue) = game.overdue_from(app.pace()) else { continue };
        if now > overdue {
            clock::flag(app, game, now).await?;
            continue;
        }
        if let Some(bell) = house::late_bell(&game, now) {
            app.store.ring(&[bell], now).await?;
        }
        if let Some(fire) = armed.filter(|fire| now.since(*fire) > LATE_MS) {
            clock::look(app, game.id(), fire, now).await?;
        }
    }
    Ok(())
}

/// Rings for queues in which somebody waits too long, and lets go whose ticket has run out.
async fn queues(app: &App, now: Timestamp) -> Result<(), Again> {
    for ruleset in Ruleset::ALL {
        for pool in Pool::ALL {
            let division = Division { ruleset, pool };
            let waiting = app.store.waiting(division, now).await?;
            if waiting.iter().any(|ticket| now.since(ticket.since) > MISSED_MS) {
                app.store.ring(&[Bell::Match { division, at: now }], now).await?;
            }
            for name in app.store.lapsed(division, now).await? {
                let agent = app.store.agent(&name).await?;
                let lapsed = agent.filter(|agent| agent.ticket(now).is_none());
                if let Some(plan) = lapsed.and_then(|agent| agent.leave()) {
                    app.store.commit(&plan, now).await?;
                }
            }
        }
    }
    Ok(())
}
