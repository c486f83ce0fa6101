//! The instantiations that all games behind an object share.
//!
//! Nothing here is generic, so that it is compiled in this crate, once, and not again in every
//! family that lists such a game.

use tabia_game::options::{OptionError, OptionValues, Parameter};
use tabia_game::{Deterministic, Stochastic};

use super::{Any, Dynamic, DynamicKnowledge, Two};
use crate::AnyGame;
use crate::certificates::{Checker, check_with_tables};
use crate::listing::Listing;
use crate::solving::{SolveFn, Tabulated, by_search_and_tables};

pub(super) type TwoPlayers = Dynamic<Deterministic, Two>;
pub(super) type TwoPlayersWithChance = Dynamic<Stochastic, Two>;
pub(super) type ManyPlayers = Dynamic<Deterministic, Any>;

/// The classes of games behind an object.
pub trait GameClass: Sized + 'static {
    /// [`Listing::new`].
    fn listing(self) -> Listing<Self>
    where
        Self: tabia_game::Game;
    /// [`Listing::boxed`].
    fn boxed(listing: Listing<Self>) -> Box<dyn AnyGame>
    where
        Self: tabia_game::Game;
}

macro_rules! classes {
    ($($class:ty),*) => {$(
        impl GameClass for $class {
            #[inline(never)]
            fn listing(self) -> Listing<Self> {
                Listing::new(self)
            }

            #[inline(never)]
            fn boxed(listing: Listing<Self>) -> Box<dyn AnyGame> {
                listing.boxed()
            }
        }
    )*};
}

classes!(TwoPlayers, TwoPlayersWithChance, ManyPlayers);

#[inline(never)]
pub(super) fn alphabeta(
    listing: Listing<TwoPlayers>,
    knowledge: DynamicKnowledge,
) -> Listing<TwoPlayers> {
    listing.alphabeta(knowledge)
}

#[inline(never)]
pub(super) fn solve(
    listing: Listing<TwoPlayers>,
    knowledge: DynamicKnowledge,
) -> Listing<TwoPlayers> {
    listing.solve(knowledge)
}

#[inline(never)]
pub(super) fn solver_with_tables(
    tables: Box<dyn Tabulated<TwoPlayers>>,
    knowledge: DynamicKnowledge,
) -> SolveFn<TwoPlayers> {
    by_search_and_tables(tables, knowledge)
}

#[inline(never)]
pub(super) fn checker_with_tables(tables: Box<dyn Tabulated<TwoPlayers>>) -> Checker<TwoPlayers> {
    check_with_tables(tables)
}

#[inline(never)]
pub(super) fn star_minimax(
    listing: Listing<TwoPlayersWithChance>,
    knowledge: DynamicKnowledge,
) -> Listing<TwoPlayersWithChance> {
    listing.star_minimax(knowledge)
}

#[inline(never)]
pub(super) fn expectation(listing: Listing<TwoPlayersWithChance>) -> Listing<TwoPlayersWithChance> {
    listing.expectation()
}

/// Knowledge as the options of an engine ask for it.
pub(super) type Know =
    std::sync::Arc<dyn Fn(&OptionValues) -> Result<DynamicKnowledge, OptionError> + Send + Sync>;

#[inline(never)]
pub(super) fn many_players(
    listing: Listing<ManyPlayers>,
    own: &[Parameter],
    know: Know,
) -> Listing<ManyPlayers> {
    let know = move |values: &OptionValues| know(values);
    let listing = listing.many_players_with(own, know.clone());
    listing.best_reply_with(ManyPlayers::hand_turn, own, know)
}
