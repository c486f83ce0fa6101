//! Numbers of positions in which two sides keep all their pieces: two disjoint sets of points.
//!
//! The first set has its number among the subsets of all points, the second one among the subsets
//! of the points that are left (Donkers et al. 2004, section 6.1).

use tabia_game::combinatorics::{Binomials, spread, squeeze};
use tabia_game::orbits::Permutations;

/// Pairs of disjoint sets, each of this many of this many points.
pub(crate) struct Pairs {
    binomials: Binomials,
    points: usize,
    each: usize,
    /// The symmetries of the board.
    pub(crate) permutations: Permutations,
}

impl Pairs {
    pub(crate) fn new(each: usize, permutations: Permutations) -> Pairs {
        let points = permutations.points();
        Pairs {
            binomials: Binomials::new(points),
            points,
            each,
            permutations,
        }
    }

    /// The sizes of both sets.
    pub(crate) fn sizes(&self) -> [usize; 2] {
        [self.each; 2]
    }

    /// How many there are for one first set.
    fn seconds(&self) -> u64 {
        self.binomials.choose(self.points - self.each, self.each)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u64 {
        self.binomials.choose(self.points, self.each) * self.seconds()
    }

    /// The number of a pair.
    pub(crate) fn rank(&self, [first, second]: [u64; 2]) -> u64 {
        let second = self.binomials.rank(squeeze(second, first));
        self.binomials.rank(first) * self.seconds() + second
    }

    /// The pair with a number.
    pub(crate) fn unrank(&self, number: u64) -> [u64; 2] {
        let (first, second) = (number / self.seconds(), number % self.seconds());
        let first: u64 = self.binomials.unrank(first, self.points, self.each);
        let left = self.points - self.each;
        let second: u64 = self.binomials.unrank(second, left, self.each);
        [first, spread(second, first)]
    }
}

/// Numbers the positions of a game whose sides keep all their pieces: one slice of all pairs.
macro_rules! index_by_pairs {
    ($game:ty, $pairs:expr) => {
        impl tabia_game::Indexed for $game {
            type Slice = ();
            type Classes = tabia_game::orbits::Orbits<u64>;

            fn slices(&self) -> Vec<()> {
                vec![()]
            }

            fn slice_len(&self, (): ()) -> Option<u64> {
                Some($pairs.len())
            }

            fn next_slices(&self, (): ()) -> Vec<()> {
                vec![()]
            }

            fn locate(&self, state: &Self::State) -> Option<((), u64)> {
                Some(((), $pairs.rank(state.sides())))
            }

            fn position_at(&self, (): (), index: u64) -> Self::State {
                Self::State::from_sides($pairs.unrank(index))
            }

            fn slice_text(&self, (): ()) -> String {
                let [own, enemy] = $pairs.sizes();
                format!("{own}-{enemy}")
            }

            fn slice_size(&self, (): ()) -> u32 {
                $pairs.sizes().iter().sum::<usize>() as u32
            }

            fn class_count(&self, (): ()) -> Option<u64> {
                $pairs.permutations.classes($pairs.sizes())
            }

            fn class_bytes(&self, (): ()) -> Option<u64> {
                $pairs.permutations.bytes::<u64>($pairs.sizes())
            }

            fn classes(&self, (): ()) -> Option<Self::Classes> {
                tabia_game::orbits::Orbits::new(&$pairs.permutations, $pairs.sizes())
            }
        }
    };
}
pub(crate) use index_by_pairs;

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_game::bits::Bits;

    #[test]
    fn pairs_are_numbered_without_gaps() {
        let pairs = Pairs::new(2, Permutations::new(7, 1, |point, _| point));
        assert_eq!(pairs.len(), 21 * 10);
        for number in 0..pairs.len() {
            let [first, second] = pairs.unrank(number);
            assert_eq!((first & second, (first | second) >> 7), (0, 0));
            assert_eq!((first.count(), second.count()), (2, 2));
            assert_eq!(pairs.rank([first, second]), number);
        }
    }
}
