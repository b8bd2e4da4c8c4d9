//! Deadlines: one chain of messages per game.

use arena::timer::{self, TimerStep};
use arena::{Game, GameId, Timestamp};

use crate::backend::{Backend, Note, Read};
use crate::commit::commit;
use crate::game::enforce;
use crate::refused::{Again, Refused};

/// Checks a game's clock after the timer set for `fire`.
pub(crate) async fn fired<B: Backend>(world: &B, id: GameId, fire: Timestamp) -> Result<(), Again> {
    let found = world.game(id, Read::Strong).await?;
    let state = found.as_ref().map(|stored| (&stored.game, stored.armed));
    if let Some((game, _)) = state {
        world.note(Note::Turn(id, game.turn()));
    }
    match (timer::step(state, fire, world.now(), world.pace()), found) {
        (TimerStep::Later, _) => Err(Again::NotYet),
        (TimerStep::Flag, Some(stored)) => end(world, stored.game).await,
        (TimerStep::Drop | TimerStep::Flag, _) => Ok(()),
        // If another link has advanced the chain, this one ends here.
        (TimerStep::Rearm(plan), _) => Ok(commit(world, &plan).await.map(|_| ())?),
    }
}

/// Ends the game if the player to act is still out of time at the write.
pub(crate) async fn end<B: Backend>(world: &B, game: Game) -> Result<(), Again> {
    match enforce(world, game).await {
        Err(Refused::Fault(fault)) => Err(Again::Fault(fault)),
        // The game is gone, or another writer was faster.
        Ok(_) | Err(_) => Ok(()),
    }
}
