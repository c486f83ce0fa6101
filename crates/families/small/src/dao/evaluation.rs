//! What a search may know about Dao: how near either side is to a winning configuration.
//!
//! The evaluation of Donkers et al. (2004, section 7.1) without its random part: configurations I
//! to IV of which exactly three pieces stand. The paper does not say whose; here it is those of the
//! player less those of the enemy.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Player};

use super::{Board, Dao, PATTERNS, PIECES, State};

/// What a configuration is worth of which three pieces stand. There are never as many as ten.
const THREE: i32 = CERTAIN / 10;

/// Winning configurations that lack one piece.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreeOfFour;

impl ThreeOfFour {
    /// How many of configurations I to IV have exactly three of a player's pieces.
    pub fn count(self, state: &State, player: Player) -> u32 {
        let own = state.of(player);
        let three = |pattern: &&Board| (**pattern & own).count() == PIECES - 1;
        PATTERNS.iter().filter(three).count() as u32
    }
}

impl Knowledge<Dao> for ThreeOfFour {
    fn evaluate(&self, _: &Dao, state: &State, player: Player) -> i32 {
        let count = |player| self.count(state, player) as i32;
        THREE * (count(player) - count(player.other()))
    }
}
