//! How a small game enters the catalog: by the same steps as any other, but behind an object.

use std::sync::Arc;

use tabia_game::options::{OptionError, OptionValues, Parameter};
use tabia_game::{
    Chance, Deterministic, Game, Knowledge, Luck, Perfect, Stochastic, Symmetric, TwoPlayer,
};
use tabia_search::chance::Regression;
use tabia_solve::certificate::Certifiable;
use tabia_tables::graph::Layable;

use super::shared::{self, GameClass};
use super::{Any, Boxable, Dynamic, DynamicKnowledge, HandTurn, Held, Rules, Two};
use crate::AnyGame;
use crate::graph::layout;
use crate::listing::Listing;
use crate::solving::Tables;
use crate::tables::{self, AnyTables, Tabled};

#[cfg(feature = "conformance")]
use tabia_kit::Kit;

/// Builds the entry of a game that shares its algorithms with others, see [`Dynamic`]. The methods
/// are those of [`Listing`].
pub struct SharedListing<G: Game, L: Luck + 'static, P: 'static> {
    game: Arc<G>,
    listing: Listing<Dynamic<L, P>>,
    #[cfg(feature = "conformance")]
    kit: Kit<G>,
}

impl<G> SharedListing<G, Deterministic, Two>
where
    G: Boxable + TwoPlayer + Game<Luck = Deterministic, Information = Perfect>,
{
    /// A game of two players.
    pub fn two(game: G) -> Self {
        SharedListing::of(game, |rules| rules).checks(
            #[cfg(feature = "conformance")]
            |kit| kit.two_player().move_index(),
        )
    }

    /// As [`Listing::alphabeta`].
    pub fn alphabeta<K: Knowledge<G> + 'static>(self, knowledge: K) -> Self {
        let knowledge = DynamicKnowledge::new::<G, K>(knowledge);
        self.with(|listing| shared::alphabeta(listing, knowledge))
    }

    /// As [`Listing::solve`].
    pub fn solve<K: Knowledge<G> + 'static>(self, knowledge: K) -> Self {
        let knowledge = DynamicKnowledge::new::<G, K>(knowledge);
        self.with(|listing| shared::solve(listing, knowledge))
    }

    /// As [`Listing::graph`].
    pub fn graph(mut self, passed: fn(&G::State) -> G::State) -> Self
    where
        G: Layable,
    {
        let (game, laid_out) = (Arc::clone(&self.game), layout(passed));
        self.listing = self.listing.with_graph(Box::new(move |_| laid_out(&game)));
        self.checks(
            #[cfg(feature = "conformance")]
            Kit::indexed,
        )
    }

    /// As [`Listing::tables`].
    pub fn tables(mut self) -> Self
    where
        G: Tabled,
    {
        self.listing.tables = Some(Box::new(tables::ErasedValues::new(Arc::clone(&self.game))));
        self.checks(
            #[cfg(feature = "conformance")]
            |kit| kit.indexed().classes().retro(),
        )
    }

    /// As [`Listing::solve_with_tables`].
    pub fn solve_with_tables<K: Knowledge<G> + 'static>(mut self, knowledge: K) -> Self
    where
        G: Tabled + Certifiable,
    {
        let knowledge = DynamicKnowledge::new::<G, K>(knowledge);
        let tables = || Box::new(Tables::new(Arc::clone(&self.game), view::<G>));
        let solver = shared::solver_with_tables(tables(), knowledge);
        let checker = shared::checker_with_tables(tables());
        self.listing = self.listing.solved_by(solver, Some(checker));
        self.tables()
    }
}

/// The typed position. Positions of a game behind an object are all of its own type.
fn view<G: Boxable>(state: &super::game::State) -> Option<&G::State> {
    Held::<G>::of(state.position()).map(Held::state)
}

impl<G> SharedListing<G, Stochastic, Two>
where
    G: Boxable + TwoPlayer + Chance + Game<Information = Perfect>,
{
    /// A game of two players with chance, whose outcomes can be listed.
    pub fn two_with_chance(game: G) -> Self {
        SharedListing::of(game, Rules::with_chance).checks(
            #[cfg(feature = "conformance")]
            |kit| kit.two_player().move_index().chance(),
        )
    }

    /// As [`Listing::regressions`].
    pub fn regressions(self, known: &'static [Regression]) -> Self {
        self.with(|listing| listing.regressions(known))
    }

    /// As [`Listing::star_minimax`].
    pub fn star_minimax<K: Knowledge<G> + 'static>(self, knowledge: K) -> Self {
        let knowledge = DynamicKnowledge::new::<G, K>(knowledge);
        self.with(|listing| shared::star_minimax(listing, knowledge))
    }

    /// As [`Listing::expectation`].
    pub fn expectation(self) -> Self {
        self.with(shared::expectation)
    }
}

impl<G> SharedListing<G, Deterministic, Any>
where
    G: Boxable + Game<Luck = Deterministic, Information = Perfect>,
{
    /// A game of many players in which `hand_turn` hands the turn to any of them.
    pub fn many(game: G, hand_turn: HandTurn<G>) -> Self {
        SharedListing::of(game, |rules| rules.with_any_turn(hand_turn)).checks(
            #[cfg(feature = "conformance")]
            |kit| kit.move_index().any_turn(hand_turn),
        )
    }

    /// As [`Listing::many_players_with`] and [`Listing::best_reply_with`].
    pub fn many_players_with<K: Knowledge<G> + 'static>(
        self,
        own: &[Parameter],
        know: impl Fn(&OptionValues) -> Result<K, OptionError> + Clone + Send + Sync + 'static,
    ) -> Self {
        let know = move |values: &OptionValues| Ok(DynamicKnowledge::new::<G, K>(know(values)?));
        self.with(|listing| shared::many_players(listing, own, Arc::new(know)))
    }
}

impl<G: Boxable, L: Luck + 'static, P: 'static> SharedListing<G, L, P>
where
    Dynamic<L, P>: GameClass,
{
    fn of(game: G, rules: impl FnOnce(Rules<G>) -> Rules<G>) -> Self {
        let game = Arc::new(game);
        SharedListing {
            listing: Dynamic::new(rules(Rules::new(Arc::clone(&game)))).listing(),
            game,
            #[cfg(feature = "conformance")]
            kit: Kit::new().key().text().text_key().draw(),
        }
    }

    /// A step of [`Listing`] that asks nothing of the typed game, such as an engine of any game:
    /// `.with(|listing| listing.engine(maker))`.
    pub fn with(
        mut self,
        step: impl FnOnce(Listing<Dynamic<L, P>>) -> Listing<Dynamic<L, P>>,
    ) -> Self {
        self.listing = step(self.listing);
        self
    }

    fn checks(
        #[cfg_attr(not(feature = "conformance"), expect(unused_mut))] mut self,
        #[cfg(feature = "conformance")] add: impl FnOnce(Kit<G>) -> Kit<G>,
    ) -> Self {
        #[cfg(feature = "conformance")]
        {
            self.kit = add(self.kit);
        }
        self
    }

    /// As [`Listing::symmetric`].
    pub fn symmetric(mut self) -> Self
    where
        G: Symmetric,
    {
        self.listing.symmetries = self.game.symmetries();
        self.checks(
            #[cfg(feature = "conformance")]
            Kit::symmetric,
        )
    }

    /// As [`Listing::own_tables`].
    pub fn own_tables(mut self, tables: impl FnOnce(&Arc<G>) -> Box<dyn AnyTables>) -> Self {
        self.listing.tables = Some(tables(&self.game));
        self
    }

    /// As [`Listing::prefer`].
    pub fn prefer(self, name: &str) -> Self {
        self.with(|listing| listing.prefer(name))
    }

    /// As [`Listing::boxed`]. The conformance kit looks at the game itself and at the game behind
    /// the object.
    pub fn boxed(self) -> Box<dyn AnyGame> {
        #[cfg(feature = "conformance")]
        let listing = {
            let (mut listing, game, kit) = (self.listing, self.game, self.kit);
            listing.typed_kit = Some(Box::new(move |plays, longest| {
                kit.effort(plays, longest).run(&game)
            }));
            listing
        };
        #[cfg(not(feature = "conformance"))]
        let listing = self.listing;
        GameClass::boxed(listing)
    }
}
