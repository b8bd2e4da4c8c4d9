//! Messages to the referee. A message names what to check and has no authority: its effect is
//! decided from a fresh read and written on condition, so a lost, late or doubled one changes
//! nothing.

use arena::Message;

use crate::backend::Backend;
use crate::refused::Again;
use crate::{matchmaking, sweep, timer};

/// Handles a message to the referee.
pub async fn handle<B: Backend>(world: &B, message: Message) -> Result<(), Again> {
    match message {
        Message::Timer { game, fire } => timer::fired(world, game, fire).await,
        Message::Match { division, .. } => Ok(matchmaking::pair(world, division).await?),
        // Sent to the wrong queue: forwarded, so that it is not lost.
        Message::House { .. } => Ok(world.send(&[message]).await?),
        Message::Sweep => sweep::everything(world).await,
        Message::SweepOn { shard, after } => sweep::games(world, shard, after).await,
    }
}
