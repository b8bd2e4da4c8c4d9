//! Accepts connections for a hyper service until told to stop.

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::time::Duration;

use arena_lambda::Quota;
use arena_store::network;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::HttpService;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Time limit for open requests after the stop.
pub(crate) const DRAIN: Duration = Duration::from_secs(5);
/// Pause after a failed accept, which usually means that file descriptors ran out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Read buffer of a connection, and so the largest head of a request: more than API Gateway
/// accepts.
const BUFFER_MAX: usize = 16 * 1024;

/// Resolves when the sending half is dropped.
pub(crate) async fn stopped(mut stop: watch::Receiver<()>) {
    while stop.changed().await.is_ok() {}
}

/// Serves HTTP/1.1 with upgrades, one service per connection, while there is a free slot. An
/// upgraded connection frees its slot.
pub(crate) async fn serve<S>(
    listener: TcpListener,
    slots: Quota<IpAddr>,
    stop: watch::Receiver<()>,
    service_for: impl Fn(SocketAddr) -> S,
) where
    S: HttpService<
            Incoming,
            ResBody: Body<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send,
        > + Send
        + 'static,
    S::Future: Send,
    S::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = stopped(stop.clone()) => break,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, peer)) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let Some(slot) = slots.take(network(peer.ip())) else { continue };
        // Otherwise small replies on a kept-alive connection would wait for the peer's delayed ACK.
        let _ = stream.set_nodelay(true);
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .max_buf_size(BUFFER_MAX)
            .serve_connection(TokioIo::new(stream), service_for(peer))
            .with_upgrades();
        let stop = stop.clone();
        connections.spawn(async move {
            let _slot = slot;
            let mut connection = pin!(connection);
            // An error on a connection is the client's business.
            tokio::select! {
                _ = connection.as_mut() => {}
                () = stopped(stop) => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
        });
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    let _ = tokio::time::timeout(DRAIN, async { while connections.join_next().await.is_some() {} })
        .await;
}
