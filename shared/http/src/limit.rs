//! How many requests a key may make: a bucket each, in the memory of this process.
//!
//! On Lambda every warm instance has its own buckets, so the limit is per instance: enough to stop
//! a loop gone wild, with no write. Registrations are counted in the table instead.

use std::collections::HashMap;
use std::sync::Mutex;

use arena::{AgentName, Timestamp};

/// Requests a second that a key may make in the long run.
const RATE: f64 = 20.0;

/// Requests it may make at once after a pause.
const BURST: f64 = 60.0;

/// When so many keys have a bucket, those that are full again are forgotten.
const KEYS_MAX: usize = 10_000;

/// The buckets of all keys this process has seen lately.
#[derive(Debug, Default)]
pub struct Limiter {
    buckets: Mutex<HashMap<AgentName, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Timestamp,
}

impl Bucket {
    fn at(self, now: Timestamp) -> Bucket {
        let gained = now.since(self.at).max(0) as f64 * RATE / 1_000.0;
        Bucket { tokens: (self.tokens + gained).min(BURST), at: now }
    }
}

impl Limiter {
    /// Takes a token; or says in how many milliseconds there will be one.
    pub fn admit(&self, agent: &AgentName, now: Timestamp) -> Result<(), i64> {
        // A poisoned lock holds numbers only: they are as good as any.
        let mut buckets = self.buckets.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if buckets.len() >= KEYS_MAX {
            buckets.retain(|_, bucket| bucket.at(now).tokens < BURST);
        }
        let full = Bucket { tokens: BURST, at: now };
        let bucket = buckets.entry(agent.clone()).or_insert(full);
        *bucket = bucket.at(now);
        if bucket.tokens < 1.0 {
            return Err(((1.0 - bucket.tokens) * 1_000.0 / RATE).ceil() as i64);
        }
        bucket.tokens -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_let_through_then_the_rate_holds() {
        let limiter = Limiter::default();
        let agent: AgentName = "alice".parse().unwrap();
        let admitted = |from: i64, to: i64| {
            (from..to).filter(|&ms| limiter.admit(&agent, Timestamp::from_ms(ms)).is_ok()).count()
        };
        assert_eq!(admitted(0, 1), 1);
        let first_second = admitted(0, 1_000);
        assert!((78..=81).contains(&first_second), "{first_second}");
        let second_second = admitted(1_000, 2_000);
        assert!((19..=21).contains(&second_second), "{second_second}");
        let refused = (0..=1).find_map(|_| limiter.admit(&agent, Timestamp::from_ms(2_000)).err());
        assert!(refused.is_some_and(|wait| (1..=50).contains(&wait)), "{refused:?}");
    }

    #[test]
    fn keys_do_not_share_a_bucket() {
        let limiter = Limiter::default();
        let now = Timestamp::from_ms(0);
        let [alice, bob]: [AgentName; 2] = ["alice", "bob"].map(|name| name.parse().unwrap());
        while limiter.admit(&alice, now).is_ok() {}
        assert!(limiter.admit(&bob, now).is_ok());
    }
}
