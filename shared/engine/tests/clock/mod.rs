//! How long something took on a machine that may be busy with other things.

use std::time::{Duration, Instant};

/// What `work` gave, how long its thread was at work, and how long that was by the clock on the wall.
///
/// The first time leaves out what the thread waited for a processor or for memory; where the system does
/// not tell, the two are the same.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration, Duration) {
    let (start, before) = (Instant::now(), Account::now());
    let done = work();
    let (wall, after) = (start.elapsed(), Account::now());
    let took = match (before, after) {
        // What ran is brought up to date with every tick only, what waited only with every wait.
        (Some(before), Some(after)) => {
            wall.saturating_sub(after.waited - before.waited).min(after.ran - before.ran + TICK)
        }
        _ => wall,
    };
    (done, took, wall)
}

const TICK: Duration = Duration::from_millis(1);

/// What the scheduler of Linux has written down about this thread.
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
