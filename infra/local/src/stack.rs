//! DynamoDB and SQS inside this process, each on a loopback port that the system picks.
//!
//! Tables can live in a file. Queues never do: their messages are bells, a lost bell is rung again
//! by the sweep, so a restart only has to create the queues again.

use std::io;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;

use arena_http::Quota;
use dynoxide::Database;
use rustack_sqs_core::config::SqsConfig;
use rustack_sqs_core::handler::RustackSqsHandler;
use rustack_sqs_core::provider::RustackSqs;
use rustack_sqs_http::service::{SqsHttpConfig, SqsHttpService};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::server;

/// The functions keep a few connections open.
const CONNECTIONS_MAX: usize = 10_000;
const TABLES_FILE: &str = "dynamodb.sqlite";

/// Both servers; they run until this is dropped.
#[derive(Debug)]
pub struct Stack {
    dynamodb: String,
    sqs: String,
    stop: watch::Sender<()>,
    servers: [JoinHandle<()>; 2],
}

impl Stack {
    /// Nothing survives; for tests.
    pub async fn memory() -> io::Result<Self> {
        Self::start(Database::memory().map_err(io::Error::other)?).await
    }

    /// Tables live in `dir`, which is created when missing; queues start empty.
    pub async fn file(dir: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(dir)?;
        let file = dir.join(TABLES_FILE);
        let path = file.to_str().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "data directory is not UTF-8")
        })?;
        Self::start(Database::new(path).map_err(io::Error::other)?).await
    }

    async fn start(database: Database) -> io::Result<Self> {
        let dynamodb = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let sqs = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let dynamodb_url = format!("http://{}", dynamodb.local_addr()?);
        let sqs_address = sqs.local_addr()?;

        let (stop, stopping) = watch::channel(());
        let tables = serve_tables(dynamodb, database, stopping.clone());
        let queues = serve_queues(sqs, sqs_address.port(), stopping);
        Ok(Self {
            dynamodb: dynamodb_url,
            sqs: format!("http://{sqs_address}"),
            stop,
            servers: [tokio::spawn(tables), tokio::spawn(queues)],
        })
    }

    /// Endpoint for `AWS_ENDPOINT_URL_DYNAMODB`.
    pub fn dynamodb(&self) -> &str {
        &self.dynamodb
    }

    /// Endpoint for `AWS_ENDPOINT_URL_SQS`.
    pub fn sqs(&self) -> &str {
        &self.sqs
    }

    /// Stops and waits for open requests; dropping stops too, but does not wait.
    pub async fn stop(self) {
        let Self { stop, servers, .. } = self;
        drop(stop);
        for server in servers {
            // A server that panicked has already said so.
            let _ = server.await;
        }
    }
}

async fn serve_tables(listener: TcpListener, database: Database, stop: watch::Receiver<()>) {
    if let Err(error) =
        dynoxide::server::serve_with_shutdown(listener, database, server::stopped(stop)).await
    {
        eprintln!("local DynamoDB: {error}");
    }
}

async fn serve_queues(listener: TcpListener, port: u16, stop: watch::Receiver<()>) {
    let config = SqsConfig { host: Ipv4Addr::LOCALHOST.to_string(), port, ..SqsConfig::default() };
    let provider = Arc::new(RustackSqs::new(config));
    let handler = Arc::new(RustackSqsHandler::new(Arc::clone(&provider)));
    let service = SqsHttpService::new(handler, SqsHttpConfig::default());
    let places = Quota::new(CONNECTIONS_MAX, CONNECTIONS_MAX);
    server::serve(listener, places, stop, |_| service.clone()).await;
    provider.shutdown_all().await;
}
