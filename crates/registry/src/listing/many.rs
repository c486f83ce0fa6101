//! The engines of games for many players.

use tabia_game::Knowledge;
use tabia_game::options::{OptionError, OptionValues, Parameter};
use tabia_search::alphabeta;
use tabia_search::many::reduction::{
    Everybody, HandTurn, Nobody, OneOfAll, OneOfAllLegal, Replies,
};
use tabia_search::many::{self, MAX_PLAYERS, ManyPlayerGame, MaxN, MpMix, Reduced, ReducedMcts};
use tabia_search::mcts::{self, Mcts, WithoutChance};

#[cfg(feature = "conformance")]
use tabia_kit::Kit;

use super::{Listable, Listing, refuse_beyond_memory};
use crate::engine::{Built, Maker};
use crate::solving::guarantees;

/// Knowledge of a game as the options of an engine ask for it.
pub trait Knowing<K>:
    Fn(&OptionValues) -> Result<K, OptionError> + Clone + Send + Sync + 'static
{
}
impl<K, F: Fn(&OptionValues) -> Result<K, OptionError> + Clone + Send + Sync + 'static> Knowing<K>
    for F
{
}

impl<G: Listable> Listing<G> {
    /// Search for many players, with this knowledge of the game: max^n, paranoid search, BRS+,
    /// MP-Mix, and Monte-Carlo tree search.
    pub fn many_players<K>(self, knowledge: K) -> Self
    where
        G: ManyPlayerGame,
        K: Knowledge<G> + Clone + 'static,
    {
        self.many_players_with(&[], move |_: &OptionValues| Ok(knowledge.clone()))
    }

    /// The same, with knowledge that has options of its own.
    pub fn many_players_with<K>(mut self, own: &[Parameter], know: impl Knowing<K>) -> Self
    where
        G: ManyPlayerGame,
        K: Knowledge<G> + Clone + 'static,
    {
        self = self.with_guarantees(guarantees::<G>);
        self = self.reduced(Everybody, &many::PARANOID, own, know.clone());
        for preset in many::PRESETS {
            let know = know.clone();
            let build = move |game: &G, values: &OptionValues| -> Built<G> {
                let config = many::Config::from(values);
                refuse_beyond_memory(config.table)?;
                refuse_too_many(game.players())?;
                Ok(Box::new(MaxN::new(config, know(values)?)))
            };
            let parameters = [&preset.parameters(), own].concat();
            let maker = Maker::new(preset.name, preset.help, &parameters, build);
            self.makers.push(maker.limited());
        }
        let help = "MP-Mix: max^n, paranoid in the lead, against a leader behind";
        self.reduced(OneOfAllLegal, &many::BRS_PLUS, own, know.clone())
            .mixed(Everybody, "mpmix", help, own, know.clone())
            .sampled_by_many(own, know)
            .checks(
                #[cfg(feature = "conformance")]
                Kit::move_index,
            )
    }

    /// Searches that hand the turn to anybody by `hand_turn`, with this knowledge of the game:
    /// Best-Reply Search, also with Monte-Carlo tree search and in MP-Mix, and solo search.
    pub fn best_reply<H, K>(self, hand_turn: H, knowledge: K) -> Self
    where
        G: ManyPlayerGame,
        H: HandTurn<G> + Copy + 'static,
        K: Knowledge<G> + Clone + 'static,
    {
        self.best_reply_with(
            hand_turn,
            &[],
            move |_: &OptionValues| Ok(knowledge.clone()),
        )
    }

    /// The same, with knowledge that has options of its own.
    pub fn best_reply_with<H, K>(
        self,
        hand_turn: H,
        own: &[Parameter],
        know: impl Knowing<K>,
    ) -> Self
    where
        G: ManyPlayerGame,
        H: HandTurn<G> + Copy + 'static,
        K: Knowledge<G> + Clone + 'static,
    {
        let one_of_all = OneOfAll(hand_turn);
        let known = know.clone();
        let build = move |_: &G, values: &OptionValues| -> Built<G> {
            let engine = ReducedMcts::new(one_of_all, values.into(), values.into(), known(values)?);
            Ok(Box::new(engine))
        };
        let parameters = [mcts::PARAMETERS, &[many::LEAF], own].concat();
        let help = "Monte-Carlo tree search in which one opponent replies and the others pass";
        let sampled = Maker::new("brs-mcts", help, &parameters, build);
        let help = "MP-Mix with Best-Reply Search in the lead";
        let mut listing = self
            .reduced(one_of_all, &many::BRS, own, know.clone())
            .reduced(Nobody(hand_turn), &many::SOLO, own, know.clone())
            .mixed(one_of_all, "mpmix-brs", help, own, know);
        listing.makers.push(sampled.limited());
        listing.prefer("brs").checks(
            #[cfg(feature = "conformance")]
            |kit| kit.any_turn(hand_turn),
        )
    }

    fn reduced<R, K>(
        self,
        replies: R,
        preset: &alphabeta::Preset,
        own: &[Parameter],
        know: impl Knowing<K>,
    ) -> Self
    where
        G: ManyPlayerGame,
        R: Replies<G, K> + Copy + 'static,
        K: Knowledge<G> + Clone + 'static,
    {
        let own = [&[many::LEAF], own].concat();
        self.preset(preset, &own, move |values, config| {
            let engine = Reduced::new(replies, config, values.into(), know(values)?);
            Ok(Box::new(engine))
        })
    }

    fn mixed<R, K>(
        mut self,
        replies: R,
        name: &'static str,
        help: &'static str,
        own: &[Parameter],
        know: impl Knowing<K>,
    ) -> Self
    where
        G: ManyPlayerGame,
        R: Replies<G, K> + Copy + 'static,
        K: Knowledge<G> + Clone + 'static,
    {
        let build = move |game: &G, values: &OptionValues| -> Built<G> {
            let config = many::Config::from(values);
            let defence = alphabeta::Config {
                table: config.table,
                ..many::PARANOID.configure("")?
            };
            refuse_beyond_memory(config.table.saturating_mul(2))?;
            refuse_too_many(game.players())?;
            let engine = MpMix::new(replies, values.into(), config, defence, know(values)?);
            Ok(Box::new(engine))
        };
        let maxn = many::preset("maxn").map_or_else(Vec::new, |preset| preset.parameters());
        let parameters = [&maxn[..], many::MIX_PARAMETERS, own].concat();
        let maker = Maker::new(name, help, &parameters, build);
        self.makers.push(maker.limited());
        self
    }

    /// Monte-Carlo tree search in which every player maximises their own result.
    fn sampled_by_many<K>(mut self, own: &[Parameter], know: impl Knowing<K>) -> Self
    where
        G: ManyPlayerGame,
        K: Knowledge<G> + Clone + 'static,
    {
        let build = move |game: &G, values: &OptionValues| -> Built<G> {
            refuse_too_many(game.players())?;
            let (config, known) = (values.into(), know(values)?);
            let engine: Mcts<G, K, WithoutChance> = match game.players() {
                2 => Mcts::new(config, known),
                players => Mcts::for_each_player(config, known, players),
            };
            Ok(Box::new(engine))
        };
        let help = "Monte-Carlo tree search in which every player maximises their own result";
        let parameters = [mcts::PARAMETERS, own].concat();
        let maker = Maker::new("mcts", help, &parameters, build);
        self.makers.push(maker.aliases(&["uct"]).limited());
        self
    }
}

fn refuse_too_many(players: usize) -> Result<(), OptionError> {
    match players {
        0..=MAX_PLAYERS => Ok(()),
        _ => Err(OptionError::new(format!(
            "searches with a value for each player serve at most {MAX_PLAYERS} players, not \
             {players}"
        ))),
    }
}
