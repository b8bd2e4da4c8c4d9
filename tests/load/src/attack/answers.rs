//! What the server answered to an attack.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::client::Reply;

/// Answers by what they say, such as a status.
#[derive(Debug, Default)]
pub(super) struct Answers {
    counts: Mutex<BTreeMap<String, u64>>,
    good: AtomicU64,
}

impl Answers {
    /// Counts something that happened.
    pub(super) fn count(&self, what: impl Into<String>) {
        // A poisoned lock holds numbers only: they are as good as any.
        let mut counts = self.counts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *counts.entry(what.into()).or_default() += 1;
    }

    /// Counts an answer by its status, and as good if it is neither a failure nor "too many".
    pub(super) fn reply(&self, reply: &Result<Reply, String>) {
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

    /// How many good answers there were so far.
    pub(super) fn good(&self) -> u64 {
        self.good.load(Ordering::Relaxed)
    }

    /// All counts so far.
    pub(super) fn take(&self) -> BTreeMap<String, u64> {
        let counts = self.counts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        counts.clone()
    }
}
