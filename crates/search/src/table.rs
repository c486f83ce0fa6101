//! The transposition table (Greenblatt et al. 1967; Schadd 2011, section 2.6.1).
//!
//! Entries are 16 bytes: two words that are read and written without locks. The first word is the
//! key combined with the second by exclusive or, so that an entry torn by two threads does not
//! match any position (Hyatt and Mann 2002). The low bits of the key choose the bucket and need not
//! be kept; in their place an entry holds the epoch of the table, which is raised to empty it.
//! Between short games emptying would otherwise take longer than searching.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is at least this.
    Lower,
    /// The true one is at most this.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score, with distances from this position.
    pub score: i32,
    /// What kind of score.
    pub bound: Bound,
    /// Plies searched below the position.
    pub depth: u8,
    /// Whether every line that matters was followed to the end of the game, so that no deeper
    /// search would say otherwise.
    pub complete: bool,
    /// The index of the best or refuting move.
    pub best: Option<u32>,
}

/// Which entry gives way when a bucket is full (Breuker, Uiterwijk and van den Herik 1994).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// The new one always stays.
    Always,
    /// The one searched deeper stays.
    Deep,
    /// Two to a bucket: the first keeps the deeper, the second takes the other.
    TwoDeep,
    /// Four to a bucket: the shallowest gives way, those of earlier searches first.
    Buckets,
}

impl Replacement {
    fn ways(self) -> usize {
        match self {
            Replacement::Always | Replacement::Deep => 1,
            Replacement::TwoDeep => 2,
            Replacement::Buckets => 4,
        }
    }
}

const NO_MOVE: u64 = (1 << 24) - 1;
const AGES: u64 = 32;

/// The key combined with the data, and the data.
type Slot = [AtomicU64; 2];

/// A shared table of fixed size.
pub struct TranspositionTable {
    slots: Vec<Slot>,
    replacement: Replacement,
    mask: usize,
    /// Which bits of an entry's key hold the epoch.
    epoch_mask: u64,
    /// Entries of any other epoch do not exist.
    epoch: u64,
    age: u64,
}

/// The most bits that an epoch takes of a key.
const EPOCH_BITS: u64 = (1 << 16) - 1;

/// The least table: one bucket of the largest kind.
pub const MIN_BYTES: u64 = 64;

impl TranspositionTable {
    /// A table of at most this many bytes: the largest power of two of buckets that fits.
    pub fn new(bytes: u64, replacement: Replacement) -> TranspositionTable {
        let ways = replacement.ways();
        let buckets = (bytes / (size_of::<Slot>() * ways) as u64).max(1);
        let buckets = 1usize << buckets.ilog2();
        TranspositionTable {
            // Memory that is zero from the start need not be touched before it is used.
            slots: bytemuck::zeroed_vec(buckets * ways),
            replacement,
            mask: buckets - 1,
            epoch_mask: (buckets as u64 - 1) & EPOCH_BITS,
            epoch: 0,
            age: 0,
        }
    }

    /// The number of entries there is room for.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Begins a new search: what is in the table becomes older.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        if self.epoch < self.epoch_mask {
            self.epoch += 1;
        } else {
            self.slots = bytemuck::zeroed_vec(self.slots.len());
            self.epoch = 0;
        }
        self.age = 0;
    }

    /// The key as an entry of this epoch holds it.
    #[inline]
    fn tagged(&self, key: u64) -> u64 {
        key & !self.epoch_mask | self.epoch
    }

    /// The data of a slot; zero if there are none of this epoch.
    #[inline]
    fn data(&self, slot: &Slot) -> u64 {
        let data = slot[1].load(Relaxed);
        let epoch = (slot[0].load(Relaxed) ^ data) & self.epoch_mask;
        if epoch == self.epoch { data } else { 0 }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let ways = self.replacement.ways();
        let first = (key as usize & self.mask) * ways;
        &self.slots[first..first + ways]
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let tagged = self.tagged(key);
        self.bucket(key).iter().find_map(|slot| {
            let data = slot[1].load(Relaxed);
            (data != 0 && slot[0].load(Relaxed) ^ data == tagged).then(|| unpack(data))
        })
    }

    /// Enters what was found out about a position.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let data = pack(entry, self.age);
        let bucket = self.bucket(key);
        let key = self.tagged(key);
        match self.replacement {
            Replacement::Always => write(&bucket[0], key, data),
            Replacement::Deep => {
                let old = self.data(&bucket[0]);
                if old == 0 || entry.depth >= depth_of(old) || self.age_of(old) > 0 {
                    write(&bucket[0], key, data);
                }
            }
            Replacement::TwoDeep => {
                let (deep, recent) = (&bucket[0], &bucket[1]);
                let old = self.data(deep);
                let same = deep[0].load(Relaxed) ^ old == key;
                if old == 0 || entry.depth >= depth_of(old) {
                    if old != 0 && !same {
                        write(recent, deep[0].load(Relaxed) ^ old, old);
                    }
                    write(deep, key, data);
                } else {
                    write(recent, key, data);
                }
            }
            Replacement::Buckets => {
                let worth = |slot: &Slot| {
                    let old = self.data(slot);
                    match old {
                        0 => i64::MIN,
                        _ if slot[0].load(Relaxed) ^ old == key => i64::MIN + 1,
                        _ => i64::from(depth_of(old)) - 8 * self.age_of(old) as i64,
                    }
                };
                // The position's own entry goes first, so that it never stands twice.
                let own = bucket.iter().find(|slot| worth(slot) == i64::MIN + 1);
                if let Some(slot) = own.or_else(|| bucket.iter().min_by_key(|slot| worth(slot))) {
                    write(slot, key, data);
                }
            }
        }
    }

    /// How many searches ago an entry was written.
    fn age_of(&self, data: u64) -> u64 {
        (self.age + AGES - (data >> 59)) % AGES
    }
}

/// The probability that this many positions all have different keys of this many bits, so that no
/// type-1 error occurs (Schadd 2011, equation 2.1).
pub fn probability_of_no_error(positions: f64, key_bits: u32) -> f64 {
    (-positions * positions / (2.0 * f64::from(key_bits).exp2())).exp()
}

#[inline]
fn write(slot: &Slot, key: u64, data: u64) {
    slot[0].store(key ^ data, Relaxed);
    slot[1].store(data, Relaxed);
}

fn depth_of(data: u64) -> u8 {
    (data >> 48) as u8
}

/// Score in 24 bits, move in 24, depth in 8, bound in 2 (never zero, so that no entry is zero),
/// completeness in 1, age in 5.
#[inline]
fn pack(entry: Entry, age: u64) -> u64 {
    let score = (entry.score as u32 & 0xff_ffff) as u64;
    let best = entry.best.map_or(NO_MOVE, u64::from);
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    let depth = u64::from(entry.depth);
    let complete = u64::from(entry.complete);
    score | best << 24 | depth << 48 | bound << 56 | complete << 58 | age << 59
}

#[inline]
fn unpack(data: u64) -> Entry {
    let best = data >> 24 & NO_MOVE;
    Entry {
        score: ((data as u32) << 8) as i32 >> 8,
        best: (best != NO_MOVE).then_some(best as u32),
        depth: depth_of(data),
        bound: match data >> 56 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
        complete: data >> 58 & 1 == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(depth: u8) -> Entry {
        Entry {
            score: 7,
            bound: Bound::Lower,
            depth,
            complete: false,
            best: Some(3),
        }
    }

    proptest! {
        #[test]
        fn entries_round_trip(
            score in -1_001_000i32..=1_001_000,
            depth: u8,
            complete: bool,
            best in prop::option::of(0u32..(1 << 24) - 1),
            bound in 0usize..3,
            age in 0u64..32,
        ) {
            let bound = [Bound::Exact, Bound::Lower, Bound::Upper][bound];
            let entry = Entry { score, bound, depth, complete, best };
            prop_assert_eq!(unpack(pack(entry, age)), entry);
            prop_assert_eq!(pack(entry, age) >> 59, age);
        }
    }

    proptest! {
        /// A table that was emptied, however often, is as good as a new one.
        #[test]
        fn an_emptied_table_is_a_new_one(
            bytes in prop::sample::select(vec![64u64, 128, 1024, 1 << 16]),
            replacement in prop::sample::select(vec![
                Replacement::Always, Replacement::Deep, Replacement::TwoDeep, Replacement::Buckets,
            ]),
            games in prop::collection::vec(
                prop::collection::vec((0u64..40, 0u8..5, any::<bool>()), 0..60), 1..40),
        ) {
            let mut emptied = TranspositionTable::new(bytes, replacement);
            for game in games {
                emptied.clear();
                let mut fresh = TranspositionTable::new(bytes, replacement);
                for (position, depth, new_search) in game {
                    if new_search {
                        emptied.new_search();
                        fresh.new_search();
                    }
                    // Keys that share their low bits now and then, and the others as well.
                    let key = position.wrapping_mul(0x9e37_79b9_7f4a_7c15) << (position % 7);
                    emptied.store(key, entry(depth));
                    fresh.store(key, entry(depth));
                }
                for position in 0u64..40 {
                    let key = position.wrapping_mul(0x9e37_79b9_7f4a_7c15) << (position % 7);
                    prop_assert_eq!(emptied.probe(key), fresh.probe(key));
                }
            }
        }
    }

    #[test]
    fn entries_are_sixteen_bytes_and_fill_the_size_asked_for() {
        for replacement in [
            Replacement::Always,
            Replacement::Deep,
            Replacement::TwoDeep,
            Replacement::Buckets,
        ] {
            assert_eq!(size_of::<Slot>(), 16);
            assert_eq!(
                TranspositionTable::new(1 << 20, replacement).capacity(),
                1 << 16
            );
            assert_eq!(
                TranspositionTable::new((2 << 20) - 1, replacement).capacity(),
                1 << 16
            );
        }
    }

    /// A table of one bucket, so that all keys collide.
    fn single(replacement: Replacement) -> TranspositionTable {
        TranspositionTable::new(16 * replacement.ways() as u64, replacement)
    }

    #[test]
    fn always_replaces() {
        let table = single(Replacement::Always);
        table.store(1, entry(9));
        table.store(2, entry(1));
        assert_eq!((table.probe(1), table.probe(2)), (None, Some(entry(1))));
    }

    #[test]
    fn deep_keeps_the_deeper_until_the_next_search() {
        let mut table = single(Replacement::Deep);
        table.store(1, entry(5));
        table.store(2, entry(4));
        assert_eq!((table.probe(1), table.probe(2)), (Some(entry(5)), None));
        table.store(3, entry(5));
        assert_eq!(table.probe(3), Some(entry(5)));
        table.new_search();
        table.store(4, entry(1));
        assert_eq!(table.probe(4), Some(entry(1)));
    }

    /// Schadd (2011), section 2.6.1: two to a bucket, the first keeps the deeper, the other takes
    /// the newcomer or the one displaced.
    #[test]
    fn schadd_2_6_two_deep_semantics() {
        let table = single(Replacement::TwoDeep);
        table.store(1, entry(5));
        table.store(2, entry(3));
        assert!(table.probe(1).is_some() && table.probe(2).is_some());
        table.store(3, entry(1));
        assert!(
            table.probe(1).is_some() && table.probe(3).is_some(),
            "the newcomer always enters"
        );
        assert!(table.probe(2).is_none());
        table.store(4, entry(8));
        assert!(
            table.probe(4).is_some() && table.probe(1).is_some(),
            "the displaced one moves over"
        );
        assert!(table.probe(3).is_none());
        table.store(5, entry(7));
        assert!(table.probe(4).is_some() && table.probe(5).is_some() && table.probe(1).is_none());
        table.store(4, entry(9));
        assert_eq!(table.probe(4), Some(entry(9)));
        assert!(
            table.probe(5).is_some(),
            "a position does not displace itself"
        );
    }

    #[test]
    fn buckets_give_up_the_shallowest_and_the_oldest() {
        let mut table = single(Replacement::Buckets);
        (1..=4).for_each(|key| table.store(key, entry(key as u8 + 2)));
        assert!((1..=4).all(|key| table.probe(key).is_some()));
        table.store(5, entry(1));
        assert!(table.probe(1).is_none() && table.probe(5).is_some());
        table.store(2, entry(9));
        assert_eq!(table.probe(2), Some(entry(9)));
        table.new_search();
        table.store(5, entry(1));
        table.store(6, entry(1));
        assert!(
            table.probe(5).is_some() && table.probe(6).is_some(),
            "new ones are worth more"
        );
        table.clear();
        assert!((1..=6).all(|key| table.probe(key).is_none()));
    }

    /// Eq. 2.1 of Schadd (2011): with 64-bit keys a billion positions have different keys with
    /// probability exp(-M^2 / 2N) = 0.97326.
    #[test]
    fn schadd_eq_2_1_type_1_errors() {
        assert!((probability_of_no_error(1e9, 64) - 0.97326).abs() < 5e-6);
    }

    /// Threads write different data under the same keys; whatever is read belongs to its key.
    #[test]
    fn torn_entries_are_not_believed() {
        let table = TranspositionTable::new(1 << 10, Replacement::TwoDeep);
        std::thread::scope(|scope| {
            for thread in 0..2u64 {
                let table = &table;
                scope.spawn(move || {
                    for n in 0..200_000u64 {
                        let key = tabia_game::zobrist::mix(n % 1000);
                        let score = (n % 1000) as i32;
                        if let Some(found) = table.probe(key) {
                            assert_eq!(found.score, score);
                        }
                        let depth = ((n + thread) % 7) as u8;
                        table.store(
                            key,
                            Entry {
                                score,
                                depth,
                                ..entry(0)
                            },
                        );
                    }
                });
            }
        });
    }
}
