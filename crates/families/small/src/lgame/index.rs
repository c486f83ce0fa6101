//! Places of positions and moves taken back.
//!
//! There is one slice of 18,368 places: 656 pairs of Ls apart from each other, the mover's first,
//! times the 28 pairs of neutral pieces on the eight squares that are left.

use std::sync::LazyLock;

use tabia_game::combinatorics::{Binomials, spread, squeeze};
use tabia_game::{Classes, Indexed, Player, Retro};

use super::{Board, GRID, LGame, PLACEMENTS, SQUARES, State, map_board, squares};

const NEUTRALS: usize = 2;
/// Squares without an L.
const LEFT: usize = SQUARES - 8;

static NUMBERS: LazyLock<Numbers> = LazyLock::new(Numbers::new);

struct Numbers {
    /// The Ls that lie apart from each other, in ascending order.
    pairs: Vec<[Board; 2]>,
    /// Those of them that are the least of their images.
    least: Vec<[Board; 2]>,
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
        let is_least = |pair: &&[Board; 2]| least_image(**pair).0 == **pair;
        Numbers {
            least: pairs.iter().filter(is_least).copied().collect(),
            pairs,
            binomials: Binomials::new(LEFT),
        }
    }

    /// How many places there are for two neutral pieces.
    fn neutrals(&self) -> u64 {
        self.binomials.choose(LEFT, NEUTRALS)
    }

    /// The number of two Ls, which must be among these, and the neutral pieces.
    fn number(&self, pairs: &[[Board; 2]], pair: [Board; 2], neutrals: Board) -> Option<u64> {
        let pair_number = pairs.binary_search(&pair).ok()? as u64;
        let free = squeeze(u64::from(neutrals), u64::from(pair[0] | pair[1]));
        Some(pair_number * self.neutrals() + self.binomials.rank(free))
    }

    /// The position with a number, the first player to move.
    fn position(&self, pairs: &[[Board; 2]], number: u64) -> State {
        let pair = (number / self.neutrals()) as usize % pairs.len();
        let ls = pairs[pair];
        let free: u64 = self
            .binomials
            .unrank(number % self.neutrals(), LEFT, NEUTRALS);
        let neutrals = spread(free, u64::from(ls[0] | ls[1])) as Board;
        State::new(ls, neutrals, Player::FIRST)
    }
}

/// The least image of two Ls, and the symmetry that leads to it. No L is its own image, so there is
/// only one.
fn least_image(pair: [Board; 2]) -> ([Board; 2], usize) {
    let image = |symmetry| (pair.map(|l| map_board(l, symmetry)), symmetry);
    (1..GRID.symmetries()).fold((pair, 0), |least, symmetry| least.min(image(symmetry)))
}

/// The numbers of classes: of the least images of two Ls, times the places of the neutral pieces.
pub struct LeastLs;

impl Classes<State> for LeastLs {
    fn number(&self, state: &State) -> u64 {
        let pair = [state.l(state.mover), state.l(state.mover.other())];
        let (least, symmetry) = least_image(pair);
        NUMBERS
            .number(&NUMBERS.least, least, map_board(state.neutrals, symmetry))
            .unwrap_or(0)
    }

    fn member(&self, number: u64) -> State {
        NUMBERS.position(&NUMBERS.least, number)
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
    type Classes = LeastLs;

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
        let number = NUMBERS.number(&NUMBERS.pairs, pair, state.neutrals)?;
        Some(((), number))
    }

    fn position_at(&self, (): (), index: u64) -> State {
        NUMBERS.position(&NUMBERS.pairs, index)
    }

    fn slice_text(&self, (): ()) -> String {
        "all".to_string()
    }

    fn slice_size(&self, (): ()) -> u32 {
        4
    }

    fn class_count(&self, (): ()) -> Option<u64> {
        Some(NUMBERS.least.len() as u64 * NUMBERS.neutrals())
    }

    fn class_bytes(&self, (): ()) -> Option<u64> {
        Some(0)
    }

    fn classes(&self, (): ()) -> Option<LeastLs> {
        Some(LeastLs)
    }
}

impl Retro for LGame {
    /// A neutral piece may have come from any free square, after the L had been put where it is;
    /// the L came from any other place that nothing but itself stood on.
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
    use tabia_kit::Kit;

    #[test]
    fn conforms() {
        let kit = Kit::new().indexed().retro();
        kit.effort(2, 20).run(&LGame).unwrap();
    }

    /// 18,368 arrangements are common knowledge about the game.
    #[test]
    fn every_place_has_a_position_of_its_own() {
        assert_eq!(LGame.slice_len(()), Some(18_368));
        // A known count, too: an eighth, since no position is its own image.
        assert_eq!(LGame.class_count(()), Some(2_296));
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
