//! Capture gomoku over a WebSocket: a board in, a move out.
//!
//! [`Duel`] is the player; [`handle`] is what Lambda runs it in. A frame carries the whole game, so
//! any instance of the function can answer any of them.

mod duel;
mod rate;

use std::sync::{Arc, Mutex, PoisonError};

use arena_lambda::log;
use arena_store::{Fault, Socket, Sockets};
use aws_lambda_events::apigw::{
    ApiGatewayWebsocketProxyRequest, ApiGatewayWebsocketProxyRequestContext,
};

pub use duel::{Detail, Duel, Heard, Question};

/// Handles an event of the gateway: somebody connects, sends a frame, leaves.
pub async fn handle(
    duel: Arc<Mutex<Duel>>,
    sockets: Sockets,
    event: ApiGatewayWebsocketProxyRequest,
) -> Result<(), Fault> {
    // Lambda hands an instance one event at a time, so nobody waits for this lock or this thread.
    let player = || duel.lock().unwrap_or_else(PoisonError::into_inner);
    let reply = match event.request_context.event_type.as_deref() {
        Some("CONNECT") => {
            player().forget();
            None
        }
        Some("MESSAGE") if event.is_base64_encoded => Some(Duel::not_text()),
        Some("MESSAGE") => player().answer(&event.body.unwrap_or_default(), Detail::Plain),
        _ => None,
    };
    match (reply, socket(event.request_context)) {
        (Some(reply), Some(socket)) => {
            if !sockets.send(&socket, reply).await? {
                log::notice("client gone", &socket.connection);
            }
        }
        (Some(_), None) => log::notice("event without a socket", "nobody can be answered"),
        (None, _) => {}
    }
    Ok(())
}

/// Whom to answer, if the event says so.
fn socket(context: ApiGatewayWebsocketProxyRequestContext) -> Option<Socket> {
    Some(Socket {
        domain: context.domain_name?,
        api: context.apiid?,
        stage: context.stage?,
        connection: context.connection_id?,
    })
}
