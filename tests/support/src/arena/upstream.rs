//! The connections to a server of DynamoDB and SQS: one HTTP client, few connections, and none of them is given
//! up half-way.
//!
//! A server may hold a connection that its client has closed until its own timeout. With a connection a call, the
//! tests left thousands of those behind, more than Docker's proxy of a published port can carry.

use std::sync::{Arc, LazyLock};

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{Request, header};
use hyper_util::client::legacy::{Client, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

/// Calls in progress at once; more would only wait inside the server.
const CALLS_MAX: usize = 64;
/// Receives in progress at once. They wait for messages most of the time, so they have places of their own.
const RECEIVES_MAX: usize = 64;
const RECEIVE: &str = ".receivemessage\r";
/// A receive of an arena that has stopped comes to its end within a second. As long as what it replaces.
const LONG_WAIT: &[u8] = b"\"WaitTimeSeconds\":20";
const SHORT_WAIT: &[u8] = b"\"WaitTimeSeconds\": 1";

/// Each test has a runtime of its own; connections outlive it here.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let one_thread = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    one_thread.expect("a thread can be started")
});

/// Cheap to clone; clones share connections.
#[derive(Clone, Debug)]
pub(crate) struct Upstream {
    base: String,
    http: Client<HttpConnector, Full<Bytes>>,
    calls: Arc<Semaphore>,
    receives: Arc<Semaphore>,
}

impl Upstream {
    /// The server at `http://host:port`.
    pub(crate) fn at(url: &str) -> Upstream {
        let mut connector = HttpConnector::new();
        // Otherwise a kept connection would sit out delayed acknowledgements.
        connector.set_nodelay(true);
        Upstream {
            base: url.trim_end_matches('/').to_owned(),
            http: Client::builder(TokioExecutor::new()).build(connector),
            calls: Arc::new(Semaphore::new(CALLS_MAX)),
            receives: Arc::new(Semaphore::new(RECEIVES_MAX)),
        }
    }

    /// The server's reply to this request, whose head in lower case is `head`. Once sent, it is waited for even if
    /// the caller goes away, so that the connection can be used again.
    pub(crate) async fn call(&self, head: &str, mut request: Vec<u8>) -> Option<Vec<u8>> {
        let is_receive = head.contains(RECEIVE);
        if is_receive && let Some(at) = find(&request, LONG_WAIT) {
            request[at..at + SHORT_WAIT.len()].copy_from_slice(SHORT_WAIT);
        }
        let places = if is_receive { &self.receives } else { &self.calls };
        let place = Arc::clone(places).acquire_owned().await.ok()?;
        let (http, request) = (self.http.clone(), self.parse(&request)?);
        let called = RUNTIME.spawn(async move {
            let _place = place;
            let (parts, body) = http.request(request).await.ok()?.into_parts();
            let body = body.collect().await.ok()?.to_bytes();
            let mut reply = format!("HTTP/1.1 {} Reply\r\n", parts.status.as_u16()).into_bytes();
            let framing = [header::CONTENT_LENGTH, header::TRANSFER_ENCODING, header::CONNECTION];
            for (name, value) in parts.headers.iter().filter(|(name, _)| !framing.contains(name)) {
                reply.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
            }
            reply.extend(format!("content-length: {}\r\n\r\n", body.len()).into_bytes());
            reply.extend(body);
            Some(reply)
        });
        called.await.ok()?
    }

    fn parse(&self, request: &[u8]) -> Option<Request<Full<Bytes>>> {
        let end = find(request, b"\r\n\r\n")?;
        let mut lines = str::from_utf8(&request[..end]).ok()?.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, path) = (words.next()?, words.next()?);
        let mut parsed = Request::builder().method(method).uri(format!("{}{path}", self.base));
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            parsed = parsed.header(name, value);
        }
        parsed.body(Full::new(Bytes::copy_from_slice(&request[end + 4..]))).ok()
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}
