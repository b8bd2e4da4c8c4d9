//! SQS: house bots answer when it is their turn.

mod think;

use arena::Message;
use arena_lambda::{Context, Unhandled};
use arena_protocol::act_for_house;

/// Handles a message to a house bot.
pub async fn handle(context: Context, message: Message) -> Result<(), Unhandled> {
    let Message::House { game, turn } = message else { return Err(Unhandled::Misdirected) };
    Ok(act_for_house(&context.store, game, turn, think::play).await?)
}
