//! Search in a fixed array, and rules learnt from games of other engines (Wieczorek et al. 2013).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{Deterministic, Game, Knowledge, Limits, Perfect, Seed, TwoPlayer};
use tabia_search::alphabeta::{self, AlphaBeta, AlphaBetaGame};
use tabia_search::array::{self, Array, Numbering};
use tabia_search::learned_rules::{RuleBook, RuleEngine, Squares, self_play};
use tabia_search::mcts::{self, Mcts, WithoutChance};
use tabia_search::{Choice, Engine, Situation};

use super::{Listable, Listing};
use crate::engine::{Built, Maker};

const RULES: &[Parameter] = &[
    Parameter {
        key: "games",
        kind: ParameterKind::Integer(0, 100_000),
        default: "337",
        help: "games that rules are learnt from, alpha-beta against Monte-Carlo tree search",
    },
    Parameter {
        key: "training",
        kind: ParameterKind::Integer(1, 1_000_000),
        default: "1000",
        help: "nodes for each move of those games",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of those games and of the choice among equal votes",
    },
];

/// Plies of a game that rules are learnt from.
const MAX_GAME_PLIES: usize = 1000;

/// The settings of UCT in the paper.
pub const UCT: mcts::Config = mcts::Config {
    exploration: 2.0 * std::f64::consts::SQRT_2,
    expand: 5,
    playouts: 10,
    final_move: mcts::FinalMove::Bound,
    ..mcts::Config::PLAIN
};

/// Rules learnt from games of alpha-beta against UCT.
pub fn learnt<G, K>(
    game: &G,
    knowledge: &K,
    games: usize,
    nodes: u64,
    seed: Seed,
) -> RuleBook<G::Move>
where
    G: AlphaBetaGame,
    K: Knowledge<G> + Squares<G> + Clone,
{
    let deepening = alphabeta::Config {
        deepening: true,
        ..alphabeta::Config::default()
    };
    let mut one = AlphaBeta::new(deepening, knowledge.clone());
    let mut other = Mcts::<G, K, WithoutChance>::new(UCT, knowledge.clone());
    let limits = Limits::nodes(nodes);
    let games = self_play(
        game,
        [&mut one, &mut other],
        &limits,
        seed,
        games,
        MAX_GAME_PLIES,
    );
    RuleBook::mine(game, knowledge, &games)
}

/// What rules are learnt from: games, nodes, seed.
type LearningSettings = (usize, u64, u64);
type Books<M> = Arc<Mutex<HashMap<LearningSettings, Arc<RuleBook<M>>>>>;

/// A player by rules that it learns before it is first asked.
struct Learner<K, M> {
    lesson: LearningSettings,
    books: Books<M>,
    knowledge: K,
    luck: Option<Seed>,
    rules: Option<RuleEngine<K, M>>,
}

impl<K, M> Learner<K, M> {
    /// The player, which learns its rules the first time.
    fn learnt<G>(&mut self, game: &G) -> &mut RuleEngine<K, M>
    where
        G: AlphaBetaGame<Move = M>,
        K: Knowledge<G> + Squares<G> + Clone,
    {
        let (games, nodes, seed) = self.lesson;
        self.rules.get_or_insert_with(|| {
            let seed = Seed::new(seed).split("rules");
            let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
            let book = books
                .entry(self.lesson)
                .or_insert_with(|| Arc::new(learnt(game, &self.knowledge, games, nodes, seed)));
            RuleEngine::new(Arc::clone(book), self.knowledge.clone(), seed)
        })
    }
}

impl<G, K> Engine<G> for Learner<K, G::Move>
where
    G: AlphaBetaGame,
    K: Knowledge<G> + Squares<G> + Clone,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let luck = self.luck.take();
        let rules = self.learnt(situation.game);
        if let Some(luck) = luck {
            Engine::<G>::new_game(rules, luck);
        }
        rules.choose(situation, limits)
    }

    fn prepare(&mut self, game: &G) {
        self.learnt(game);
    }

    fn new_game(&mut self, luck: Seed) {
        self.luck = Some(luck);
    }
}

impl<G: Listable> Listing<G> {
    /// Search in a fixed array, with moves numbered like this.
    pub fn array<N>(mut self, numbering: N) -> Self
    where
        G: TwoPlayer + Game<Luck = Deterministic, Information = Perfect>,
        N: Numbering<G> + Clone + 'static,
    {
        let build = move |_: &G, values: &OptionValues| -> Built<G> {
            Ok(Box::new(Array::new(values.into(), numbering.clone())))
        };
        let help = "minimax over a fixed array whose leaves are played out at random";
        let maker = Maker::new("array", help, array::PARAMETERS, build);
        self.makers.push(maker.limited());
        self
    }

    /// Rules learnt from games, with this knowledge of the game and of its squares.
    pub fn rules<K>(mut self, knowledge: K) -> Self
    where
        G: AlphaBetaGame,
        K: Knowledge<G> + Squares<G> + Clone + 'static,
    {
        let books: Books<G::Move> = Arc::default();
        let build = move |_: &G, values: &OptionValues| -> Built<G> {
            let number = |key| values.integer(key).unsigned_abs();
            Ok(Box::new(Learner {
                lesson: (number("games") as usize, number("training"), number("seed")),
                books: Arc::clone(&books),
                knowledge: knowledge.clone(),
                luck: None,
                rules: None,
            }))
        };
        let help = "rules learnt from records of games";
        self.makers.push(Maker::new("rules", help, RULES, build));
        self
    }
}
