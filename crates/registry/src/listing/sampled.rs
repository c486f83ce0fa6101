//! The players by random games: every game that a full-width search serves has them, too.

use tabia_game::options::{OptionError, OptionValues, Parameter};
use tabia_game::{Hidden, Knowledge, MoveIndex, TwoPlayer, Uninformed};
use tabia_search::mcts::{self, Flat, HiddenMcts, Mcts, Playable, Throw};

use super::{Listable, Listing};
use crate::engine::{Built, Maker};

impl<G: Listable> Listing<G> {
    /// Monte-Carlo tree search, with knowledge of the game that has options of its own.
    pub(super) fn sampled_with<K, T, F>(mut self, own: &[Parameter], know: F) -> Self
    where
        G: Playable + TwoPlayer,
        K: Knowledge<G> + 'static,
        T: Throw<G> + 'static,
        F: Fn(&OptionValues) -> Result<K, OptionError> + Clone + Send + Sync + 'static,
    {
        let knowing = know.clone();
        let build = move |_: &G, values: &OptionValues| -> Built<G> {
            let engine: Mcts<G, K, T> = Mcts::new(values.into(), knowing(values)?);
            Ok(Box::new(engine))
        };
        let parameters = [mcts::PARAMETERS, own].concat();
        let maker = Maker::new("mcts", "Monte-Carlo tree search", &parameters, build);
        self.makers.push(maker.aliases(&["uct"]).limited());
        let build = move |_: &G, values: &OptionValues| -> Built<G> {
            let engine: Flat<K, T> = Flat::new(values.into(), know(values)?);
            Ok(Box::new(engine))
        };
        let parameters = [mcts::FLAT_PARAMETERS, own].concat();
        let help = "random games of every move, with progressive pruning";
        let maker = Maker::new("flat", help, &parameters, build);
        self.makers.push(maker.limited());
        self
    }

    /// Monte-Carlo tree search of what the player to move has observed.
    pub(super) fn sampled_unseen<T>(mut self) -> Self
    where
        G: Hidden + MoveIndex,
        T: Throw<G> + 'static,
    {
        let build = |_: &G, values: &OptionValues| -> Built<G> {
            let engine = HiddenMcts::<G, _, T>::from_values(values, Uninformed);
            Ok(Box::new(engine))
        };
        let parameters = [mcts::PARAMETERS, &[mcts::SAMPLES]].concat();
        let help = "Monte-Carlo tree search over information sets, or over drawn positions";
        let maker = Maker::new("ismcts", help, &parameters, build);
        self.makers.push(maker.limited());
        self.hidden()
    }
}
