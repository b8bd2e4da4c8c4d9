//! What this process has done lately, so that many requests for the same do it once.
//!
//! On Lambda every warm instance remembers its own: enough where doing it twice is harmless.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use arena::Timestamp;

/// When so many are remembered, the older ones are forgotten.
const KEPT_MAX: usize = 10_000;

/// When each thing was last done.
#[derive(Debug)]
pub(crate) struct Recent<K> {
    every_ms: i64,
    done: Mutex<HashMap<K, Timestamp>>,
}

impl<K: Eq + Hash> Recent<K> {
    /// Each thing is due once in so many milliseconds.
    pub(crate) fn every(every_ms: i64) -> Recent<K> {
        Recent { every_ms, done: Mutex::default() }
    }

    /// Whether this has not been done lately. If so, it counts as done now.
    pub(crate) fn is_due(&self, what: K, now: Timestamp) -> bool {
        // A poisoned lock holds times only: they are as good as any.
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |at: Timestamp| now.since(at) < self.every_ms;
        if done.get(&what).is_some_and(|at| is_recent(*at)) {
            return false;
        }
        if done.len() >= KEPT_MAX {
            done.retain(|_, at| is_recent(*at));
        }
        done.insert(what, now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_is_due_once_in_a_while() {
        let recent = Recent::every(1_000);
        let is_due = |what, ms| recent.is_due(what, Timestamp::from_ms(ms));
        assert!(is_due("one", 0));
        assert!(!is_due("one", 1) && !is_due("one", 999));
        assert!(is_due("other", 1));
        assert!(is_due("one", 1_000) && !is_due("one", 1_001));
    }

    #[test]
    fn what_is_no_longer_recent_is_forgotten() {
        let recent = Recent::every(1_000);
        for number in 0..KEPT_MAX {
            assert!(recent.is_due(number, Timestamp::from_ms(0)));
        }
        assert!(recent.is_due(KEPT_MAX, Timestamp::from_ms(1_000)));
        assert_eq!(recent.done.lock().unwrap().len(), 1);
    }
}
