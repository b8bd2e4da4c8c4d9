//! The transposition table: buckets of four, the least useful entry replaced.

use crate::cell::Cell;
use crate::score::{self, Score};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Bound {
    /// Nothing.
    #[default]
    None,
    /// At least.
    Lower,
    /// At most.
    Upper,
    /// Exactly.
    Exact,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    key: u32,
    pub(crate) cell: Cell,
    pub(crate) score: i16,
    pub(crate) depth: i8,
    pub(crate) bound: Bound,
    generation: u8,
}

impl Entry {
    /// Whether the score settles a search between these bounds.
    pub(crate) const fn decides(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score as Score >= beta,
            Bound::Upper => self.score as Score <= alpha,
            Bound::None => false,
        }
    }
}

const EMPTY: Entry =
    Entry { key: 0, cell: Cell::NONE, score: 0, depth: 0, bound: Bound::None, generation: 0 };

const BUCKET: usize = 4;

/// Positions that were searched before, with what was learned.
#[derive(Debug)]
pub(crate) struct Transpositions {
    buckets: Vec<[Entry; BUCKET]>,
    generation: u8,
}

impl Transpositions {
    /// A table of at most so many bytes, at least one bucket.
    pub(crate) fn new(bytes: usize) -> Transpositions {
        let fitting = (bytes / size_of::<[Entry; BUCKET]>()).max(1);
        let buckets = 1 << fitting.ilog2();
        Transpositions { buckets: vec![[EMPTY; BUCKET]; buckets], generation: 0 }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill([EMPTY; BUCKET]);
        self.generation = 0;
    }

    /// Ages what is stored: a new search begins.
    pub(crate) fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    pub(crate) fn get(&self, hash: u64, ply: i32) -> Option<Entry> {
        let entry = self.buckets[self.index(hash)]
            .iter()
            .find(|entry| entry.key == key(hash) && entry.bound != Bound::None)?;
        Some(Entry { score: score::from_table(entry.score, ply), ..*entry })
    }

    pub(crate) fn put(
        &mut self,
        hash: u64,
        cell: Cell,
        score: Score,
        depth: i32,
        bound: Bound,
        ply: i32,
    ) {
        let (index, generation) = (self.index(hash), self.generation);
        let bucket = &mut self.buckets[index];
        let key = key(hash);
        let worth = |entry: &Entry| {
            let age = generation.wrapping_sub(entry.generation).min(30);
            i32::from(entry.depth) - 8 * i32::from(age) + 2 * i32::from(entry.bound == Bound::Exact)
        };
        let place = bucket
            .iter()
            .position(|entry| entry.key == key || entry.bound == Bound::None)
            .or_else(|| (0..BUCKET).min_by_key(|&n| worth(&bucket[n])))
            .unwrap_or(0);
        let old = bucket[place];
        // A shallow bound does not push out a deeper one of the same position.
        if old.key == key
            && old.generation == generation
            && bound != Bound::Exact
            && i32::from(old.depth) > depth + 3
        {
            return;
        }
        let cell = if cell == Cell::NONE && old.key == key { old.cell } else { cell };
        let score = score::to_table(score, ply);
        bucket[place] = Entry { key, cell, score, depth: depth as i8, bound, generation };
    }

    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }
}

fn key(hash: u64) -> u32 {
    (hash >> 32) as u32
}
