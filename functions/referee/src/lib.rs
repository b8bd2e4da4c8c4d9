//! SQS: deadlines, matchmaking, the sweep.

use arena::Message;
use arena_lambda::{Context, Unhandled};

/// Handles a message to the referee.
pub async fn handle(context: Context, message: Message) -> Result<(), Unhandled> {
    Ok(arena_protocol::handle(&context.store, message).await?)
}
