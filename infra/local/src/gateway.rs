//! What API Gateway does in front of the functions: one port, and the context of each request.

use std::convert::Infallible;
use std::net::SocketAddr;

use arena_http::{App, Refusal, now, respond};
use arena_wire::Code;

use http_body_util::{BodyExt, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use lambda_http::aws_lambda_events::apigw::{
    ApiGatewayV2httpRequest, ApiGatewayV2httpRequestContext,
};
use lambda_http::http::request::Parts;
use lambda_http::request::LambdaRequest;
use lambda_http::{Body, Request, Response};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::duel::{self, Sockets};
use crate::{functions, server};

/// The payload limit of API Gateway.
const BODY_MAX: usize = 10 * 1024 * 1024;

/// Serves the functions on one port until the sending half of `stop` is dropped.
pub(crate) async fn serve(app: App, listener: TcpListener, stop: watch::Receiver<()>) {
    let (sockets, closed) = Sockets::new(stop.clone());
    server::serve(listener, stop, move |peer| {
        let (app, sockets) = (app.clone(), sockets.clone());
        service_fn(move |request: hyper::Request<Incoming>| {
            let (app, sockets) = (app.clone(), sockets.clone());
            async move {
                Ok::<_, Infallible>(match duel::detail(request.uri().path()) {
                    Some(detail) => sockets.open(request, detail),
                    None => answer(app, request, peer).await,
                })
            }
        })
    })
    .await;
    closed.wait().await;
}

async fn answer(app: App, request: hyper::Request<Incoming>, peer: SocketAddr) -> Response<Body> {
    let received_ms = now().ms();
    let (parts, body) = request.into_parts();
    let Ok(body) = Limited::new(body, BODY_MAX).collect().await else {
        let refusal = Refusal::plain(Code::PayloadTooLarge, "the body is too large or broke off");
        return respond(Err(refusal));
    };
    let request = request_from(parts, body.to_bytes(), peer, received_ms);
    // As on Lambda, a client that hangs up does not stop the handler, and a panic is a 500.
    let response = tokio::spawn(arena_http::answer(app, request, functions::handle));
    response.await.unwrap_or_else(|_| {
        respond(Err(Refusal::plain(Code::Internal, "the function stopped unexpectedly")))
    })
}

/// The request as `lambda_http` would make it from a gateway event, by the same conversion.
fn request_from(parts: Parts, body: Bytes, peer: SocketAddr, received_ms: i64) -> Request {
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
    event.headers = parts.headers;
    event.request_context = context;

    let mut request = Request::from(LambdaRequest::ApiGatewayV2(event));
    *request.body_mut() = body_from(body);
    request
}

/// Text where it can be, as the gateway decides by content type.
fn body_from(bytes: Bytes) -> Body {
    if bytes.is_empty() {
        return Body::Empty;
    }
    String::from_utf8(bytes.into())
        .map_or_else(|error| Body::Binary(error.into_bytes()), Body::Text)
}
