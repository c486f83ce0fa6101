//! Randomness that replays: seeds split by name, streams driven by a counter.
//!
//! Whoever needs luck splits a seed of its own off the seed it was given, by name or number: the
//! deal, the seat, the decision. Two halves of a duplicate game split the same names and so share
//! their luck; adding a new consumer disturbs none of the others.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The generator behind every [`Seed`]: ChaCha with eight rounds, a counter-based generator whose
/// n-th block is a function of seed, stream and n alone.
pub type GameRng = ChaCha8Rng;

/// A point in the tree of seeds.
///
/// ```
/// use tabia_game::Seed;
/// let game = Seed::new(42).split("game").number(17);
/// assert_eq!(game, Seed::new(42).split("game").number(17));
/// assert_ne!(game.split("dice"), game.split("seats"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(u64);

impl Seed {
    /// The root of a tree of seeds.
    pub fn new(seed: u64) -> Seed {
        Seed(seed)
    }

    /// The child with this name.
    pub fn split(self, name: &str) -> Seed {
        // FNV-1a turns the name into a stream; the generator itself does the mixing.
        let stream = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        self.child(stream, 0)
    }

    /// The child with this number.
    pub fn number(self, number: u64) -> Seed {
        self.child(number, 1)
    }

    fn child(self, stream: u64, kind: u128) -> Seed {
        let mut rng = self.rng();
        rng.set_stream(stream);
        // Names and numbers read different blocks, so that no name can meet a number.
        rng.set_word_pos((1 + kind) << 32);
        Seed(rng.next_u64())
    }

    /// The stream of random numbers that belongs to this seed.
    pub fn rng(self) -> GameRng {
        ChaCha8Rng::seed_from_u64(self.0)
    }

    /// The seed as a number, to print and to replay.
    pub fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn children_differ_from_each_other_and_their_parent() {
        let root = Seed::new(1);
        let mut seen = HashSet::from([root]);
        for n in 0..1000 {
            assert!(seen.insert(root.number(n)));
            assert!(seen.insert(root.split(&n.to_string())));
        }
        assert!(seen.insert(Seed::new(2).number(0)));
    }

    #[test]
    fn streams_replay() {
        let draw = || Seed::new(9).split("deal").rng().next_u64();
        assert_eq!(draw(), draw());
    }
}
