//! The sweep: once a minute, whatever a lost message left undone.
//!
//! Whatever fails for one game or one queue is logged, and the rest goes on: the next sweep tries it
//! again.

use arena::{Bell, Division, Game, GameId, Pool, Timestamp, house};
use arena_http::{App, log};
use renju::Ruleset;

use crate::{Again, clock};

/// A timer this late is taken for lost.
const LATE_MS: i64 = 60_000;

/// A ticket this old has been missed by its own message.
const MISSED_MS: i64 = 30_000;

/// How many games one message looks at: as many as one read of their items can fetch.
const PAGE: u16 = 100;

/// Looks at every queue and at the first games of the first shard; the other shards are left to
/// messages of their own.
pub(crate) async fn look(app: &App, now: Timestamp) -> Result<(), Again> {
    let others = 1..app.store.config().shards.max(1);
    let others: Vec<Bell> = others.map(|shard| Bell::SweepOn { shard, after: None }).collect();
    app.store.ring(&others, now).await?;
    let all = [games(app, 0, None, now).await, queues(app, now).await];
    app.store.heartbeat(now).await?;
    // Come again, this message would sweep the other shards again.
    if others.is_empty() { all.into_iter().collect() } else { Ok(()) }
}

/// Looks at one page of a shard's live games; the rest is left to the next message, so that no number
/// of games outlasts a function.
pub(crate) async fn games(
    app: &App,
    shard: u8,
    after: Option<(Timestamp, GameId)>,
    now: Timestamp,
) -> Result<(), Again> {
    let listing = app.store.live_before(shard, now, after, PAGE).await?;
    let ids: Vec<GameId> = listing.entries.iter().map(|(_, id)| *id).collect();
    // The list is older than the games; what is done about one is written on condition.
    let games = app.store.armed_games(&ids).await?;
    let after = listing.next.and(listing.entries.last().copied());
    if after.is_some() {
        app.store.ring(&[Bell::SweepOn { shard, after }], now).await?;
    }
    let mut all = Ok(());
    for (game, armed) in games {
        all = go_on(game_of(app, game, armed, now).await).and(all);
    }
    // Come again, this message would ring for the next page again, and so would every page after it.
    if after.is_some() { Ok(()) } else { all }
}

/// Ends a game that is overdue, calls a house bot again that should long have acted and takes up a
/// chain of timers that broke off.
async fn game_of(
    app: &App,
    game: Game,
    armed: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), Again> {
    let Some(overdue) = game.overdue_from(app.pace()) else { return Ok(()) };
    if now > overdue {
        return clock::flag(app, game, now).await;
    }
    if let Some(bell) = house::late_bell(&game, now) {
        app.store.ring(&[bell], now).await?;
    }
    match armed.filter(|fire| now.since(*fire) > LATE_MS) {
        Some(fire) => clock::look(app, game.id(), fire, now).await,
        None => Ok(()),
    }
}

async fn queues(app: &App, now: Timestamp) -> Result<(), Again> {
    let mut all = Ok(());
    for ruleset in Ruleset::ALL {
        for pool in Pool::ALL {
            all = go_on(queue(app, Division { ruleset, pool }, now).await).and(all);
        }
    }
    all
}

/// Rings for a queue in which somebody waits too long, and lets go whose ticket has run out.
async fn queue(app: &App, division: Division, now: Timestamp) -> Result<(), Again> {
    let tickets = app.store.tickets(division, now).await?;
    if tickets.waiting.iter().any(|ticket| now.since(ticket.since) > MISSED_MS) {
        app.store.ring(&[Bell::Match { division, at: now }], now).await?;
    }
    let mut all = Ok(());
    for name in tickets.lapsed {
        let let_go = async {
            let agent = app.store.agent(&name).await?;
            if let Some(plan) = agent.and_then(|agent| agent.lapse(now)) {
                app.store.commit(&plan, now).await?;
            }
            Ok(())
        };
        all = go_on(let_go.await).and(all);
    }
    all
}

/// What failed is logged at once, so that the rest can go on.
fn go_on(result: Result<(), Again>) -> Result<(), Again> {
    result.map_err(|again| match again {
        Again::Fault(fault) => {
            log::fault(&fault);
            Again::Logged
        }
        Again::NotYet | Again::Logged => again,
    })
}
