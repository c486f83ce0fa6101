//! The transposition table of df-pn: sixteen bytes an entry, read and written without locks.
//!
//! The first word is the key combined with the second by exclusive or, so that an entry torn by two
//! threads matches no position (Hyatt and Mann 2002). Entries come in buckets of four; what took
//! the least work gives way, and what is decided for good stays longest.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Neither proved nor disproved: a proof and a disproof number.
    Open {
        /// The proof number.
        pn: u32,
        /// The disproof number.
        dn: u32,
    },
    /// The attack succeeds, whatever came before.
    Proved,
    /// The attack fails, whatever came before.
    Disproved,
    /// The attack failed on some path, perhaps only because positions of that path recurred.
    Doubtful,
}

/// An entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What is known.
    pub known: Known,
    /// The number of the move that decided or that looked best, in the order of the game's moves.
    pub best: Option<u16>,
    /// The logarithm of the work done below, at least one.
    pub work: u8,
}

const NUMBER_BITS: u32 = 24;
/// Numbers are kept up to here; larger ones are not told apart.
const MAX_NUMBER: u32 = (1 << NUMBER_BITS) - 1;
const BEST_BITS: u32 = 11;
const NO_MOVE: u64 = (1 << BEST_BITS) - 1;
const WORK_BITS: u32 = 5;

impl Entry {
    /// 24 bits of proof number, 24 of disproof number, 11 of move, 5 of work. Decided entries use
    /// numbers that no open entry has: an open one has neither zero.
    fn pack(self) -> u64 {
        let (pn, dn) = match self.known {
            Known::Open { pn, dn } => (pn.clamp(1, MAX_NUMBER), dn.clamp(1, MAX_NUMBER)),
            Known::Proved => (0, 1),
            Known::Disproved => (1, 0),
            Known::Doubtful => (0, 0),
        };
        let best = self
            .best
            .map_or(NO_MOVE, |best| u64::from(best).min(NO_MOVE));
        let work = u64::from(self.work).clamp(1, (1 << WORK_BITS) - 1);
        u64::from(pn)
            | u64::from(dn) << NUMBER_BITS
            | best << (2 * NUMBER_BITS)
            | work << (2 * NUMBER_BITS + BEST_BITS)
    }

    fn unpack(data: u64) -> Entry {
        let number = |shift: u32| (data >> shift) as u32 & MAX_NUMBER;
        let known = match (number(0), number(NUMBER_BITS)) {
            (0, 0) => Known::Doubtful,
            (0, _) => Known::Proved,
            (_, 0) => Known::Disproved,
            (pn, dn) => Known::Open { pn, dn },
        };
        let best = data >> (2 * NUMBER_BITS) & NO_MOVE;
        Entry {
            known,
            best: (best != NO_MOVE).then_some(best as u16),
            work: (data >> (2 * NUMBER_BITS + BEST_BITS)) as u8,
        }
    }

    /// What it would cost to lose the entry.
    fn worth(self) -> u8 {
        let decided = matches!(self.known, Known::Proved | Known::Disproved);
        2 * self.work + u8::from(decided)
    }
}

const WAYS: usize = 4;
type Slot = [AtomicU64; 2];

/// A table of fixed size that threads share.
pub struct TranspositionTable {
    slots: Vec<Slot>,
    buckets: u64,
}

impl TranspositionTable {
    /// The largest table of at most this many bytes; 64 at least.
    pub fn new(bytes: u64) -> TranspositionTable {
        let buckets = (bytes / (size_of::<Slot>() * WAYS) as u64).max(1);
        TranspositionTable {
            // Memory that is zero from the start need not be touched before it is used.
            slots: bytemuck::zeroed_vec(buckets as usize * WAYS),
            buckets,
        }
    }

    /// How many entries there is room for.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    fn bucket(&self, key: u64) -> &[Slot] {
        // The high half of a product with a random key is a random number below the other factor.
        let bucket = (u128::from(key) * u128::from(self.buckets)) >> 64;
        let at = bucket as usize * WAYS;
        &self.slots[at..at + WAYS]
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        for [check, data] in self.bucket(key) {
            let data = data.load(Relaxed);
            // An empty slot is zero, which no entry is: each has some work in it.
            if check.load(Relaxed) ^ data == key && data != 0 {
                return Some(Entry::unpack(data));
            }
        }
        None
    }

    /// Keeps what is known of a position. What is decided for good is never given up for less.
    #[inline]
    pub fn put(&self, key: u64, entry: Entry) {
        let data = entry.pack();
        let (mut victim, mut least) = (0, u16::MAX);
        for (way, [check, old]) in self.bucket(key).iter().enumerate() {
            let old = old.load(Relaxed);
            if check.load(Relaxed) ^ old == key && old != 0 {
                let decided = matches!(Entry::unpack(old).known, Known::Proved | Known::Disproved);
                let decides = matches!(entry.known, Known::Proved | Known::Disproved);
                if decided && !decides {
                    return;
                }
                victim = way;
                break;
            }
            let worth = if old == 0 {
                0
            } else {
                1 + u16::from(Entry::unpack(old).worth())
            };
            if worth < least {
                (victim, least) = (way, worth);
            }
        }
        let [check, slot] = &self.bucket(key)[victim];
        slot.store(data, Relaxed);
        check.store(key ^ data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry() -> impl Strategy<Value = Entry> {
        let known = prop_oneof![
            (1..=MAX_NUMBER, 1..=MAX_NUMBER).prop_map(|(pn, dn)| Known::Open { pn, dn }),
            Just(Known::Proved),
            Just(Known::Disproved),
            Just(Known::Doubtful),
        ];
        (known, prop::option::of(0u16..2047), 1u8..32).prop_map(|(known, best, work)| Entry {
            known,
            best,
            work,
        })
    }

    proptest! {
        #[test]
        fn entries_are_kept_as_they_are(entry in entry(), key in 1u64..) {
            let table = TranspositionTable::new(1 << 12);
            table.put(key, entry);
            prop_assert_eq!(table.get(key), Some(entry));
            prop_assert_eq!(table.get(key ^ 1 << 40), None);
        }

        #[test]
        fn what_is_decided_stays(key in 1u64.., entry in entry()) {
            let table = TranspositionTable::new(64);
            let proved = Entry { known: Known::Proved, best: None, work: 1 };
            table.put(key, proved);
            table.put(key, entry);
            let decides = matches!(entry.known, Known::Proved | Known::Disproved);
            prop_assert_eq!(table.get(key), Some(if decides { entry } else { proved }));
        }
    }
}
