//! Timing on a machine that may be busy with other things.

use std::time::{Duration, Instant};

/// Result of `work`, the time its thread was running, and the wall-clock time.
///
/// The first time excludes waiting for a processor or for memory; if the system does not report
/// that, both are equal.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration, Duration) {
    let (start, before) = (Instant::now(), Account::now());
    let done = work();
    let (wall, after) = (start.elapsed(), Account::now());
    let took = match (before, after) {
        // The running time is updated at every tick, the waiting time only after a wait.
        (Some(before), Some(after)) => {
            wall.saturating_sub(after.waited - before.waited).min(after.ran - before.ran + TICK)
        }
        _ => wall,
    };
    (done, took, wall)
}

const TICK: Duration = Duration::from_millis(1);

/// Linux scheduler statistics of this thread.
struct Account {
    ran: Duration,
    waited: Duration,
}

impl Account {
    fn now() -> Option<Account> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        let mut nanos = text.split_whitespace().map_while(|text| text.parse().ok());
        let (ran, waited) = (nanos.next()?, nanos.next()?);
        Some(Account { ran: Duration::from_nanos(ran), waited: Duration::from_nanos(waited) })
    }
}
