//! Memory of the search for threats: proof and disproof numbers by position.

/// Least number of further positions that must be decided to prove the win, and to refute it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    /// Larger than every number of an open position.
    pub(super) const INFINITE: u32 = 100_000_000;
    pub(super) const PROVED: Numbers = Numbers { proof: 0, disproof: Numbers::INFINITE };
    pub(super) const REFUTED: Numbers = Numbers { proof: Numbers::INFINITE, disproof: 0 };

    pub(super) const fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// Entries that share an index.
const BUCKET: usize = 4;

/// Numbers of the positions searched, for both attackers. The memory is taken when it is first used.
pub(crate) struct Table {
    slots: Vec<Slot>,
    len: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    numbers: Numbers,
}

/// Key zero marks an empty slot; a position with that hash is not remembered.
const EMPTY: Slot = Slot { key: 0, numbers: Numbers { proof: 0, disproof: 0 } };

impl Table {
    /// Creates a table of at least `len` entries.
    pub(crate) fn new(len: usize) -> Table {
        Table { slots: Vec::new(), len: len.next_power_of_two().max(BUCKET) }
    }

    pub(crate) fn clear(&mut self) {
        self.slots.fill(EMPTY);
    }

    fn bucket(&self, key: u64) -> usize {
        key as usize & (self.len - 1) & !(BUCKET - 1)
    }

    pub(super) fn get(&self, key: u64) -> Option<Numbers> {
        let from = self.bucket(key);
        let bucket = self.slots.get(from..from + BUCKET)?;
        bucket.iter().find(|slot| slot.key == key && key != 0).map(|slot| slot.numbers)
    }

    /// Stores the numbers in place of the entry that is cheapest to find again: an open one if there
    /// is one, with the smallest numbers.
    pub(super) fn put(&mut self, key: u64, numbers: Numbers) {
        if self.slots.is_empty() {
            self.slots.resize(self.len, EMPTY);
        }
        let from = self.bucket(key);
        let bucket = &mut self.slots[from..from + BUCKET];
        let worth = |slot: &Slot| match slot.numbers {
            _ if slot.key == key => (0, 0),
            _ if slot.key == 0 => (1, 0),
            Numbers { proof, disproof } if proof > 0 && disproof > 0 => (2, proof + disproof),
            Numbers { proof, .. } => (3, u32::from(proof == 0)),
        };
        if let Some(slot) = bucket.iter_mut().min_by_key(|slot| worth(slot)) {
            *slot = Slot { key, numbers };
        }
    }
}
