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
//! Sturtevant and Korf 2000), or with `V` as large as the number of players everybody has his own
//! (max^n, Luckhardt and Irani 1986).
//!
//! Repetition: descents and playouts know the game so far and apply the rule of repetition of the
//! game, whatever it is. A position that the rule ends is valued so, and moves that it forbids are
//! not tried.
//!
//! Plain UCT as in Wieczorek et al. (2013, section 3.2.1) is `expand=5,playouts=10,choice=bound,solver=off` with
//! `exploration=2.828`: they count wins from 0 to 1 and write the square root of 2 ln N / n, on our scale from -1 to 1
//! twice the square root of 2. A leaf is expanded by several children, each of which is played out several times.

mod backup;
mod batch;
mod config;
mod entries;
mod flat;
mod groups;
mod hidden;
mod parallel;
mod playout;
mod reuse;
mod search;
mod select;
mod tree;

#[cfg(test)]
mod tests;

pub use config::{
    Amaf, Config, FinalMove, Heuristic, Outcomes, PARAMETERS, Parallel, Policy, Selection,
};
pub use flat::{Estimate, FLAT_PARAMETERS, Flat, FlatConfig, all_equal, survivors};
pub use hidden::{HiddenMcts, SAMPLES};
pub use select::{grave_weight, progressive_bias, rave_weight, widened};

use std::marker::PhantomData;

use tabia_game::threads;
use tabia_game::{
    Chance, Deterministic, Game, GameRng, Key, Knowledge, Limits, MoveIndex, Perfect, Player, Seed,
    Turn,
};

use crate::report::{Listener, Pace, Report};
use crate::{Choice, Counter, Engine, Past, Situation};
use entries::Crew;
use parallel::{Origin, Spent};
use playout::Task;
use reuse::Kept;
use select::{Selector, Small};
use tree::{Children, Node, View};

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

/// The engine. `V` is 1 for values of one player against all others, or the number of players.
pub struct Mcts<G: Game, K, T = WithChance, const V: usize = 1> {
    config: Config,
    knowledge: K,
    luck: Seed,
    pool: Option<rayon::ThreadPool>,
    kept: Option<Kept<G, V>>,
    throw: PhantomData<fn() -> T>,
}

impl<G: Game, K, T> Mcts<G, K, T> {
    /// An engine with these switches.
    pub fn new(config: Config, knowledge: K) -> Mcts<G, K, T> {
        Mcts::with_values(config, knowledge)
    }
}

impl<G: Game, K, T, const V: usize> Mcts<G, K, T, V> {
    /// An engine with these switches and so many values.
    pub fn with_values(config: Config, knowledge: K) -> Mcts<G, K, T, V> {
        // Only the playouts of a leaf are worth waiting for.
        let pool = (config.threads > 1 && config.parallel == Parallel::Leaf)
            .then(|| threads::pool(config.threads))
            .flatten();
        Mcts {
            config,
            knowledge,
            luck: Seed::new(config.seed),
            pool,
            kept: None,
            throw: PhantomData,
        }
    }
}

impl<G, K, T, const V: usize> Mcts<G, K, T, V>
where
    G: Key + MoveIndex,
    K: Knowledge<G>,
    T: Throw<G>,
{
    /// The tree of a position, grown within limits.
    fn grow(&mut self, situation: &Situation<'_, G>, limits: &Limits) -> (Node<G::Move, V>, Spent) {
        self.grow_reporting(situation, limits, &mut Listener::silent())
    }

    /// The same, reported while it grows.
    fn grow_reporting(
        &mut self,
        situation: &Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> (Node<G::Move, V>, Spent) {
        let &Situation { game, state, path } = situation;
        let kept = self
            .kept
            .take()
            .filter(|_| self.config.reuse && (V > 1 || game.players() <= 2));
        let mut root = kept
            .and_then(|kept| kept.advance(situation))
            .unwrap_or_else(|| Node::new(None, 0.0, game.max_payoff()));
        let view = match game.turn(state) {
            Turn::Player(player) => Some(View::new::<V>(player, hero(game, state))),
            _ => None,
        };
        root.prove_anew(game.max_payoff(), view);
        let task = Task {
            game,
            knowledge: &self.knowledge,
            config: &self.config,
            hero: hero(game, state),
        };
        // Depth is no limit here.
        let visits = match (limits.playouts, limits.nodes, limits.time) {
            (None, None, None) => SIMULATIONS,
            (None, ..) => MAX_VISITS,
            (Some(playouts), ..) => {
                let playouts = u32::try_from(playouts).unwrap_or(MAX_VISITS);
                root.visits().saturating_add(playouts).min(MAX_VISITS)
            }
        };
        let origin = Origin {
            state,
            path,
            luck: self.luck.number(game.key(state)),
            limits,
            visits,
            pool: self.pool.as_ref(),
        };
        let spent = match game.turn(state) {
            Turn::Over => Spent::default(),
            _ => {
                let mut pace = Pace::new(listener, root.visits().into());
                let config = &self.config;
                let mut tell = |root: &Node<G::Move, V>, nodes| {
                    report(config, situation, root, nodes, listener);
                };
                parallel::search::<G, K, T, V>(task, &origin, &mut root, &mut pace, &mut tell)
            }
        };
        (root, spent)
    }
}

/// A place among the children of the root, and what is expected there.
type Decision = Option<(usize, f64)>;

/// The place of the child that is played, and its value.
fn decide<G, const V: usize>(
    config: &Config,
    game: &G,
    root: &Node<G::Move, V>,
    player: Player,
    hero: Player,
) -> Decision
where
    G: Key + MoveIndex,
{
    let view = View::new::<V>(player, hero);
    let children = root.children.get()?;
    let proving = config.solver && V == 1;
    let largest = f64::from(game.max_payoff().max(1));
    let selector = Selector {
        game,
        config,
        node: root,
        children,
        player,
        view,
        reference: match config.amaf {
            Amaf::Grave => children.later.get().map(|later| &**later),
            _ => None,
        },
        small: Small::numbers(),
        crew: Crew::ALONE,
        open: false,
    };
    let nodes: Vec<&Node<G::Move, V>> = children.all().collect();
    let merit = |place: usize| match config.final_move {
        FinalMove::Visits => f64::from(nodes[place].visits()),
        FinalMove::Bound => selector.bound(place, nodes[place]),
        FinalMove::Value if nodes[place].visits() == 0 => f64::NEG_INFINITY,
        FinalMove::Value => nodes[place].mean(view),
    };
    let sure = |place: &usize| nodes[*place].bounds_for(view).0;
    let proved = (0..nodes.len()).filter(|&place| proving && nodes[place].proved().is_some());
    let value = |place| f64::from(sure(&place)) / largest;
    let safe = highest(proved, value).map(|place| (place, value(place)));
    if root.proved().is_some() && proving {
        let best = highest(0..nodes.len(), value);
        return best.map(|place| (place, value(place)));
    }
    // What cannot be better than what is safe is not played in its place.
    let open = |place: &usize| {
        let upper = f64::from(nodes[*place].bounds_for(view).1) / largest;
        !proving || (nodes[*place].proved().is_none() && safe.is_none_or(|(_, v)| upper > v))
    };
    let best = highest((0..nodes.len()).filter(open), merit);
    let best = best.map(|place| (place, nodes[place].mean(view)));
    match (best, safe) {
        (Some((_, mean)), Some((_, value))) if value >= mean => safe,
        (None, _) => safe,
        _ => best,
    }
}

/// The place with the highest merit, the first of several.
pub(crate) fn highest(
    places: impl Iterator<Item = usize>,
    merit: impl Fn(usize) -> f64,
) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for place in places {
        let merit = merit(place);
        if best.is_none_or(|(_, most)| merit > most) {
            best = Some((place, merit));
        }
    }
    best.map(|(place, _)| place)
}

/// The player whose values a tree of two parties holds: the first of two, or whoever is to move
/// among more.
fn hero<G: Game>(game: &G, state: &G::State) -> Player {
    match (game.players(), game.turn(state)) {
        (3.., Turn::Player(player)) => player,
        _ => Player::FIRST,
    }
}

/// The moves that were visited most from here on.
fn line<M: Copy + Eq, const V: usize>(mut children: Option<&Children<M, V>>) -> Vec<M> {
    let mut line = Vec::new();
    // What chance does has no place in it; its blocks begin with an empty one.
    while let Some(siblings) = children.filter(|siblings| !siblings.nodes.is_empty()) {
        let nodes: Vec<&Node<M, V>> = siblings.all().collect();
        let Some(place) = highest(0..nodes.len(), |place| f64::from(nodes[place].visits())) else {
            break;
        };
        let node = nodes[place];
        match node.mv {
            Some(mv) if node.visits() > 0 => line.push(mv),
            _ => break,
        }
        children = node.children.get().map(|children| &**children);
    }
    line
}

/// Whether the value of a root is exact.
fn is_solved<G: Game, const V: usize>(config: &Config, game: &G, root: &Node<G::Move, V>) -> bool {
    config.solver && V == 1 && game.players() == 2 && root.proved().is_some()
}

/// Reports the lines of a tree: that of the move to be played, then those of the moves that were
/// visited most.
fn report<G, const V: usize>(
    config: &Config,
    situation: &Situation<'_, G>,
    root: &Node<G::Move, V>,
    nodes: u64,
    listener: &mut Listener<'_, G::Move>,
) where
    G: Key + MoveIndex,
{
    let &Situation { game, state, .. } = situation;
    let (Turn::Player(player), false) = (game.turn(state), listener.is_silent()) else {
        return;
    };
    let hero = hero(game, state);
    let decision = decide(config, game, root, player, hero);
    let (Some((best, expected)), Some(children)) = (decision, root.children.get()) else {
        return;
    };
    let view = View::new::<V>(player, hero);
    let largest = f64::from(game.max_payoff().max(1));
    let children: Vec<&Node<G::Move, V>> = children.all().collect();
    let mut places: Vec<usize> = (0..children.len())
        .filter(|&place| place != best && children[place].visits() > 0)
        .collect();
    places.sort_by_key(|&place| std::cmp::Reverse(children[place].visits()));
    let proving = config.solver && V == 1;
    for (rank, place) in (1..=listener.lines()).zip(std::iter::once(best).chain(places)) {
        let child = children[place];
        let proved = proving && child.proved().is_some();
        let value = match rank {
            1 => expected,
            _ if proved => f64::from(child.bounds_for(view).0) / largest,
            _ => child.mean(view),
        };
        let below = child.children.get().map(|children| &**children);
        let moves: Vec<G::Move> = child.mv.into_iter().chain(line(below)).collect();
        listener.tell(&Report {
            rank,
            depth: 0,
            value: Some(value),
            solved: match rank {
                1 => is_solved(config, game, root),
                _ => proved && game.players() == 2,
            },
            plies: None,
            line: &moves,
            nodes,
            elapsed: listener.elapsed(),
        });
    }
}

impl<G, K, T, const V: usize> Engine<G> for Mcts<G, K, T, V>
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

impl<G, K, T, const V: usize> Mcts<G, K, T, V>
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
        let hero = hero(game, state);
        let (player, decision) = match game.turn(state) {
            Turn::Player(player) => (player, decide(&self.config, game, &root, player, hero)),
            _ => (Player::FIRST, None),
        };
        let chosen = decision.and_then(|(place, _)| root.children.get()?.all().nth(place));
        let mut best = chosen.and_then(|child| child.mv);
        if best.is_none() {
            let mut moves = Vec::new();
            path.legal_moves(game, state, &mut moves);
            best = moves.first().copied();
        }
        let mean = root.mean(View::new::<V>(player, hero));
        let visited = root.visits() > 0;
        let below = chosen.and_then(|child| child.children.get()).map(|c| &**c);
        let choice = Choice {
            best,
            value: match decision {
                Some((_, value)) if visited => Some(value),
                _ => visited.then_some(mean),
            },
            solved: is_solved(&self.config, game, &root),
            plies: None,
            line: best.into_iter().chain(line(below)).collect(),
            depth: 0,
            nodes: spent.nodes,
            counters: vec![
                ("simulations", Counter::One(root.visits().into())),
                ("tree", Counter::One(spent.tree)),
                ("bytes", Counter::One(spent.bytes)),
                ("recycled", Counter::One(spent.recycled)),
            ],
        };
        match decision {
            Some(_) => report(&self.config, situation, &root, spent.nodes, listener),
            None => listener.conclude(&choice),
        }
        match self.config.reuse {
            true => self.kept = Some(Kept::new(game, root, state, path)),
            false => parallel::discard(root, spent.bytes, &self.config),
        }
        choice
    }
}
