//! Running a handler: on Lambda, and wherever else its requests come from.

use std::convert::Infallible;
use std::future::Future;

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use lambda_http::{Body, Request, Response};
use lambda_runtime::LambdaEvent;

use crate::app::App;
use crate::log::Asked;
use crate::reply::{Reply, respond};

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
    let asked = Asked::of(&request);
    let app = app.for_one(asked.trace.clone());
    let response = respond(handle(app.clone(), request).await);
    asked.log(&app, &response);
    response
}

/// Serves HTTP requests until Lambda stops asking.
pub async fn serve<H, F>(handle: H) -> Result<(), RuntimeError>
where
    H: Fn(App, Request) -> F + Sync,
    F: Future<Output = Reply> + Send,
{
    let app = App::from_env()?;
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
