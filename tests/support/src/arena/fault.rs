//! Faults between the functions and a service: a proxy that loses replies, refuses calls
//! and keeps messages back. No emulator throttles, conflicts or loses anything by itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use super::upstream::Upstream;

/// Fate of one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It is carried out, and the connection ends without a reply.
    LoseReply,
    /// It never arrives, and the connection ends.
    Lose,
    /// It never arrives; the service says that it failed.
    Fail,
    /// It never arrives; DynamoDB says that a partition gets too many requests.
    Throttle,
    /// It never arrives; DynamoDB says that a transaction writes the same item.
    Conflict,
    /// It never arrives; DynamoDB cancels the transaction because another one writes the same item.
    Cancel,
    /// It never arrives; the service answers as if nothing were there: no item, no message.
    Nothing,
    /// It never arrives; this is the reply.
    Answer(u16, String),
    Pass,
    /// It passes, and its reply is kept.
    Remember,
    /// It never arrives; the reply kept before is sent once more: an old read.
    Repeat,
}

impl Trouble {
    /// Status and body of a reply that the service did not give.
    fn reply(&self) -> Option<(u16, &str)> {
        Some(match self {
            Trouble::LoseReply | Trouble::Lose => return None,
            Trouble::Pass | Trouble::Remember | Trouble::Repeat => return None,
            Trouble::Answer(status, body) => (*status, body),
            Trouble::Fail => (500, r#"{"__type":"InternalServerError","message":"it broke"}"#),
            Trouble::Throttle => (
                400,
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow down"}"#,
            ),
            Trouble::Conflict => (
                400,
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException","message":"busy"}"#,
            ),
            Trouble::Cancel => (
                400,
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"cancelled","CancellationReasons":[{"Code":"None"},{"Code":"TransactionConflict","Message":"busy"},{"Code":"None"}]}"#,
            ),
            Trouble::Nothing => (200, "{}"),
        })
    }
}

/// A proxy before a service; its connections end when it is dropped.
#[derive(Debug)]
pub struct Faults {
    url: String,
    plan: Arc<Mutex<Plan>>,
    proxy: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Plan {
    next: VecDeque<(&'static str, Trouble)>,
    always: Vec<(&'static str, Trouble)>,
    overheard: Option<(&'static str, Vec<String>)>,
    remembered: Vec<u8>,
}

impl Plan {
    fn trouble(&mut self, head: &str, request: &[u8]) -> Option<Trouble> {
        let is_for = |operation: &str| head.contains(&format!(".{}\r", operation.to_lowercase()));
        if let Some((operation, calls)) = &mut self.overheard
            && is_for(operation)
        {
            calls.push(String::from_utf8_lossy(request).into_owned());
        }
        if self.next.front().is_some_and(|(operation, _)| is_for(operation)) {
            return self.next.pop_front().map(|(_, trouble)| trouble);
        }
        let standing = self.always.iter().find(|(operation, _)| is_for(operation));
        standing.map(|(_, trouble)| trouble.clone())
    }
}

impl Faults {
    /// A proxy before the server at this address, for now without any trouble.
    pub async fn before(url: &str) -> Faults {
        Faults::with(Upstream::at(url)).await
    }

    /// As [`Faults::before`], with connections that others use too.
    pub(crate) async fn with(upstream: Upstream) -> Faults {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let plan = Arc::new(Mutex::new(Plan::default()));
        let proxy = tokio::spawn(serve(listener, upstream, Arc::clone(&plan)));
        Faults { url, plan, proxy }
    }

    /// Address under which the functions find the service.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The next `times` calls of this operation meet this trouble, after those expected before.
    pub fn expect(&self, operation: &'static str, trouble: Trouble, times: usize) {
        let mut plan = self.plan.lock().unwrap();
        plan.next.extend(std::iter::repeat_n((operation, trouble), times));
    }

    /// Every call of this operation meets this trouble from now on.
    pub fn always(&self, operation: &'static str, trouble: Trouble) {
        self.plan.lock().unwrap().always.push((operation, trouble));
    }

    /// Number of expected troubles that have not come yet.
    pub fn left(&self) -> usize {
        self.plan.lock().unwrap().next.len()
    }

    /// Keeps every call of this operation from now on.
    pub fn overhear(&self, operation: &'static str) {
        self.plan.lock().unwrap().overheard = Some((operation, Vec::new()));
    }

    /// The calls that were kept, head and body.
    pub fn overheard(&self) -> Vec<String> {
        let plan = self.plan.lock().unwrap();
        plan.overheard.as_ref().map(|(_, calls)| calls.clone()).unwrap_or_default()
    }

    pub fn end(&self) {
        *self.plan.lock().unwrap() = Plan::default();
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        self.proxy.abort();
    }
}

async fn serve(listener: TcpListener, upstream: Upstream, plan: Arc<Mutex<Plan>>) {
    let mut connections = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        connections.spawn(pass(client, upstream.clone(), Arc::clone(&plan)));
        while connections.try_join_next().is_some() {}
    }
}

async fn pass(mut client: TcpStream, upstream: Upstream, plan: Arc<Mutex<Plan>>) {
    let _ = client.set_nodelay(true);
    while let Some((head, request)) = message(&mut client).await {
        let trouble = plan.lock().unwrap().trouble(&head, &request);
        let reply = match (&trouble, trouble.as_ref().and_then(Trouble::reply)) {
            (Some(Trouble::Lose), _) => return,
            (Some(Trouble::Repeat), _) => plan.lock().unwrap().remembered.clone(),
            (_, Some((status, body))) => format!(
                "HTTP/1.1 {status} Reply\r\ncontent-type: application/x-amz-json-1.0\r\n\
                 content-length: {}\r\n\r\n{body}",
                body.len()
            )
            .into_bytes(),
            _ => {
                let Some(reply) = upstream.call(&head, request).await else { return };
                reply
            }
        };
        match trouble {
            Some(Trouble::LoseReply) => return,
            Some(Trouble::Remember) => plan.lock().unwrap().remembered.clone_from(&reply),
            _ => {}
        }
        if client.write_all(&reply).await.is_err() {
            return;
        }
    }
}

/// The head of an HTTP message in lower case, and the whole of it.
async fn message(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 16_384]);
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end + 2]).to_lowercase();
            let length = head.split_once("content-length: ").map_or(Some(0), |(_, rest)| {
                rest.split("\r\n").next().and_then(|length| length.parse().ok())
            })?;
            if bytes.len() >= end + 4 + length {
                return Some((head, bytes));
            }
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend(&buffer[..read]),
        }
    }
}
