//! A small HTTP client. A test's has one connection a request, so that nothing is repeated behind its back, and
//! every reply is held against the OpenAPI document. A crowd's keeps its connections alive, and does not.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use arena_wire::{Found, Route};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response};
use hyper_util::client::legacy::{self, connect::HttpConnector};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use super::conform;

/// Time that a crowd waits for a reply.
const REPLY_MAX: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
pub struct Client {
    host: String,
    pool: Option<Arc<Pool>>,
}

#[derive(Debug)]
struct Pool {
    http: legacy::Client<HttpConnector, Full<Bytes>>,
    connections: Semaphore,
}

#[derive(Clone, Debug)]
pub struct Call {
    client: Client,
    method: Method,
    pub(crate) path: String,
    headers: HeaderMap,
    body: Bytes,
}

#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body, byte for byte.
    pub body: Bytes,
}

impl Client {
    /// A client of the arena at `http://host:port`.
    pub fn new(base: &str) -> Client {
        let host = base.trim_start_matches("http://").trim_end_matches('/');
        Client { host: host.to_owned(), pool: None }
    }

    /// A client for a crowd that shares so many connections, from this address of the machine if one is given.
    pub fn pooled(base: &str, connections: usize, from: Option<IpAddr>) -> Client {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        connector.set_local_address(from);
        let http = legacy::Client::builder(TokioExecutor::new())
            .pool_max_idle_per_host(connections)
            .build(connector);
        let pool = Some(Arc::new(Pool { http, connections: Semaphore::new(connections) }));
        Client { pool, ..Client::new(base) }
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.host)
    }

    pub fn call(&self, method: &str, path: &str) -> Call {
        Call {
            client: self.clone(),
            method: method.parse().unwrap(),
            path: path.to_owned(),
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }

    pub fn get(&self, path: &str) -> Call {
        self.call("GET", path)
    }

    pub fn post(&self, path: &str) -> Call {
        self.call("POST", path)
    }
}

impl Call {
    /// With an API key.
    pub fn key(self, key: &str) -> Call {
        self.header("authorization", &format!("Bearer {key}"))
    }

    pub fn header(mut self, name: &str, value: &str) -> Call {
        let name: HeaderName = name.parse().unwrap();
        self.headers.insert(name, HeaderValue::from_str(value).unwrap());
        self
    }

    /// Without an API key, as a spectator asks.
    pub fn anonymous(mut self) -> Call {
        self.headers.remove(header::AUTHORIZATION);
        self
    }

    pub fn json(self, body: &Value) -> Call {
        self.header("content-type", "application/json").body(body.to_string())
    }

    pub fn body(mut self, body: impl Into<Bytes>) -> Call {
        self.body = body.into();
        self
    }

    /// Sends it; a request that gets no reply fails the test.
    pub async fn send(&self) -> Reply {
        match self.try_send().await {
            Ok(reply) => reply,
            Err(error) => panic!("{self} got no reply: {error}"),
        }
    }

    /// Sends it, and the very same again while the arena is busy, as every agent is told to. On a
    /// loaded machine a crowd may well make it so.
    pub async fn send_patiently(&self) -> Reply {
        for _ in 0..600 {
            let reply = self.send().await;
            if reply.status != 503 {
                return reply;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{self} is busy for good")
    }

    pub async fn try_send(&self) -> io::Result<Reply> {
        let mut request = Request::new(Full::new(self.body.clone()));
        *request.method_mut() = self.method.clone();
        request.headers_mut().clone_from(&self.headers);
        if let Some(pool) = &self.client.pool {
            let uri = format!("{}{}", self.client.base(), self.path);
            *request.uri_mut() = uri.parse().map_err(io::Error::other)?;
            return tokio::time::timeout(REPLY_MAX, async {
                let _connection = pool.connections.acquire().await.map_err(io::Error::other)?;
                Reply::read(pool.http.request(request).await.map_err(io::Error::other)?).await
            })
            .await?;
        }
        let stream = TcpStream::connect(&self.client.host).await?;
        stream.set_nodelay(true)?;
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        let connection = tokio::spawn(connection);
        *request.uri_mut() = self.path.parse().map_err(io::Error::other)?;
        let host = HeaderValue::from_str(&self.client.host).map_err(io::Error::other)?;
        request.headers_mut().insert(header::HOST, host);
        let response = sender.send_request(request).await.map_err(io::Error::other)?;
        let reply = Reply::read(response).await?;
        drop(sender);
        // However the connection ends, the reply is here.
        let _ = connection.await;
        conform::check(self, &reply);
        Ok(reply)
    }

    /// The route that it is for; `None` if there is no such path.
    pub fn route(&self) -> Option<&'static Route> {
        let path = self.path.split('?').next().unwrap_or_default();
        match Route::find(self.method.as_str(), path) {
            Found::Route(route, _) => Some(route),
            _ => None,
        }
    }

    /// Sends it and hangs up without waiting for the reply.
    pub async fn send_and_hang_up(&self) {
        let mut text =
            format!("{} {} HTTP/1.1\r\nhost: {}\r\n", self.method, self.path, self.client.host);
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {}\r\n", value.to_str().unwrap()));
        }
        text.push_str(&format!("content-length: {}\r\n\r\n", self.body.len()));
        let mut stream = TcpStream::connect(&self.client.host).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream.write_all(&self.body).await.unwrap();
        stream.shutdown().await.unwrap();
    }
}

/// Method and path.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Reply {
    async fn read(response: Response<Incoming>) -> io::Result<Reply> {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
        Ok(Reply { status: parts.status.as_u16(), headers: parts.headers, body })
    }

    /// True if the request was granted.
    pub fn is_ok(&self) -> bool {
        matches!(self.status, 200 | 201)
    }

    /// Time until the next try, if the reply names one.
    pub fn again_ms(&self) -> Option<i64> {
        let seconds: i64 = self.header("retry-after")?.parse().ok()?;
        Some(1_000 * seconds)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub fn text(&self) -> &str {
        str::from_utf8(&self.body).expect("replies are UTF-8")
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_slice(&self.body) {
            Ok(value) => value,
            Err(error) => panic!("{}: not JSON ({error}): {}", self.status, self.text()),
        }
    }

    #[track_caller]
    pub fn ok(&self) -> Value {
        self.expect(200)
    }

    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()
    }

    /// True if the decision was in the log before this request.
    pub fn is_replay(&self) -> bool {
        self.header("idempotency-replayed") == Some("true")
    }

    /// The body of a refusal, which has the stable shape of RFC 9457 whatever it is about.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        let problem = self.expect(status);
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(problem["type"], format!("/problems/{code}"));
        assert_eq!(problem["status"], status);
        for field in ["title", "detail", "next"] {
            assert!(problem[field].as_str().is_some_and(|text| !text.is_empty()), "{problem}");
        }
        assert!(problem["retryable"].is_boolean(), "{problem}");
        let retry_s = problem["retry_after_ms"].as_i64().map(|ms| ((ms + 999) / 1_000).to_string());
        assert_eq!(self.header("retry-after"), retry_s.as_deref(), "{problem}");
        problem
    }
}
