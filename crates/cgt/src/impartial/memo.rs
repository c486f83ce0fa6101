//! What is known of nimbers, by keys of 128 bits, in memory that grows with it.

use hashbrown::HashTable;

/// Bits of what is known; above them is the work that it cost.
pub const KNOWN_BITS: u32 = 56;

const KNOWN: u64 = (1 << KNOWN_BITS) - 1;

/// An entry in three words: both halves of the key, and what is known. They lie closer together
/// than words of 128 bits would.
type Entry = [u64; 3];

/// Bytes for each entry while the table grows to twice the size.
const BYTES: u64 = 3 * (size_of::<Entry>() as u64 + 1);

/// The table.
#[derive(Debug)]
pub struct Memo {
    entries: HashTable<Entry>,
    limit: usize,
}

fn halves(key: u128) -> [u64; 2] {
    [(key >> 64) as u64, key as u64]
}

impl Memo {
    /// An empty table that takes about this many bytes at most.
    pub fn new(bytes: u64) -> Memo {
        Memo {
            entries: HashTable::new(),
            limit: usize::try_from(bytes / BYTES).unwrap_or(usize::MAX).max(16),
        }
    }

    /// What is known of a key; zero if nothing is.
    #[inline]
    pub fn get(&self, key: u128) -> u64 {
        let [high, low] = halves(key);
        let is_it = |entry: &Entry| entry[0] == high && entry[1] == low;
        let entry = self.entries.find(low, is_it);
        entry.map_or(0, |entry| entry[2] & KNOWN)
    }

    /// Remembers what is known of a key and how much work it cost. When there is no more room, what
    /// cost the least work goes.
    pub fn put(&mut self, key: u128, known: u64, work: u64) {
        let [high, low] = halves(key);
        let power = u64::from((work | 1).ilog2()) << KNOWN_BITS;
        let is_it = |entry: &Entry| entry[0] == high && entry[1] == low;
        if let Some(entry) = self.entries.find_mut(low, is_it) {
            entry[2] = power.max(entry[2] & !KNOWN) | known & KNOWN;
            return;
        }
        let full = self.entries.len() >= self.limit;
        if full || self.entries.try_reserve(1, |entry| entry[1]).is_err() {
            self.forget();
        }
        if self.entries.len() < self.entries.capacity() {
            let entry = [high, low, power | known & KNOWN];
            self.entries.insert_unique(low, entry, |entry| entry[1]);
        }
    }

    /// Forgets at least half of the entries, those that cost the least work.
    #[cold]
    fn forget(&mut self) {
        let mut powers = [0usize; 64];
        for entry in &self.entries {
            powers[(entry[2] >> KNOWN_BITS) as usize % 64] += 1;
        }
        let half = self.entries.len() / 2;
        let mut forgotten = 0;
        let least = powers.iter().position(|&count| {
            forgotten += count;
            forgotten >= half
        });
        let least = least.unwrap_or(63) as u64;
        self.entries.retain(|entry| entry[2] >> KNOWN_BITS > least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_unless_it_cost_less_than_the_rest() {
        let mut memo = Memo::new(100 * BYTES);
        for key in 1..=100u128 {
            memo.put(key << 64 | 7, key as u64, 1 << (key % 4));
        }
        for key in 1..=100u128 {
            assert_eq!(memo.get(key << 64 | 7), key as u64);
            assert_eq!(memo.get(key << 64 | 8), 0);
        }
        memo.put(4 << 64 | 7, 5, 1);
        assert_eq!(memo.get(4 << 64 | 7), 5);
        memo.put(101 << 64 | 7, 101, 1);
        assert_eq!(memo.get(101 << 64 | 7), 101);
        for key in 1..=100u128 {
            let known = memo.get(key << 64 | 7);
            assert_eq!(known != 0, key % 4 > 1, "{key}");
        }
        assert!(memo.entries.len() <= 100);
    }
}
