//! A DynamoDB that answers from memory: every read is asked of the emulator once and remembered,
//! every write is accepted and changes nothing. SQS accepts every message.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::server::{Server, serve};

pub(crate) struct DynamoDb {
    server: Server,
}

struct State {
    emulator: String,
    known: Mutex<HashMap<(String, Bytes), Bytes>>,
}

impl DynamoDb {
    /// Before the emulator at this address.
    pub(crate) async fn before(emulator: &str) -> io::Result<DynamoDb> {
        let emulator = emulator.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let state = State { emulator, known: Mutex::default() };
        Ok(DynamoDb { server: serve(Arc::new(state), answer).await? })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address
    }
}

async fn answer(state: Arc<State>, request: Request<Bytes>) -> Response<Full<Bytes>> {
    let target = request.headers().get("x-amz-target").and_then(|target| target.to_str().ok());
    let operation = target.and_then(|target| target.rsplit('.').next()).unwrap_or_default();
    if !["GetItem", "Query", "BatchGetItem"].contains(&operation) {
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
