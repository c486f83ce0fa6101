//! Randomness that replays: seeds split by name, streams driven by a counter.
//!
//! Whoever needs luck splits a seed of its own off the seed it was given, by name or number: the
//! deal, the seat, the decision. Two halves of a duplicate game split the same names and so share
//! their luck; adding a new consumer disturbs none of the others.

use std::hash::{BuildHasher, RandomState};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::zobrist;

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

    /// A seed that nobody can guess. Its number fits into 63 bits.
    pub fn drawn() -> Seed {
        // The keys of a hash map's state come from the operating system.
        Seed(RandomState::new().hash_one(()) >> 1)
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

/// A generator for one playout, which asks for random numbers more often than for anything else: a
/// counter that is scrambled (SplitMix64, Steele, Lea and Flood 2014). Its beginning is drawn from
/// another one.
#[derive(Clone, Copy, Debug)]
pub struct Quick(u64);

impl Quick {
    /// The generator that one number of another decides on.
    #[inline]
    pub fn new<R: Rng + ?Sized>(rng: &mut R) -> Quick {
        Quick(rng.next_u64())
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        zobrist::mix(self.0)
    }

    /// A number below `count`, each equally likely but for the share that 32 bits cannot tell.
    #[inline]
    pub fn below(&mut self, count: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(count)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The first numbers from 1234567 that every implementation of SplitMix64 is tested with.
    #[test]
    fn quick_numbers_are_those_of_splitmix64() {
        let mut quick = Quick(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!([0; 3].map(|_| quick.bits()), expected);
        assert!((0..1000).all(|_| quick.below(7) < 7));
    }

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
    fn drawn_seeds_differ() {
        let seeds: HashSet<Seed> = (0..100).map(|_| Seed::drawn()).collect();
        assert_eq!(seeds.len(), 100);
        assert!(seeds.iter().all(|seed| i64::try_from(seed.value()).is_ok()));
    }

    #[test]
    fn streams_replay() {
        let draw = || Seed::new(9).split("deal").rng().next_u64();
        assert_eq!(draw(), draw());
    }
}
