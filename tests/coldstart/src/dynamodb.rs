//! A DynamoDB that answers from memory: every read is asked of the emulator once and remembered,
//! every write is accepted, counted, and changes nothing. So does SQS with messages, and the gateway
//! of a WebSocket API with frames.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use crate::server::{Server, serve};

pub(crate) struct DynamoDb {
    state: Arc<State>,
    server: Server,
}

struct State {
    emulator: String,
    known: Mutex<HashMap<(String, Bytes), Bytes>>,
    traces: AtomicU32,
}

impl DynamoDb {
    /// Before the emulator at this address.
    pub(crate) async fn before(emulator: &str) -> io::Result<DynamoDb> {
        let emulator = emulator.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let state =
            Arc::new(State { emulator, known: Mutex::default(), traces: AtomicU32::new(0) });
        let server = serve(Arc::clone(&state), answer).await?;
        Ok(DynamoDb { state, server })
    }

    /// How many writes, and moves sent to sockets, there have been.
    pub(crate) fn traces(&self) -> u32 {
        self.state.traces.load(Ordering::Relaxed)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address
    }
}

impl State {
    fn count(&self, is_trace: bool) {
        self.traces.fetch_add(u32::from(is_trace), Ordering::Relaxed);
    }
}

async fn answer(state: Arc<State>, request: Request<Bytes>) -> Response<Full<Bytes>> {
    if request.uri().path().contains("/@connections/") {
        // What is wrong with a frame is told to the socket as well.
        let frame: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        state.count(frame["type"] == "move");
        return reply(Bytes::new());
    }
    let target = request.headers().get("x-amz-target").and_then(|target| target.to_str().ok());
    let operation = target.and_then(|target| target.rsplit('.').next()).unwrap_or_default();
    if !["GetItem", "Query", "BatchGetItem"].contains(&operation) {
        state.count(["PutItem", "UpdateItem", "TransactWriteItems"].contains(&operation));
        return reply(Bytes::from_static(b"{}"));
    }
    let key = (operation.to_owned(), request.body().clone());
    let known = state.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    if let Some(known) = known {
        return reply(known);
    }
    match ask(&state.emulator, request).await {
        Ok(body) => {
            let mut known = state.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(key, body.clone());
            reply(body)
        }
        Err(error) => {
            let mut response = reply(Bytes::from(error.to_string()));
            *response.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
            response
        }
    }
}

fn reply(body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    let kind = hyper::header::HeaderValue::from_static("application/x-amz-json-1.0");
    response.headers_mut().insert(hyper::header::CONTENT_TYPE, kind);
    response
}

async fn ask(emulator: &str, request: Request<Bytes>) -> io::Result<Bytes> {
    let stream = TcpStream::connect(emulator).await?;
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    tokio::spawn(connection);
    let response = sender.send_request(request.map(Full::new)).await.map_err(io::Error::other)?;
    let body = response.into_body().collect().await.map_err(io::Error::other)?;
    Ok(body.to_bytes())
}
