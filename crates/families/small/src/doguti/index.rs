//! Places of positions, as in Dao (Donkers et al. 2004, sections 2 and 6.1): one slice of 5 over 2
//! times 3 over 2, or 30, places; and moves taken back.

use std::sync::LazyLock;

use tabia_game::orbits::{Permutations, Sides};
use tabia_game::{Player, Retro, Symmetric};

use super::{Board, DoGuti, POINTS, STONES, State, map_point};
use crate::pairs::{Pairs, index_by_pairs};

static PAIRS: LazyLock<Pairs> = LazyLock::new(|| {
    let permutations = Permutations::new(POINTS.len(), DoGuti.symmetries(), map_point);
    Pairs::new(STONES, permutations)
});

impl Sides for State {
    type Set = Board;

    #[inline]
    fn sides(&self) -> [Board; 2] {
        [self.of(self.mover), self.of(self.mover.other())]
    }

    #[inline]
    fn from_sides(sides: [Board; 2]) -> State {
        State::new(sides, Player::FIRST)
    }
}

index_by_pairs!(DoGuti, PAIRS);

impl Retro for DoGuti {
    /// Whoever has moved could move, so no predecessor is a finished game.
    fn predecessors(&self, state: &State, out: &mut Vec<State>) {
        let last = state.mover.other();
        out.extend(state.moves(last).map(|back| state.after(last, back, last)));
    }
}
