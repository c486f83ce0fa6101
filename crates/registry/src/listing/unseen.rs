//! Engines that know no more than the player they move for, and games in which players choose at
//! the same time.

use tabia_equilibrium::Stacked;
use tabia_game::options::OptionValues;
use tabia_game::{Chance, Deterministic, Game, Knowledge, MoveIndex, Opened, Simultaneous};
use tabia_search::many::{self, ManyPlayerGame, PIMC_PARAMETERS, Pimc};
use tabia_search::mcts::{Throw, WithChance, WithoutChance};

#[cfg(feature = "conformance")]
use tabia_kit::Kit;

use super::{Listable, Listing, refuse_beyond_memory};
use crate::engine::{Built, Maker};

/// How perfect-information Monte Carlo searches the positions it draws.
const PIMC: many::Preset = many::Preset::new(
    "pimc",
    "perfect-information Monte Carlo: max^n of drawn positions, as if all were seen",
    many::PARAMETERS,
    &[
        ("ties", "total"),
        ("prune", "speculative"),
        ("deepening", "on"),
        ("table", "16M"),
        ("static", "on"),
    ],
);

impl<G: Listable> Listing<G> {
    /// Search of what the player to move has observed, with this knowledge of the game as it is
    /// played openly: information-set Monte-Carlo tree search, and perfect-information Monte Carlo.
    pub fn unseen<K>(mut self, knowledge: K) -> Self
    where
        G: Opened<Open: ManyPlayerGame> + MoveIndex + Game<Luck = Deterministic>,
        K: Knowledge<G::Open> + Clone + 'static,
    {
        let build = move |_: &G, values: &OptionValues| -> Built<G> {
            let config = many::Config::from(values);
            refuse_beyond_memory(config.table)?;
            let samples = u32::try_from(values.integer("samples")).unwrap_or(1);
            let seed = values.integer("seed").unsigned_abs();
            Ok(Box::new(Pimc::new(
                config,
                samples,
                seed,
                knowledge.clone(),
            )))
        };
        let parameters = [&PIMC.parameters(), PIMC_PARAMETERS].concat();
        let maker = Maker::new(PIMC.name, PIMC.help, &parameters, build);
        self = self.sampled_unseen::<WithoutChance>();
        self.makers.push(maker.limited());
        self.checks(
            #[cfg(feature = "conformance")]
            |kit| Kit::hidden(kit).move_index(),
        )
    }

    /// Two players choose at the same time, with chance between the choices: exact values by the
    /// matrices of all positions, and information-set Monte-Carlo tree search.
    pub fn simultaneous(self) -> Self
    where
        G: Stacked + Chance + MoveIndex,
    {
        self.chance()
            .joint_moves::<WithChance>()
            .solve_joint_moves()
    }

    /// Any number of players choose at the same time: information-set Monte-Carlo tree search, with
    /// chance or without.
    pub fn joint_moves<T>(self) -> Self
    where
        G: Simultaneous + MoveIndex,
        T: Throw<G> + 'static,
    {
        self.sampled_unseen::<T>().checks(
            #[cfg(feature = "conformance")]
            |kit| kit.move_index().hidden().simultaneous(),
        )
    }

    /// Exact values of joint choices of two players whose payoffs cancel out, with chance or
    /// without.
    pub fn solve_joint_moves(self) -> Self
    where
        G: Stacked,
    {
        self.with_exact_values(tabia_equilibrium::expectation::<G>)
            .checks(
                #[cfg(feature = "conformance")]
                |kit| kit.two_player().settled(),
            )
    }
}
