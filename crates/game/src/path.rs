//! Repetition of positions: the declared rule, and the path it looks at.

/// What the rules say when a position, side to move included, occurs again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Nothing happens, or positions cannot recur.
    Allowed,
    /// The game is drawn when a position occurs for this many times.
    Draw {
        /// The occurrence that ends the game, 2 or more.
        occurrences: u32,
    },
}

impl Repetition {
    /// Whether a position that now occurs for the `occurrences`-th time ends the game as a draw.
    #[inline]
    pub fn is_draw(self, occurrences: u32) -> bool {
        matches!(self, Repetition::Draw { occurrences: limit } if occurrences >= limit)
    }
}

/// The keys of the positions from the start of a game, or of a search, to the present one.
///
/// ```
/// use tabia_game::Path;
/// let mut path = Path::new();
/// assert_eq!([7, 8, 7].map(|key| path.push(key)), [1, 1, 2]);
/// path.pop();
/// assert_eq!(path.occurrences(7), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Path {
    keys: Vec<u64>,
    /// How many keys on the path fall into each class, so that most positions, which are new, are
    /// known to be new without a scan.
    filter: Box<[u16; Self::CLASSES]>,
    signature: u64,
}

impl Default for Path {
    fn default() -> Self {
        Path::new()
    }
}

impl Path {
    const CLASSES: usize = 1024;

    /// An empty path.
    pub fn new() -> Path {
        Path {
            keys: Vec::new(),
            filter: Box::new([0; Self::CLASSES]),
            signature: 0,
        }
    }

    #[inline]
    fn class(key: u64) -> usize {
        key as usize % Self::CLASSES
    }

    /// Enters a position and says for how many times it now occurs.
    #[inline]
    pub fn push(&mut self, key: u64) -> u32 {
        let occurrences = self.occurrences(key) + 1;
        self.keys.push(key);
        self.filter[Self::class(key)] += 1;
        if occurrences > 1 {
            self.signature ^= Self::mark(key, occurrences);
        }
        occurrences
    }

    /// Leaves the present position.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.filter[Self::class(key)] -= 1;
            let before = self.occurrences(key);
            if before > 0 {
                self.signature ^= Self::mark(key, before + 1);
            }
        }
    }

    /// How many times a position occurs on the path.
    #[inline]
    pub fn occurrences(&self, key: u64) -> u32 {
        if self.filter[Self::class(key)] == 0 {
            return 0;
        }
        self.keys.iter().filter(|&&k| k == key).count() as u32
    }

    /// A number that depends on which positions of the path have occurred more than once; zero
    /// when none has. A table whose keys are combined with it never confuses two paths that
    /// differ in what is about to be repeated.
    #[inline]
    pub fn signature(&self) -> u64 {
        self.signature
    }

    /// The number of positions on the path.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the path is empty.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    #[inline]
    fn mark(key: u64, occurrences: u32) -> u64 {
        crate::zobrist::mix(key ^ u64::from(occurrences).rotate_right(8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn occurrences_equal_a_plain_count(keys in prop::collection::vec(0u64..8, 0..40)) {
            let mut path = Path::new();
            for (i, &key) in keys.iter().enumerate() {
                let expected = keys[..=i].iter().filter(|&&k| k == key).count() as u32;
                prop_assert_eq!(path.push(key), expected);
            }
        }

        #[test]
        fn pop_restores_the_signature(keys in prop::collection::vec(0u64..4, 0..30)) {
            let mut path = Path::new();
            let mut signatures = vec![];
            for &key in &keys {
                signatures.push(path.signature());
                path.push(key);
            }
            while let Some(signature) = signatures.pop() {
                path.pop();
                prop_assert_eq!(path.signature(), signature);
            }
        }

        #[test]
        fn the_signature_tells_repeated_positions_apart(mut keys in prop::collection::vec(0u64..6, 0..20)) {
            let signature = |keys: &[u64]| {
                let mut path = Path::new();
                keys.iter().for_each(|&k| { path.push(k); });
                path.signature()
            };
            let repeated = |keys: &[u64]| {
                let mut counts = [0; 6];
                keys.iter().for_each(|&k| counts[k as usize] += 1);
                counts.map(|c: u32| if c > 1 { c } else { 0 })
            };
            let before = (repeated(&keys), signature(&keys));
            keys.reverse();
            keys.push(0);
            let after = (repeated(&keys), signature(&keys));
            prop_assert_eq!(before.0 == after.0, before.1 == after.1);
        }
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let rule = Repetition::Draw { occurrences: 3 };
        assert_eq!(
            [1, 2, 3, 4].map(|n| rule.is_draw(n)),
            [false, false, true, true]
        );
        assert!(!Repetition::Allowed.is_draw(100));
    }
}
