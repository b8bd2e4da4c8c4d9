//! Running a handler: on Lambda, and wherever else its requests come from.

use std::convert::Infallible;
use std::future::Future;

use arena_store::{Access, Fault, Sockets};
use aws_lambda_events::apigw::{ApiGatewayProxyResponse, ApiGatewayWebsocketProxyRequest};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use lambda_http::http::header;
use lambda_http::{Body, Request, Response};
use lambda_runtime::LambdaEvent;

use crate::app::{App, StartError};
use crate::cors::{preflight, share};
use crate::log::{self, Asked};
use crate::reply::{Reply, respond};
use crate::squeeze::{accepts_gzip, squeeze};

/// What ends a function: it cannot start, or its runtime is gone.
pub type RuntimeError = lambda_runtime::Error;

/// Answers one request, with its own notes and trace, and logs it.
pub async fn answer<F>(
    app: App,
    request: Request,
    handle: impl FnOnce(App, Request) -> F,
) -> Response<Body>
where
    F: Future<Output = Reply>,
{
    if let Some(response) = preflight(&request) {
        return response;
    }
    let asked = Asked::of(&request);
    let app = app.for_one(asked.trace.clone());
    let gzip = accepts_gzip(&request);
    let has_origin = request.headers().contains_key(header::ORIGIN);
    let mut response = respond(handle(app.clone(), request).await);
    share(response.headers_mut(), has_origin);
    let response = squeeze(response, gzip);
    asked.log(&app, &response);
    response
}

/// Serves HTTP requests until Lambda stops asking.
pub async fn serve<H, F>(handle: H) -> Result<(), RuntimeError>
where
    H: Fn(App, Request) -> F + Sync,
    F: Future<Output = Reply> + Send,
{
    run(App::from_env()?, handle).await
}

/// The same for the function that hands out keys: it does not start without the pepper.
pub async fn serve_keys<H, F>(handle: H) -> Result<(), RuntimeError>
where
    H: Fn(App, Request) -> F + Sync,
    F: Future<Output = Reply> + Send,
{
    let app = App::from_env()?;
    app.settings().pepper.as_ref().ok_or(StartError::Pepper)?;
    run(app, handle).await
}

async fn run<H, F>(app: App, handle: H) -> Result<(), RuntimeError>
where
    H: Fn(App, Request) -> F + Sync,
    F: Future<Output = Reply> + Send,
{
    lambda_http::run(lambda_http::service_fn(|request| {
        let answer = answer(app.clone(), request, &handle);
        async { Ok::<_, Infallible>(answer.await) }
    }))
    .await
}

/// Serves batches of messages until Lambda stops asking.
pub async fn serve_queue<H, F>(handle: H) -> Result<(), RuntimeError>
where
    H: Fn(App, SqsEvent) -> F,
    F: Future<Output = SqsBatchResponse> + Send,
{
    let app = App::from_env()?;
    lambda_runtime::run(lambda_runtime::service_fn(|event: LambdaEvent<SqsEvent>| {
        let answer = handle(app.clone(), event.payload);
        async { Ok::<_, Infallible>(answer.await) }
    }))
    .await
}

/// Serves the events of a WebSocket API until Lambda stops asking. What the function has to say goes
/// through [`Sockets`]; the gateway itself is only told whether the event was handled.
pub async fn serve_sockets<H, F>(handle: H) -> Result<(), RuntimeError>
where
    H: Fn(Sockets, ApiGatewayWebsocketProxyRequest) -> F,
    F: Future<Output = Result<(), Fault>> + Send,
{
    let sockets = Sockets::new(&Access::from_env()?);
    lambda_runtime::run(lambda_runtime::service_fn(
        |event: LambdaEvent<ApiGatewayWebsocketProxyRequest>| {
            let done = handle(sockets.clone(), event.payload);
            async { Ok::<_, Infallible>(handled(done.await)) }
        },
    ))
    .await
}

fn handled(done: Result<(), Fault>) -> ApiGatewayProxyResponse {
    let mut response = ApiGatewayProxyResponse::default();
    response.status_code = match done {
        Ok(()) => 200,
        Err(fault) => {
            log::fault(&fault);
            500
        }
    };
    response
}
