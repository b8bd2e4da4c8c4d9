//! SQS: house bots answer when it is their turn.
//!
//! A house bot decides like everybody else: from what is read now, written on condition. A lost bell
//! is rung again by the sweep and when the opponent looks at the game; a doubled one finds that the
//! turn is past, or submits the same key again.

mod think;

use std::time::{Duration, Instant};

use arena::house::{self, Call};
use arena::{Actor, Bell, Game, GameId, HouseLevel, Rejection, Timestamp, TurnNumber};
use arena_http::{App, log, now};
use arena_store::{Fault, Refused, bell};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use renju::Seat;

use think::NoPlay;

/// How long the decision that rang the bell may still be on its way: longer than the function that
/// makes it may run. After that it was refused, or the function died; whoever decides instead rings
/// anew.
const COMING_MS: i64 = 5_000;

/// Between two looks at a game whose turn has not come yet: at first this, then twice as long.
const LOOK_MS: u64 = 20;
const LOOK_MS_MAX: u64 = 500;

/// Why a message must come again.
#[derive(Debug)]
enum Again {
    /// Something failed on our side.
    Fault(Fault),
    /// The bot did not come up with a play that the rules allow.
    NoPlay(NoPlay),
}

impl From<Fault> for Again {
    fn from(fault: Fault) -> Again {
        Again::Fault(fault)
    }
}

/// Handles a batch; what could not be handled is reported, and only that comes again.
pub async fn handle(app: App, event: SqsEvent) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    for message in event.records {
        let (app, started) = (app.for_one(log::trace_of(&message)), Instant::now());
        let (kind, is_done) = is_done(&app, &message).await;
        log::bell(&app, &message, kind, started, is_done);
        if !is_done && let Some(id) = message.message_id {
            response.add_failure(id);
        }
    }
    response
}

/// Handles one message: of which kind it is, and whether it is dealt with.
async fn is_done(app: &App, message: &SqsMessage) -> (&'static str, bool) {
    let body = message.body.as_deref().unwrap_or_default();
    let Ok(Bell::House { game, turn }) = bell::parse(body) else {
        // Comes again until it reaches the dead-letter queue, where an alarm finds it.
        let shown: String = body.chars().take(80).collect();
        log::notice("poison message", &format!("{shown:?} calls no house bot"));
        return ("poison", false);
    };
    app.note_turn(game, turn);
    let is_done = match Box::pin(answer(app, game, turn)).await {
        Ok(()) => true,
        Err(Again::Fault(fault)) => {
            log::fault(&fault);
            false
        }
        Err(Again::NoPlay(why)) => {
            log::fault(&why);
            false
        }
    };
    ("house", is_done)
}

/// Acts for the house bot that is to act in this turn of this game, if one is.
async fn answer(app: &App, id: GameId, turn: TurnNumber) -> Result<(), Again> {
    let Some((game, seat, level)) = turn_of(app, id, turn).await? else { return Ok(()) };
    let play = think::play(&game, level, now()).await.map_err(Again::NoPlay)?;
    let (now, pace) = (now(), *app.pace());
    let submission = house::submission(&game, level, play);
    let decide = |game: &Game| game.apply(Actor::Seat(seat), submission, now, &pace);
    match app.store.settle(game, decide, now, &pace).await {
        // If the same bot is to act again, the plan has rung for it.
        Ok(_) | Err(Refused::NotFound) => Ok(()),
        Err(Refused::Rejected(Rejection::Illegal(why), game)) => {
            Err(Again::NoPlay(NoPlay::Illegal { game: game.id(), turn, level, play, why }))
        }
        // Another call was faster, or the agent resigned, or the clock has run out.
        Err(Refused::Rejected(..)) => Ok(()),
        Err(Refused::Fault(fault)) => Err(Again::Fault(fault)),
    }
}

/// The game in which a house bot is to act. The bell is rung before the decision that makes it
/// necessary is written, so the turn may be about to come.
async fn turn_of(
    app: &App,
    id: GameId,
    turn: TurnNumber,
) -> Result<Option<(Game, Seat, HouseLevel)>, Again> {
    let (heard, mut pause_ms) = (now(), LOOK_MS);
    loop {
        let game = app.store.game_now(id).await?;
        match (house::call(game.as_ref(), turn), game) {
            (Call::Act(seat, level), Some(game)) => return Ok(Some((game, seat, level))),
            (Call::Soon, _) if is_recent(heard) => {
                tokio::time::sleep(Duration::from_millis(pause_ms)).await;
                pause_ms = (pause_ms * 2).min(LOOK_MS_MAX);
            }
            _ => return Ok(None),
        }
    }
}

fn is_recent(heard: Timestamp) -> bool {
    now().since(heard) < COMING_MS
}
