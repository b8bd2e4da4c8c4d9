//! What the server answered to an attack.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use arena_support::Reply;

/// Answers by what they say, such as a status.
#[derive(Debug, Default)]
pub(super) struct Answers {
    counts: Mutex<BTreeMap<String, u64>>,
    good: AtomicU64,
}

impl Answers {
    pub(super) fn count(&self, what: impl Into<String>) {
        let mut counts = self.counts.lock().expect("nobody panics with the counts");
        *counts.entry(what.into()).or_default() += 1;
    }

    /// Counts an answer by its status, and as good if it is neither a failure nor "too many".
    pub(super) fn reply(&self, reply: &io::Result<Reply>) {
        match reply {
            Ok(reply) => {
                if reply.status < 500 && reply.status != 429 {
                    self.good.fetch_add(1, Ordering::Relaxed);
                }
                self.count(reply.status.to_string());
            }
            Err(_) => self.count("no answer"),
        }
    }

    pub(super) fn good(&self) -> u64 {
        self.good.load(Ordering::Relaxed)
    }

    pub(super) fn take(&self) -> BTreeMap<String, u64> {
        self.counts.lock().expect("nobody panics with the counts").clone()
    }
}
