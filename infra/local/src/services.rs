//! DynamoDB and SQS without a port: requests of the SDK are passed to emulators in this process, so
//! that the tables cannot be reached from outside.

use std::convert::Infallible;
use std::fmt;
use std::fs::File;
use std::sync::Arc;

use arena_lambda::Quota;
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use dynoxide::{Database, DynoxideError};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::service::service_fn;
use hyper::{HeaderMap, Response};
use rustack_sqs_core::config::SqsConfig;
use rustack_sqs_core::handler::RustackSqsHandler;
use rustack_sqs_core::provider::RustackSqs;
use rustack_sqs_http::dispatch::SqsHandler;
use rustack_sqs_http::response::error_to_response;
use rustack_sqs_http::router::resolve_operation;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::server;

/// Header that names the service and the operation of a call.
const TARGET: &str = "x-amz-target";
const TABLES_PREFIX: &str = "DynamoDB_20120810.";
/// Connections of clients that use a port.
const CONNECTIONS_MAX: usize = 10_000;
const JSON: &str = "application/x-amz-json-1.0";

/// Both emulators. Cheap to clone; the last clone closes the tables and releases their lock.
#[derive(Clone)]
pub(crate) struct Services(Arc<Inner>);

struct Inner {
    tables: Database,
    queues: Arc<RustackSqs>,
    queue_handler: RustackSqsHandler,
    /// Declared after the tables, so that it is released after they are closed.
    _lock: Option<File>,
}

impl Services {
    pub(crate) fn new(tables: Database, lock: Option<File>) -> Services {
        let queues = Arc::new(RustackSqs::new(SqsConfig::default()));
        let queue_handler = RustackSqsHandler::new(Arc::clone(&queues));
        Services(Arc::new(Inner { tables, queues, queue_handler, _lock: lock }))
    }

    /// Passes the requests of SDK clients to the emulators.
    pub(crate) fn http_client(&self) -> SharedHttpClient {
        let connector = SharedHttpConnector::new(self.clone());
        http_client_fn(move |_, _| connector.clone())
    }

    /// Answers requests from a socket like those of the SDK clients, until the sending half of
    /// `stop` is dropped.
    pub(crate) async fn serve(self, listener: TcpListener, stop: watch::Receiver<()>) {
        let slots = Quota::new(CONNECTIONS_MAX, CONNECTIONS_MAX);
        server::serve(listener, slots, stop, |_| {
            let services = self.clone();
            service_fn(move |request: hyper::Request<Incoming>| {
                let services = services.clone();
                async move {
                    let (parts, body) = request.into_parts();
                    // A client whose body broke off gets no reply.
                    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
                    Ok::<_, Infallible>(services.answer(&parts.headers, body).await.map(Full::new))
                }
            })
        })
        .await;
    }

    /// Ends the tasks of the queues, which hold the messages.
    pub(crate) async fn stop_queues(&self) {
        self.0.queues.shutdown_all().await;
    }

    async fn answer(&self, headers: &HeaderMap, body: Bytes) -> Response<Bytes> {
        let target = headers.get(TARGET).and_then(|target| target.to_str().ok());
        match target.and_then(|target| target.strip_prefix(TABLES_PREFIX)) {
            Some(operation) => self.answer_for_tables(operation, body).await,
            None => self.answer_for_queues(headers, body).await,
        }
    }

    /// A write to a file waits milliseconds for the disk, so it does not run on the threads that
    /// answer requests.
    async fn answer_for_tables(&self, operation: &str, body: Bytes) -> Response<Bytes> {
        let (services, operation) = (self.clone(), operation.to_owned());
        let acted =
            tokio::task::spawn_blocking(move || act(&services.0.tables, &operation, &body)).await;
        let acted = acted.unwrap_or_else(|panic| {
            Err(DynoxideError::InternalServerError(format!("the emulator stopped: {panic}")))
        });
        let (status, body) = match acted {
            Ok(body) => (200, body),
            Err(error) => (error.status_code(), error.to_json().into_bytes()),
        };
        let response = Response::builder().status(status).header(CONTENT_TYPE, JSON);
        response.body(Bytes::from(body)).expect("the emulator's statuses exist")
    }

    async fn answer_for_queues(&self, headers: &HeaderMap, body: Bytes) -> Response<Bytes> {
        let answered = match resolve_operation(headers) {
            Ok(operation) => self.0.queue_handler.handle_operation(operation, body).await,
            Err(error) => Err(error),
        };
        let (parts, body) =
            answered.unwrap_or_else(|error| error_to_response(&error, "local")).into_parts();
        // The body is in memory already.
        let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        Response::from_parts(parts, body)
    }
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Services").finish_non_exhaustive()
    }
}

impl HttpConnector for Services {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let services = self.clone();
        HttpConnectorFuture::new(async move {
            let request = request.try_into_http1x().map_err(unusable)?;
            let body = request.body().bytes().ok_or_else(|| unusable("the body is a stream"))?;
            let body = Bytes::copy_from_slice(body);
            let response = services.answer(request.headers(), body).await;
            HttpResponse::try_from(response.map(Into::into)).map_err(unusable)
        })
    }
}

fn unusable(why: impl Into<BoxError>) -> ConnectorError {
    ConnectorError::user(why.into())
}

/// Carries out one call of DynamoDB's API: the operations that the store and the tests use.
fn act(tables: &Database, operation: &str, body: &[u8]) -> Result<Vec<u8>, DynoxideError> {
    match operation {
        "BatchGetItem" => with(body, |request| tables.batch_get_item(request)),
        "CreateTable" => with(body, |request| tables.create_table(request)),
        "DeleteItem" => with(body, |request| tables.delete_item(request)),
        "DescribeTable" => with(body, |request| tables.describe_table(request)),
        "GetItem" => with(body, |request| tables.get_item(request)),
        "PutItem" => with(body, |request| tables.put_item(request)),
        "Query" => with(body, |request| tables.query(request)),
        "Scan" => with(body, |request| tables.scan(request)),
        "TransactGetItems" => with(body, |request| tables.transact_get_items(request)),
        "TransactWriteItems" => with(body, |request| tables.transact_write_items(request)),
        "UpdateItem" => with(body, |request| tables.update_item(request)),
        "UpdateTimeToLive" => with(body, |request| tables.update_time_to_live(request)),
        other => Err(DynoxideError::ValidationException(format!("{other} is not supported here"))),
    }
}

fn with<Q: DeserializeOwned, R: Serialize>(
    body: &[u8],
    run: impl FnOnce(Q) -> Result<R, DynoxideError>,
) -> Result<Vec<u8>, DynoxideError> {
    let request = serde_json::from_slice(body)
        .map_err(|error| DynoxideError::SerializationException(error.to_string()))?;
    let answer = run(request)?;
    serde_json::to_vec(&answer)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}
