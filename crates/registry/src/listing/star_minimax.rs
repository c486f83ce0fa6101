//! Engines that search trees with chance nodes: of a game, or of what a player sees of it.

use tabia_game::options::{OptionError, OptionValues, Parameter};
use tabia_game::{Deterministic, Game, Knowledge, MoveIndex};
use tabia_search::chance::{self, ChanceGame, Regression, StarMinimax};
use tabia_search::mcts::WithoutChance;
use tabia_search::{Believed, Engine, OnBelief};

#[cfg(feature = "conformance")]
use tabia_kit::Kit;

use super::{Listable, Listing, refuse_beyond_memory};
use crate::engine::{Built, Maker};

impl<G: Listable> Listing<G> {
    /// Search in trees with chance nodes in all its presets, of what the player to move sees, with
    /// this knowledge of it.
    pub fn star_minimax_on_belief<K>(mut self, knowledge: K) -> Self
    where
        G: Believed<Belief: ChanceGame> + MoveIndex + Game<Luck = Deterministic>,
        K: Knowledge<G::Belief> + Clone + 'static,
    {
        let know = move |_: &OptionValues| Ok(knowledge.clone());
        self.add_star_minimax(&[], know, |engine| Box::new(OnBelief(engine)));
        self.sampled_unseen::<WithoutChance>().checks(
            #[cfg(feature = "conformance")]
            Kit::hidden,
        )
    }

    /// Engines that are added after this know how deep values follow from shallow ones, for
    /// ChanceProbCut.
    pub fn regressions(mut self, known: &'static [Regression]) -> Self {
        self.regressions = known;
        self
    }

    /// Adds all presets of the search, with knowledge that has options of its own, as engines of
    /// this game.
    pub(super) fn add_star_minimax<K, F>(
        &mut self,
        own: &[Parameter],
        know: F,
        engine: fn(StarMinimax<K, f64>) -> Box<dyn Engine<G>>,
    ) where
        K: 'static,
        F: Fn(&OptionValues) -> Result<K, OptionError> + Clone + Send + Sync + 'static,
    {
        let regressions = self.regressions;
        for preset in chance::PRESETS {
            let know = know.clone();
            let build = move |_: &G, values: &OptionValues| -> Built<G> {
                let config = chance::Config::from(values);
                refuse_beyond_memory(config.table)?;
                if config.probcut.is_some() && regressions.is_empty() {
                    return Err(OptionError::new(
                        "probcut: nothing is known of how deep values of this game or board follow \
                         from shallow ones",
                    ));
                }
                let search = StarMinimax::new(config, know(values)?);
                Ok(engine(search.with_regressions(regressions)))
            };
            let parameters = [&preset.parameters(), own].concat();
            let maker = Maker::new(preset.name, preset.help, &parameters, build);
            self.makers.push(maker.limited());
        }
    }
}
