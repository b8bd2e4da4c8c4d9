//! Events of one request or message, for its log line.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use arena_protocol::Note;
use arena_store::now;
use arena_wire::Noted;

use crate::log;

#[derive(Debug, Default)]
pub(crate) struct Notes {
    noted: Mutex<Noted>,
    /// Skipped items, each once.
    unreadable: Mutex<HashSet<String>>,
    /// Requests that the key of the request has left.
    pub(crate) requests_left: OnceLock<u32>,
}

impl Notes {
    /// Takes a note. A fault and an item that cannot be decoded are also logged at once.
    pub(crate) fn take(&self, note: Note<'_>) {
        match note {
            Note::Agent(name) => self.noted().agent = Some(name.clone()),
            Note::Turn(game, turn) => {
                let mut noted = self.noted();
                (noted.game, noted.turn) = (Some(game), Some(turn));
            }
            Note::Ended(overdue) => self.noted().deadline_lag_ms.push(now().since(overdue)),
            Note::Matched(since) => {
                let (now, mut noted) = (now(), self.noted());
                noted.matches += 1;
                noted.queue_wait_ms.extend(since.iter().map(|since| now.since(*since)));
            }
            Note::Unreadable(item) => {
                let item = item.to_string();
                if lock(&self.unreadable).insert(item.clone()) {
                    log::notice("unreadable item", &item);
                    self.noted().unreadable += 1;
                }
            }
            Note::Failed(fault) => log::fault(fault),
        }
    }

    pub(crate) fn noted(&self) -> MutexGuard<'_, Noted> {
        lock(&self.noted)
    }
}

fn lock<T>(notes: &Mutex<T>) -> MutexGuard<'_, T> {
    // Notes are consistent after every statement; a panic elsewhere does not spoil them.
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_that_is_passed_over_twice_counts_once() {
        let notes = Notes::default();
        for item in ["one", "other", "one"] {
            notes.take(Note::Unreadable(&item));
        }
        assert_eq!(notes.noted().unreadable, 2);
    }
}
