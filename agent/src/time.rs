//! Clock of this machine, for log lines.

use std::time::{SystemTime, UNIX_EPOCH};

use arena::Timestamp;

/// Time of this machine's clock.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
