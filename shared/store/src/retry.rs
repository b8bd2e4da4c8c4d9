//! Pauses before another attempt: exponential, with full jitter.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

const PAUSE_MS_MIN: u64 = 10;
const PAUSE_MS_MAX: u64 = 160;

/// Waits before attempt `attempt + 1`: anything up to 10 ms, 20 ms, … 160 ms.
pub(crate) async fn pause(attempt: u32) {
    let most = (PAUSE_MS_MIN << attempt.min(8)).min(PAUSE_MS_MAX);
    tokio::time::sleep(Duration::from_millis(random() % (most + 1))).await;
}

/// The standard library seeds its hash maps well enough to keep two functions out of step.
fn random() -> u64 {
    RandomState::new().hash_one(0)
}
