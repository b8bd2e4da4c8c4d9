//! Which function answers which route, as the gateway of a deployment decides it.

use arena_http::{App, Reply, target};
use arena_wire::Function;
use lambda_http::Request;

/// Hands a request to the function it belongs to.
pub(crate) async fn handle(app: App, request: Request) -> Reply {
    match target(&request)?.function() {
        Function::Register => arena_register::handle(app, request).await,
        Function::Queue => arena_queue::handle(app, request).await,
        Function::Move => arena_move::handle(app, request).await,
        Function::Poll => arena_poll::handle(app, request).await,
        Function::Spectate => arena_spectate::handle(app, request).await,
    }
}
