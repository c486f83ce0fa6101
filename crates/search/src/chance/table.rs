//! The transposition table of searches with chance nodes, for move and chance nodes alike.
//!
//! Values are of any type, so entries cannot be written in one piece; each bucket has a lock, which
//! costs little beside an evaluation.
//!
//! An entry serves a search of exactly its depth, or of any greater depth if no static evaluation
//! went into it. A value thus never depends on what happens to be in the table.

use std::sync::{Mutex, PoisonError};

use super::Scalar;
use super::bounds::ValueRange;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<V> {
    /// Proven bounds of its value.
    pub range: ValueRange<V>,
    /// Plies searched.
    pub depth: u8,
    /// Whether no static evaluation went into the bounds.
    pub complete: bool,
    /// The number of the best move.
    pub best: Option<u32>,
}

impl<V> Entry<V> {
    /// Whether a search of this depth would find the same.
    pub fn serves(&self, depth: u8) -> bool {
        self.depth == depth || self.complete && self.depth < depth
    }
}

#[derive(Clone, Copy)]
struct Slot<V> {
    key: u64,
    age: u8,
    entry: Entry<V>,
}

/// Entries of one bucket. The first keeps what was searched deeper, the second what is newer.
type Bucket<V> = Mutex<[Option<Slot<V>>; 2]>;

pub(super) struct Table<V> {
    buckets: Vec<Bucket<V>>,
    age: u8,
}

impl<V: Scalar> Table<V> {
    /// A table of at most this many bytes, and at least one bucket.
    pub fn new(bytes: u64) -> Table<V> {
        let most = (bytes / size_of::<Bucket<V>>() as u64).max(1);
        let count = 1usize << most.ilog2();
        let mut buckets = Vec::new();
        buckets.resize_with(count, Bucket::default);
        Table { buckets, age: 0 }
    }

    /// Begins a new search: what is in the table gives way more easily.
    pub fn new_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    pub fn clear(&mut self) {
        self.buckets
            .iter_mut()
            .for_each(|bucket| *bucket = Bucket::default());
    }

    fn bucket(&self, key: u64) -> std::sync::MutexGuard<'_, [Option<Slot<V>>; 2]> {
        let bucket = &self.buckets[key as usize & (self.buckets.len() - 1)];
        bucket.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, key: u64) -> Option<Entry<V>> {
        let bucket = self.bucket(key);
        let found = bucket.iter().flatten().find(|slot| slot.key == key);
        found.map(|slot| slot.entry)
    }

    /// Enters bounds. Those of an entry of the same depth are tightened.
    pub fn put(&self, key: u64, entry: Entry<V>) {
        let age = self.age;
        let slot = |entry| Some(Slot { key, age, entry });
        let mut bucket = self.bucket(key);
        let [deep, recent] = &mut *bucket;
        for own in [&mut *deep, &mut *recent] {
            if let Some(old) = own.filter(|old| old.key == key) {
                let mut entry = entry;
                if old.entry.depth == entry.depth {
                    entry.range = old.entry.range.clamp(entry.range);
                    entry.complete &= old.entry.complete;
                    entry.best = entry.best.or(old.entry.best);
                }
                *own = slot(entry);
                return;
            }
        }
        match deep {
            Some(old) if old.age == age && old.entry.depth > entry.depth => *recent = slot(entry),
            _ => {
                *recent = *deep;
                *deep = slot(entry);
            }
        }
    }
}
