//! Places of positions, as in Dao (Donkers et al. 2004, sections 2 and 6.1): one slice of 5 over 2
//! times 3 over 2, or 30, places; and moves taken back.

use std::sync::LazyLock;

use tabia_game::{Indexed, Player, Retro};

use super::{DoGuti, POINTS, STONES, State};
use crate::pairs::Pairs;

static PAIRS: LazyLock<Pairs> = LazyLock::new(|| Pairs::new(POINTS.len(), STONES));

impl Indexed for DoGuti {
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
        format!("{STONES}-{STONES}")
    }

    fn slice_size(&self, (): ()) -> u32 {
        2 * STONES as u32
    }
}

impl Retro for DoGuti {
    /// Whoever has moved could move, so no predecessor is a finished game.
    fn predecessors(&self, state: &State, out: &mut Vec<State>) {
        let last = state.mover.other();
        out.extend(state.moves(last).map(|back| state.after(last, back, last)));
    }
}
