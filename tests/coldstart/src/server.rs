//! A small HTTP server on this machine.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Serves until it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Answers every request, whose body is read first, with what `answer` makes of it.
pub(crate) async fn serve<T, A, F>(state: Arc<T>, answer: A) -> io::Result<Server>
where
    T: Send + Sync + 'static,
    A: Fn(Arc<T>, Request<Bytes>) -> F + Copy + Send + Sync + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let task = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = stream.set_nodelay(true);
            let state = Arc::clone(&state);
            let service = service_fn(move |request: Request<Incoming>| {
                let state = Arc::clone(&state);
                async move {
                    let (parts, body) = request.into_parts();
                    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
                    Ok::<_, Infallible>(answer(state, Request::from_parts(parts, body)).await)
                }
            });
            // A connection ends when the program that is measured is stopped.
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    Ok(Server { address, task })
}
