//! Running a handler on Lambda.

use std::convert::Infallible;
use std::future::Future;

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use lambda_http::Request;
use lambda_runtime::LambdaEvent;

use crate::app::App;
use crate::reply::{Reply, respond};

/// What ends a function: it cannot start, or its runtime is gone.
pub type RuntimeError = lambda_runtime::Error;

/// Serves HTTP requests until Lambda stops asking.
pub async fn serve<H, F>(handle: H) -> Result<(), RuntimeError>
where
    H: Fn(App, Request) -> F,
    F: Future<Output = Reply> + Send,
{
    let app = App::from_env()?;
    lambda_http::run(lambda_http::service_fn(|request| {
        let reply = handle(app.clone(), request);
        async { Ok::<_, Infallible>(respond(reply.await)) }
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
