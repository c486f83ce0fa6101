//! The transposition table of max^n: a vector, or a bound of what the player to move gets.
//!
//! One thread searches, so entries need no protection. An entry serves a search of exactly its
//! depth, or of any greater depth if no estimate went into it, so that values never depend on what
//! happens to be in the table.

use super::aims::Vector;

/// What an entry says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The values of all players.
    Exact(Vector),
    /// The player to move gets at least this.
    Least(i32),
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub known: Known,
    pub depth: u8,
    /// Whether no estimate went into it.
    pub complete: bool,
    /// The index of the best move.
    pub best: Option<u32>,
}

impl Entry {
    /// Whether a search of this depth would find the same.
    pub fn serves(&self, depth: i32) -> bool {
        let searched = i32::from(self.depth);
        searched == depth || self.complete && searched <= depth
    }
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    /// Slots of any other epoch are empty.
    epoch: u32,
    entry: Entry,
}

const EMPTY: Slot = Slot {
    key: 0,
    epoch: 0,
    entry: Entry {
        known: Known::Least(0),
        depth: 0,
        complete: false,
        best: None,
    },
};

/// Two to a bucket: the first keeps the deeper, the second takes the other (Breuker et al. 1994).
pub(super) struct Table {
    buckets: Vec<[Slot; 2]>,
    epoch: u32,
}

impl Table {
    /// A table of at most this many bytes, and at least one bucket.
    pub fn new(bytes: u64) -> Table {
        let most = (bytes / size_of::<[Slot; 2]>() as u64).max(1);
        Table {
            buckets: vec![[EMPTY; 2]; 1 << most.ilog2()],
            epoch: 1,
        }
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        match self.epoch.checked_add(1) {
            Some(epoch) => self.epoch = epoch,
            None => {
                self.buckets.fill([EMPTY; 2]);
                self.epoch = 1;
            }
        }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.place(key)];
        let own = |slot: &&Slot| slot.epoch == self.epoch && slot.key == key;
        bucket.iter().find(own).map(|slot| slot.entry)
    }

    pub fn put(&mut self, key: u64, entry: Entry) {
        let (place, epoch) = (self.place(key), self.epoch);
        let [deep, recent] = &mut self.buckets[place];
        let slot = Slot { key, epoch, entry };
        let empty = deep.epoch != epoch;
        if empty || deep.key == key {
            // A vector is not given up for a bound of the same search.
            let keep = !empty
                && deep.entry.serves(i32::from(entry.depth))
                && matches!(deep.entry.known, Known::Exact(_))
                && matches!(entry.known, Known::Least(_));
            if !keep {
                *deep = slot;
            }
        } else if entry.depth >= deep.entry.depth {
            *recent = *deep;
            *deep = slot;
        } else {
            *recent = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, known: Known) -> Entry {
        Entry {
            known,
            depth,
            complete: false,
            best: None,
        }
    }

    #[test]
    fn the_deeper_stays_and_the_newcomer_enters() {
        let mut table = Table::new(1);
        let exact = Known::Exact([1; 6]);
        table.put(1, entry(5, exact));
        table.put(2, entry(3, exact));
        table.put(3, entry(1, exact));
        assert!(table.get(1).is_some() && table.get(2).is_none() && table.get(3).is_some());
        table.put(1, entry(5, Known::Least(0)));
        assert_eq!(table.get(1).unwrap().known, exact);
        table.put(1, entry(6, Known::Least(0)));
        assert_eq!(table.get(1).unwrap().known, Known::Least(0));
        table.clear();
        assert!((1..4).all(|key| table.get(key).is_none()));
    }
}
