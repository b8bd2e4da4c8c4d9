//! API Gateway events, through the handler, to a listening management API.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

mod common;

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use arena_duel::{Duel, handle};
use arena_store::{Access, Fault, Sockets};
use common::{request, with};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Requests to the management API: path, signature, body.
type Posts = Arc<Mutex<Vec<(String, String, Value)>>>;

/// The function with a gateway that answers every post with this status.
struct Function {
    duel: Arc<Mutex<Duel>>,
    sockets: Sockets,
    posts: Posts,
}

impl Function {
    async fn start(status: u16) -> Function {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut access = Access::local("http://127.0.0.1:1", "http://127.0.0.1:1");
        access.sockets = Some(format!("http://{}", listener.local_addr().unwrap()));
        let posts = Posts::default();
        tokio::spawn(gateway(listener, status, Arc::clone(&posts)));
        let duel = Arc::new(Mutex::new(Duel::new()));
        Function { duel, sockets: Sockets::new(&access), posts }
    }

    async fn event(&self, route: &str, kind: &str, more: Value) -> Result<(), Fault> {
        let event = event(route, kind, more);
        let event = serde_json::from_value(event).expect("the gateway's shape");
        handle(Arc::clone(&self.duel), self.sockets.clone(), event).await
    }

    async fn message(&self, body: &str) -> Result<(), Fault> {
        self.event("$default", "MESSAGE", json!({ "body": body, "isBase64Encoded": false })).await
    }

    /// Posts since the last call.
    fn posts(&self) -> Vec<(String, String, Value)> {
        std::mem::take(&mut self.posts.lock().unwrap())
    }
}

async fn gateway(listener: TcpListener, status: u16, posts: Posts) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let posts = Arc::clone(&posts);
        let service = service_fn(move |request: Request<Incoming>| {
            let posts = Arc::clone(&posts);
            async move {
                let path = format!("{} {}", request.method(), request.uri().path());
                let signature = request.headers()["authorization"].to_str().unwrap().to_owned();
                let body = request.into_body().collect().await.unwrap().to_bytes();
                posts.lock().unwrap().push((
                    path,
                    signature,
                    serde_json::from_slice(&body).unwrap(),
                ));
                let mut response = Response::new(Empty::<Bytes>::new());
                *response.status_mut() = status.try_into().unwrap();
                if status == 410 {
                    let kind = "GoneException".parse().unwrap();
                    response.headers_mut().insert("x-amzn-errortype", kind);
                }
                Ok::<_, Infallible>(response)
            }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

/// An event with the fields that a WebSocket API documents.
fn event(route: &str, kind: &str, more: Value) -> Value {
    let mut event = json!({
        "requestContext": {
            "routeKey": route,
            "eventType": kind,
            "extendedRequestId": "NvCaRHwTliAFnpA=",
            "requestTime": "16/Nov/2026:05:15:00 +0000",
            "messageDirection": "IN",
            "stage": "live",
            "connectedAt": 1_794_806_100_000_i64,
            "requestTimeEpoch": 1_794_806_100_123_i64,
            "identity": { "sourceIp": "192.0.2.7" },
            "requestId": "NvCaRHwTliAFnpA=",
            "domainName": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
            "connectionId": "NvCaQfZ_liACG8w=",
            "apiId": "a1b2c3d4e5",
            "messageId": "NvCaRd2pFiACG8w="
        },
        "isBase64Encoded": false
    });
    let fields = event.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    event
}

#[tokio::test]
async fn a_frame_is_answered_through_the_management_api() {
    let function = Function::start(200).await;
    function.event("$connect", "CONNECT", json!({})).await.unwrap();
    assert_eq!(function.posts().len(), 0, "a socket that is only opening cannot be written to");

    function.message(r#"{"type":"ping"}"#).await.unwrap();
    let posts = function.posts();
    let [(path, signature, body)] = posts.as_slice() else { panic!("{posts:?}") };
    assert_eq!(path, "POST /_aws/execute-api/a1b2c3d4e5/live/@connections/NvCaQfZ_liACG8w%3D");
    assert!(signature.starts_with("AWS4-HMAC-SHA256 Credential=local/"), "{signature}");
    assert_eq!(*body, json!({"type": "pong"}));

    function.message(&request("j10 k11", "k10").to_string()).await.unwrap();
    function.message("{bad").await.unwrap();
    function.message(r#"{"type":"reset"}"#).await.unwrap();
    let binary = json!({ "body": "AAEC", "isBase64Encoded": true });
    function.event("$default", "MESSAGE", binary).await.unwrap();
    function.event("$default", "MESSAGE", json!({})).await.unwrap();
    let bodies: Vec<Value> = function.posts().into_iter().map(|(_, _, body)| body).collect();
    let types: Vec<&str> = bodies.iter().map(|body| body["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["move", "error", "error", "error"]);
    assert_eq!(bodies[0].get("search"), None);
    assert_eq!(bodies[2]["error"], "the frame is not text");

    function.event("$disconnect", "DISCONNECT", json!({})).await.unwrap();
    assert_eq!(function.posts().len(), 0);
}

#[tokio::test]
async fn a_new_connection_forgets_what_the_last_one_taught() {
    let function = Function::start(200).await;
    let asked = with(request("j10 k11 l9", "k10 j12"), "difficulty", json!("easy"));
    let filled = |duel: &Mutex<Duel>| format!("{:?}", duel.lock().unwrap());
    let empty = filled(&function.duel);
    function.message(&asked.to_string()).await.unwrap();
    assert_ne!(filled(&function.duel), empty);
    function.event("$disconnect", "DISCONNECT", json!({})).await.unwrap();
    assert_ne!(filled(&function.duel), empty, "a disconnection keeps the table");
    function.event("$connect", "CONNECT", json!({})).await.unwrap();
    assert_eq!(filled(&function.duel), empty);
}

#[tokio::test]
async fn a_client_that_has_gone_is_unaddresseds_fault() {
    let function = Function::start(410).await;
    function.message(r#"{"type":"ping"}"#).await.unwrap();
    assert_eq!(function.posts().len(), 1, "and it is not asked for again");
}

#[tokio::test]
async fn a_gateway_that_refuses_is_a_fault() {
    let function = Function::start(403).await;
    let fault = function.message(r#"{"type":"ping"}"#).await.unwrap_err();
    assert_eq!(fault.to_string(), "send a frame: AWS call failed");
}

#[tokio::test]
async fn an_event_that_names_no_socket_changes_nothing() {
    let function = Function::start(200).await;
    let unaddressed = json!({
        "requestContext": { "connectedAt": 0, "requestTimeEpoch": 0, "eventType": "MESSAGE" },
        "body": r#"{"type":"ping"}"#,
    });
    function.event("$default", "MESSAGE", unaddressed).await.unwrap();
    assert_eq!(function.posts().len(), 0);
}
