//! Recent chores of this process, so that many requests for the same do it once.
//!
//! On Lambda every warm instance has its own memory: enough where doing it twice is harmless.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use arena::{TICKET_MS, Timestamp, house};
use arena_protocol::Chore;

/// Above this number, older entries are dropped.
const KEPT_MAX: usize = 10_000;

/// Time each chore was last done.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<HashMap<Chore, Timestamp>>);

impl Recent {
    /// True if the chore has not been done lately; it then counts as done now.
    pub(crate) fn is_due(&self, chore: Chore, now: Timestamp) -> bool {
        // A poisoned lock holds times only, which are still valid.
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if done.get(&chore).is_some_and(|at| is_recent(&chore, *at, now)) {
            return false;
        }
        if done.len() >= KEPT_MAX {
            done.retain(|chore, at| is_recent(chore, *at, now));
        }
        done.insert(chore, now);
        true
    }
}

fn is_recent(chore: &Chore, at: Timestamp, now: Timestamp) -> bool {
    let every_ms = match chore {
        Chore::CallHouse(..) => house::LATE_MS,
        Chore::PairAgain(_) => TICKET_MS,
    };
    now.since(at) < every_ms
}

#[cfg(test)]
mod tests {
    use arena::{GameId, TicketId, TurnNumber};

    use super::*;

    fn call(turn: usize) -> Chore {
        Chore::CallHouse(GameId::from_bytes([7; 10]), TurnNumber(turn as u32))
    }

    #[test]
    fn each_chore_is_due_once_in_a_while() {
        let recent = Recent::default();
        let is_due = |chore, ms| recent.is_due(chore, Timestamp::from_ms(ms));
        let look = || Chore::PairAgain(TicketId { agent: "alice".parse().unwrap(), epoch: 1 });
        assert!(is_due(call(1), 0));
        assert!(!is_due(call(1), 1) && !is_due(call(1), house::LATE_MS - 1));
        assert!(is_due(call(2), 1) && is_due(look(), 1));
        assert!(is_due(call(1), house::LATE_MS) && !is_due(call(1), house::LATE_MS + 1));
        assert!(!is_due(look(), TICKET_MS) && is_due(look(), TICKET_MS + 1));
    }

    #[test]
    fn what_is_no_longer_recent_is_forgotten() {
        let recent = Recent::default();
        for turn in 0..KEPT_MAX {
            assert!(recent.is_due(call(turn), Timestamp::from_ms(0)));
        }
        assert!(recent.is_due(call(KEPT_MAX), Timestamp::from_ms(house::LATE_MS)));
        assert_eq!(recent.0.lock().unwrap().len(), 1);
    }
}
