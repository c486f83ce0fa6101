//! Bitboards of several widths behind one small trait.
//!
//! `u64` carries boards of up to 64 squares at full speed; `u128` and the 384-bit integer of the
//! `ruint` crate carry larger ones with the same code.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A fixed-width set of small integers.
pub trait Bits:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// How many bits there are.
    const WIDTH: usize;
    /// The empty set.
    const EMPTY: Self;

    /// The set of one element.
    fn bit(index: usize) -> Self;
    /// The number of elements.
    fn count(self) -> usize;
    /// The least element; `WIDTH` of the empty set.
    fn first(self) -> usize;
    /// The set without its least element.
    fn without_first(self) -> Self;

    /// Whether the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether an element is in the set.
    #[inline]
    fn has(self, index: usize) -> bool {
        !(self & Self::bit(index)).is_empty()
    }

    /// The elements in ascending order.
    #[inline]
    fn iter(self) -> Elements<Self> {
        Elements(self)
    }
}

/// Iterator over the elements of a [`Bits`].
pub struct Elements<B>(B);

impl<B: Bits> Iterator for Elements<B> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let first = self.0.first();
        self.0 = self.0.without_first();
        Some(first)
    }
}

macro_rules! primitive {
    ($word:ty) => {
        impl Bits for $word {
            const WIDTH: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;

            #[inline]
            fn bit(index: usize) -> Self {
                1 << index
            }
            #[inline]
            fn count(self) -> usize {
                self.count_ones() as usize
            }
            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}

primitive!(u64);
primitive!(u128);

/// 384 bits: enough for a 19x19 board.
pub type Wide = ruint::Uint<384, 6>;

impl Bits for Wide {
    const WIDTH: usize = 384;
    const EMPTY: Self = Wide::ZERO;

    #[inline]
    fn bit(index: usize) -> Self {
        Wide::ONE << index
    }
    #[inline]
    fn count(self) -> usize {
        self.count_ones()
    }
    #[inline]
    fn first(self) -> usize {
        self.trailing_zeros()
    }
    #[inline]
    fn without_first(self) -> Self {
        self & self.wrapping_sub(Wide::ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn agrees_with_a_set<B: Bits>(elements: BTreeSet<usize>) {
        let bits = elements.iter().fold(B::EMPTY, |set, &i| set | B::bit(i));
        assert_eq!(bits.iter().collect::<BTreeSet<_>>(), elements);
        assert_eq!(bits.count(), elements.len());
        assert!((0..B::WIDTH).all(|i| bits.has(i) == elements.contains(&i)));
        if B::WIDTH > 70 {
            assert_eq!((bits >> 65) << 65, bits & (!B::EMPTY << 65));
        }
    }

    proptest! {
        #[test]
        fn bits_are_sets(elements in prop::collection::btree_set(0usize..64, 0..64),
                         wide in prop::collection::btree_set(0usize..384, 0..99)) {
            agrees_with_a_set::<u64>(elements.clone());
            agrees_with_a_set::<u128>(elements.iter().map(|i| 2 * i + 1).collect());
            agrees_with_a_set::<Wide>(wide);
        }
    }
}
