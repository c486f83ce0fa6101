//! Numbers of positions in which two sides keep all their pieces: two disjoint sets of points.
//!
//! The first set has its number among the subsets of all points, the second one among the subsets
//! of the points that are left (Donkers et al. 2004, section 6.1).

use tabia_game::bits::Bits;
use tabia_game::combinatorics::Binomials;

/// Pairs of disjoint sets, each of so many of so many points.
pub(crate) struct Pairs {
    binomials: Binomials,
    points: usize,
    each: usize,
}

impl Pairs {
    pub(crate) fn new(points: usize, each: usize) -> Pairs {
        Pairs {
            binomials: Binomials::new(points),
            points,
            each,
        }
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
    pub(crate) fn rank(&self, first: u64, second: u64) -> u64 {
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

/// The elements of a set, numbered anew without those that are taken.
pub(crate) fn squeeze(set: u64, taken: u64) -> u64 {
    set.iter().fold(0, |image, element| {
        let below = taken & (u64::bit(element) - 1);
        image | u64::bit(element - below.count())
    })
}

/// The set that [`squeeze`] makes this one of.
pub(crate) fn spread(set: u64, taken: u64) -> u64 {
    taken.iter().fold(set, |image, element| {
        let below = u64::bit(element) - 1;
        (image & below) | (image & !below) << 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pairs_are_numbered_without_gaps() {
        let pairs = Pairs::new(7, 2);
        assert_eq!(pairs.len(), 21 * 10);
        for number in 0..pairs.len() {
            let [first, second] = pairs.unrank(number);
            assert_eq!((first & second, (first | second) >> 7), (0, 0));
            assert_eq!((first.count(), second.count()), (2, 2));
            assert_eq!(pairs.rank(first, second), number);
        }
    }

    proptest! {
        #[test]
        fn spreading_keeps_the_order_of_what_is_not_taken(set in 0u64..1 << 20, taken in 0u64..1 << 40) {
            let free: Vec<usize> = (0..64).filter(|&i| !taken.has(i)).collect();
            let plain = set.iter().fold(0, |image, i| image | u64::bit(free[i]));
            prop_assert_eq!(spread(set, taken), plain);
            prop_assert_eq!(squeeze(plain, taken), set);
        }
    }
}
