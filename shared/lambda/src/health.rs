//! Health check: can the tables be written?

use std::time::{Duration, Instant};

use arena_store::Store;
use arena_wire::Code;
use tokio::sync::Mutex;

use crate::log;
use crate::refusal::Refusal;

/// Cache time of the result, which limits the writes of a process.
const PROBE_EVERY: Duration = Duration::from_secs(5);

/// The latest probe, shared by all requests of this process.
#[derive(Debug, Default)]
pub(crate) struct Health {
    latest: Mutex<Option<Probe>>,
}

#[derive(Debug, Clone, Copy)]
struct Probe {
    at: Instant,
    is_written: bool,
}

impl Health {
    /// Refuses if the tables cannot be written. Concurrent callers wait for the same probe.
    pub(crate) async fn check(&self, store: &Store) -> Result<(), Refusal> {
        let mut latest = self.latest.lock().await;
        let probe = match *latest {
            Some(probe) if probe.at.elapsed() < PROBE_EVERY => probe,
            _ => {
                let written = store.probe().await;
                written.as_ref().err().into_iter().for_each(|fault| log::fault(fault));
                *latest.insert(Probe { at: Instant::now(), is_written: written.is_ok() })
            }
        };
        if probe.is_written {
            return Ok(());
        }
        let detail = "nothing can be written at the moment";
        Err(Refusal::Later(Code::Busy, detail.to_owned(), PROBE_EVERY.as_millis() as i64))
    }
}
