//! The chain of timers of a game: one message at a time, each at most fifteen minutes ahead.

use crate::game::{Game, Header};
use crate::house;
use crate::ids::Timestamp;
use crate::plan::{HOP_MS, Message, Plan, Write};
use crate::terms::Pace;

/// A message can name a game that does not exist yet, because it is sent before the game is
/// created. The referee checks again for this long.
pub const YOUNG_MS: i64 = 120_000;

/// Action of the referee when a timer fires.
#[derive(Clone, PartialEq, Debug)]
pub enum TimerStep {
    /// The game is over or does not exist, or the message is not the head of the chain.
    Drop,
    /// Check again soon: the game may be about to exist.
    Later,
    /// The player to act is out of time: submit the flag.
    Flag,
    /// Send the next link, and again the message to a house bot that is late; then advance the
    /// chain.
    Rearm(Plan),
}

/// Time of the first timer of a game.
pub fn first(header: &Header, pace: &Pace) -> Timestamp {
    let overdue = header.created.plus(i64::from(header.turn_ms) + pace.grace_ms);
    after(overdue, header.created)
}

/// An extra message for a deadline that may come before the next link of the chain, because the
/// player is low on time for the game. It is not a link, and has no effect before that deadline.
pub(crate) fn sooner(game: &Game, pace: &Pace) -> Option<Message> {
    let full = game.last_at().plus(i64::from(game.header().turn_ms));
    game.deadline().filter(|deadline| *deadline < full)?;
    let fire = after(game.overdue_from(pace)?, game.last_at());
    Some(Message::Timer { game: game.id(), fire })
}

/// Just after `overdue`, or one hop from `now` if that is sooner.
fn after(overdue: Timestamp, now: Timestamp) -> Timestamp {
    overdue.plus(1).min(now.plus(HOP_MS))
}

/// Decides the action at `now` of a timer that was due at `fire`; `game` is the game it names and
/// the link its chain is at.
pub fn step(
    game: Option<(&Game, Option<Timestamp>)>,
    fire: Timestamp,
    now: Timestamp,
    pace: &Pace,
) -> TimerStep {
    let Some((game, armed)) = game else {
        return if now.since(fire) < YOUNG_MS { TimerStep::Later } else { TimerStep::Drop };
    };
    let Some(overdue) = game.overdue_from(pace) else { return TimerStep::Drop };
    if now > overdue {
        return TimerStep::Flag;
    }
    if armed != Some(fire) {
        return TimerStep::Drop;
    }
    // Later than this link even if it fired early, so that a doubled message ends here.
    let next = after(overdue, now).max(fire.plus(1));
    let mut messages = vec![Message::Timer { game: game.id(), fire: next }];
    messages.extend(house::late_message(game, now));
    TimerStep::Rearm(Plan {
        messages,
        writes: vec![Write::Rearm { game: game.id(), from: fire, to: next }],
    })
}
