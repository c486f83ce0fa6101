//! Places of positions (Donkers et al. 2004, section 6.1), and moves taken back.
//!
//! There is one slice of 16 over 4 times 12 over 4, or 900,900, places: the number of the mover's
//! four points among sixteen, then that of the enemy's among the twelve others. Positions in which
//! the game is over have places like all others.

use std::sync::LazyLock;

use tabia_game::bits::Bits;
use tabia_game::{Game, Indexed, Player, Retro, Turn};

use super::{Board, Dao, NEXT, PIECES, POINTS, State};
use crate::pairs::Pairs;

static PAIRS: LazyLock<Pairs> = LazyLock::new(|| Pairs::new(POINTS, PIECES));

impl Indexed for Dao {
    type Slice = ();

    fn slices(&self) -> Vec<()> {
        vec![()]
    }

    fn slice_len(&self, (): ()) -> Option<u64> {
        Some(PAIRS.len())
    }

    fn next_slices(&self, (): ()) -> Vec<()> {
        vec![()]
    }

    fn locate(&self, state: &State) -> Option<((), u64)> {
        let (own, enemy) = (state.of(state.mover), state.of(state.mover.other()));
        Some(((), PAIRS.rank(own, enemy)))
    }

    fn position_at(&self, (): (), index: u64) -> State {
        State::new(PAIRS.unrank(index), Player::FIRST)
    }

    fn slice_text(&self, (): ()) -> String {
        format!("{PIECES}-{PIECES}")
    }

    fn slice_size(&self, (): ()) -> u32 {
        2 * PIECES as u32
    }
}

impl Retro for Dao {
    /// The piece that has moved would have gone on if it could, so what lies ahead of it is blocked;
    /// it came from any of the free points behind it.
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
