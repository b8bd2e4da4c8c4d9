//! Slots shared by clients, with a limit in all and one per client.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Slots for clients that are told apart by `K`. Clones share them.
#[derive(Clone, Debug)]
pub struct Quota<K> {
    all: usize,
    each: usize,
    /// Slots taken by each client; no entry is zero.
    taken: Arc<Mutex<HashMap<K, usize>>>,
}

/// A slot; freed when dropped.
#[derive(Debug)]
pub struct Slot<K: Eq + Hash> {
    client: K,
    taken: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Clone + Eq + Hash> Quota<K> {
    /// `all` slots, at most `each` for one client.
    pub fn new(all: usize, each: usize) -> Quota<K> {
        Quota { all, each, taken: Arc::default() }
    }

    /// A slot for this client, if there is one.
    pub fn take(&self, client: K) -> Option<Slot<K>> {
        let mut taken = lock(&self.taken);
        let own = taken.get(&client).copied().unwrap_or(0);
        if own >= self.each || taken.values().sum::<usize>() >= self.all {
            return None;
        }
        taken.insert(client.clone(), own + 1);
        Some(Slot { client, taken: Arc::clone(&self.taken) })
    }

    /// Number of slots taken.
    pub fn taken(&self) -> usize {
        lock(&self.taken).values().sum()
    }
}

impl<K: Eq + Hash> Drop for Slot<K> {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        match taken.get_mut(&self.client) {
            Some(own) if *own > 1 => *own -= 1,
            _ => drop(taken.remove(&self.client)),
        }
    }
}

fn lock<K>(taken: &Mutex<HashMap<K, usize>>) -> MutexGuard<'_, HashMap<K, usize>> {
    // Counts are consistent after every statement; a panic elsewhere does not spoil them.
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_its_share_and_all_have_theirs() {
        let quota = Quota::new(3, 2);
        let first = quota.take("a").unwrap();
        let _second = quota.take("a").unwrap();
        assert!(quota.take("a").is_none(), "one client's share");
        let _third = quota.take("b").unwrap();
        assert!(quota.take("b").is_none(), "all slots");
        drop(first);
        assert_eq!(quota.taken(), 2);
        assert!(quota.take("a").is_some());
    }

    #[test]
    fn a_client_that_has_left_is_forgotten() {
        let quota = Quota::new(2, 2);
        drop([quota.take(1), quota.take(1)]);
        assert!(lock(&quota.taken).is_empty());
    }
}
