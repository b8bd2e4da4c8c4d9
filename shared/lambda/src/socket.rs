//! Events of a WebSocket API.

use std::convert::Infallible;
use std::future::Future;

use arena_store::{Access, Fault, Sockets};
use aws_lambda_events::apigw::{ApiGatewayProxyResponse, ApiGatewayWebsocketProxyRequest};
use lambda_runtime::LambdaEvent;

use crate::http::RuntimeError;
use crate::log;

/// Serves the events of a WebSocket API on Lambda. The function replies through [`Sockets`]; the
/// gateway itself only learns if the event was handled.
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
