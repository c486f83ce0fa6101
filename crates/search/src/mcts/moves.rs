//! The moves of a tree, whatever game they are of.
//!
//! The tree is compiled once and does not know the type of a move. A node has four bytes for the
//! move that leads to it, in a gap between its counters; longer moves lie in a box of the block of
//! siblings. A descent reads a move once a step, so that an object for every block, or a box of its
//! own, is paid for: with boxed slices behind `dyn Any` Connect Four needed a tenth more
//! instructions and 32 bytes more for every block. This is why moves are kept as plain bytes, with
//! `unsafe` code that is in this file alone but for one call.

use std::any::TypeId;
use std::fmt;
use std::mem::MaybeUninit;

/// The bytes of a move that a node has room for.
const SHORT_BYTES: usize = 4;

/// A move of up to four bytes; nothing if moves are longer.
#[derive(Clone, Copy)]
pub(super) struct Short(MaybeUninit<[u8; SHORT_BYTES]>);

impl Short {
    /// No move.
    pub const NONE: Short = Short(MaybeUninit::uninit());

    #[allow(unsafe_code)]
    fn of<M: Copy>(mv: M) -> Short {
        let mut short = Short::NONE;
        if size_of::<M>() <= SHORT_BYTES {
            // SAFETY: there is room for a move of this size, and an unaligned write needs no
            // more than that.
            unsafe { short.0.as_mut_ptr().cast::<M>().write_unaligned(mv) };
        }
        short
    }
}

impl fmt::Debug for Short {
    /// The bytes need not all be initialised.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Short")
    }
}

/// What the moves of a block of siblings have in common, and the moves themselves if they are long.
#[derive(Debug)]
pub(super) struct Moves {
    of: fn() -> TypeId,
    long: Option<Box<Long>>,
}

/// Long moves, one after the other. Behind a thin pointer, since most blocks have none.
#[derive(Debug)]
struct Long(Vec<MaybeUninit<u8>>);

impl Moves {
    /// These moves. Those that are short are left in `shorts`, in the same order.
    pub fn of<M>(moves: impl Iterator<Item = M>, shorts: &mut Vec<Short>) -> Moves
    where
        M: Copy + Send + Sync + 'static,
    {
        shorts.clear();
        let bytes = Moves::bytes_for_each::<M>();
        let mut long = Vec::with_capacity(bytes * moves.size_hint().0);
        for mv in moves {
            shorts.push(Short::of(mv));
            if bytes > 0 {
                extend(&mut long, mv);
            }
        }
        Moves {
            of: TypeId::of::<M>,
            long: (bytes > 0).then(|| Box::new(Long(long))),
        }
    }

    /// None at all.
    pub fn none() -> Moves {
        Moves {
            of: TypeId::of::<()>,
            long: None,
        }
    }

    /// The move at a place.
    ///
    /// # Safety
    ///
    /// `short` is what [`Moves::of`] left at this place when it made these moves.
    #[inline]
    #[allow(unsafe_code)]
    pub unsafe fn at(&self, place: usize, short: Short) -> Move<'_> {
        Move {
            moves: self,
            place,
            short,
        }
    }

    /// The bytes that long moves take.
    pub fn bytes(&self) -> u64 {
        self.long.as_ref().map_or(0, |long| long.0.len() as u64)
    }

    /// The bytes that [`Moves::bytes`] are for moves of this type.
    pub const fn bytes_for_each<M>() -> usize {
        match size_of::<M>() {
            0..=SHORT_BYTES => 0,
            bytes => bytes,
        }
    }
}

#[allow(unsafe_code)]
fn extend<M: Copy>(bytes: &mut Vec<MaybeUninit<u8>>, mv: M) {
    let from: *const MaybeUninit<u8> = (&raw const mv).cast();
    // SAFETY: every byte of a value, padding included, may be read as one that need not be
    // initialised.
    bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(from, size_of::<M>()) });
}

/// A move of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move<'t> {
    moves: &'t Moves,
    place: usize,
    short: Short,
}

impl Move<'_> {
    /// The move; nothing if it is not of this type.
    #[inline]
    #[allow(unsafe_code)]
    pub fn get<M: Copy + 'static>(&self) -> Option<M> {
        if (self.moves.of)() != TypeId::of::<M>() {
            return None;
        }
        let bytes = size_of::<M>();
        let from = match bytes {
            0..=SHORT_BYTES => self.short.0.as_ptr().cast::<M>(),
            _ => {
                let Long(long) = self.moves.long.as_deref()?;
                let long = long.get(self.place * bytes..)?.get(..bytes)?;
                long.as_ptr().cast()
            }
        };
        // SAFETY: the type is that of the moves from which `Moves::of` copied these bytes, the
        // short ones by what `Moves::at` demands; values of the type may be copied freely, and an
        // unaligned read needs no alignment.
        Some(unsafe { from.read_unaligned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves of a list one by one, as a tree hands them out.
    #[allow(unsafe_code)]
    fn all<'t>(moves: &'t Moves, shorts: &'t [Short]) -> impl Iterator<Item = Move<'t>> {
        let shorts = shorts.iter().enumerate();
        // SAFETY: `shorts` was filled when the moves were made.
        shorts.map(|(place, &short)| unsafe { moves.at(place, short) })
    }

    fn there_and_back<M>(list: &[M], other: impl Copy + PartialEq + fmt::Debug + 'static)
    where
        M: Copy + PartialEq + fmt::Debug + Send + Sync + 'static,
    {
        let mut shorts = vec![Short::NONE; 7];
        let moves = Moves::of(list.iter().copied(), &mut shorts);
        assert_eq!(shorts.len(), list.len());
        let each = Moves::bytes_for_each::<M>();
        assert_eq!(moves.bytes(), (each * list.len()) as u64);
        for (mv, &expected) in all(&moves, &shorts).zip(list) {
            assert_eq!(mv.get(), Some(expected));
            let mut wrong = Some(other);
            wrong = wrong.and(mv.get());
            assert_eq!(wrong, None);
        }
    }

    #[test]
    fn moves_have_the_type_that_they_came_with() {
        there_and_back(&[3u16, 5], 3i16);
        there_and_back(&[(1u8, 2u16), (3, 4)], (1u16, 2u8));
        there_and_back(&[Some('x'), None], 'x');
        there_and_back(&[(1u64, 2u8), (3, 4)], (1u64, 2i8));
        there_and_back(&[[1u8; 5], [2; 5], [3; 5]], [1i8; 5]);
        there_and_back(&[(), ()], 1u8);
        there_and_back(&[] as &[u128], 1u8);
        assert_eq!(Moves::none().bytes(), 0);
    }
}
