//! The clock of this machine.

use std::time::{SystemTime, UNIX_EPOCH};

use arena::Timestamp;

/// The current time. The only place that reads a clock.
pub fn now() -> Timestamp {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_ms(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
}
