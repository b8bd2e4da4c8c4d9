//! The job of API Gateway: one port, the context of each request, and a limit on concurrent
//! requests.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use arena_lambda::{Context, Gate, Pass, Refusal, check_site, has_key, respond, wants_html};
use arena_store::{network, now};
use arena_wire::Code;

use hyper::body::Incoming;
use hyper::header::{CONNECTION, HOST, HeaderName, HeaderValue};
use hyper::service::service_fn;
use lambda_http::aws_lambda_events::apigw::{
    ApiGatewayV2httpRequest, ApiGatewayV2httpRequestContext,
};
use lambda_http::http::request::Parts;
use lambda_http::request::LambdaRequest;
use lambda_http::{Body, Request, Response};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::duel::{self, Duels, Sockets};
use crate::exhibition::Audience;
use crate::{Limits, body, functions, server};

const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Serves the functions on one port until the sending half of `stop` is dropped.
pub(crate) async fn serve(
    context: Context,
    listener: TcpListener,
    limits: Limits,
    duels: Duels,
    audience: Audience,
    stop: watch::Receiver<()>,
) {
    let (sockets, closed) = Sockets::new(duels, stop.clone());
    let gateway = Gateway {
        context,
        with_key: limits.with_key.gate(),
        without_key: limits.without_key.gate(),
        body_time: limits.body_time,
        audience,
    };
    server::serve(listener, limits.slots(), stop, move |peer| {
        let (gateway, sockets) = (gateway.clone(), sockets.clone());
        service_fn(move |request: hyper::Request<Incoming>| {
            let (gateway, sockets) = (gateway.clone(), sockets.clone());
            async move {
                Ok::<_, Infallible>(match check_site(request.version(), request.headers()) {
                    Err(refusal) => respond(Err(refusal)),
                    Ok(()) => match duel::detail(request.uri().path()) {
                        Some(detail) => sockets.open(request, peer, detail),
                        None => gateway.answer(request, peer).await,
                    },
                })
            }
        })
    })
    .await;
    closed.wait().await;
}

#[derive(Clone)]
struct Gateway {
    context: Context,
    with_key: Gate,
    without_key: Gate,
    body_time: Duration,
    audience: Audience,
}

impl Gateway {
    async fn answer(self, request: hyper::Request<Incoming>, peer: SocketAddr) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let body = body::read(body, self.body_time).await;
        // The time of receipt is that of the last byte: a slow upload must not gain time.
        let received_ms = now().ms();
        let is_read = body.is_ok();
        let changes_nothing = parts.method.is_safe();
        let function = self.run(parts, body, peer, received_ms);
        // As on Lambda, a decision continues when its client hangs up. A read ends.
        let answered = if changes_nothing {
            let mut questions = JoinSet::new();
            questions.spawn(function);
            questions.join_next().await.and_then(Result::ok)
        } else {
            tokio::spawn(function).await.ok()
        };
        let mut response = answered.unwrap_or_else(|| {
            respond(Err(Refusal::plain(Code::Internal, "the function stopped unexpectedly")))
        });
        if !is_read {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    /// Passes a request to its function when there is capacity. A refused one is logged and
    /// answered like any other.
    async fn run(
        self,
        parts: Parts,
        body: Result<Vec<u8>, Refusal>,
        peer: SocketAddr,
        received_ms: i64,
    ) -> Response<Body> {
        let admitted = match body {
            Ok(body) => self.enter(&parts, peer).await.map(|pass| (body, pass)),
            Err(refusal) => Err(refusal),
        };
        match admitted {
            Ok((body, pass)) => {
                let mut request = request_from(parts, body, peer, received_ms);
                request.extensions_mut().insert(pass.clone());
                if wants_html(&request) {
                    self.audience.looks();
                }
                let response = arena_lambda::answer(self.context, request, functions::handle).await;
                drop(pass);
                response
            }
            Err(refusal) => {
                let request = request_from(parts, Vec::new(), peer, received_ms);
                arena_lambda::answer(self.context, request, |_, _, _| async { Err(refusal) }).await
            }
        }
    }

    async fn enter(&self, parts: &Parts, peer: SocketAddr) -> Result<Pass, Refusal> {
        let gate = if has_key(&parts.headers) { &self.with_key } else { &self.without_key };
        gate.enter(network(peer.ip()))
            .await
            .ok_or_else(|| Refusal::busy("too many requests at once"))
    }
}

/// The request as `lambda_http` would make it from a gateway event, by the same conversion.
fn request_from(mut parts: Parts, body: Vec<u8>, peer: SocketAddr, received_ms: i64) -> Request {
    let path = parts.uri.path().to_owned();

    let mut context = ApiGatewayV2httpRequestContext::default();
    context.stage = Some("$default".to_owned());
    context.time_epoch = received_ms;
    context.http.method = parts.method;
    context.http.path = Some(path.clone());
    context.http.source_ip = Some(peer.ip().to_string());

    let mut event = ApiGatewayV2httpRequest::default();
    event.raw_path = Some(path);
    event.raw_query_string = Some(parts.uri.query().unwrap_or_default().to_owned());
    // The conversion makes a URL of these two and panics if they are invalid.
    let site = [HOST, FORWARDED_PROTO].map(|name| (parts.headers.remove(&name), name));
    event.headers = parts.headers;
    event.request_context = context;

    let mut request = Request::from(LambdaRequest::ApiGatewayV2(event));
    for (value, name) in site {
        request.headers_mut().extend(value.map(|value| (name, value)));
    }
    *request.body_mut() = body_from(body);
    request
}

/// Text if possible; the gateway decides by content type.
fn body_from(bytes: Vec<u8>) -> Body {
    if bytes.is_empty() {
        return Body::Empty;
    }
    String::from_utf8(bytes).map_or_else(|error| Body::Binary(error.into_bytes()), Body::Text)
}
