//! Sockets for the duel: the job of a WebSocket API, without the detour through events and a
//! management API.
//!
//! A socket costs little until a move is requested. Moves are computed on a few threads of their
//! own; a request that finds their queue full is refused. Search results are kept for the latest
//! sockets only.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena_duel::{Detail, Duel, Heard, Question};
use arena_lambda::{NotDone, Quota, Refusal, Slot, Workers, respond};
use arena_store::network;
use arena_wire::Code;
use arena_wire::duel::{FRAME_MAX, Reply};
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

use crate::{Limits, server};

/// Silence of a client before it is pinged; after as long again it is disconnected.
const SILENCE: Duration = Duration::from_secs(30);
/// Time limit for sending a reply.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longer messages end the connection. Shorter ones are read, so that those too long for the
/// protocol can be refused in words.
const MESSAGE_MAX: usize = 2 * FRAME_MAX;
/// Size of the read and write buffers; a request takes some two thousand bytes.
const BUFFER: usize = 8 * 1024;
/// Number of sockets whose games are remembered. Each takes some megabytes.
const REMEMBERED_MAX: usize = 8;

/// State shared by the sockets of all ports.
#[derive(Clone)]
pub(crate) struct Duels {
    slots: Quota<IpAddr>,
    thinkers: Workers,
    memory: Arc<Memory>,
}

impl Duels {
    pub(crate) fn new(limits: Limits) -> Duels {
        Duels {
            slots: Quota::new(limits.sockets, limits.sockets_each),
            thinkers: Workers::new(limits.thinking, limits.thinking_queue),
            memory: Arc::default(),
        }
    }
}

/// Players that remember a game, by socket; the latest to think is last.
#[derive(Default)]
struct Memory {
    players: Mutex<VecDeque<(u64, Duel)>>,
    sockets: AtomicU64,
}

impl Memory {
    fn socket(&self) -> u64 {
        self.sockets.fetch_add(1, Ordering::Relaxed)
    }

    /// Removes the player of a socket from the memory.
    fn take(&self, socket: u64) -> Duel {
        let mut players = self.lock();
        let found = players.iter().position(|(other, _)| *other == socket);
        found.and_then(|index| players.remove(index)).map(|(_, duel)| duel).unwrap_or_default()
    }

    /// Remembers the player of a socket, and drops another if there are too many.
    fn keep(&self, socket: u64, duel: Duel) {
        let mut players = self.lock();
        if players.len() >= REMEMBERED_MAX {
            players.pop_front();
        }
        players.push_back((socket, duel));
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(u64, Duel)>> {
        // Entries are consistent; a panic elsewhere does not spoil them.
        self.players.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Clone)]
pub(crate) struct Sockets {
    duels: Duels,
    stop: watch::Receiver<()>,
    /// Held by every open socket.
    open: mpsc::Sender<Infallible>,
}

/// Resolves when every socket of a port is closed.
pub(crate) struct Closed(mpsc::Receiver<Infallible>);

impl Sockets {
    /// Sockets that close when the sending half of `stop` is dropped.
    pub(crate) fn new(duels: Duels, stop: watch::Receiver<()>) -> (Sockets, Closed) {
        let (open, closed) = mpsc::channel(1);
        (Sockets { duels, stop, open }, Closed(closed))
    }

    /// Opens a socket, or refuses with a reason.
    pub(crate) fn open(
        &self,
        mut request: Request<Incoming>,
        peer: SocketAddr,
        detail: Detail,
    ) -> Response<Body> {
        match create_response_with_body(&request, || Body::Empty) {
            Ok(response) => {
                let Some(slot) = self.duels.slots.take(network(peer.ip())) else {
                    return respond(Err(Refusal::busy("too many sockets are open")));
                };
                let upgraded = hyper::upgrade::on(&mut request);
                let sockets = self.clone();
                tokio::spawn(async move {
                    // A client that hangs up during the handshake gets no reply.
                    if let Ok(upgraded) = upgraded.await {
                        sockets.converse(upgraded, slot, detail).await;
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

    async fn converse(self, upgraded: Upgraded, _slot: Slot<IpAddr>, detail: Detail) {
        let Sockets { duels, stop, open: _held } = self;
        let player = Player { socket: duels.memory.socket(), duels, detail };
        let config = WebSocketConfig::default()
            .read_buffer_size(BUFFER)
            .write_buffer_size(BUFFER)
            .max_message_size(Some(MESSAGE_MAX))
            .max_frame_size(Some(MESSAGE_MAX));
        let io = TokioIo::new(upgraded);
        let mut socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
        let mut stop = std::pin::pin!(server::stopped(stop));
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
                    player.answer(&frame).await.map(Message::text)
                }
                Ok(Some(Ok(Message::Binary(_)))) => Some(Message::text(Duel::not_text())),
                // The library answers pings and confirms closings.
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
    /// Waits for the last one, with a time limit.
    pub(crate) async fn wait(mut self) {
        // Nothing is ever sent: this ends when all senders are gone.
        let _ = timeout(server::DRAIN, self.0.recv()).await;
    }
}

/// Serves only duels, on a port of their own, until the sending half of `stop` is dropped. Front
/// ends of this game do not agree on a path, so any is accepted.
pub(crate) async fn serve(
    listener: TcpListener,
    limits: Limits,
    duels: Duels,
    stop: watch::Receiver<()>,
) {
    let (sockets, closed) = Sockets::new(duels, stop.clone());
    server::serve(listener, limits.slots(), stop, move |peer| {
        let sockets = sockets.clone();
        service_fn(move |request: Request<Incoming>| {
            let detail = detail(request.uri().path()).unwrap_or_default();
            let response = sockets.open(request, peer, detail);
            async { Ok::<_, Infallible>(response) }
        })
    })
    .await;
    closed.wait().await;
}

/// Level of detail of the socket at this path; `None` if there is none.
pub(crate) fn detail(path: &str) -> Option<Detail> {
    match path {
        "/ws" => Some(Detail::Plain),
        "/ws/debug" => Some(Detail::Search),
        _ => None,
    }
}

struct Player {
    socket: u64,
    duels: Duels,
    detail: Detail,
}

impl Player {
    /// The reply to a frame, if one is due.
    async fn answer(&self, frame: &str) -> Option<String> {
        match Heard::of(frame) {
            Heard::Reply(reply) => Some(reply),
            Heard::Reset => {
                self.duels.memory.take(self.socket);
                None
            }
            Heard::Question(question) => Some(self.think(question).await),
        }
    }

    /// As on Lambda, a panic costs one reply and the search results.
    async fn think(&self, question: Box<Question>) -> String {
        let (memory, socket) = (Arc::clone(&self.duels.memory), self.socket);
        let detail = self.detail;
        let thought = self.duels.thinkers.run(move || {
            let mut duel = memory.take(socket);
            let reply = duel.think(&question, detail);
            memory.keep(socket, duel);
            reply
        });
        thought.await.unwrap_or_else(|why| {
            let sorry = match why {
                NotDone::Busy => "the arena is busy; ask again in a moment",
                NotDone::Panicked => "the function stopped unexpectedly",
            };
            Reply::error(&sorry).text()
        })
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.duels.memory.take(self.socket);
    }
}

async fn close(mut socket: WebSocketStream<TokioIo<Upgraded>>, code: CloseCode) {
    let frame = CloseFrame { code, reason: Utf8Bytes::default() };
    // A client that does not receive this is gone already.
    let _ = timeout(PATIENCE, socket.close(Some(frame))).await;
}

/// The close code for a message that cannot be read at all.
fn code_of(error: &Error) -> CloseCode {
    match error {
        Error::Capacity(_) => CloseCode::Size,
        Error::Utf8(_) => CloseCode::Invalid,
        _ => CloseCode::Protocol,
    }
}
