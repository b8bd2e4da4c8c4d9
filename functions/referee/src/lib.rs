//! SQS: deadlines, matchmaking, the sweep.

use arena::Message;
use arena_lambda::{App, Unhandled};

/// Handles a message to the referee.
pub async fn handle(app: App, message: Message) -> Result<(), Unhandled> {
    Ok(arena_protocol::handle(&app.store, message).await?)
}
