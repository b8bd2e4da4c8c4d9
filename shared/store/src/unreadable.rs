//! Items that were passed over because they cannot be read: one bad item never hides the others.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Store, Undecodable};

/// The most that is kept for the log. A store that nobody asks must not grow for ever.
const KEPT_MAX: usize = 1_000;

/// The items that one request or message has passed over.
#[derive(Debug, Default)]
pub(crate) struct Unreadable(Mutex<Vec<Undecodable>>);

impl Unreadable {
    fn lock(&self) -> MutexGuard<'_, Vec<Undecodable>> {
        // The list is whole after every statement; a panic elsewhere does not spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// The items that have been passed over since this was last asked: for the log.
    pub fn take_unreadable(&self) -> Vec<Undecodable> {
        std::mem::take(&mut *self.unreadable.lock())
    }

    /// What an item of a list holds. One that cannot be read is kept for the log.
    pub(crate) fn readable<T>(&self, item: Result<T, Undecodable>) -> Option<T> {
        let why = match item {
            Ok(value) => return Some(value),
            Err(why) => why,
        };
        let mut unreadable = self.unreadable.lock();
        if unreadable.len() < KEPT_MAX && !unreadable.contains(&why) {
            unreadable.push(why);
        }
        None
    }
}
