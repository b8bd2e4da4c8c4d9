//! How long something took on a machine that may be busy with other things.

use std::time::{Duration, Instant};

/// What `work` gave, how long it took without the time its thread waited for a processor, and how long
/// by the clock on the wall. Where the system does not tell, nothing is taken off.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration, Duration) {
    let (start, before) = (Instant::now(), waited());
    let done = work();
    let wall = start.elapsed();
    (done, wall.saturating_sub(waited().saturating_sub(before)), wall)
}

fn waited() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0))
}
