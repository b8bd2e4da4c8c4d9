//! Consumption of every operation, as AWS reports it, so that tests can check the cost.

#![allow(missing_docs, reason = "the names say it")]

use std::collections::BTreeMap;
use std::ops::{AddAssign, Sub};
use std::sync::{Mutex, MutexGuard, PoisonError};

use aws_sdk_dynamodb::types::ConsumedCapacity;

/// Sums by operation: `join`, `match`, `advance`, `game` and so on.
#[derive(Debug, Default)]
pub struct Meter {
    operations: Mutex<BTreeMap<&'static str, Usage>>,
}
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Usage {
    /// Calls, without those the SDK retried by itself.
    pub calls: u64,
    /// Calls whose condition failed. DynamoDB charges such a write without saying how much, so it
    /// is not in the units.
    pub stale: u64,
    pub write_units: f64,
    pub read_units: f64,
    pub messages: u64,
}

impl Meter {
    pub fn of(&self, operation: &str) -> Usage {
        self.lock().get(operation).copied().unwrap_or_default()
    }

    pub fn total(&self) -> Usage {
        let mut total = Usage::default();
        self.lock().values().for_each(|usage| total += *usage);
        total
    }

    /// All operations, by name.
    pub fn operations(&self) -> Vec<(&'static str, Usage)> {
        self.lock().iter().map(|(operation, usage)| (*operation, *usage)).collect()
    }

    pub(crate) fn add(&self, operation: &'static str, usage: Usage) {
        *self.lock().entry(operation).or_default() += usage;
    }

    pub(crate) fn wrote<'a>(
        &self,
        operation: &'static str,
        consumed: impl IntoIterator<Item = &'a ConsumedCapacity>,
    ) {
        let write_units = units(consumed);
        self.add(operation, Usage { calls: 1, write_units, ..Usage::default() });
    }

    pub(crate) fn read<'a>(
        &self,
        operation: &'static str,
        consumed: impl IntoIterator<Item = &'a ConsumedCapacity>,
    ) {
        let read_units = units(consumed);
        self.add(operation, Usage { calls: 1, read_units, ..Usage::default() });
    }

    pub(crate) fn stale(&self, operation: &'static str) {
        self.add(operation, Usage { calls: 1, stale: 1, ..Usage::default() });
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, Usage>> {
        // Sums are consistent after every statement; a panic elsewhere does not spoil them.
        self.operations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn units<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) -> f64 {
    consumed.into_iter().filter_map(ConsumedCapacity::capacity_units).sum()
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.calls += other.calls;
        self.stale += other.stale;
        self.write_units += other.write_units;
        self.read_units += other.read_units;
        self.messages += other.messages;
    }
}

impl Sub for Usage {
    type Output = Usage;

    fn sub(self, earlier: Usage) -> Usage {
        Usage {
            calls: self.calls - earlier.calls,
            stale: self.stale - earlier.stale,
            write_units: self.write_units - earlier.write_units,
            read_units: self.read_units - earlier.read_units,
            messages: self.messages - earlier.messages,
        }
    }
}
