//! What a search may know about Fanorona: who has more pieces (Schadd 2011, section 4.3).

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Player};

use super::{Chain, Fanorona, State};

/// The difference in material, as a share of all pieces left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl<B: Bits> Knowledge<Fanorona<B>> for Material {
    fn evaluate(&self, _: &Fanorona<B>, state: &State<B>, player: Player) -> i32 {
        let [own, other] = [player, player.other()].map(|p| state.pieces[p.index()].count() as i32);
        (CERTAIN - 1) / 2 * (own - other) / (own + other).max(1)
    }

    /// Long chains first.
    fn priority(&self, _: &Fanorona<B>, _: &State<B>, mv: Chain<B>) -> i32 {
        mv.length().min(40) as i32
    }

    fn is_tactical(&self, _: &Fanorona<B>, _: &State<B>, mv: Chain<B>) -> bool {
        mv.length() > 0
    }
}
