//! Monte-Carlo tree search, with chance nodes or without: the rival of full-width search at equal budgets.
//!
//! UCT (Kocsis and Szepesvári 2006) on one tree in an arena. A move node chooses by upper confidence bounds, a
//! chance node throws; a new leaf is valued by playing on at random, if wanted only for some plies and
//! then by the static evaluation. Values are those of the first player throughout, so players may move several
//! times in a row.
//!
//! Plain UCT as in Wieczorek et al. (2013, section 3.2.1) is `expand=5,playouts=10,choice=bound` with
//! `exploration=2.828`: they count wins from 0 to 1 and write the square root of 2 ln N / n, on our scale from -1 to 1
//! twice the square root of 2. A leaf is expanded by several children, each of which is played out several times.

use std::marker::PhantomData;

use rand::RngExt;
use tabia_game::options::{Kind, Parameter, Values};
use tabia_game::{
    CERTAIN, Chance, Deterministic, Game, GameRng, Key, Knowledge, Limits, Meter, Perfect, Player,
    Seed, Stopped, Turn, TwoPlayer,
};

use crate::{Choice, Counter, Engine, Situation};

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// How much less visited moves are favoured.
    pub exploration: f64,
    /// Plies of a playout before the static evaluation ends it; 0 to play to the end of the game.
    pub plies: u32,
    /// Moves of a new leaf that are added to the tree and played out at once; 0 to play out the leaf itself.
    pub expand: usize,
    /// Playouts of each position that is played out.
    pub playouts: u32,
    /// Which move of the root is played.
    pub final_move: FinalMove,
    /// Where throws and playouts come from.
    pub seed: u64,
}

/// Which move of the root is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalMove {
    /// The most visited one.
    Visits,
    /// The one with the highest upper confidence bound.
    Bound,
}

/// How the outcome of a chance event is drawn.
pub trait Throw<G: Game>: Send {
    /// An outcome; `None` where there is no chance.
    fn throw(game: &G, state: &G::State, rng: &mut GameRng) -> Option<G::Move>;
}

/// Chance has its say.
#[derive(Clone, Copy, Debug)]
pub enum WithChance {}
/// There is none.
#[derive(Clone, Copy, Debug)]
pub enum WithoutChance {}

impl<G: Chance> Throw<G> for WithChance {
    fn throw(game: &G, state: &G::State, rng: &mut GameRng) -> Option<G::Move> {
        Some(game.sample_outcome(state, rng))
    }
}

impl<G: Game<Luck = Deterministic>> Throw<G> for WithoutChance {
    fn throw(_: &G, _: &G::State, _: &mut GameRng) -> Option<G::Move> {
        None
    }
}

/// The games that this search can serve.
pub trait Playable: TwoPlayer + Game<Information = Perfect> + Key {}

impl<G: TwoPlayer + Game<Information = Perfect> + Key> Playable for G {}

/// The switches as options of an engine.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "exploration",
        kind: Kind::Decimal(0, 100_000),
        default: "1",
        help: "how much less visited moves are favoured",
    },
    Parameter {
        key: "plies",
        kind: Kind::Integer(0, 10_000),
        default: "0",
        help: "plies of a playout before it is evaluated; 0: to the end of the game",
    },
    Parameter {
        key: "expand",
        kind: Kind::Integer(0, 1000),
        default: "0",
        help: "moves of a new leaf that are played out at once; 0: the leaf itself",
    },
    Parameter {
        key: "playouts",
        kind: Kind::Integer(1, 10_000),
        default: "1",
        help: "playouts of each position that is played out",
    },
    Parameter {
        key: "choice",
        kind: Kind::Choice(&["visits", "bound"]),
        default: "visits",
        help: "the move played: most visited, or highest confidence bound",
    },
    Parameter {
        key: "seed",
        kind: Kind::Integer(0, i64::MAX),
        default: "0",
        help: "where throws and playouts come from",
    },
];

impl From<&Values> for Config {
    fn from(values: &Values) -> Config {
        Config {
            exploration: values.decimal("exploration"),
            plies: values.integer("plies").unsigned_abs() as u32,
            expand: values.integer("expand").unsigned_abs() as usize,
            playouts: values.integer("playouts").unsigned_abs() as u32,
            final_move: match values.word("choice") {
                "bound" => FinalMove::Bound,
                _ => FinalMove::Visits,
            },
            seed: values.integer("seed").unsigned_abs(),
        }
    }
}

/// No playout is longer.
const LONGEST: u32 = 10_000;
/// Nodes of the tree at most, about a gigabyte; then leaves are valued without growing it.
const MOST: usize = 1 << 24;
const NONE: u32 = u32::MAX;
/// Simulations where neither nodes nor time are limited.
const SIMULATIONS: u32 = 10_000;

/// A node of the tree, reached by a move or an outcome.
struct Node<M> {
    mv: Option<M>,
    first: u32,
    next: u32,
    visits: u32,
    /// The sum of the values of all visits, for the first player.
    sum: f64,
}

impl<M> Node<M> {
    fn new(mv: Option<M>, next: u32) -> Node<M> {
        Node {
            mv,
            first: NONE,
            next,
            visits: 0,
            sum: 0.0,
        }
    }

    fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

/// The engine.
pub struct Mcts<K, T = WithChance> {
    config: Config,
    knowledge: K,
    luck: Seed,
    throw: PhantomData<fn() -> T>,
}

impl<K, T> Mcts<K, T> {
    /// An engine with these switches.
    pub fn new(config: Config, knowledge: K) -> Mcts<K, T> {
        Mcts {
            config,
            knowledge,
            luck: Seed::new(config.seed),
            throw: PhantomData,
        }
    }
}

struct Search<'a, G: Game, K, T> {
    game: &'a G,
    knowledge: &'a K,
    config: Config,
    nodes: Vec<Node<G::Move>>,
    rng: GameRng,
    meter: Meter,
    moves: Vec<G::Move>,
    throw: PhantomData<fn() -> T>,
}

impl<G, K, T> Search<'_, G, K, T>
where
    G: Playable,
    K: Knowledge<G>,
    T: Throw<G>,
{
    /// The children of a node, by number.
    fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.nodes[node as usize].first;
        std::iter::successors((first != NONE).then_some(first), |&child| {
            let next = self.nodes[child as usize].next;
            (next != NONE).then_some(next)
        })
    }

    fn add(&mut self, parent: u32, mv: G::Move) -> u32 {
        let number = self.nodes.len() as u32;
        let next = self.nodes[parent as usize].first;
        self.nodes.push(Node::new(Some(mv), next));
        self.nodes[parent as usize].first = number;
        number
    }

    /// One descent from the root: selection, growth, playouts, and their values handed back.
    fn simulate(&mut self, root: &G::State) -> Result<(), Stopped> {
        let mut state = root.clone();
        let mut path = vec![0];
        let (values, visits) = loop {
            let node = path[path.len() - 1];
            let turn = self.game.turn(&state);
            if turn == Turn::Over {
                let visits = self.config.playouts;
                break (self.payoff(&state) * f64::from(visits), visits);
            }
            let fresh = self.nodes[node as usize].visits == 0;
            if self.nodes.len() >= MOST {
                break self.play_out(&state)?;
            }
            if fresh && self.config.expand > 0 && matches!(turn, Turn::Player(_)) {
                break self.expand(node, &state)?;
            }
            if fresh && path.len() > 1 {
                break self.play_out(&state)?;
            }
            self.meter.tick()?;
            let Some(child) = self.step(node, &mut state, turn) else {
                break self.play_out(&state)?;
            };
            path.push(child);
        };
        for &node in &path {
            self.credit(node, values, visits);
        }
        Ok(())
    }

    fn credit(&mut self, node: u32, values: f64, visits: u32) {
        let node = &mut self.nodes[node as usize];
        node.visits = node.visits.saturating_add(visits);
        node.sum += values;
    }

    /// Adds the moves of a leaf and plays out some of them, drawn at random; the sum of the values and their number.
    fn expand(&mut self, node: u32, state: &G::State) -> Result<(f64, u32), Stopped> {
        self.grow(node, state);
        let mut children: Vec<u32> = self.children(node).collect();
        let (mut values, mut visits) = (0.0, 0);
        for place in 0..self.config.expand.min(children.len()) {
            let drawn = self.rng.random_range(place..children.len());
            children.swap(place, drawn);
            let child = children[place];
            let Some(mv) = self.nodes[child as usize].mv else {
                continue;
            };
            self.meter.tick()?;
            let mut next = state.clone();
            self.game.play(&mut next, mv);
            let (sum, times) = self.play_out(&next)?;
            self.credit(child, sum, times);
            values += sum;
            visits += times;
        }
        Ok((values, visits))
    }

    /// Adds all moves of a node.
    fn grow(&mut self, node: u32, state: &G::State) {
        self.moves.clear();
        self.game.moves(state, &mut self.moves);
        // The last one added comes first.
        for i in (0..self.moves.len()).rev() {
            self.add(node, self.moves[i]);
        }
    }

    /// Plays the move or outcome that comes next at a node; nothing if there is none.
    fn step(&mut self, node: u32, state: &mut G::State, turn: Turn) -> Option<u32> {
        let child = match turn {
            Turn::Player(player) => self.select(node, state, player)?,
            _ => {
                let outcome = T::throw(self.game, state, &mut self.rng)?;
                let known = self
                    .children(node)
                    .find(|&child| self.nodes[child as usize].mv == Some(outcome));
                known.unwrap_or_else(|| self.add(node, outcome))
            }
        };
        let mv = self.nodes[child as usize].mv?;
        self.game.play(state, mv);
        Some(child)
    }

    /// The child with the highest upper confidence bound; those never visited come first, in the order of
    /// the moves.
    fn select(&mut self, node: u32, state: &G::State, player: Player) -> Option<u32> {
        if self.nodes[node as usize].first == NONE {
            self.grow(node, state);
        }
        self.highest(node, |search, child| match search.visits(child) {
            0 => f64::INFINITY,
            _ => search.bound(node, child, player),
        })
    }

    fn visits(&self, node: u32) -> u32 {
        self.nodes[node as usize].visits
    }

    /// The upper confidence bound of a child that has been visited.
    fn bound(&self, node: u32, child: u32, player: Player) -> f64 {
        let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
        let all = f64::from(self.visits(node).max(1)).ln();
        let mean = sign * self.nodes[child as usize].mean();
        mean + self.config.exploration * (all / f64::from(self.visits(child))).sqrt()
    }

    /// The child with the highest merit; of several the first, as moves are listed.
    fn highest(&self, node: u32, merit: impl Fn(&Self, u32) -> f64) -> Option<u32> {
        let mut best: Option<(u32, f64)> = None;
        for child in self.children(node) {
            let merit = merit(self, child);
            if best.is_none_or(|(_, most)| merit > most) {
                best = Some((child, merit));
            }
        }
        best.map(|(child, _)| child)
    }

    fn payoff(&self, state: &G::State) -> f64 {
        let payoff = f64::from(self.game.payoff(state, Player::FIRST));
        payoff / f64::from(self.game.max_payoff().max(1))
    }

    /// The sum of the values of playing on at random, and how often it was done.
    fn play_out(&mut self, state: &G::State) -> Result<(f64, u32), Stopped> {
        let mut sum = 0.0;
        for _ in 0..self.config.playouts {
            sum += self.play_once(state.clone())?;
        }
        Ok((sum, self.config.playouts))
    }

    /// The value of playing on at random.
    fn play_once(&mut self, mut state: G::State) -> Result<f64, Stopped> {
        let most = match self.config.plies {
            0 => LONGEST,
            plies => plies,
        };
        let mut left = most;
        while left > 0 {
            let played = match self.game.turn(&state) {
                Turn::Over => return Ok(self.payoff(&state)),
                Turn::Chance => match T::throw(self.game, &state, &mut self.rng) {
                    Some(outcome) => {
                        self.game.play(&mut state, outcome);
                        1
                    }
                    None => 0,
                },
                Turn::Player(_) => {
                    let (moves, rng) = (&mut self.moves, &mut self.rng);
                    self.game.play_at_random(&mut state, left, moves, rng)
                }
            };
            if played == 0 {
                break;
            }
            (0..played).try_for_each(|_| self.meter.tick())?;
            left -= played;
        }
        if self.game.turn(&state) == Turn::Over {
            return Ok(self.payoff(&state));
        }
        let estimate = self.knowledge.evaluate(self.game, &state, Player::FIRST);
        Ok(f64::from(estimate) / f64::from(CERTAIN))
    }
}

impl<G, K, T> Engine<G> for Mcts<K, T>
where
    G: Playable,
    K: Knowledge<G>,
    T: Throw<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let Situation { game, state, .. } = situation;
        let mut search: Search<'_, G, K, T> = Search {
            game,
            knowledge: &self.knowledge,
            config: self.config,
            nodes: vec![Node::new(None, NONE)],
            rng: self.luck.number(game.key(state)).rng(),
            meter: limits.meter(),
            moves: Vec::new(),
            throw: PhantomData,
        };
        // Depth is no limit here.
        let most = match (limits.nodes, limits.time) {
            (None, None) => SIMULATIONS,
            _ => u32::MAX,
        };
        let over = game.turn(state) == Turn::Over;
        while !over && search.nodes[0].visits < most && search.simulate(state).is_ok() {}
        let to_move = game.turn(state);
        let best = search.highest(0, |search, child| {
            let visits = search.visits(child);
            match (search.config.final_move, to_move) {
                (FinalMove::Bound, Turn::Player(_)) if visits == 0 => f64::NEG_INFINITY,
                (FinalMove::Bound, Turn::Player(player)) => search.bound(0, child, player),
                _ => f64::from(visits),
            }
        });
        let mv = best
            .filter(|_| matches!(to_move, Turn::Player(_)))
            .and_then(|child| search.nodes[child as usize].mv);
        let value = (search.nodes[0].visits > 0).then(|| {
            let of = best.filter(|_| mv.is_some()).unwrap_or(0);
            let mean = search.nodes[of as usize].mean();
            match to_move {
                Turn::Player(Player::SECOND) => -mean,
                _ => mean,
            }
        });
        Choice {
            best: mv.or_else(|| {
                let mut moves = Vec::new();
                game.moves(state, &mut moves);
                moves.first().copied()
            }),
            value,
            solved: false,
            plies: None,
            line: mv.into_iter().collect(),
            depth: 0,
            nodes: search.meter.nodes(),
            counters: vec![
                ("simulations", Counter::One(search.nodes[0].visits.into())),
                ("tree", Counter::One(search.nodes.len() as u64)),
            ],
        }
    }

    fn new_game(&mut self, luck: Seed) {
        self.luck = luck.number(self.config.seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Stochastic;
    use tabia_game::{Path, Uninformed};
    use tabia_games::dice::{Dice, FullLine, PairCount};
    use tabia_games::mnk::Mnk;
    use tabia_games::printed_tree::{Nothing, Printed, Tree};

    const PLAIN: Config = Config {
        exploration: 1.0,
        plies: 0,
        expand: 0,
        playouts: 1,
        final_move: FinalMove::Visits,
        seed: 1,
    };
    /// Wieczorek et al. (2013), section 3.2.1.
    const BLITZ: Config = Config {
        exploration: 2.828,
        expand: 5,
        playouts: 10,
        final_move: FinalMove::Bound,
        ..PLAIN
    };

    fn ask<G: Stochastic, K: Knowledge<G>>(game: &G, knowledge: K, nodes: u64) -> Choice<G::Move> {
        let engine = Mcts::<K, WithChance>::new(PLAIN, knowledge);
        asked(game, engine, nodes)
    }

    fn asked<G: Playable, E: Engine<G>>(game: &G, mut engine: E, nodes: u64) -> Choice<G::Move> {
        let path = Path::new();
        let state = game.start();
        let situation = Situation {
            game,
            state: &state,
            path: &path,
        };
        engine.choose(situation, &Limits::nodes(nodes))
    }

    /// The safe move is worth 2, the gamble 0.9 · 4 - 0.1 · 10 = 2.6, and the trap looks good to whoever does not see
    /// the reply.
    #[test]
    fn the_best_move_of_a_small_tree_is_found() {
        let gamble = Tree::Chance(vec![(9, Tree::Leaf(4)), (1, Tree::Leaf(-10))]);
        let trap = Tree::Min(vec![Tree::Leaf(10), Tree::Leaf(-10)]);
        let game = Printed::new(&Tree::Max(vec![Tree::Leaf(2), trap, gamble]), 10);
        let found = ask(&game, Nothing, 200_000);
        assert_eq!(found.best, Some(2));
        assert!((found.value.unwrap() - 0.26).abs() < 0.02, "{found:?}");
    }

    /// Hauk (2004): Dice on 3x3 is worth 392411/1469664 to X.
    #[test]
    fn means_approach_the_exact_value() {
        let game = Dice::<u64>::new(3, 3, FullLine::Pass).unwrap();
        let found = ask(&game, PairCount, 3_000_000);
        let exact = 392_411.0 / 1_469_664.0;
        assert!(
            (found.value.unwrap() - exact).abs() < 0.03,
            "{:?}",
            found.value
        );
    }

    #[test]
    fn the_same_seed_grows_the_same_tree() {
        let game = Dice::<u64>::new(5, 4, FullLine::Pass).unwrap();
        let [one, other] = [0, 1].map(|_| ask(&game, PairCount, 20_000));
        assert_eq!((one.value, one.nodes), (other.value, other.nodes));
        assert!(one.nodes <= 20_000);
    }

    /// X takes the middle of tic-tac-toe, after which O loses unless he takes a corner (a game for children, but a value
    /// that everybody can check): O is asked after X b2, and must not take an edge.
    #[test]
    fn games_without_chance_are_searched_as_printed_in_2013() {
        let game = Mnk::<u64>::new(3, 3, 3).unwrap();
        let mut state = game.start();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        game.play(&mut state, moves[4]);
        for config in [PLAIN, BLITZ] {
            let mut engine = Mcts::<_, WithoutChance>::new(config, Uninformed);
            let path = Path::new();
            let situation = Situation {
                game: &game,
                state: &state,
                path: &path,
            };
            let found = engine.choose(situation, &Limits::nodes(300_000));
            let corners = [0, 2, 6, 8].map(|cell| Some(moves[cell]));
            assert!(corners.contains(&found.best), "{found:?}");
            assert!(found.nodes <= 300_000);
        }
    }

    /// Each of the three moves of the first leaf is played out ten times at once.
    #[test]
    fn a_leaf_is_expanded_by_several_moves() {
        let leaves = vec![Tree::Leaf(1), Tree::Leaf(-1), Tree::Leaf(0)];
        let game = Printed::new(&Tree::Max(leaves), 1);
        let engine = Mcts::<_, WithChance>::new(BLITZ, Nothing);
        let found = asked(&game, engine, 3);
        let counters = [("simulations", Counter::One(30)), ("tree", Counter::One(4))];
        assert_eq!(found.counters, counters);
        assert_eq!(found.best, Some(0));
    }
}
