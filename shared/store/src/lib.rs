//! The arena on DynamoDB and SQS: the [`Backend`](arena_protocol::Backend) that is deployed.
//!
//! Only this crate names a table, an attribute or an index, and only this one reads a clock. It
//! decides nothing: writes and their conditions arrive as [`arena::Write`]s. A failed condition is
//! an outcome, not an error; a [`Fault`] is a failure on our side.

mod access;
mod audit;
mod backend;
mod clock;
mod codec;
mod commit;
mod counter;
pub mod environment;
mod fault;
mod listing;
pub mod message;
mod meter;
mod paging;
mod parameter;
mod read;
mod recent;
pub mod schema;
mod sockets;
mod statement;
#[cfg(test)]
mod testing;
mod trace;
mod watch;

use std::fmt;
use std::sync::Arc;

use arena_protocol::Note;

use crate::recent::Recent;
use crate::watch::Watches;

pub use arena_protocol::Fault;

pub use access::{Access, Config};
pub use audit::Audit;
pub use clock::now;
pub use codec::Undecodable;
pub use counter::network;
pub use meter::{Meter, Usage};
pub use paging::{Cursor, InvalidCursor, Listing, Paging};
pub use parameter::parameter;
pub use read::Played;
pub use sockets::{Socket, Sockets};
pub use trace::Trace;
pub use watch::{Attending, Watch};

/// Receives the events of a request.
pub type Listener = Arc<dyn Fn(Note<'_>) + Send + Sync>;

/// The arena's tables and queues. Cheap to clone; clones share connections and the meter.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
    trace: Option<Arc<Trace>>,
    listener: Listener,
}

struct Inner {
    dynamodb: aws_sdk_dynamodb::Client,
    sqs: aws_sdk_sqs::Client,
    config: Config,
    meter: Meter,
    watches: Watches,
    recent: Recent,
}

impl Store {
    /// Does no I/O.
    pub fn new(access: &Access, config: Config) -> Store {
        let inner = Inner {
            dynamodb: access.dynamodb(),
            sqs: access.sqs(),
            config,
            meter: Meter::default(),
            watches: Watches::default(),
            recent: Recent::default(),
        };
        Store { inner: Arc::new(inner), trace: None, listener: Arc::new(|_| {}) }
    }

    /// The same store on behalf of a request: its messages carry the request's trace, and events go
    /// to the request's listener.
    pub fn on_behalf(&self, trace: Option<Trace>, listener: Listener) -> Store {
        Store { inner: Arc::clone(&self.inner), trace: trace.map(Arc::new), listener }
    }

    /// The trace of the request this store works for.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_deref()
    }

    /// Consumption through this store and its clones.
    pub fn meter(&self) -> &Meter {
        &self.inner.meter
    }

    /// The tables and queues of the deployment.
    pub fn config(&self) -> &Config {
        &self.inner.config
    }

    fn watches(&self) -> &Watches {
        &self.inner.watches
    }

    fn dynamodb(&self) -> &aws_sdk_dynamodb::Client {
        &self.inner.dynamodb
    }

    fn sqs(&self) -> &aws_sdk_sqs::Client {
        &self.inner.sqs
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("config", &self.inner.config).finish_non_exhaustive()
    }
}
