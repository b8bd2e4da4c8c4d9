//! HTTP requests, on Lambda and locally.

use std::convert::Infallible;
use std::future::Future;

use lambda_http::http::{HeaderValue, header};
use lambda_http::{Body, Request, Response};

use crate::context::Context;
use crate::cors::{options, share};
use crate::gzip::{accepts_gzip, compressed};
use crate::log::Asked;
use crate::refusal::Refusal;
use crate::reply::{Reply, respond};
use crate::target::{Target, target};

/// Reason why a function ends: it cannot start, or its runtime is gone.
pub type RuntimeError = lambda_runtime::Error;

/// Answers one request, with its own notes and trace, and logs it. The handler gets its target, or the
/// refusal if no route matches.
pub async fn answer<F>(
    context: Context,
    mut request: Request,
    handle: impl FnOnce(Context, Request, Result<Target, Refusal>) -> F,
) -> Response<Body>
where
    F: Future<Output = Reply>,
{
    let front = context.settings().front.as_ref();
    let admitted = front.map_or(Ok(()), |front| front.admit(&mut request));
    if admitted.is_ok()
        && let Some(response) = options(&request)
    {
        return response;
    }
    let target = target(&request);
    let asked = Asked::of(&request, target.as_ref().ok());
    let context = context.for_one(asked.trace.clone());
    let gzip = accepts_gzip(&request);
    let has_origin = request.headers().contains_key(header::ORIGIN);
    let reply = match admitted {
        Ok(()) => handle(context.clone(), request, target).await,
        Err(refusal) => Err(refusal),
    };
    let mut response = respond(reply);
    let left = context.notes.requests_left.get();
    for (name, value) in
        left.and_then(|left| context.limiter().headers(*left)).into_iter().flatten()
    {
        response.headers_mut().extend(HeaderValue::try_from(value).ok().map(|value| (name, value)));
    }
    share(response.headers_mut(), has_origin);
    let response = compressed(response, gzip);
    asked.log(&context, &response);
    response
}

/// Serves HTTP requests on Lambda.
pub async fn serve<H, F>(handle: H) -> Result<(), RuntimeError>
where
    H: Fn(Context, Request, Result<Target, Refusal>) -> F + Sync,
    F: Future<Output = Reply> + Send,
{
    run(Context::from_env()?, handle).await
}

/// The same for the function that hands out keys: it does not start without the pepper.
pub async fn serve_keys<H, F>(handle: H) -> Result<(), RuntimeError>
where
    H: Fn(Context, Request, Result<Target, Refusal>) -> F + Sync,
    F: Future<Output = Reply> + Send,
{
    run(Context::from_env_with_pepper().await?, handle).await
}

async fn run<H, F>(context: Context, handle: H) -> Result<(), RuntimeError>
where
    H: Fn(Context, Request, Result<Target, Refusal>) -> F + Sync,
    F: Future<Output = Reply> + Send,
{
    lambda_http::run(lambda_http::service_fn(|request| {
        let answer = answer(context.clone(), request, &handle);
        async { Ok::<_, Infallible>(answer.await) }
    }))
    .await
}
