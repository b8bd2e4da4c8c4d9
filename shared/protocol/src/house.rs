//! House bots: they decide like everybody else, from what is read now, written on condition.
//!
//! A lost call is made again by the sweep and when the opponent looks at the game; a doubled one finds
//! that the turn is past, or submits the same key again.

use std::fmt;

use arena::house::{self, Call};
use arena::{Actor, Game, GameId, HouseLevel, Rejection, TurnNumber};
use renju::{IllegalPlay, Play, Seat};

use crate::backend::{Backend, Note, Read};
use crate::game::settle;
use crate::refused::{Again, Refused};

/// How long the decision that called the bot may still be on its way: longer than the function that makes
/// it may run. After that it was refused, or the function died; whoever decides instead calls anew.
const COMING_MS: i64 = 5_000;

/// Between two looks at a game whose turn has not come yet: at first this, then twice as long.
const LOOK_MS: u64 = 20;
const LOOK_MS_MAX: u64 = 500;

/// A house bot that did not come up with a play that the rules allow.
#[derive(Debug)]
pub struct NoPlay {
    game: GameId,
    turn: TurnNumber,
    level: HouseLevel,
    why: Silence,
}

#[derive(Debug)]
enum Silence {
    /// The engine had none, or broke down.
    None(String),
    /// The rules refuse it.
    Illegal(Play, IllegalPlay),
}

impl fmt::Display for NoPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoPlay { game, turn, level, why } = self;
        let name = level.name();
        match why {
            Silence::None(why) => {
                write!(f, "{name} has no play at turn {turn} of game {game}: {why}")
            }
            Silence::Illegal(play, why) => {
                write!(f, "{name} plays {play} at turn {turn} of game {game}, but {why}")
            }
        }
    }
}

impl std::error::Error for NoPlay {}

/// Acts for the house bot that is to act in this turn of this game, if one is. `think` finds its play.
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
    let play = think(game.clone(), level).await.map_err(|why| no_play(Silence::None(why)))?;
    let submission = house::submission(&game, level, play);
    match settle(world, game, Actor::Seat(seat), submission, world.now()).await {
        Err(Refused::Rejected(Rejection::Illegal(why), ..)) => {
            Err(no_play(Silence::Illegal(play, why)))
        }
        Err(Refused::Fault(fault)) => Err(Again::Fault(fault)),
        // If the same bot is to act again, the plan has called it. If it was refused, another call was
        // faster, or the agent resigned, or the clock has run out.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The game in which a house bot is to act. It is called before the decision that makes it necessary is
/// written, so the turn may be about to come.
async fn turn_of<B: Backend>(
    world: &B,
    id: GameId,
    turn: TurnNumber,
) -> Result<Option<(Game, Seat, HouseLevel)>, Again> {
    let (called, mut pause_ms) = (world.now(), LOOK_MS);
    loop {
        let game = world.game(id, Read::Strong).await?.map(|stored| stored.game);
        match (house::call(game.as_ref(), turn), game) {
            (Call::Act(seat, level), Some(game)) => return Ok(Some((game, seat, level))),
            (Call::Soon, _) if world.now().since(called) < COMING_MS => {
                world.pause(pause_ms).await;
                pause_ms = (pause_ms * 2).min(LOOK_MS_MAX);
            }
            _ => return Ok(None),
        }
    }
}
