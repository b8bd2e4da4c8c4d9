//! The arena on DynamoDB and SQS: the one implementation, with no trait and no mock.
//!
//! Only this crate names a table, an attribute or an index. It decides nothing: what is written,
//! and on which condition, arrives as an [`arena::Plan`]. A failed condition is an answer, not an
//! error; a [`Fault`] is our own doing and nobody else's.

mod access;
mod audit;
pub mod bell;
mod codec;
mod commit;
mod counter;
mod fault;
mod listing;
mod meter;
mod page;
mod read;
mod retry;
pub mod schema;
mod sockets;
mod statement;
#[cfg(test)]
mod testing;
mod trace;
mod unreadable;
mod update;
mod watch;

use std::fmt;
use std::sync::Arc;

use crate::watch::Watches;

pub use access::{Access, Config, MissingVariable};
pub use audit::Audit;
pub use codec::Undecodable;
pub use commit::{Commit, Current, Stale};
pub use counter::{Admission, network};
pub use fault::Fault;
pub use meter::{Meter, Usage};
pub use page::{Cursor, InvalidCursor, Listing, Page};
pub use read::Tickets;
pub use schema::Queues;
pub use sockets::{Socket, Sockets};
pub use trace::Trace;
pub use update::{Refused, Settled};
pub use watch::{Attending, Watch};

use unreadable::Unreadable;

/// The arena's tables and queue. Cheap to clone; clones share connections and the meter.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
    trace: Option<Arc<Trace>>,
    unreadable: Arc<Unreadable>,
}

struct Inner {
    dynamodb: aws_sdk_dynamodb::Client,
    sqs: aws_sdk_sqs::Client,
    config: Config,
    meter: Meter,
    watches: Watches,
}

impl Store {
    /// A store on these services and tables. Does no I/O.
    pub fn new(access: &Access, config: Config) -> Store {
        let (meter, watches) = (Meter::default(), Watches::default());
        let (dynamodb, sqs) = (access.dynamodb(), access.sqs());
        let inner = Arc::new(Inner { dynamodb, sqs, config, meter, watches });
        Store { inner, trace: None, unreadable: Arc::default() }
    }

    /// The same store on behalf of a request: what it sends can be found by the request's trace, and
    /// the items it passes over are the request's own.
    pub fn traced(&self, trace: Option<Trace>) -> Store {
        let (inner, trace) = (Arc::clone(&self.inner), trace.map(Arc::new));
        Store { inner, trace, unreadable: Arc::default() }
    }

    /// The trace it works for.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_deref()
    }

    /// What has been consumed through this store and its clones.
    pub fn meter(&self) -> &Meter {
        &self.inner.meter
    }

    /// Which tables and queue these are.
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
