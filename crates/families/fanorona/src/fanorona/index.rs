//! Slices by the number of pieces, and the index of Schadd (2011, formula 4.1).
//!
//! M pieces on points S_1 < ... < S_M, of which the player to move has W, the W_i-th ones in that
//! sequence, have the number sum C(S_i, i) + C(points, M) * sum C(W_i, i). Captures lead to slices
//! with fewer pieces and paika steps from `a-b` to `b-a`, so that these two are solved together.

use tabia_game::bits::Bits;
use tabia_game::orbits::{Orbits, Sides};
use tabia_game::{Indexed, Player, Retro};

use super::{Fanorona, State};

/// How many pieces the player to move has, and how many the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slice {
    /// The pieces of the player to move.
    pub own: u16,
    /// The pieces of the other player.
    pub enemy: u16,
}

impl Slice {
    fn pieces(self) -> usize {
        usize::from(self.own + self.enemy)
    }

    fn sizes(self) -> [usize; 2] {
        [usize::from(self.own), usize::from(self.enemy)]
    }
}

impl<B: Bits> Sides for State<B> {
    type Set = B;

    #[inline]
    fn sides(&self) -> [B; 2] {
        [self.own(), self.enemy()]
    }

    #[inline]
    fn from_sides(sides: [B; 2]) -> State<B> {
        State::new(sides, Player::FIRST)
    }
}

impl<B: Bits> Indexed for Fanorona<B> {
    type Slice = Slice;
    type Classes = Orbits<B>;

    fn slices(&self) -> Vec<Slice> {
        let most = self.most() as u16;
        let own = |own| (1..=most).map(move |enemy| Slice { own, enemy });
        (1..=most).flat_map(own).collect()
    }

    fn slice_len(&self, slice: Slice) -> Option<u64> {
        let pieces = slice.pieces();
        let known = |number: u64| (number < u64::MAX).then_some(number);
        let places = known(self.binomials.choose(self.size(), pieces))?;
        let colours = known(self.binomials.choose(pieces, usize::from(slice.own)))?;
        places.checked_mul(colours)
    }

    fn next_slices(&self, slice: Slice) -> Vec<Slice> {
        let own = slice.enemy;
        let taken = (1..=own).map(|own| Slice {
            own,
            enemy: slice.own,
        });
        taken.collect()
    }

    #[inline]
    fn locate(&self, state: &State<B>) -> Option<(Slice, u64)> {
        let own = state.own();
        let (mut places, mut colours) = (0u64, 0u64);
        let (mut pieces, mut owned) = (0, 0);
        // Wrapping, for boards whose slices have more places than a number can tell.
        for point in (own | state.enemy()).iter() {
            if own.has(point) {
                owned += 1;
                colours = colours.wrapping_add(self.binomials.choose(pieces, owned));
            }
            pieces += 1;
            places = places.wrapping_add(self.binomials.choose(point, pieces));
        }
        if owned == 0 || owned == pieces {
            return None;
        }
        let slice = Slice {
            own: owned as u16,
            enemy: (pieces - owned) as u16,
        };
        let all = self.binomials.choose(self.size(), pieces);
        Some((slice, places.wrapping_add(all.wrapping_mul(colours))))
    }

    #[inline]
    fn position_at(&self, slice: Slice, index: u64) -> State<B> {
        let (pieces, owned) = (slice.pieces(), usize::from(slice.own));
        let places = self.binomials.choose(self.size(), pieces);
        let all: B = self.binomials.unrank(index % places, self.size(), pieces);
        let colours: B = self.binomials.unrank(index / places, pieces, owned);
        let mut own = B::EMPTY;
        for (ordinal, point) in all.iter().enumerate() {
            if colours.has(ordinal) {
                own |= B::bit(point);
            }
        }
        State::new([own, all ^ own], Player::FIRST)
    }

    fn slice_text(&self, slice: Slice) -> String {
        format!("{}-{}", slice.own, slice.enemy)
    }

    fn slice_size(&self, slice: Slice) -> u32 {
        slice.pieces() as u32
    }

    fn class_count(&self, slice: Slice) -> Option<u64> {
        self.slice_len(slice)?;
        self.permutations.classes(slice.sizes())
    }

    fn class_bytes(&self, slice: Slice) -> Option<u64> {
        self.slice_len(slice)?;
        self.permutations.bytes::<B>(slice.sizes())
    }

    fn classes(&self, slice: Slice) -> Option<Orbits<B>> {
        Orbits::new(&self.permutations, slice.sizes())
    }
}

impl<B: Bits> Retro for Fanorona<B> {
    fn predecessors(&self, state: &State<B>, out: &mut Vec<State<B>>) {
        self.unpaika(state, out);
    }
}
