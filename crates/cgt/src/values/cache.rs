//! What a function of two values has given, remembered as long as nothing else needs the place.
//!
//! A direct-mapped table: a look-up is one access, and forgetting costs a computation but never a
//! wrong answer.

const MIN_ENTRIES: usize = 1 << 12;
const MAX_ENTRIES: usize = 1 << 22;
const EMPTY: (u32, u32) = (u32::MAX, u32::MAX);

#[derive(Debug)]
pub(super) struct Cache<T> {
    entries: Vec<((u32, u32), T)>,
}

#[inline]
fn place(size: usize, (a, b): (u32, u32)) -> usize {
    let key = u64::from(a) << 32 | u64::from(b);
    let scrambled = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (scrambled ^ scrambled >> 32) as usize & (size - 1)
}

impl<T: Copy + Default> Cache<T> {
    pub(super) fn new() -> Cache<T> {
        Cache {
            entries: vec![(EMPTY, T::default()); MIN_ENTRIES],
        }
    }

    #[inline]
    pub(super) fn get(&self, key: (u32, u32)) -> Option<T> {
        let (held, result) = self.entries[place(self.entries.len(), key)];
        (held == key).then_some(result)
    }

    #[inline]
    pub(super) fn put(&mut self, key: (u32, u32), result: T) {
        let size = self.entries.len();
        self.entries[place(size, key)] = (key, result);
    }

    /// Keeps the table larger than the store.
    #[inline]
    pub(super) fn grow(&mut self, values: usize) {
        if values * 2 > self.entries.len() && self.entries.len() < MAX_ENTRIES {
            self.resize(self.entries.len() * 4);
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.entries[..])
    }

    /// Without the memory for it nothing happens.
    #[cold]
    fn resize(&mut self, size: usize) {
        let mut new = Vec::new();
        if new.try_reserve_exact(size).is_err() {
            return;
        }
        new.resize(size, (EMPTY, T::default()));
        let old = std::mem::replace(&mut self.entries, new);
        for (key, result) in old {
            if key != EMPTY {
                self.put(key, result);
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill((EMPTY, T::default()));
    }
}
