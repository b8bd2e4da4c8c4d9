//! The transposition table: buckets of four, the least useful entry replaced.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::cell::Cell;
use crate::score::{self, Score};

/// Relation of a stored score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub(crate) enum Bound {
    #[default]
    None,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
    Exact,
}

/// Search result of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) cell: Cell,
    pub(crate) score: i16,
    pub(crate) depth: i8,
    pub(crate) bound: Bound,
}

impl Entry {
    /// Says if the score settles a search between these bounds.
    pub(crate) const fn decides(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score as Score >= beta,
            Bound::Upper => self.score as Score <= alpha,
            Bound::None => false,
        }
    }
}

/// An entry and its age in one word. Zero is empty, so that a new table is untouched zeroed memory.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(generation: u8, entry: Entry) -> Packed {
        Packed(
            u64::from(entry.cell.0)
                | u64::from(entry.score as u16) << 16
                | u64::from(entry.depth as u8) << 32
                | u64::from(entry.bound as u8) << 40
                | u64::from(generation) << 48,
        )
    }

    fn entry(self) -> Entry {
        let bound = match self.0 >> 40 & 3 {
            0 => Bound::None,
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        };
        Entry {
            cell: Cell(self.0 as u16),
            score: (self.0 >> 16) as i16,
            depth: (self.0 >> 32) as i8,
            bound,
        }
    }

    fn generation(self) -> u8 {
        (self.0 >> 48) as u8
    }

    fn is_empty(self) -> bool {
        self.entry().bound == Bound::None
    }
}

/// Storage of an entry: its key XOR its data, then the data.
///
/// Two threads may write a slot at once and leave halves of two entries. The key then does not
/// match, so the entry is lost but never misread.
type Slot = [AtomicU64; 2];

fn read([mixed, said]: &Slot) -> (u64, Packed) {
    let said = said.load(Ordering::Relaxed);
    (mixed.load(Ordering::Relaxed) ^ said, Packed(said))
}

fn write([mixed, said]: &Slot, key: u64, packed: Packed) {
    mixed.store(key ^ packed.0, Ordering::Relaxed);
    said.store(packed.0, Ordering::Relaxed);
}

/// Entries per bucket: as many as fit a cache line.
const BUCKET: usize = 4;

const WORDS: usize = 2 * BUCKET;

/// Results of searched positions. Several searches may share a table.
pub(crate) struct Transpositions {
    words: Vec<AtomicU64>,
    generation: u8,
}

impl Transpositions {
    /// Creates a table of at most `bytes`, with at least one bucket.
    pub(crate) fn new(bytes: usize) -> Transpositions {
        let fitting = (bytes / (WORDS * size_of::<AtomicU64>())).max(1);
        // Zeroed memory from the system and a no-op loop, which the optimiser removes. With words
        // in arrays it does not, and a large table would take a second to write.
        let zeros = vec![0; WORDS << fitting.ilog2()];
        Transpositions { words: zeros.into_iter().map(AtomicU64::new).collect(), generation: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
        self.generation = 0;
    }

    /// Ages the entries; call it before a new search.
    pub(crate) fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// Entry of a position that is `ply` moves from the root.
    pub(crate) fn get(&self, hash: u64, ply: i32) -> Option<Entry> {
        let mut slots = self.bucket(hash).iter().map(read);
        let (_, found) = slots.find(|&(key, packed)| key == hash && !packed.is_empty())?;
        let entry = found.entry();
        Some(Entry { score: score::from_table(entry.score, ply), ..entry })
    }

    /// Stores a result in place of the least valuable one: old, shallow, not exact.
    pub(crate) fn put(&self, hash: u64, found: Entry, ply: i32) {
        let (slots, generation) = (self.bucket(hash), self.generation);
        let bucket = slots.each_ref().map(read);
        let worth = |packed: Packed| {
            let age = generation.wrapping_sub(packed.generation()).min(30);
            let entry = packed.entry();
            i32::from(entry.depth) - 8 * i32::from(age) + 2 * i32::from(entry.bound == Bound::Exact)
        };
        let place = bucket
            .iter()
            .position(|&(key, packed)| key == hash || packed.is_empty())
            .or_else(|| (0..BUCKET).min_by_key(|&n| worth(bucket[n].1)))
            .unwrap_or(0);
        let (key, packed) = bucket[place];
        let (old, same) = (packed.entry(), key == hash);
        // A shallow bound does not replace a deeper one of the same position.
        if same
            && packed.generation() == generation
            && found.bound != Bound::Exact
            && old.depth > found.depth.saturating_add(3)
        {
            return;
        }
        let cell = if found.cell == Cell::NONE && same { old.cell } else { found.cell };
        let score = score::to_table(found.score, ply);
        let entry = Entry { cell, score, ..found };
        write(&slots[place], hash, Packed::new(generation, entry));
    }

    fn bucket(&self, hash: u64) -> &[Slot; BUCKET] {
        let (slots, _) = self.words.as_chunks::<2>();
        let (buckets, _) = slots.as_chunks::<BUCKET>();
        &buckets[hash as usize & (buckets.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_until_it_is_cleared() {
        let mut table = Transpositions::new(1 << 12);
        assert_eq!(table.get(0, 0), None);
        for (n, bound) in [Bound::Lower, Bound::Upper, Bound::Exact].into_iter().enumerate() {
            let entry = Entry { cell: Cell(360), score: -29_000 + n as i16, depth: -3, bound };
            table.put(7 + n as u64, entry, 0);
            assert_eq!(table.get(7 + n as u64, 0), Some(entry));
        }
        assert_eq!(table.get(99, 0), None);
        table.clear();
        assert_eq!(table.get(7, 0), None);
    }

    #[test]
    fn a_full_bucket_gives_up_its_oldest_and_shallowest() {
        let mut table = Transpositions::new(64);
        let entry = |depth| Entry { cell: Cell(1), score: 0, depth, bound: Bound::Lower };
        for (hash, depth) in [(1, 9), (2, 2), (3, 5), (4, 7)] {
            table.put(hash, entry(depth), 0);
        }
        table.put(5, entry(1), 0);
        assert_eq!((table.get(2, 0), table.get(5, 0)), (None, Some(entry(1))));
        table.next_generation();
        table.put(6, entry(1), 0);
        table.put(7, entry(1), 0);
        assert!(table.get(1, 0).is_some(), "the deepest of the old ones is the last to go");
    }

    #[test]
    fn words_of_two_writers_are_not_taken_for_an_entry() {
        let table = Transpositions::new(64);
        let entry = |depth| Entry { cell: Cell(1), score: 0, depth, bound: Bound::Lower };
        let slot = &table.bucket(0)[0];
        write(slot, 5, Packed::new(0, entry(3)));
        assert_eq!(table.get(5, 0), Some(entry(3)));
        // Another entry of the same position, of which only one word has been written.
        slot[1].store(Packed::new(0, entry(9)).0, Ordering::Relaxed);
        assert_eq!(table.get(5, 0), None);
    }
}
