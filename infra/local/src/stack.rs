//! DynamoDB and SQS inside this process.
//!
//! Tables can be kept in a file. Queues cannot: a message lost in a restart is sent again.

use std::io;
use std::net::Ipv4Addr;
use std::path::Path;

use arena::Pace;
use arena_store::{Access, Fault, Store};
use dynoxide::Database;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::data;
use crate::error::{StartError, Unusable};
use crate::services::Services;

/// The host in requests, none of which leaves the process.
const ENDPOINT: &str = "http://local";

/// Start of the names of the arena's tables and queues.
pub(crate) const PREFIX: &str = "arena";

/// One machine has no hot partitions.
pub(crate) const SHARDS: u8 = 1;

/// Both services, which cannot be reached from outside this process.
#[derive(Debug)]
pub struct Stack {
    services: Services,
}

impl Stack {
    /// Keeps nothing; for tests.
    pub fn memory() -> Result<Stack, StartError> {
        let tables = Database::memory().map_err(StartError::memory)?;
        Ok(Stack { services: Services::new(tables, None) })
    }

    /// Tables are kept in `dir`, which is created if missing and locked against other processes;
    /// queues start empty.
    pub fn file(dir: &Path) -> Result<Stack, StartError> {
        let lock = data::lock(dir)?;
        let tables = data::tables(dir)?;
        Ok(Stack { services: Services::new(tables, Some(lock)) })
    }

    /// The same for a directory that an arena has used; refuses any other.
    pub fn existing(dir: &Path) -> Result<Stack, StartError> {
        if data::has_tables(dir) {
            Stack::file(dir)
        } else {
            Err(StartError::data(dir, Unusable::NoArena))
        }
    }

    /// The arena's tables, and queues.
    pub async fn open(&self, pace: Pace) -> Result<Store, Fault> {
        Store::create(&self.access(), PREFIX, SHARDS, pace).await
    }

    /// Access for clients in this process.
    pub fn access(&self) -> Access {
        let http = Some(self.services.http_client());
        Access { http, ..Access::local(ENDPOINT, ENDPOINT) }
    }

    /// Listens on a loopback port, for tests that need an address. Any local program can then read
    /// and write the tables.
    pub async fn listen(&self) -> io::Result<Endpoint> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let (stop, stopping) = watch::channel(());
        tokio::spawn(self.services.clone().serve(listener, stopping));
        Ok(Endpoint { url, _stop: stop })
    }

    /// Stops the queues. The tables are closed with the last client.
    pub async fn stop(self) {
        self.services.stop_queues().await;
    }
}

/// A port on which both services answer until this is dropped.
#[derive(Debug)]
pub struct Endpoint {
    url: String,
    /// Stops the server when dropped.
    _stop: watch::Sender<()>,
}

impl Endpoint {
    /// Address for `AWS_ENDPOINT_URL`.
    pub fn url(&self) -> &str {
        &self.url
    }
}
