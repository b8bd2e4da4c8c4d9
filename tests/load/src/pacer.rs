//! Keeps the crowd to a rate: every request waits for its slot, and slots are evenly spaced.

use std::sync::Mutex;
use std::time::Duration;

use tokio::time::Instant;

#[derive(Debug)]
pub(crate) struct Pacer {
    gap: Duration,
    next: Mutex<Instant>,
}

impl Pacer {
    /// So many slots a second; 0 is no limit.
    pub(crate) fn new(rate: u32) -> Pacer {
        let gap = Duration::from_secs(1).checked_div(rate).unwrap_or_default();
        Pacer { gap, next: Mutex::new(Instant::now()) }
    }

    /// Waits for the next slot. Slots that nobody took are lost: a stall is not made up for by a
    /// burst, so the rate that is measured is the rate that was held.
    pub(crate) async fn slot(&self) {
        if self.gap.is_zero() {
            return;
        }
        let slot = {
            let mut next = self.next.lock().expect("nobody panics with the slot");
            let slot = (*next).max(Instant::now());
            *next = slot + self.gap;
            slot
        };
        tokio::time::sleep_until(slot).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn slots_are_evenly_spaced() {
        let pacer = Pacer::new(1_000);
        let start = Instant::now();
        for _ in 0..50 {
            pacer.slot().await;
        }
        assert!(start.elapsed() >= Duration::from_millis(48));
    }

    #[tokio::test]
    async fn no_rate_is_no_limit() {
        let pacer = Pacer::new(0);
        let start = Instant::now();
        for _ in 0..100_000 {
            pacer.slot().await;
        }
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}
