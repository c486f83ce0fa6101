//! How a typed game enters the catalog, and what is left of it behind [`AnyGame`].

mod any_game;
mod array_and_rules;
mod many;
mod sampled;
mod star_minimax;
mod sums;
mod unseen;

pub use any_game::{AnyGame, Traits};
pub use array_and_rules::{UCT, learnt};
pub use sums::SumPlayer;

use std::hash::Hash;
use std::sync::Arc;

use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_game::{
    Chance, Draw, Game, GameRng, Hidden, Information, Key, Knowledge, Seed, SizeError, Symmetric,
    Text, TwoPlayer,
};
use tabia_search::alphabeta::{self, AlphaBeta, AlphaBetaGame, Config};
use tabia_search::chance::{ChanceGame, Regression};
use tabia_search::mcts::{WithChance, WithoutChance};
use tabia_search::{Greedy, Random, luck};
use tabia_solve::Settled;
use tabia_solve::expectation::expectation;
use tabia_tables::graph::Layable;

use crate::certificates::{self, Checker};
use crate::engine::{Built, Maker};
use crate::facet::{DealFn, ExpectationFn, Of, SolverAndChecker};
use crate::graph::{LayoutFn, layout};
use crate::progress::{DrawOutcome, Secrets};
use crate::rollouts::{LuckFn, RolloutFn, RolloutJob, roll_out};
use crate::single_agent::{Boards, SeekFn};
use crate::solving::{
    ClassKeyFn, GuaranteesFn, Provable, SolveFn, Tables, by_search, by_search_and_sight,
    by_search_and_tables,
};
use crate::tables::{self, AnyTables, ChanceTabled, Tabled};

#[cfg(feature = "conformance")]
use tabia_kit::{Kit, Violation};

/// What a listed game must at least have.
pub trait Listable: Key + Text + Draw + 'static {}
impl<G: Key + Text + Draw + 'static> Listable for G {}

#[cfg(feature = "conformance")]
type TypedKit = Box<dyn FnOnce(u32, usize) -> Result<(), Violation> + Send + Sync>;

/// Builds the entry of a game: each method adds a capability or an engine, and its bounds say
/// what the game must implement for it.
pub struct Listing<G: Game> {
    game: Arc<G>,
    pub(crate) symmetries: usize,
    class_key: Option<ClassKeyFn<G>>,
    roll: Option<DrawOutcome<G>>,
    secrets: Option<Secrets<G>>,
    /// The engines.
    pub makers: Vec<Maker<G>>,
    deals: Option<Of<G, DealFn<G>>>,
    pub(crate) lines: Option<Of<G, SeekFn<G>>>,
    pub(crate) boards: Option<Boards<G>>,
    pub(crate) graph: Option<Of<G, LayoutFn<G>>>,
    pub(crate) tables: Option<Box<dyn AnyTables>>,
    solving: Option<Of<G, SolverAndChecker<G>>>,
    exact_values: Option<Of<G, ExpectationFn<G>>>,
    guarantees: Option<Of<G, GuaranteesFn<G>>>,
    rollouts: Option<Of<G, RolloutFn<G>>>,
    luck: Option<Of<G, LuckFn<G>>>,
    regressions: &'static [Regression],
    #[cfg(feature = "conformance")]
    kit: Kit<G>,
    /// The checks of the typed game behind an object.
    #[cfg(feature = "conformance")]
    pub(crate) typed_kit: Option<TypedKit>,
}

impl<G: Listable> Listing<G> {
    /// A game that can be played and shown.
    pub fn new(game: G) -> Listing<G> {
        Listing {
            game: Arc::new(game),
            symmetries: 1,
            class_key: None,
            roll: None,
            secrets: None,
            makers: Vec::new(),
            deals: None,
            lines: None,
            boards: None,
            graph: None,
            tables: None,
            solving: None,
            exact_values: None,
            guarantees: None,
            rollouts: None,
            luck: None,
            regressions: &[],
            #[cfg(feature = "conformance")]
            kit: Kit::new().key().text().text_key().draw(),
            #[cfg(feature = "conformance")]
            typed_kit: None,
        }
    }

    /// The board has symmetries.
    pub fn symmetric(mut self) -> Self
    where
        G: Symmetric,
    {
        self.symmetries = self.game.symmetries();
        self.with_classes(Arc::new(G::class_key)).checks(
            #[cfg(feature = "conformance")]
            Kit::symmetric,
        )
    }

    /// Solvers may search images of one another once.
    pub(crate) fn with_classes(mut self, class_key: ClassKeyFn<G>) -> Self {
        if let Some(solving) = &mut self.solving {
            solving.work_mut().class_key = Some(Arc::clone(&class_key));
        }
        self.class_key = Some(class_key);
        self
    }

    /// Chance events can be drawn.
    pub fn chance(mut self) -> Self
    where
        G: Chance,
    {
        self.roll = Some(|game, state, rng: &mut GameRng| game.sample_outcome(state, rng));
        self.checks(
            #[cfg(feature = "conformance")]
            Kit::chance,
        )
    }

    /// Where games begin is drawn like this, unless the options have fixed it.
    pub fn dealt_unless(mut self, fixed: bool, deal: DealFn<G>) -> Self {
        self.deals = (!fixed).then(|| Of::new(&self.game, deal));
        self
    }

    /// Something is hidden: sessions tell what one player has observed.
    pub fn hidden(mut self) -> Self
    where
        G: Hidden,
    {
        self.secrets = Some(Secrets::of());
        self
    }

    /// Alpha-beta search in all its presets, with this knowledge of the game.
    pub fn alphabeta<K>(self, knowledge: K) -> Self
    where
        G: AlphaBetaGame,
        K: Knowledge<G> + Clone + 'static,
    {
        self.alphabeta_with(&[], move |_| Ok(knowledge.clone()))
    }

    /// The same, with knowledge that has options of its own.
    pub fn alphabeta_with<K, F>(mut self, own: &[Parameter], know: F) -> Self
    where
        G: AlphaBetaGame,
        K: Knowledge<G> + 'static,
        F: Fn(&OptionValues) -> Result<K, OptionError> + Clone + Send + Sync + 'static,
    {
        for preset in alphabeta::PRESETS {
            let know = know.clone();
            self = self.preset(preset, own, move |values, config| {
                Ok(Box::new(AlphaBeta::new(config, know(values)?)))
            });
        }
        let listing = self.greedy_with(own, know.clone());
        listing
            .sampled_with::<K, WithoutChance, F>(own, know)
            .checks(
                #[cfg(feature = "conformance")]
                |kit| kit.two_player().move_index(),
            )
    }

    /// The greedy player, with knowledge that has options of its own.
    fn greedy_with<K>(
        self,
        own: &[Parameter],
        know: impl Fn(&OptionValues) -> Result<K, OptionError> + Send + Sync + 'static,
    ) -> Self
    where
        G: AlphaBetaGame,
        K: Knowledge<G> + 'static,
    {
        let build = move |_: &G, values: &OptionValues| -> Built<G> {
            Ok(Box::new(Greedy::new(know(values)?)))
        };
        let help = "the move after which the position looks best: a search of one ply";
        self.engine(Maker::new("greedy", help, own, build).limited())
    }

    /// One more preset of alpha-beta search, with options of its own.
    pub fn preset(
        mut self,
        preset: &alphabeta::Preset,
        own: &[Parameter],
        build: impl Fn(&OptionValues, Config) -> Built<G> + Send + Sync + 'static,
    ) -> Self {
        let build = move |_: &G, values: &OptionValues| -> Built<G> {
            let config = Config::from(values);
            refuse_beyond_memory(config.table)?;
            build(values, config)
        };
        let parameters = [&preset.parameters(), own].concat();
        let maker = Maker::new(preset.name, preset.help, &parameters, build);
        self.makers.push(maker.limited());
        self
    }

    /// Search in trees with chance nodes in all its presets, with this knowledge of the game.
    pub fn star_minimax<K>(self, knowledge: K) -> Self
    where
        G: ChanceGame,
        K: Knowledge<G> + Clone + 'static,
    {
        self.star_minimax_with(&[], move |_| Ok(knowledge.clone()))
    }

    /// The same, with knowledge that has options of its own.
    pub fn star_minimax_with<K, F>(mut self, own: &[Parameter], know: F) -> Self
    where
        G: ChanceGame,
        K: Knowledge<G> + 'static,
        F: Fn(&OptionValues) -> Result<K, OptionError> + Clone + Send + Sync + 'static,
    {
        if let Ok(knowledge) =
            OptionValues::parse("rollout", "", own).and_then(|values| know(&values))
        {
            let knowledge = Arc::new(knowledge);
            let known = Arc::clone(&knowledge);
            let roller = move |game: &G, state: &G::State, job: &RolloutJob<'_>| {
                roll_out(game, state, &*knowledge, job)
            };
            let teller =
                move |game: &G, state: &G::State, outcome| luck(game, state, &*known, outcome);
            self.rollouts = Some(Of::new(&self.game, Box::new(roller)));
            self.luck = Some(Of::new(&self.game, Box::new(teller)));
        }
        self.add_star_minimax(own, know.clone(), |engine| Box::new(engine));
        self.sampled_with::<K, WithChance, F>(own, know)
            .chance()
            .checks(
                #[cfg(feature = "conformance")]
                |kit| kit.two_player().move_index(),
            )
    }

    /// Small positions have exact values.
    pub fn expectation(self) -> Self
    where
        G: TwoPlayer + Chance + Game<State: Hash>,
    {
        self.with_exact_values(expectation::<G>)
    }

    /// It is small enough to be laid out as a graph. `passed` gives the position with the same
    /// pieces and the other side to move.
    pub fn graph(self, passed: fn(&G::State) -> G::State) -> Self
    where
        G: Layable,
    {
        let layout = layout(passed);
        self.with_graph(layout).checks(
            #[cfg(feature = "conformance")]
            Kit::indexed,
        )
    }

    /// Tables can be built of its positions.
    pub fn tables(mut self) -> Self
    where
        G: Tabled,
    {
        self.tables = Some(Box::new(tables::ErasedValues::new(Arc::clone(&self.game))));
        self.checks(
            #[cfg(feature = "conformance")]
            |kit| kit.indexed().classes().retro(),
        )
    }

    /// Tables of probabilities can be built of its positions, if there are slices of them.
    pub fn chance_tables(mut self) -> Self
    where
        G: ChanceTabled,
    {
        if !self.game.slices().is_empty() {
            self.tables = Some(Box::new(tables::ErasedChances::new(Arc::clone(&self.game))));
        }
        self
    }

    /// Its positions can be solved by search, with this knowledge of the game, and certified.
    pub fn solve<K>(self, knowledge: K) -> Self
    where
        G: Provable,
        K: Knowledge<G> + Clone + 'static,
    {
        self.solved_by(by_search(knowledge), Some(Box::new(certificates::check)))
    }

    /// Its positions can be solved by search and by what is known of them at sight, and certified.
    /// The evaluation counts double with every `unit`.
    pub fn solve_with_sight<S, K>(self, sight: S, knowledge: K, unit: i32) -> Self
    where
        G: Provable,
        S: Settled<G> + Copy + Send + 'static,
        K: Knowledge<G> + Clone + 'static,
    {
        let checker = certificates::check_with_sight(sight);
        self.solved_by(by_search_and_sight(sight, knowledge, unit), Some(checker))
    }

    /// Its positions can be solved by search and by tables, and certified.
    pub fn solve_with_tables<K>(self, knowledge: K) -> Self
    where
        G: Provable + Tabled,
        K: Knowledge<G> + Clone + 'static,
    {
        let view: fn(&G::State) -> Option<&G::State> = |state| Some(state);
        let tables = || Box::new(Tables::new(Arc::clone(&self.game), view));
        let checker = certificates::check_with_tables(tables());
        let solver = by_search_and_tables(tables(), knowledge);
        self.solved_by(solver, Some(checker)).tables()
    }

    /// How positions are solved, and how certificates are checked if there are any.
    pub(crate) fn solved_by(mut self, solver: SolveFn<G>, checker: Option<Checker<G>>) -> Self {
        let class_key = self.class_key.clone();
        let work = SolverAndChecker {
            solver,
            checker,
            class_key,
        };
        self.solving = Some(Of::new(&self.game, work));
        self
    }

    /// How exact values are found.
    pub(crate) fn with_exact_values(mut self, expecting: ExpectationFn<G>) -> Self {
        self.exact_values = Some(Of::new(&self.game, expecting));
        self
    }

    /// What everybody can force is found like this.
    pub(crate) fn with_guarantees(mut self, guaranteeing: GuaranteesFn<G>) -> Self {
        self.guarantees = Some(Of::new(&self.game, guaranteeing));
        self
    }

    /// The game is laid out as a graph like this.
    pub(crate) fn with_graph(mut self, layout: LayoutFn<G>) -> Self {
        self.graph = Some(Of::new(&self.game, layout));
        self
    }

    /// Best lines are sought like this.
    pub(crate) fn with_lines(mut self, seeking: SeekFn<G>) -> Self {
        self.lines = Some(Of::new(&self.game, seeking));
        self
    }

    /// Tables of a kind of its own.
    pub fn own_tables(mut self, tables: impl FnOnce(&Arc<G>) -> Box<dyn AnyTables>) -> Self {
        self.tables = Some(tables(&self.game));
        self
    }

    /// One more engine.
    pub fn engine(mut self, maker: Maker<G>) -> Self {
        self.makers.push(maker);
        self
    }

    /// Makes an engine the one to choose without further thought.
    pub fn prefer(mut self, name: &str) -> Self {
        let named = |maker: &Maker<G>| maker.info.name == name;
        if let Some(place) = self.makers.iter().position(named) {
            self.makers[..=place].rotate_right(1);
        }
        self
    }

    /// Adds checks to the kit, where there is one.
    pub(crate) fn checks(
        #[cfg_attr(not(feature = "conformance"), expect(unused_mut))] mut self,
        #[cfg(feature = "conformance")] add: impl FnOnce(Kit<G>) -> Kit<G>,
    ) -> Self {
        #[cfg(feature = "conformance")]
        {
            self.kit = add(self.kit);
        }
        self
    }

    /// Forgets the type.
    pub fn boxed(mut self) -> Box<dyn AnyGame> {
        debug_assert!(
            self.secrets.is_some() == <G::Information>::HIDDEN,
            "a game with hidden information says what its players see"
        );
        self.makers.push(random());
        Box::new(self)
    }
}

/// Asks for the memory of a table and gives it back: a failure now is a message, a failure in the
/// midst of a search the end of the process.
pub fn refuse_beyond_memory(bytes: u64) -> Result<(), OptionError> {
    let mut trial: Vec<u8> = Vec::new();
    usize::try_from(bytes)
        .ok()
        .and_then(|bytes| trial.try_reserve_exact(bytes).ok())
        .ok_or_else(|| OptionError::new(format!("there is no memory for a table of {bytes} bytes")))
}

const SEED: Parameter = Parameter {
    key: "seed",
    kind: ParameterKind::Integer(0, i64::MAX),
    default: "0",
    help: "random seed",
};

fn random<G: Listable>() -> Maker<G> {
    Maker::new("random", "any legal move", &[SEED], |_, values| {
        let seed = Seed::new(values.integer(SEED.key).unsigned_abs());
        Ok(Box::new(Random::new(seed)))
    })
}

/// What is wrong with the size of a board, as an error about options.
pub fn size_error(name: &str) -> impl FnOnce(SizeError) -> OptionError {
    move |error| OptionError::new(format!("{name}: {error}"))
}

/// An option as an integer of the type that is wanted; the least one if it is out of range, which
/// the declaration of the option should make impossible.
pub fn integer<T: TryFrom<i64> + Default>(values: &OptionValues, key: &str) -> T {
    T::try_from(values.integer(key)).unwrap_or_default()
}
