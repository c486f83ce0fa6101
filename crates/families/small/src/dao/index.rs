//! Places of positions (Donkers et al. 2004, section 6.1), and moves taken back.
//!
//! There is one slice of 16 over 4 times 12 over 4, or 900,900, places: the number of the mover's
//! four points among sixteen, then that of the enemy's among the twelve others. Positions in which
//! the game is over have places like all others.

use std::sync::LazyLock;

use tabia_game::bits::Bits;
use tabia_game::orbits::{Permutations, Sides};
use tabia_game::{Game, Player, Retro, Turn};

use super::{Board, Dao, GRID, NEXT, PIECES, POINTS, State, map_point};
use crate::pairs::{Pairs, index_by_pairs};

static PAIRS: LazyLock<Pairs> = LazyLock::new(|| {
    let permutations = Permutations::new(POINTS, GRID.symmetries(), map_point);
    Pairs::new(PIECES, permutations)
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

index_by_pairs!(Dao, PAIRS);

impl Retro for Dao {
    /// The piece that has moved would have gone on if it could, so what lies ahead of it is
    /// blocked; it came from any of the free points behind it.
    fn predecessors(&self, state: &State, out: &mut Vec<State>) {
        let last = state.mover.other();
        let blocked = state.blocked();
        for to in state.of(last).iter() {
            for (direction, ahead) in NEXT.iter().enumerate() {
                let behind = &NEXT[direction ^ 1];
                let mut from = behind[to];
                while blocked.has(ahead[to]) && !blocked.has(from) {
                    let mut pieces = state.pieces;
                    pieces[last.index() & 1] ^= Board::bit(from) | Board::bit(to);
                    let before = State::new(pieces, last);
                    if self.turn(&before) != Turn::Over {
                        out.push(before);
                    }
                    from = behind[from];
                }
            }
        }
    }
}
