//! Hidden information: the search looks at positions drawn from what the player to move has
//! observed.
//!
//! *Determinised* search (Ginsberg 1999 for Bridge; Whitehouse, Powley and Cowling 2011) grows a
//! tree for each of several positions, as if all were seen, and plays the move that was visited
//! most in all of them. *Information-set* search (Cowling, Powley and Whitehouse 2012) has one tree
//! of moves and draws a position for each descent, which goes among the moves that are legal there:
//! a node stands for all positions that agree with its moves, so the search cannot play each of
//! them differently. How often a move could have been chosen takes the place of the visits of its
//! parent.
//!
//! With three or four players everybody's values are kept, and everybody goes by their own (max^n);
//! trees for single positions, and games with more players, take all opponents to have conspired.
//!
//! Rules of repetition are applied to what everybody knows of the path ([`Path::public`]).
//!
//! Positions come from the observation alone, and so does the luck of the search: what is hidden
//! cannot be read from the answer.

use std::hash::{Hash, Hasher};
use std::time::Instant;

use rand::RngExt;
use rustc_hash::FxHasher;
use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::threads::drop_aside;
use tabia_game::{
    Hidden, Key, Knowledge, Limits, Made, MoveIndex, ObservationOf, Path, Player, Repetition, Seed,
    Stopped, Turn,
};

use super::config::Config;
use super::playout::{Roller, Task, Thread};
use super::{Mcts, SIMULATIONS, Throw, highest};
use crate::report::{Listener, Pace};
use crate::{Choice, Counter, Engine, Past, Reading, Situation};

/// Positions that are searched for each move by the determinised method.
pub const SAMPLES: Parameter = Parameter {
    key: "samples",
    kind: ParameterKind::Integer(0, 10_000),
    default: "0",
    help: "positions with a tree each; 0: one tree for all, with a new position for each descent",
};

/// The engine: with no samples an information-set search, which uses the exploration, the playouts
/// and their policy among the switches; with samples as many trees, with all switches.
pub struct HiddenMcts<G: Hidden, K, T> {
    config: Config,
    samples: usize,
    trees: Mcts<G, K, T>,
    luck: Seed,
}

impl<G: Hidden, K, T> HiddenMcts<G, K, T> {
    /// An engine with these switches.
    pub fn new(config: Config, samples: usize, knowledge: K) -> HiddenMcts<G, K, T> {
        HiddenMcts {
            config,
            samples,
            trees: Mcts::new(
                Config {
                    reuse: false,
                    ..config
                },
                knowledge,
            ),
            luck: Seed::new(config.seed),
        }
    }

    /// An engine from its options.
    pub fn from_values(values: &OptionValues, knowledge: K) -> HiddenMcts<G, K, T> {
        let samples = values.integer(SAMPLES.key).unsigned_abs() as usize;
        HiddenMcts::new(values.into(), samples, knowledge)
    }
}

/// What was found of a move of the root.
#[derive(Clone)]
struct Found<M> {
    mv: M,
    visits: u64,
    sum: f64,
}

/// When and how a search tells what it has found so far, and the nodes it has spent.
struct Tell<'a, M> {
    pace: &'a mut Pace,
    tell: &'a mut dyn FnMut(Vec<Found<M>>, u64),
}

/// Playouts as visits of a root.
fn narrow(playouts: u64) -> u32 {
    u32::try_from(playouts).unwrap_or(u32::MAX)
}

/// A node of the tree of moves.
struct Node<M> {
    mv: Option<M>,
    children: Vec<u32>,
    visits: u32,
    /// How often it could have been chosen.
    available: u32,
}

impl<M> Node<M> {
    fn new(mv: Option<M>) -> Node<M> {
        Node {
            mv,
            children: Vec::new(),
            visits: 0,
            available: 0,
        }
    }
}

/// A search with one tree for all positions.
struct InformationSets<'a, G: Hidden, K> {
    task: Task<'a, G, K>,
    nodes: Vec<Node<G::Move>>,
    /// The sums of the values of each node: to the player whose tree it is, or to each player.
    sums: Vec<f64>,
    roller: Roller<G>,
    thread: Thread,
    /// The game so far and the present simulation, where repetition matters.
    path: Option<Path>,
    rule: Repetition,
    max_nodes: usize,
    legal: Vec<u32>,
    untried: Vec<G::Move>,
}

impl<G, K> InformationSets<'_, G, K>
where
    G: Hidden + Key + MoveIndex,
    K: Knowledge<G>,
{
    /// What was found of the moves of the root.
    fn found(&self) -> Vec<Found<G::Move>> {
        let hero = self.task.hero;
        let moves = self.nodes[0].children.iter().filter_map(|&child| {
            let node = &self.nodes[child as usize];
            Some(Found {
                mv: node.mv?,
                visits: u64::from(node.visits),
                sum: self.task.view(hero).value(self.sums_of(child)),
            })
        });
        moves.collect()
    }

    fn sums_of(&self, node: u32) -> &[f64] {
        let values = self.task.values;
        &self.sums[node as usize * values..][..values]
    }

    fn add(&mut self, parent: u32, mv: G::Move) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node::new(Some(mv)));
        self.sums.resize(self.nodes.len() * self.task.values, 0.0);
        self.nodes[parent as usize].children.push(number);
        number
    }

    fn child(&self, node: u32, mv: G::Move) -> Option<u32> {
        let children = self.nodes[node as usize].children.iter().copied();
        children
            .into_iter()
            .find(|&c| self.nodes[c as usize].mv == Some(mv))
    }

    fn simulate<T: Throw<G>>(&mut self, state: G::State) -> Result<(), Stopped> {
        let len = self.path.as_ref().map_or(0, Path::len);
        let simulated = self.simulate_on_path::<T>(state);
        if let Some(path) = &mut self.path {
            path.truncate(len);
        }
        simulated
    }

    fn simulate_on_path<T: Throw<G>>(&mut self, mut state: G::State) -> Result<(), Stopped> {
        let Task { game, config, .. } = self.task;
        self.thread.line.clear();
        let mut path = vec![0];
        let mut grown = false;
        let values = loop {
            let node = path[path.len() - 1];
            let turn = game.turn(&state);
            if turn == Turn::Over {
                break self.task.payoffs(&state);
            }
            if grown || self.nodes.len() >= self.max_nodes {
                let history = self.path.as_mut();
                break self.roller.play_out::<K, T>(
                    self.task,
                    &mut self.thread,
                    &state,
                    history,
                )?;
            }
            self.thread.meter.tick()?;
            let child = match turn {
                Turn::Player(player) => self.select(node, &state, player),
                _ => T::throw(game, &state, &mut self.thread.rng).map(|outcome| {
                    let known = self.child(node, outcome);
                    known.unwrap_or_else(|| self.add(node, outcome))
                }),
            };
            let Some(child) = child else {
                let history = self.path.as_mut();
                break self.roller.play_out::<K, T>(
                    self.task,
                    &mut self.thread,
                    &state,
                    history,
                )?;
            };
            let Some(mv) = self.nodes[child as usize].mv else {
                let history = self.path.as_mut();
                break self.roller.play_out::<K, T>(
                    self.task,
                    &mut self.thread,
                    &state,
                    history,
                )?;
            };
            if let Turn::Player(player) = turn
                && config.remembers()
            {
                self.roller
                    .remember(self.task, &mut self.thread, player, mv);
            }
            let made = Made::of(game, self.rule, &state, mv);
            game.play(&mut state, mv);
            grown = self.nodes[child as usize].visits == 0;
            path.push(child);
            if let Some(history) = &mut self.path
                && game.turn(&state) != Turn::Over
            {
                let ruling = history.enter(game, self.rule, &state, made);
                if !ruling.is_open() {
                    break self.task.judged(ruling);
                }
            }
        };
        for number in path {
            self.nodes[number as usize].visits += 1;
            let count = self.task.values;
            let sums = &mut self.sums[number as usize * count..][..count];
            sums.iter_mut()
                .zip(values)
                .for_each(|(sum, value)| *sum += value);
        }
        Ok(())
    }

    /// A legal move that was never tried, or the one with the highest bound.
    fn select(&mut self, node: u32, state: &G::State, player: Player) -> Option<u32> {
        let Task { game, config, .. } = self.task;
        let mut moves = std::mem::take(&mut self.roller.moves);
        moves.clear();
        game.moves(state, &mut moves);
        if self.rule.forbids()
            && let Some(path) = &self.path
        {
            path.retain_legal(game, self.rule, &mut state.clone(), &mut moves, 0);
        }
        self.legal.clear();
        self.untried.clear();
        for &mv in &moves {
            match self.child(node, mv) {
                Some(child) => self.legal.push(child),
                None => self.untried.push(mv),
            }
        }
        self.roller.moves = moves;
        for &child in &self.legal {
            self.nodes[child as usize].available += 1;
        }
        if !self.untried.is_empty() {
            let drawn = self.thread.rng.random_range(0..self.untried.len());
            let child = self.add(node, self.untried[drawn]);
            self.nodes[child as usize].available += 1;
            return Some(child);
        }
        let view = self.task.view(player);
        let place = highest(0..self.legal.len(), |place| {
            let number = self.legal[place];
            let child = &self.nodes[number as usize];
            let visits = f64::from(child.visits.max(1));
            let chances = f64::from(child.available.max(1)).ln();
            view.value(self.sums_of(number)) / visits
                + config.exploration * (chances / visits).sqrt()
        })?;
        Some(self.legal[place])
    }
}

impl<G, K, T> HiddenMcts<G, K, T>
where
    G: Hidden + Key + MoveIndex,
    K: Knowledge<G>,
    T: Throw<G>,
{
    /// One tree for all positions; what was found of the moves, and the nodes spent.
    fn by_sets(
        &self,
        (game, path): (&G, &Path),
        seen: &ObservationOf<G>,
        hero: Player,
        limits: &Limits,
        luck: Seed,
        tell: Tell<'_, G::Move>,
    ) -> (Vec<Found<G::Move>>, u64) {
        let mut draws = luck.split("positions").rng();
        let values = match game.players() {
            players @ 3..=4 => players,
            _ => 1,
        };
        let each = size_of::<Node<G::Move>>() + values * size_of::<f64>() + 2 * size_of::<u32>();
        let rule = game.repetition();
        let mut search = InformationSets::<G, K> {
            task: Task {
                game,
                knowledge: &self.trees.knowledge,
                config: &self.config,
                hero,
                values,
            },
            nodes: vec![Node::new(None)],
            sums: vec![0.0; values],
            roller: Roller::new(game, &self.config),
            thread: Thread::new(luck.rng(), limits),
            path: rule.is_tracked().then(|| path.public(rule)),
            rule,
            max_nodes: (self.config.memory as usize / each).clamp(1, u32::MAX as usize),
            legal: Vec::new(),
            untried: Vec::new(),
        };
        let max_playouts = match (limits.playouts, limits.nodes, limits.time) {
            (None, None, None) => SIMULATIONS,
            (playouts, ..) => playouts.map_or(u32::MAX, narrow),
        };
        while search.nodes[0].visits < max_playouts {
            let visits = u64::from(search.nodes[0].visits);
            if visits >= tell.pace.next() && tell.pace.is_due(visits) {
                (tell.tell)(search.found(), search.thread.meter.nodes());
            }
            let state = game.sample_state(seen, &mut draws);
            if search.simulate::<T>(state).is_err() {
                break;
            }
        }
        let found = (search.found(), search.thread.meter.nodes());
        let bytes = search.nodes.len() as u64 * each as u64;
        drop_aside(std::mem::take(&mut search.nodes), bytes);
        found
    }

    /// A tree for each of several positions.
    fn by_positions(
        &mut self,
        (game, played): (&G, &Path),
        seen: &ObservationOf<G>,
        player: Player,
        limits: &Limits,
        luck: Seed,
        tell: Tell<'_, G::Move>,
    ) -> (Vec<Found<G::Move>>, u64) {
        let mut draws = luck.split("positions").rng();
        let samples = self.samples as u32;
        let share = Limits {
            nodes: limits.nodes.map(|nodes| nodes / u64::from(samples)),
            playouts: (limits.playouts).map(|playouts| playouts / u64::from(samples)),
            ..limits.clone()
        };
        let began = Instant::now();
        let mut found: Vec<Found<G::Move>> = Vec::new();
        let mut nodes = 0;
        for number in 0..samples {
            let state = game.sample_state(seen, &mut draws);
            // The keys of the real positions would tell what is hidden.
            let path = played.public(game.repetition());
            self.trees.luck = luck.number(u64::from(number));
            let situation = Situation {
                game,
                state: &state,
                path: &path,
            };
            // What a tree took too long for is missing to those that follow.
            let left = limits.since(began).time;
            let share = Limits {
                time: left.map(|time| time / (samples - number)),
                ..share.clone()
            };
            let (root, spent) = self.trees.grow(&situation, &share);
            nodes += spent.nodes;
            let hero = super::hero(game, &state);
            for (mv, visits, sum) in root.moves(player, hero) {
                let Some(mv) = mv.get::<G::Move>() else {
                    continue;
                };
                let visits = u64::from(visits);
                match found.iter_mut().find(|known| known.mv == mv) {
                    Some(known) => {
                        known.visits += visits;
                        known.sum += sum;
                    }
                    None => found.push(Found { mv, visits, sum }),
                }
            }
            root.discard(spent.bytes, &self.config);
            if tell.pace.next() < u64::MAX && number + 1 < samples {
                (tell.tell)(found.clone(), nodes);
            }
        }
        (found, nodes)
    }
}

impl<G, K, T> Engine<G> for HiddenMcts<G, K, T>
where
    G: Hidden + Key + MoveIndex,
    K: Knowledge<G>,
    T: Throw<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let past = Past::none(situation.state);
        self.choose_after(past, situation, limits)
    }

    fn choose_after(
        &mut self,
        past: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
    ) -> Choice<G::Move> {
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        true
    }

    fn counts_playouts(&self) -> bool {
        true
    }

    /// Reports the moves that were visited most: about ten times a second from one tree, after each
    /// position with a tree for each. What follows a move hangs on what is hidden, so a line is one
    /// move.
    fn choose_reporting(
        &mut self,
        past: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let (mut found, mut nodes) = (Vec::new(), 0);
        let mut moves = Vec::new();
        path.legal_moves(game, state, &mut moves);
        if let Turn::Player(player) = game.turn(state) {
            let seen = past.observed_by(game, player);
            // Positions that look the same are searched with the same luck.
            let mut hasher = FxHasher::default();
            seen.view().hash(&mut hasher);
            let luck = self.luck.number(hasher.finish());
            let tell = Tell {
                pace: &mut Pace::new(listener, 0),
                tell: &mut |found, nodes| report(found, &moves, nodes, listener),
            };
            (found, nodes) = match self.samples {
                0 => self.by_sets((game, path), &seen, player, limits, luck, tell),
                _ => self.by_positions((game, path), &seen, player, limits, luck, tell),
            };
        }
        found.retain(|known| known.visits > 0 && moves.contains(&known.mv));
        let best = highest(0..found.len(), |place| found[place].visits as f64);
        let chosen = best.map(|place| &found[place]);
        let mv = chosen.map(|known| known.mv);
        let mv = mv.or_else(|| moves.first().copied());
        let visits: u64 = found.iter().map(|known| known.visits).sum();
        let choice = Choice {
            best: mv,
            value: chosen.map(|known| known.sum / known.visits as f64),
            reading: Reading::Own,
            solved: false,
            plies: None,
            line: mv.into_iter().collect(),
            depth: 0,
            nodes,
            counters: vec![("simulations", Counter::One(visits))],
        };
        match best {
            Some(_) => report(found, &moves, nodes, listener),
            None => listener.conclude(&choice),
        }
        choice
    }

    fn new_game(&mut self, luck: Seed) {
        self.luck = luck.number(self.config.seed);
    }
}

/// Reports the legal moves that were visited, the most visited first.
fn report<M: Copy + Eq>(
    mut found: Vec<Found<M>>,
    legal: &[M],
    nodes: u64,
    listener: &mut Listener<'_, M>,
) {
    found.retain(|known| known.visits > 0 && legal.contains(&known.mv));
    found.sort_by_key(|known| std::cmp::Reverse(known.visits));
    let lines = found.iter();
    let lines = lines.map(|known| {
        let mean = known.sum / known.visits as f64;
        (Some(mean), Some(known.visits), [known.mv])
    });
    listener.tell_ranked(lines, 0, nodes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::WithoutChance;
    use tabia_game::{Game, Text, Uninformed};
    use tabia_stratego::stratego::{Setup, Stratego};

    fn ask(
        samples: usize,
        game: &Stratego,
        state: &<Stratego as Game>::State,
    ) -> Choice<<Stratego as Game>::Move> {
        let config = Config {
            plies: 20,
            ..Config::PLAIN
        };
        let mut engine = HiddenMcts::<Stratego, _, WithoutChance>::new(config, samples, Uninformed);
        let path = Path::new();
        let situation = Situation {
            game,
            state,
            path: &path,
        };
        engine.choose(situation, &Limits::nodes(5_000))
    }

    /// Whatever the opponent's pieces really are, the engine does the same.
    #[test]
    fn choices_depend_on_observations_alone() {
        let game = Stratego::new(Setup::Random(7), 1000);
        let mut rng = Seed::new(11).rng();
        let mut state = game.start();
        for ply in 0..60 {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let Turn::Player(player) = game.turn(&state) else {
                break;
            };
            if ply % 10 == 0 {
                let seen = game.observe(&state, &[], player);
                for samples in [0, 4] {
                    let choice = ask(samples, &game, &state);
                    assert!(choice.best.is_some_and(|best| moves.contains(&best)));
                    assert!(choice.nodes <= 5_000);
                    let other = game.sample_state(&seen, &mut rng);
                    assert_eq!(ask(samples, &game, &other), choice);
                }
            }
            game.play(&mut state, moves[rng.random_range(0..moves.len())]);
        }
    }

    /// A Flag that can only be in one place is taken.
    #[test]
    fn a_certain_flag_is_taken() {
        let game = Stratego::new(Setup::Figure, 1000);
        let state = game
            .parse_position("4f5/4M!5/10/10/10/10/10/10/9t!/F9 w")
            .unwrap();
        for samples in [0, 4] {
            let best = ask(samples, &game, &state).best.unwrap();
            assert_eq!(game.move_text(&state, best), "e9xe10");
        }
    }
}
