//! The table of sums that have been searched, shared by threads without locks.
//!
//! An entry is two words. One holds proof number, disproof number and how much work they cost, the
//! other half of the key, exclusive-or the first word. If two threads write at once, the words do
//! not fit together and the entry is not believed (Hyatt and Mann 2002). The other half of the key
//! chooses the bucket.

use std::sync::atomic::{AtomicU64, Ordering};

/// Entries that a key may be found in.
const BUCKET: usize = 4;

/// The data, and the key exclusive-or the data.
type Entry = [AtomicU64; 2];

/// Bits of a proof or disproof number.
const BITS: u32 = 28;

/// No proof at all: the number of a claim that is refuted.
pub const INFINITE: u32 = (1 << BITS) - 1;

/// How far a sum is from being won and from being lost by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofPair {
    /// About how many sums must be decided for a proof that the player to move wins; zero if that
    /// is proved.
    pub proof: u32,
    /// The same for a proof that the player to move loses.
    pub disproof: u32,
}

impl ProofPair {
    /// The numbers of a sum that is decided.
    #[inline]
    pub fn of(wins: bool) -> ProofPair {
        let (proof, disproof) = if wins { (0, INFINITE) } else { (INFINITE, 0) };
        ProofPair { proof, disproof }
    }

    /// Whether the player to move wins, if that is decided.
    #[inline]
    pub fn decided(self) -> Option<bool> {
        match self {
            ProofPair { proof: 0, .. } => Some(true),
            ProofPair { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// With the power of two below the work that they cost.
    fn pack(self, work: u64) -> u64 {
        let power = u64::from((work | 1).ilog2());
        power << (2 * BITS) | u64::from(self.proof) << BITS | u64::from(self.disproof)
    }

    fn unpack(data: u64) -> ProofPair {
        let number = |data: u64| data as u32 & INFINITE;
        ProofPair {
            proof: number(data >> BITS),
            disproof: number(data),
        }
    }
}

/// What is known of sums, by their keys.
#[derive(Debug)]
pub struct TranspositionTable {
    entries: Vec<Entry>,
}

impl TranspositionTable {
    /// An empty table of about this many bytes.
    pub fn new(bytes: u64) -> TranspositionTable {
        let buckets = (bytes as usize / (size_of::<Entry>() * BUCKET)).max(1);
        TranspositionTable {
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

    #[inline]
    fn bucket(&self, key: u128) -> &[Entry] {
        let buckets = (self.entries.len() / BUCKET) as u128;
        let bucket = ((key >> 64) * buckets) >> 64;
        &self.entries[bucket as usize * BUCKET..][..BUCKET]
    }

    /// What is known of a sum. An empty entry is none: its numbers would be zero both.
    #[inline]
    pub fn get(&self, key: u128) -> Option<ProofPair> {
        self.bucket(key).iter().find_map(|[data, check]| {
            let data = data.load(Ordering::Relaxed);
            let is_it = check.load(Ordering::Relaxed) ^ data == key as u64 && data != 0;
            is_it.then(|| ProofPair::unpack(data))
        })
    }

    /// Remembers what was found with so much work; what took the least work makes room. What
    /// another thread has decided meanwhile stays decided.
    pub fn put(&self, key: u128, numbers: ProofPair, work: u64) {
        let mut place = 0;
        let mut least = u64::MAX;
        let bucket = self.bucket(key);
        for (i, [data, check]) in bucket.iter().enumerate() {
            let data = data.load(Ordering::Relaxed);
            if data == 0 || check.load(Ordering::Relaxed) ^ data == key as u64 {
                let decided = data != 0 && ProofPair::unpack(data).decided().is_some();
                if decided && numbers.decided().is_none() {
                    return;
                }
                place = i;
                break;
            }
            if data >> (2 * BITS) < least {
                least = data >> (2 * BITS);
                place = i;
            }
        }
        let new = numbers.pack(work);
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
        let table = TranspositionTable::new(1 << 16);
        let keys: Vec<u128> = (1..500u128)
            .map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
            .collect();
        let numbers = |i: usize| match i % 3 {
            0 => ProofPair::of(true),
            1 => ProofPair::of(false),
            _ => ProofPair {
                proof: i as u32,
                disproof: INFINITE - i as u32,
            },
        };
        for (i, &key) in keys.iter().enumerate() {
            assert_eq!(table.get(key), None);
            table.put(key, numbers(i), i as u64);
        }
        for (i, &key) in keys.iter().enumerate() {
            assert!(table.get(key).is_none_or(|found| found == numbers(i)));
        }
        assert!(keys.iter().filter(|&&key| table.get(key).is_some()).count() > 450);
        table.clear();
        assert!(keys.iter().all(|&key| table.get(key).is_none()));
    }

    #[test]
    fn the_smallest_table_serves() {
        let table = TranspositionTable::new(0);
        for key in 1..1000u128 {
            table.put(key << 70 | key, ProofPair::of(true), 1);
            assert_eq!(table.get(key << 70 | key), Some(ProofPair::of(true)));
        }
    }

    #[test]
    fn what_is_decided_stays_decided() {
        let table = TranspositionTable::new(1 << 10);
        let open = ProofPair {
            proof: 3,
            disproof: 4,
        };
        table.put(5, open, 1);
        assert_eq!(table.get(5), Some(open));
        table.put(5, ProofPair::of(true), 1);
        table.put(5, open, 1 << 20);
        assert_eq!(table.get(5), Some(ProofPair::of(true)));
    }

    #[test]
    fn what_took_much_work_stays() {
        let table = TranspositionTable::new(0);
        table.put(1, ProofPair::of(false), 1 << 20);
        for key in 2..1000u128 {
            table.put(key, ProofPair::of(true), key as u64);
        }
        assert_eq!(table.get(1), Some(ProofPair::of(false)));
    }
}
