//! Monte-Carlo tree search, with chance nodes or without: the rival of full-width search at equal
//! budgets.
//!
//! UCT (Kocsis and Szepesvári 2006) and what became of it, on one tree ([`tree`](self)) with
//! strategies for its four steps as Schadd (2011, section 2.7) tells them. *Selection*: UCT,
//! UCB1-tuned or PUCT, with RAVE or GRAVE, progressive bias, progressive widening and implicit
//! minimax. *Expansion*: all moves of a node when it is visited for the second time, or some of
//! them played out at once. *Playout*: to the end or to an evaluation, at random or by a policy
//! that learns. *Backpropagation*: means, and with the solver proved bounds. A chance node throws.
//! Players may move several times in a row.
//!
//! Values are those of one player against the other. With more than two players they are those of
//! the player to move against all others, who are taken to have conspired (the paranoid backup of
//! Sturtevant and Korf 2000), or with `V` as large as the number of players everybody has their own
//! (max^n, Luckhardt and Irani 1986).
//!
//! Repetition: descents and playouts know the game so far and apply the rule of repetition of the
//! game, whatever it is. A position that the rule ends is valued so, and moves that it forbids are
//! not tried.
//!
//! Plain UCT as in Wieczorek et al. (2013, section 3.2.1) is
//! `expand=5,playouts=10,choice=bound,solver=off` with `exploration=2.828`: they count wins from 0
//! to 1 and write the square root of 2 ln N / n, on our scale from -1 to 1 twice the square root of
//! 2. A leaf is expanded by several children, each of which is played out several times.

mod backup;
mod batch;
mod config;
mod entries;
mod flat;
mod groups;
mod hidden;
mod moves;
mod parallel;
mod playout;
mod reuse;
mod root;
mod search;
mod select;
mod sums;
mod tree;
mod walk;

#[cfg(test)]
mod tests;

pub use config::{
    Amaf, ChanceNodes, Config, FinalMove, Heuristic, PARAMETERS, Parallelization, Policy, Selection,
};
pub use flat::{Estimate, FLAT_PARAMETERS, Flat, FlatConfig, all_equal, survivors};
pub use hidden::{HiddenMcts, SAMPLES};
pub use select::{grave_weight, progressive_bias, rave_weight, widened};

use std::marker::PhantomData;
use std::time::Instant;

use tabia_game::threads;
use tabia_game::{
    Chance, Deterministic, Game, GameRng, Key, Knowledge, Limits, MoveIndex, Perfect, Player, Seed,
    Turn,
};

use crate::report::{Listener, Pace, Report};
use crate::{Choice, Counter, Engine, Past, Reading, Situation};
use moves::Move;
use parallel::{Origin, Spent};
use playout::Task;
use reuse::Kept;
use root::{Root, Variation};

pub(crate) use root::highest;
use walk::{Facts, Ground};

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
pub trait Playable: Game<Information = Perfect> + Key + MoveIndex {}

impl<G: Game<Information = Perfect> + Key + MoveIndex> Playable for G {}

/// Simulations where neither nodes nor time are limited.
const SIMULATIONS: u32 = 10_000;

/// No root is visited more often, so that a last simulation does not overflow the count.
const MAX_VISITS: u32 = u32::MAX - 1_000_000;

/// The engine.
pub struct Mcts<G: Game, K, T = WithChance> {
    config: Config,
    knowledge: K,
    /// The values of a node: 1, or one for each player.
    values: usize,
    luck: Seed,
    pool: Option<rayon::ThreadPool>,
    kept: Option<(Kept<G>, Root)>,
    throw: PhantomData<fn() -> T>,
}

impl<G: Game, K, T> Mcts<G, K, T> {
    /// An engine with these switches, for values of one player against all others.
    pub fn new(config: Config, knowledge: K) -> Mcts<G, K, T> {
        Mcts::with_values(config, knowledge, 1)
    }

    /// An engine with these switches for games with this many players, at most
    /// [`MAX_PLAYERS`](crate::many::MAX_PLAYERS), each of whom has values of their own.
    pub fn for_each_player(config: Config, knowledge: K, players: usize) -> Mcts<G, K, T> {
        Mcts::with_values(config, knowledge, players)
    }

    fn with_values(config: Config, knowledge: K, values: usize) -> Mcts<G, K, T> {
        // Only the playouts of a leaf are worth waiting for.
        let pool = (config.threads > 1 && config.parallel == Parallelization::Leaf)
            .then(|| threads::pool(config.threads))
            .flatten();
        Mcts {
            config,
            knowledge,
            values,
            luck: Seed::new(config.seed),
            pool,
            kept: None,
            throw: PhantomData,
        }
    }
}

impl<G, K, T> Mcts<G, K, T>
where
    G: Key + MoveIndex,
    K: Knowledge<G>,
    T: Throw<G>,
{
    /// The tree of a position, grown within limits.
    fn grow(&mut self, situation: &Situation<'_, G>, limits: &Limits) -> (Root, Spent) {
        self.grow_reporting(situation, limits, &mut Listener::silent())
    }

    /// The same, reported while it grows.
    fn grow_reporting(
        &mut self,
        situation: &Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> (Root, Spent) {
        let began = Instant::now();
        let &Situation { game, state, path } = situation;
        let turn = game.turn(state);
        let hero = hero(game, state);
        let facts = Facts::of(game, hero);
        let kept = self
            .kept
            .take()
            .filter(|_| self.config.reuse && (self.values > 1 || game.players() <= 2));
        let mut root = kept
            .and_then(|(kept, root)| root.advance(&kept, situation))
            .unwrap_or_else(|| Root::new(self.values, game.max_payoff()));
        root.prove_anew(&facts, turn);
        if turn == Turn::Over {
            return (root, Spent::default());
        }
        let ground = Ground::<G, K, T> {
            task: Task {
                game,
                knowledge: &self.knowledge,
                config: &self.config,
                hero,
                values: self.values,
            },
            state,
            path,
            pool: self.pool.as_ref(),
            throw: PhantomData,
        };
        let origin = Origin {
            field: &ground,
            config: &self.config,
            luck: self.luck.number(game.key(state)),
            limits: &limits.since(began),
            visits: visits_within(limits, root.visits()),
        };
        let mut pace = Pace::new(listener, root.visits().into());
        let lines = listener.lines();
        let mut tell = |variations: &[Variation<'_>], nodes| report(variations, nodes, listener);
        let spent = root.grow(&origin, turn, &mut pace, lines, &mut tell);
        (root, spent)
    }
}

/// The visits of a root after which a search ends. Depth is no limit here.
fn visits_within(limits: &Limits, before: u32) -> u32 {
    match (limits.playouts, limits.nodes, limits.time) {
        (None, None, None) => SIMULATIONS,
        (None, ..) => MAX_VISITS,
        (Some(playouts), ..) => {
            let playouts = u32::try_from(playouts).unwrap_or(MAX_VISITS);
            before.saturating_add(playouts).min(MAX_VISITS)
        }
    }
}

/// The player whose values a tree of two parties holds: the first of two, or whoever is to move
/// among more.
fn hero<G: Game>(game: &G, state: &G::State) -> Player {
    match (game.players(), game.turn(state)) {
        (3.., Turn::Player(player)) => player,
        _ => Player::FIRST,
    }
}

/// The moves of a line in a tree.
fn played<M: Copy + 'static>(line: &[Move<'_>]) -> Vec<M> {
    line.iter().map_while(Move::get).collect()
}

/// Reports lines of play.
fn report<M: Copy + 'static>(
    variations: &[Variation<'_>],
    nodes: u64,
    listener: &mut Listener<'_, M>,
) {
    for variation in variations {
        listener.tell(&Report {
            rank: variation.rank,
            depth: 0,
            value: Some(variation.value),
            solved: variation.solved,
            plies: None,
            visits: Some(variation.visits.into()),
            line: &played(&variation.moves),
            nodes,
            elapsed: listener.elapsed(),
        });
    }
}

impl<G, K, T> Engine<G> for Mcts<G, K, T>
where
    G: Playable,
    K: Knowledge<G>,
    T: Throw<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        self.answer(&situation, limits, &mut Listener::silent())
    }

    /// Reports about ten times a second, unless the listener wants another interval, and at the
    /// end. The lines after the best one are those of the moves that were visited most.
    fn choose_reporting(
        &mut self,
        _: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        self.answer(&situation, limits, listener)
    }

    fn reports(&self) -> bool {
        true
    }

    fn counts_playouts(&self) -> bool {
        true
    }

    fn new_game(&mut self, luck: Seed) {
        self.luck = luck.number(self.config.seed);
        self.kept = None;
    }
}

impl<G, K, T> Mcts<G, K, T>
where
    G: Key + MoveIndex,
    K: Knowledge<G>,
    T: Throw<G>,
{
    fn answer(
        &mut self,
        situation: &Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let &Situation { game, state, path } = situation;
        let (root, spent) = self.grow_reporting(situation, limits, listener);
        let (turn, config) = (game.turn(state), &self.config);
        let facts = Facts::of(game, hero(game, state));
        let decision = root.decide(config, &facts, turn);
        let mut line = match decision {
            Some(decision) => played(&root.line_from(decision.place)),
            None => Vec::new(),
        };
        if line.is_empty() {
            path.legal_moves(game, state, &mut line);
            line.truncate(1);
        }
        let visited = root.visits() > 0;
        let choice = Choice {
            best: line.first().copied(),
            value: match (decision, turn) {
                (Some(decision), _) if visited => Some(decision.value),
                (_, Turn::Player(player)) => visited.then(|| root.mean(player, facts.hero)),
                _ => visited.then(|| root.mean(Player::FIRST, facts.hero)),
            },
            reading: match decision {
                Some(decision) if self.values > 1 => {
                    Reading::Each(root.means_at(decision.place, game.players(), facts.hero))
                }
                _ => Reading::Own,
            },
            solved: root.is_solved(config, &facts),
            plies: None,
            line,
            depth: 0,
            nodes: spent.nodes,
            counters: vec![
                ("simulations", Counter::One(root.visits().into())),
                ("tree", Counter::One(spent.tree)),
                ("bytes", Counter::One(spent.bytes)),
                ("recycled", Counter::One(spent.recycled)),
            ],
        };
        if !listener.is_silent() {
            let lines = listener.lines();
            match decision {
                Some(_) => {
                    let variations = root.variations(config, &facts, turn, lines);
                    report(&variations, spent.nodes, listener);
                }
                None => listener.conclude(&choice),
            }
        }
        match config.reuse {
            true => self.kept = Some((Kept::new(game, state, path, spent.bytes), root)),
            false => root.discard(spent.bytes, config),
        }
        choice
    }
}
