//! A table of what has been found by search, shared by threads without locks.
//!
//! An entry is two words. One holds what is known and how much work it cost, the other half of the
//! key, exclusive-or the first word. If two threads write at once, the words do not fit together
//! and the entry is not believed (Hyatt and Mann 2002). The other half of the key chooses the
//! bucket.

use std::sync::atomic::{AtomicU64, Ordering};

/// Entries that a key may be found in.
const BUCKET: usize = 4;

/// The data, and the key exclusive-or the data.
type Entry = [AtomicU64; 2];

/// Bits of what is known; above them is the work that it cost.
pub const KNOWN_BITS: u32 = 56;

const KNOWN: u64 = (1 << KNOWN_BITS) - 1;

/// What is known, by keys of 128 bits.
#[derive(Debug)]
pub struct TranspositionTable {
    entries: Vec<Entry>,
}

/// The smallest table.
impl Default for TranspositionTable {
    fn default() -> TranspositionTable {
        TranspositionTable {
            entries: bytemuck::zeroed_vec(BUCKET),
        }
    }
}

impl TranspositionTable {
    /// An empty table of about this many bytes; nothing if there is not so much memory.
    pub fn new(bytes: u64) -> Option<TranspositionTable> {
        let buckets = (bytes as usize / (size_of::<Entry>() * BUCKET)).max(1);
        let entries = bytemuck::try_zeroed_vec(buckets * BUCKET).ok()?;
        Some(TranspositionTable { entries })
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

    #[inline]
    fn bucket(&self, key: u128) -> &[Entry] {
        let buckets = (self.entries.len() / BUCKET) as u128;
        let bucket = ((key >> 64) * buckets) >> 64;
        &self.entries[bucket as usize * BUCKET..][..BUCKET]
    }

    /// What is known of a key.
    #[inline]
    pub fn get(&self, key: u128) -> Option<u64> {
        self.bucket(key).iter().find_map(|[data, check]| {
            let data = data.load(Ordering::Relaxed);
            let is_it = check.load(Ordering::Relaxed) ^ data == key as u64 && data != 0;
            is_it.then_some(data & KNOWN)
        })
    }

    /// Remembers what was found with so much work, unless what is known of the key is to stay; what
    /// took the least work makes room. Zero is no knowledge and is not kept.
    #[inline]
    pub fn put(&self, key: u128, known: u64, work: u64, stays: impl Fn(u64) -> bool) {
        let mut place = 0;
        let mut least = u64::MAX;
        let bucket = self.bucket(key);
        for (i, [data, check]) in bucket.iter().enumerate() {
            let data = data.load(Ordering::Relaxed);
            if data == 0 || check.load(Ordering::Relaxed) ^ data == key as u64 {
                if data != 0 && stays(data & KNOWN) {
                    return;
                }
                place = i;
                break;
            }
            if data >> KNOWN_BITS < least {
                least = data >> KNOWN_BITS;
                place = i;
            }
        }
        // The power of two below the work.
        let new = u64::from((work | 1).ilog2()) << KNOWN_BITS | known & KNOWN;
        let [data, check] = &bucket[place];
        data.store(new, Ordering::Relaxed);
        check.store(new ^ key as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_until_it_is_replaced() {
        let table = TranspositionTable::new(1 << 16).unwrap();
        let keys: Vec<u128> = (1..500u128)
            .map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
            .collect();
        let known = |i: usize| i as u64 + 1;
        for (i, &key) in keys.iter().enumerate() {
            assert_eq!(table.get(key), None);
            table.put(key, known(i), i as u64, |_| false);
        }
        for (i, &key) in keys.iter().enumerate() {
            assert!(table.get(key).is_none_or(|found| found == known(i)));
        }
        assert!(keys.iter().filter(|&&key| table.get(key).is_some()).count() > 450);
        table.clear();
        assert!(keys.iter().all(|&key| table.get(key).is_none()));
    }

    #[test]
    fn the_smallest_table_serves() {
        let table = TranspositionTable::new(0).unwrap();
        for key in 1..1000u128 {
            table.put(key << 70 | key, KNOWN, 1, |_| false);
            assert_eq!(table.get(key << 70 | key), Some(KNOWN));
        }
    }

    #[test]
    fn what_took_much_work_stays() {
        let table = TranspositionTable::new(0).unwrap();
        table.put(1, 7, 1 << 20, |_| false);
        for key in 2..1000u128 {
            table.put(key, 9, key as u64, |_| false);
        }
        assert_eq!(table.get(1), Some(7));
    }

    #[test]
    fn what_is_to_stay_stays() {
        let table = TranspositionTable::new(1 << 10).unwrap();
        table.put(5, 3, 1, |_| true);
        assert_eq!(table.get(5), Some(3));
        table.put(5, 4, 1, |known| known != 3);
        assert_eq!(table.get(5), Some(4));
        table.put(5, 6, 1 << 20, |known| known == 4);
        assert_eq!(table.get(5), Some(4));
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        assert!(TranspositionTable::new(1 << 62).is_none());
    }
}
