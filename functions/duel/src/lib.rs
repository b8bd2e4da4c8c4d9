//! Capture gomoku over a WebSocket: a board in, a move out.
//!
//! [`Duel`] is the player; [`handle`] runs it on Lambda. A frame carries the whole game, so any
//! instance of the function can answer it.

mod duel;
mod rate;

use std::sync::{Arc, Mutex, PoisonError};

use arena_lambda::log;
use arena_store::{Fault, Socket, Sockets};
use aws_lambda_events::apigw::{
    ApiGatewayWebsocketProxyRequest, ApiGatewayWebsocketProxyRequestContext,
};

pub use duel::{Detail, Duel, Heard, Question};

/// Handles a gateway event: a connection, a frame or a disconnection.
pub async fn handle(
    duel: Arc<Mutex<Duel>>,
    sockets: Sockets,
    event: ApiGatewayWebsocketProxyRequest,
) -> Result<(), Fault> {
    // Lambda gives an instance one event at a time, so there is no contention for this lock or
    // thread.
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
        (Some(_), None) => log::notice("event without a socket", "cannot reply"),
        (None, _) => {}
    }
    Ok(())
}

/// Socket to answer, if the event names one.
fn socket(context: ApiGatewayWebsocketProxyRequestContext) -> Option<Socket> {
    Some(Socket {
        domain: context.domain_name?,
        api: context.apiid?,
        stage: context.stage?,
        connection: context.connection_id?,
    })
}
