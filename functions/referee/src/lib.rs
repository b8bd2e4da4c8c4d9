//! SQS: deadlines, matchmaking, the sweep.

use arena::Bell;
use arena_lambda::{App, Unhandled};

/// Handles a message to the referee.
pub async fn handle(app: App, bell: Bell) -> Result<(), Unhandled> {
    Ok(arena_protocol::handle(&app.store, bell).await?)
}
