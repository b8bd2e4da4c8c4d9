//! Exhibitions: while nobody else plays, two house bots do, at a speed that people can follow. The games are
//! started and played like all others, by a plan and by calls of the house bots, and do not count. After the
//! first one, another starts only for an audience, so that an arena left alone does not fill its tables.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena::{Division, Game, HouseLevel, Message, Pool, house, seating};
use arena_lambda::{Context, log};
use arena_protocol::{Backend, commit};
use arena_store::{Fault, Paging};
use renju::{BySeat, Ruleset};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

/// Live games looked at: among more than these, somebody plays.
const LOOKED_AT: u16 = 20;

/// Levels that think for milliseconds, in pairs of about the same strength.
const PAIRS: [[u8; 2]; 4] = [[3, 2], [2, 3], [3, 4], [4, 3]];

/// Somebody who asked for a page this long ago may still look at it. Open pages ask every few seconds.
const AUDIENCE: Duration = Duration::from_secs(60);

/// A bot that has not acted for this long has probably lost its message.
const LATE: Duration = Duration::from_millis(house::LATE_MS as u64);

/// Time of the last request for a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Audience(Arc<Mutex<Option<Instant>>>);

impl Audience {
    pub(crate) fn looks(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn is_there(&self) -> bool {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| last.elapsed() < AUDIENCE)
    }
}

/// The next step of an exhibition.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    /// Somebody else plays, or nobody looks.
    Rest,
    Start,
    Call(Message),
}

/// Holds exhibitions until the sending half of `stop` is dropped: one decision, at most, in `every`.
pub(crate) async fn hold(
    context: Context,
    every: Duration,
    audience: Audience,
    mut stop: watch::Receiver<()>,
) {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut count, mut called) = (0, None);
    loop {
        tokio::select! {
            changed = stop.changed() => if changed.is_err() { return },
            _ = ticks.tick() => match go_on(&context, count, &audience, &mut called).await {
                Ok(started) => count += usize::from(started),
                Err(fault) => log::fault(&fault),
            }
        }
    }
}

/// The last call of a house bot, and its time.
type Called = Option<(Message, Instant)>;

/// Makes the next step; true if it started the game number `count`. A bot is called once for a turn, and
/// again if it is late.
async fn go_on(
    context: &Context,
    count: usize,
    audience: &Audience,
    called: &mut Called,
) -> Result<bool, Fault> {
    let store = &context.store;
    let listing = store.live(Paging::first(LOOKED_AT)).await?;
    let games = store.games_in_order(&listing.entries).await?;
    match step(&games, count == 0 || audience.is_there()) {
        Step::Rest => Ok(false),
        Step::Call(message) => {
            let is_called = called.is_some_and(|(last, at)| last == message && at.elapsed() < LATE);
            if !is_called {
                store.send(&[message]).await?;
                *called = Some((message, Instant::now()));
            }
            Ok(false)
        }
        Step::Start => {
            let plan =
                seating::seat_exhibition(levels(count), division(count), store.now(), store.pace());
            commit(store, &plan).await.map(|_| true)
        }
    }
}

/// Decides by the live games; a new one may start if it `is_wanted`.
fn step(games: &[Game], is_wanted: bool) -> Step {
    let mut live = games.iter().filter(|game| game.result().is_none());
    match live.clone().find(|game| game.is_exhibition()).and_then(house::call_message) {
        Some(message) => Step::Call(message),
        None if is_wanted && live.next().is_none() => Step::Start,
        None => Step::Rest,
    }
}

fn levels(count: usize) -> BySeat<HouseLevel> {
    let [first, second] =
        PAIRS[count % PAIRS.len()].map(|number| HouseLevel::ALL[usize::from(number)]);
    BySeat { first, second }
}

/// Every ruleset in turn, the main one first.
fn division(count: usize) -> Division {
    Division { ruleset: &Ruleset::ALL[count % Ruleset::ALL.len()], pool: Pool::Fast }
}
