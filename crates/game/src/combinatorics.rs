//! Numbers of subsets: the combinatorial number system, in which slices are indexed.
//!
//! The k-subsets of {0, 1, ...} in colexicographic order have the numbers 0, 1, 2, ...: a subset
//! s_1 < ... < s_k has the number C(s_1, 1) + ... + C(s_k, k). This is the first part of the index
//! of Schadd (2011, formula 4.1), and the ranking of Donkers et al. (2004, section 6.1).

use crate::bits::Bits;

/// Binomial coefficients C(n, k) for all n and k up to a limit, saturating at `u64::MAX`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binomials {
    rows: usize,
    /// By k first, so that the numbers of one element lie side by side.
    table: Vec<u64>,
}

impl Binomials {
    /// The coefficients for n up to `largest`.
    pub fn new(largest: usize) -> Binomials {
        let rows = largest + 1;
        let mut table = vec![0u64; rows * rows];
        for n in 0..rows {
            table[n] = 1;
            for k in 1..=n {
                let above = |k: usize| table[k * rows + n - 1];
                let both = if k == n {
                    1
                } else {
                    above(k - 1).saturating_add(above(k))
                };
                table[k * rows + n] = both;
            }
        }
        Binomials { rows, table }
    }

    /// C(n, k): how many subsets of k elements a set of n has. Neither may exceed the limit.
    #[inline]
    pub fn choose(&self, n: usize, k: usize) -> u64 {
        self.table[k * self.rows + n]
    }

    /// The number of a subset among those of its size.
    ///
    /// ```
    /// let binomials = tabia_game::combinatorics::Binomials::new(8);
    /// assert_eq!([0b011u64, 0b101, 0b110, 0b1001].map(|s| binomials.rank(s)), [0, 1, 2, 3]);
    /// ```
    #[inline]
    pub fn rank<B: Bits>(&self, subset: B) -> u64 {
        let mut number = 0u64;
        let mut row = self.rows;
        for element in subset.iter() {
            // Beyond 64 bits there are no tables, and nobody asks for the number.
            number = number.wrapping_add(self.table[row + element]);
            row += self.rows;
        }
        number
    }

    /// The subset of `size` elements with a number; its elements are below `n` if the number is
    /// below C(n, size).
    #[inline]
    pub fn unrank<B: Bits>(&self, mut number: u64, n: usize, size: usize) -> B {
        let mut subset = B::EMPTY;
        let mut element = n;
        for k in (1..=size).rev() {
            let row = &self.table[k * self.rows..];
            element -= 1;
            while element > 0 && row[element] > number {
                element -= 1;
            }
            number -= row[element];
            subset |= B::bit(element);
        }
        subset
    }
}

/// The elements of a set, numbered anew without those that are taken.
#[inline]
pub fn squeeze<B: Bits>(set: B, taken: B) -> B {
    set.iter().fold(B::EMPTY, |image, element| {
        let below = taken & !(!B::EMPTY << element);
        image | B::bit(element - below.count())
    })
}

/// The set that [`squeeze`] makes this one of.
#[inline]
pub fn spread<B: Bits>(set: B, taken: B) -> B {
    taken.iter().fold(set, |image, element| {
        let above = !B::EMPTY << element;
        (image & !above) | (image & above) << 1
    })
}

/// The subset after this one among those of its size; the one after the last is not defined.
///
/// ```
/// assert_eq!(tabia_game::combinatorics::next_subset(0b1110), 0b10011);
/// ```
#[inline]
pub fn next_subset(subset: u64) -> u64 {
    let low = subset & subset.wrapping_neg();
    let carried = subset.wrapping_add(low);
    if low == 0 {
        return 0;
    }
    carried | (((subset ^ carried) >> 2) / low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pascal_s_triangle() {
        let binomials = Binomials::new(67);
        let row: Vec<u64> = (0..=6).map(|k| binomials.choose(6, k)).collect();
        assert_eq!(row, [1, 6, 15, 20, 15, 6, 1]);
        // Known values: bridge hands, and the largest that fits into 64 bits.
        assert_eq!(binomials.choose(52, 13), 635_013_559_600);
        assert_eq!(binomials.choose(67, 33), 14_226_520_737_620_288_370);
        assert_eq!(binomials.choose(5, 9), 0);
    }

    #[test]
    fn subsets_are_numbered_in_colexicographic_order() {
        let binomials = Binomials::new(12);
        for size in 1..=12 {
            let mut subset = (1u64 << size) - 1;
            for number in 0..binomials.choose(12, size) {
                assert_eq!(binomials.rank(subset), number);
                assert_eq!(binomials.unrank::<u64>(number, 12, size), subset);
                subset = next_subset(subset);
            }
        }
    }

    proptest! {
        #[test]
        fn spreading_keeps_the_order_of_what_is_not_taken(
            set in 0u64..1 << 20,
            taken in 0u64..1 << 40,
        ) {
            let free: Vec<usize> = (0..64).filter(|&i| !taken.has(i)).collect();
            let plain = set.iter().fold(0, |image, i| image | u64::bit(free[i]));
            prop_assert_eq!(spread(set, taken), plain);
            prop_assert_eq!(squeeze(plain, taken), set);
        }

        #[test]
        fn ranks_are_inverse_to_unranking(subset in any::<u64>().prop_map(|s| s & 0xff_0ff0_f0f0)) {
            let binomials = Binomials::new(64);
            let size = subset.count_ones() as usize;
            let number = binomials.rank(subset);
            prop_assert_eq!(binomials.unrank::<u64>(number, 64, size), subset);
            prop_assert!(number < binomials.choose(64, size));
        }
    }
}
