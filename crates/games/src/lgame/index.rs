//! Places of positions and moves taken back.
//!
//! There is one slice of 18,368 places: 656 pairs of Ls apart from each other, the mover's first,
//! times the 28 pairs of neutral pieces on the eight squares that are left.

use std::sync::LazyLock;

use tabia_game::combinatorics::Binomials;
use tabia_game::{Indexed, Player, Retro};

use super::{Board, LGame, PLACEMENTS, SQUARES, State, squares};
use crate::pairs::{spread, squeeze};

const NEUTRALS: usize = 2;
/// Squares without an L.
const LEFT: usize = SQUARES - 8;

static NUMBERS: LazyLock<Numbers> = LazyLock::new(Numbers::new);

struct Numbers {
    /// The Ls that lie apart from each other, in ascending order.
    pairs: Vec<[Board; 2]>,
    binomials: Binomials,
}

impl Numbers {
    fn new() -> Numbers {
        let mut pairs = Vec::new();
        for own in PLACEMENTS {
            let apart = PLACEMENTS.iter().filter(|&&other| own & other == 0);
            pairs.extend(apart.map(|&other| [own, other]));
        }
        pairs.sort_unstable();
        Numbers {
            pairs,
            binomials: Binomials::new(LEFT),
        }
    }

    /// How many places there are for two neutral pieces.
    fn neutrals(&self) -> u64 {
        self.binomials.choose(LEFT, NEUTRALS)
    }
}

impl State {
    /// The same pieces with the other side to move.
    pub fn passed(&self) -> State {
        State::new(self.ls, self.neutrals, self.mover.other())
    }
}

impl Indexed for LGame {
    type Slice = ();

    fn slices(&self) -> Vec<()> {
        vec![()]
    }

    fn slice_len(&self, (): ()) -> Option<u64> {
        Some(NUMBERS.pairs.len() as u64 * NUMBERS.neutrals())
    }

    fn next_slices(&self, (): ()) -> Vec<()> {
        vec![()]
    }

    fn locate(&self, state: &State) -> Option<((), u64)> {
        let pair = [state.l(state.mover), state.l(state.mover.other())];
        let pair_number = NUMBERS.pairs.binary_search(&pair).ok()? as u64;
        let free = squeeze(u64::from(state.neutrals), u64::from(pair[0] | pair[1]));
        let index = pair_number * NUMBERS.neutrals() + NUMBERS.binomials.rank(free);
        Some(((), index))
    }

    fn position_at(&self, (): (), index: u64) -> State {
        let pair = (index / NUMBERS.neutrals()) as usize % NUMBERS.pairs.len();
        let ls = NUMBERS.pairs[pair];
        let number = index % NUMBERS.neutrals();
        let free: u64 = NUMBERS.binomials.unrank(number, LEFT, NEUTRALS);
        let neutrals = spread(free, u64::from(ls[0] | ls[1])) as Board;
        State::new(ls, neutrals, Player::FIRST)
    }

    fn slice_text(&self, (): ()) -> String {
        "all".to_string()
    }

    fn slice_size(&self, (): ()) -> u32 {
        4
    }
}

impl Retro for LGame {
    /// A neutral piece may have come from any free square, after the L had been put where it is; the
    /// L came from any other place that nothing but itself stood on.
    fn predecessors(&self, state: &State, out: &mut Vec<State>) {
        let last = state.mover.other();
        let (own, enemy) = (state.l(last), state.l(state.mover));
        let free = !(own | enemy | state.neutrals);
        let mut lift = |neutrals: Board| {
            let blocked = enemy | neutrals;
            let others = PLACEMENTS.iter().filter(|&&l| l != own && l & blocked == 0);
            out.extend(others.map(|&l| {
                let mut ls = state.ls;
                ls[last.index() & 1] = l;
                State::new(ls, neutrals, last)
            }));
        };
        lift(state.neutrals);
        for to in squares(state.neutrals) {
            for from in squares(free) {
                lift(state.neutrals ^ (1 << to | 1 << from));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_game::conformance::Kit;

    #[test]
    fn conforms() {
        let kit = Kit::new().indexed().retro();
        kit.effort(2, 20).run(&LGame).unwrap();
    }

    /// 18,368 arrangements are common knowledge about the game.
    #[test]
    fn every_place_has_a_position_of_its_own() {
        assert_eq!(LGame.slice_len(()), Some(18_368));
        for index in 0..18_368 {
            let state = LGame.position_at((), index);
            assert_eq!(LGame.locate(&state), Some(((), index)));
            assert_eq!(state.neutrals.count_ones(), 2);
            assert!(PLACEMENTS.contains(&state.ls[0]) && PLACEMENTS.contains(&state.ls[1]));
            assert_eq!(state.ls[0] & state.ls[1], 0);
            assert_eq!((state.ls[0] | state.ls[1]) & state.neutrals, 0);
        }
    }
}
