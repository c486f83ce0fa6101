//! The table of sums that have been searched, shared by threads without locks.
//!
//! An entry is two words. One holds half of the key, but for a bit that says who wins; the other holds the other
//! half, exclusive-or the first word. If two threads write at once, the words do not fit together and the entry
//! is not believed (Hyatt and Mann 2002).

use std::sync::atomic::{AtomicU64, Ordering};

/// Entries that a key may be found in.
const BUCKET: usize = 4;

/// The low word and the high one.
type Entry = [AtomicU64; 2];

/// Who wins sums, by their keys.
#[derive(Debug)]
pub struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// An empty table of about so many bytes.
    pub fn new(bytes: u64) -> Table {
        let buckets = (bytes as usize / (size_of::<Entry>() * BUCKET)).max(1);
        Table {
            entries: bytemuck::zeroed_vec(buckets * BUCKET),
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for word in self.entries.as_flattened() {
            // What was never written stays untouched memory.
            if word.load(Ordering::Relaxed) != 0 {
                word.store(0, Ordering::Relaxed);
            }
        }
    }

    fn bucket(&self, key: u128) -> &[Entry] {
        let buckets = (self.entries.len() / BUCKET) as u128;
        let bucket = ((key >> 64) * buckets) >> 64;
        &self.entries[bucket as usize * BUCKET..][..BUCKET]
    }

    /// Whether the player to move wins, if that is known.
    pub fn get(&self, key: u128) -> Option<bool> {
        let (high, low) = ((key >> 64) as u64, key as u64);
        self.bucket(key).iter().find_map(|[first, second]| {
            let word = first.load(Ordering::Relaxed);
            let other = second.load(Ordering::Relaxed) ^ word;
            (other == high && word | 1 == low | 1).then_some(word & 1 == 1)
        })
    }

    /// Remembers who wins.
    pub fn put(&self, key: u128, wins: bool) {
        let (high, low) = ((key >> 64) as u64, key as u64);
        let word = low & !1 | u64::from(wins);
        let bucket = self.bucket(key);
        let free = bucket.iter().position(|[first, _]| {
            let stored = first.load(Ordering::Relaxed);
            stored | 1 == low | 1 || stored == 0
        });
        let place = free.unwrap_or((low >> 1) as usize % BUCKET);
        let [first, second] = &bucket[place];
        first.store(word, Ordering::Relaxed);
        second.store(high ^ word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_until_it_is_replaced() {
        let table = Table::new(1 << 16);
        let keys: Vec<u128> = (1..500u128)
            .map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
            .collect();
        for (i, &key) in keys.iter().enumerate() {
            assert_eq!(table.get(key), None);
            table.put(key, i % 3 == 0);
        }
        for (i, &key) in keys.iter().enumerate() {
            assert!(table.get(key).is_none_or(|wins| wins == (i % 3 == 0)));
        }
        assert!(keys.iter().filter(|&&key| table.get(key).is_some()).count() > 450);
        table.clear();
        assert!(keys.iter().all(|&key| table.get(key).is_none()));
    }

    #[test]
    fn the_smallest_table_serves() {
        let table = Table::new(0);
        for key in 1..1000u128 {
            table.put(key << 70 | key, true);
            assert_eq!(table.get(key << 70 | key), Some(true));
        }
    }
}
