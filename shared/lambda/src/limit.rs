//! Rate limit per key: token buckets in the memory of this process.
//!
//! On Lambda every warm instance has its own buckets, so the limit is per instance: enough to stop
//! a runaway loop, without a write. Registrations are counted in the table instead.

use std::collections::HashMap;
use std::sync::Mutex;

use arena::{KeyHash, Timestamp};
use lambda_http::http::HeaderName;

/// Size of a bucket, in seconds of its rate.
const BURST_S: f64 = 3.0;

/// Above this number of buckets, full ones are dropped.
const KEYS_MAX: usize = 10_000;

/// The buckets of all keys this process has seen lately.
#[derive(Debug)]
pub struct Limiter {
    /// Requests a second, in the long run.
    rate: f64,
    buckets: Mutex<HashMap<KeyHash, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Timestamp,
}

impl Limiter {
    /// A limiter with this rate for each key.
    pub fn new(per_second: u32) -> Limiter {
        Limiter { rate: f64::from(per_second.max(1)), buckets: Mutex::default() }
    }

    fn burst(&self) -> f64 {
        self.rate * BURST_S
    }

    fn at(&self, bucket: Bucket, now: Timestamp) -> Bucket {
        let gained = now.since(bucket.at).max(0) as f64 * self.rate / 1_000.0;
        Bucket { tokens: (bucket.tokens + gained).min(self.burst()), at: now }
    }

    /// The headers that tell a client to slow down, once its key has less than half of its requests
    /// left: the limit and the window in seconds; the requests left and the time until all are back.
    pub(crate) fn headers(&self, left: u32) -> Option<[(HeaderName, String); 2]> {
        const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
        const LIMIT: HeaderName = HeaderName::from_static("ratelimit");
        let missing = self.burst() - f64::from(left);
        (2.0 * missing > self.burst()).then(|| {
            let back_s = (missing / self.rate).ceil();
            [
                (POLICY, format!("\"key\";q={};w={BURST_S}", self.burst())),
                (LIMIT, format!("\"key\";r={left};t={back_s}")),
            ]
        })
    }

    /// Takes a token and says how many are left; the error is the time until there is one, in
    /// milliseconds.
    pub fn admit(&self, key: KeyHash, now: Timestamp) -> Result<u32, i64> {
        // A poisoned lock holds numbers only, which are still valid.
        let mut buckets = self.buckets.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // Only before the map grows, so that a flood of made-up keys does not scan all of them each
        // time.
        if buckets.len() >= KEYS_MAX && buckets.len() == buckets.capacity() {
            buckets.retain(|_, bucket| self.at(*bucket, now).tokens < self.burst());
        }
        let full = Bucket { tokens: self.burst(), at: now };
        let bucket = buckets.entry(key).or_insert(full);
        *bucket = self.at(*bucket, now);
        if bucket.tokens < 1.0 {
            return Err(((1.0 - bucket.tokens) * 1_000.0 / self.rate).ceil() as i64);
        }
        bucket.tokens -= 1.0;
        Ok(bucket.tokens as u32)
    }

    /// Gives a new key the bucket of the key it replaces, unless its own is emptier: repeated
    /// rotation gains no requests.
    pub fn replace(&self, old: KeyHash, new: KeyHash) {
        let mut buckets = self.buckets.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(bucket) = buckets.get(&old).copied() {
            let own = buckets.entry(new).or_insert(bucket);
            own.tokens = own.tokens.min(bucket.tokens);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> KeyHash {
        let mut hash = [0; 32];
        hash[..8].copy_from_slice(&number.to_le_bytes());
        KeyHash(hash)
    }

    #[test]
    fn a_burst_is_let_through_then_the_rate_holds() {
        let limiter = Limiter::new(20);
        let agent = key(1);
        let admitted = |from: i64, to: i64| {
            (from..to).filter(|&ms| limiter.admit(agent, Timestamp::from_ms(ms)).is_ok()).count()
        };
        assert_eq!(admitted(0, 1), 1);
        let first_second = admitted(0, 1_000);
        assert!((78..=81).contains(&first_second), "{first_second}");
        let second_second = admitted(1_000, 2_000);
        assert!((19..=21).contains(&second_second), "{second_second}");
        let refused = (0..=1).find_map(|_| limiter.admit(agent, Timestamp::from_ms(2_000)).err());
        assert!(refused.is_some_and(|wait| (1..=50).contains(&wait)), "{refused:?}");
    }

    #[test]
    fn a_client_is_told_its_limit_once_half_of_it_is_used() {
        let limiter = Limiter::new(20);
        assert_eq!(limiter.headers(30), None);
        let [policy, limit] = limiter.headers(29).unwrap().map(|(_, value)| value);
        assert_eq!((policy.as_str(), limit.as_str()), ("\"key\";q=60;w=3", "\"key\";r=29;t=2"));
        let [_, (_, empty)] = limiter.headers(0).unwrap();
        assert_eq!(empty, "\"key\";r=0;t=3");
    }

    #[test]
    fn who_asks_too_often_is_not_forgotten_among_many_keys() {
        let limiter = Limiter::new(20);
        let now = Timestamp::from_ms(0);
        let alice = key(1);
        while limiter.admit(alice, now).is_ok() {}
        for index in 0..=2 * KEYS_MAX {
            assert!(limiter.admit(key(10 + index), now).is_ok());
        }
        assert!(limiter.admit(alice, now).is_err());
        // Full buckets are dropped.
        let later = Timestamp::from_ms(60_000);
        assert!(limiter.admit(alice, later).is_ok());
        for index in 0..2 * KEYS_MAX {
            assert!(limiter.admit(key(10 * KEYS_MAX + index), later).is_ok());
        }
        assert!(limiter.buckets.lock().unwrap().len() < 3 * KEYS_MAX);
    }

    #[test]
    fn a_key_that_replaces_another_takes_over_its_bucket() {
        let limiter = Limiter::new(20);
        let now = Timestamp::from_ms(0);
        while limiter.admit(key(1), now).is_ok() {}
        limiter.replace(key(1), key(2));
        assert!(limiter.admit(key(2), now).is_err());
        limiter.replace(key(3), key(4));
        assert!(limiter.admit(key(4), now).is_ok());
    }
}
