//! Messages to the referee. A message says where to look and has no authority: its effect is decided from
//! what is read now and written on condition, so a lost, late or doubled one changes nothing.

use arena::Bell;

use crate::backend::Backend;
use crate::refused::Again;
use crate::{matchmaking, sweep, timer};

/// Handles a message to the referee.
pub async fn handle<B: Backend>(world: &B, bell: Bell) -> Result<(), Again> {
    match bell {
        Bell::Timer { game, fire } => timer::fired(world, game, fire).await,
        Bell::Match { division, .. } => Ok(matchmaking::pair(world, division).await?),
        // Not for the referee, but nobody shall wait for it in vain.
        Bell::House { .. } => Ok(world.send(&[bell]).await?),
        Bell::Sweep => sweep::everything(world).await,
        Bell::SweepOn { shard, after } => sweep::games(world, shard, after).await,
    }
}
