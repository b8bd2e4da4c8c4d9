//! Routing of requests to functions, as the gateway of a deployment does it.

use arena_lambda::{Context, Refusal, Reply, Target};
use arena_wire::Function;
use lambda_http::Request;

/// Passes a request to its function. Unknown paths go to `spectate`, like the default route of a
/// deployment's gateway.
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
