//! House bots: they decide like all players, from a fresh read, with a conditional write.
//!
//! The sweep sends a lost message again, and so does a poll of the opponent. A doubled one finds
//! that the turn is past, or submits the same key again.

use std::fmt;

use arena::house::{self, Call};
use arena::{Actor, Game, GameId, HouseLevel, Rejection, TurnNumber};
use renju::{IllegalPlay, Play, Seat};

use crate::backend::{Backend, Note, Read};
use crate::game::settle;
use crate::refused::{Again, Refused};

/// Time in which the decision before the bot's turn may still be written: longer than the function
/// that makes it can run. After that it was refused, or the function died; the decision made
/// instead sends its own message.
const COMING_MS: i64 = 5_000;

/// Pause between two reads of a game whose turn has not come yet; doubles each time.
const REREAD_MS: u64 = 20;
const REREAD_MS_MAX: u64 = 500;

/// The house bot found no legal play.
#[derive(Debug)]
pub struct NoPlay {
    game: GameId,
    turn: TurnNumber,
    level: HouseLevel,
    why: NoPlayCause,
}

#[derive(Debug)]
enum NoPlayCause {
    /// The engine returned none, or failed.
    None(String),
    Illegal(Play, IllegalPlay),
}

impl fmt::Display for NoPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoPlay { game, turn, level, why } = self;
        let name = level.name();
        match why {
            NoPlayCause::None(why) => {
                write!(f, "{name} has no play at turn {turn} of game {game}: {why}")
            }
            NoPlayCause::Illegal(play, why) => {
                write!(f, "{name} plays {play} at turn {turn} of game {game}, but {why}")
            }
        }
    }
}

impl std::error::Error for NoPlay {}

/// Acts for the house bot that is to act in this turn of this game, if there is one. `think` finds
/// its play.
pub async fn act_for_house<B: Backend, F>(
    world: &B,
    id: GameId,
    turn: TurnNumber,
    think: impl FnOnce(Game, HouseLevel) -> F,
) -> Result<(), Again>
where
    F: Future<Output = Result<Play, String>>,
{
    world.note(Note::Turn(id, turn));
    let Some((game, seat, level)) = turn_of(world, id, turn).await? else { return Ok(()) };
    let no_play = |why| Again::NoPlay(NoPlay { game: id, turn, level, why });
    let play = think(game.clone(), level).await.map_err(|why| no_play(NoPlayCause::None(why)))?;
    let submission = house::submission(&game, level, play);
    match settle(world, game, Actor::Seat(seat), submission, world.now()).await {
        Err(Refused::Rejected(Rejection::Illegal(why), ..)) => {
            Err(no_play(NoPlayCause::Illegal(play, why)))
        }
        Err(Refused::Fault(fault)) => Err(Again::Fault(fault)),
        // If the same bot is to act again, the plan has sent a message for it. If the play was
        // refused, another call was faster, or the agent resigned, or time is up.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The game in which a house bot is to act. Its message is sent before the decision before its turn
/// is written, so that turn may be about to come.
async fn turn_of<B: Backend>(
    world: &B,
    id: GameId,
    turn: TurnNumber,
) -> Result<Option<(Game, Seat, HouseLevel)>, Again> {
    let (called, mut pause_ms) = (world.now(), REREAD_MS);
    loop {
        let game = world.game(id, Read::Strong).await?.map(|stored| stored.game);
        match (house::call(game.as_ref(), turn), game) {
            (Call::Act(seat, level), Some(game)) => return Ok(Some((game, seat, level))),
            (Call::Soon, _) if world.now().since(called) < COMING_MS => {
                world.pause(pause_ms).await;
                pause_ms = (pause_ms * 2).min(REREAD_MS_MAX);
            }
            _ => return Ok(None),
        }
    }
}
