//! Sockets for the duel: what a WebSocket API does in front of the function, without the detour
//! through events and a management API.
//!
//! Every socket has a player of its own, so that nobody waits for or forgets because of another.

use std::convert::Infallible;
use std::time::Duration;

use arena_duel::{Detail, Duel};
use arena_http::{Refusal, respond};
use arena_wire::Code;
use arena_wire::duel::Reply;
use futures_util::{SinkExt, StreamExt};
use hyper::Request;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use lambda_http::{Body, Response};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use crate::server;

/// How long a client may be silent before it is asked whether it is still there; if it then stays
/// silent as long again, it is not.
const SILENCE: Duration = Duration::from_secs(30);
/// How long a client may take to receive what it asked for.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longer messages end the connection. Up to here they are read, so that those which are too long
/// for the protocol can be refused in words.
const MESSAGE_MAX: usize = 1024 * 1024;

/// The sockets of one port.
#[derive(Clone)]
pub(crate) struct Sockets {
    stop: watch::Receiver<()>,
    /// Held by every open socket.
    open: mpsc::Sender<Infallible>,
}

/// Resolves when every socket of a port is closed.
pub(crate) struct Closed(mpsc::Receiver<Infallible>);

impl Sockets {
    /// Sockets that close when the sending half of `stop` is dropped.
    pub(crate) fn new(stop: watch::Receiver<()>) -> (Sockets, Closed) {
        let (open, closed) = mpsc::channel(1);
        (Sockets { stop, open }, Closed(closed))
    }

    /// Opens a socket, or says why the request asks for none.
    pub(crate) fn open(&self, mut request: Request<Incoming>, detail: Detail) -> Response<Body> {
        match create_response_with_body(&request, || Body::Empty) {
            Ok(response) => {
                let upgraded = hyper::upgrade::on(&mut request);
                let sockets = self.clone();
                tokio::spawn(async move {
                    // A client that hangs up during the handshake has nothing to be told.
                    if let Ok(upgraded) = upgraded.await {
                        sockets.converse(upgraded, detail).await;
                    }
                });
                response
            }
            Err(error) => {
                let why = format!("here a WebSocket is opened, and nothing else: {error}");
                respond(Err(Refusal::plain(Code::Malformed, why)))
            }
        }
    }

    async fn converse(self, upgraded: Upgraded, detail: Detail) {
        let Sockets { stop, open: _held } = self;
        let config = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_MAX))
            .max_frame_size(Some(MESSAGE_MAX));
        let io = TokioIo::new(upgraded);
        let mut socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
        let mut stop = std::pin::pin!(server::stopped(stop));
        let mut duel = Duel::new();
        let mut silent = false;
        loop {
            let heard = tokio::select! {
                () = &mut stop => return close(socket, CloseCode::Away).await,
                heard = timeout(SILENCE, socket.next()) => heard,
            };
            let was_silent = std::mem::replace(&mut silent, heard.is_err());
            let reply = match heard {
                Err(_) if was_silent => return,
                Err(_) => Some(Message::Ping(Bytes::new())),
                Ok(None) => return,
                Ok(Some(Err(error))) => return close(socket, code_of(&error)).await,
                Ok(Some(Ok(Message::Text(frame)))) => {
                    let reply;
                    (duel, reply) = answer(duel, frame, detail).await;
                    reply.map(Message::text)
                }
                Ok(Some(Ok(Message::Binary(_)))) => Some(Message::text(Duel::not_text())),
                // Pings are answered and closings confirmed by the library.
                Ok(Some(Ok(_))) => None,
            };
            if let Some(reply) = reply
                && !matches!(timeout(PATIENCE, socket.send(reply)).await, Ok(Ok(())))
            {
                return;
            }
        }
    }
}

impl Closed {
    /// Waits for the last one, but not for ever.
    pub(crate) async fn wait(mut self) {
        // Nothing can be sent: this ends when all senders are gone.
        let _ = timeout(server::DRAIN, self.0.recv()).await;
    }
}

/// Serves duels, and nothing else, on a port of their own until the sending half of `stop` is
/// dropped. Front ends of this game do not agree on a path, so any will do.
pub(crate) async fn serve(listener: TcpListener, stop: watch::Receiver<()>) {
    let (sockets, closed) = Sockets::new(stop.clone());
    server::serve(listener, stop, move |_| {
        let sockets = sockets.clone();
        service_fn(move |request: Request<Incoming>| {
            let detail = detail(request.uri().path()).unwrap_or_default();
            let response = sockets.open(request, detail);
            async { Ok::<_, Infallible>(response) }
        })
    })
    .await;
    closed.wait().await;
}

/// How much the socket at this path tells; `None` where there is none.
pub(crate) fn detail(path: &str) -> Option<Detail> {
    match path {
        "/ws" => Some(Detail::Plain),
        "/ws/debug" => Some(Detail::Search),
        _ => None,
    }
}

/// Thinks where it holds up no other connection. As on Lambda, a panic costs one reply and what was
/// learned.
async fn answer(mut duel: Duel, frame: Utf8Bytes, detail: Detail) -> (Duel, Option<String>) {
    let thinking = tokio::task::spawn_blocking(move || {
        let reply = duel.answer(&frame, detail);
        (duel, reply)
    });
    thinking.await.unwrap_or_else(|_| {
        let sorry = Reply::error(&"the function stopped unexpectedly").text();
        (Duel::new(), Some(sorry))
    })
}

async fn close(mut socket: WebSocketStream<TokioIo<Upgraded>>, code: CloseCode) {
    let frame = CloseFrame { code, reason: Utf8Bytes::default() };
    // Whoever does not listen any more is gone already.
    let _ = timeout(PATIENCE, socket.close(Some(frame))).await;
}

/// What a client is told whose message cannot be read at all.
fn code_of(error: &Error) -> CloseCode {
    match error {
        Error::Capacity(_) => CloseCode::Size,
        Error::Utf8(_) => CloseCode::Invalid,
        _ => CloseCode::Protocol,
    }
}
