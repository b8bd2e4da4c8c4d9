//! Which function answers which route, as the gateway of a deployment decides it.

use arena_lambda::{Context, Refusal, Reply, Target};
use arena_wire::Function;
use lambda_http::Request;

/// Hands a request to the function it belongs to. What no route leads to is told by the one that
/// talks to people, as the default route of a deployment's gateway does.
pub(crate) async fn handle(
    context: Context,
    request: Request,
    target: Result<Target, Refusal>,
) -> Reply {
    match target.as_ref().map_or(Function::Spectate, |target| target.route.function) {
        Function::Register => arena_register::handle(context, request, target).await,
        Function::Queue => arena_queue::handle(context, request, target).await,
        Function::Move => arena_move::handle(context, request, target).await,
        Function::Poll => arena_poll::handle(context, request, target).await,
        Function::Spectate => arena_spectate::handle(context, request, target).await,
    }
}
