//! One thread's descents in a tree: selection, growth and playouts.
//!
//! # Proofs
//!
//! With the solver on, nodes have bounds on what they are worth (Cazenave and Saffidine 2010,
//! "Score bounded Monte-Carlo tree search"), which generalise the proved wins and losses of
//! Winands, Björnsson and Saito (2008). The end of a game sets both; a node takes the best of its
//! children's, as soon as all of them are there. A child that cannot be better than what is proved
//! already is not visited again.
//!
//! A game that a repetition draws counts as drawn in means, but proves nothing: the game so far is
//! left out of what is proved. Where a repetition loses, is forbidden or is judged, that proves
//! what it pays: nodes are never shared between paths, and a tree is kept only for the path it was
//! grown on. So games in which positions recur are solved soundly, if at all. Nothing is proved of
//! a chance event, whose outcomes need not all be in the tree, nor where every player has values of
//! his own.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use rand::RngExt;
use tabia_game::{
    CERTAIN, Key, Knowledge, Made, MoveIndex, Path, Player, Repetition, Ruling, Stopped, Turn,
};

use super::Throw;
use super::config::{Amaf, Config, Outcomes, Selection};
use super::entries::{Claim, Crew};
use super::groups::Group;
use super::playout::{Roller, Task};
use super::select::{Selected, Selector, Small, slots};
use super::tree::{Children, Later, Node, View, Worth};

/// No node lies deeper, so that dropping a tree cannot exhaust the stack.
const DEEPEST: usize = 2000;

/// Children of a node that are added at once.
const FIRST: usize = 32;

/// What all threads of a search share beside the tree. Nobody's own memory lies beside it.
#[repr(align(128))]
pub(super) struct Budget {
    /// Bytes and nodes of the tree.
    pub bytes: AtomicU64,
    pub nodes: AtomicU64,
    /// Bytes that it may take.
    pub most_bytes: u64,
    /// Visits of the root after which the search ends.
    pub most_visits: AtomicU32,
    /// Whether a block was refused for want of memory.
    pub full: AtomicBool,
    /// Whether there is nothing left to recycle: leaves are valued without growing the tree.
    pub frozen: AtomicBool,
}

impl Budget {
    /// Whether a block of this size may be added. The moves of the root always may.
    fn admits(&self, bytes: u64) -> bool {
        let taken = self.bytes.load(Relaxed);
        let admitted = taken == 0 || taken.saturating_add(bytes) <= self.most_bytes;
        if !admitted {
            self.full.store(true, Relaxed);
        }
        admitted
    }

    pub fn add(&self, bytes: u64, nodes: u64) {
        self.bytes.fetch_add(bytes, Relaxed);
        self.nodes.fetch_add(nodes, Relaxed);
    }
}

/// Why a thread came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// A limit, or the root is proved.
    Done,
    /// There is no memory for more nodes.
    Full,
}

/// A node of a descent.
pub(super) struct Step<'t, M, const V: usize> {
    pub node: &'t Node<M, V>,
    /// Whose turn it is there; nobody's where chance decides or the game ends.
    pub view: Option<View>,
    /// The moves that were played before it.
    pub ply: usize,
    /// The group among its siblings that is out of date after the visit.
    pub group: Option<&'t Group>,
    /// The move that led there, as far as the rule of repetition needs to know it.
    pub made: Made,
}

impl<'t, M, const V: usize> Step<'t, M, V> {
    pub fn new((node, group): Selected<'t, M, V>, ply: usize) -> Step<'t, M, V> {
        Step {
            node,
            view: None,
            ply,
            group,
            made: Made::NOTHING,
        }
    }
}

/// Where a descent ends.
pub(super) enum Reached<const V: usize> {
    /// At the end of a simulation.
    Value(Worth<V>),
    /// At a node that the thread has for itself.
    Own,
    /// Where others have every node that it could go to.
    Nothing,
}

/// What a thread works with, in memory of its own.
#[repr(align(128))]
pub(super) struct Worker<'a, G: MoveIndex, K> {
    pub task: Task<'a, G, K>,
    pub budget: &'a Budget,
    pub roller: Roller<G>,
    /// Those that play out the same leaf, and the threads for it.
    pub others: Vec<Roller<G>>,
    pub pool: Option<&'a rayon::ThreadPool>,
    /// The game so far and the present descent, where repetition matters.
    pub history: Option<Path>,
    pub rule: Repetition,
    pub crew: Crew,
    /// Bytes and nodes that it has added and not yet told of.
    grown: (u64, u64),
    /// The ply of the last occurrence of a move, by player and index.
    pub last: Vec<u32>,
    pub slots: usize,
    small: &'static Small,
    order: Vec<u32>,
}

impl<'a, G, K> Worker<'a, G, K>
where
    G: Key + MoveIndex,
    K: Knowledge<G>,
{
    pub fn new(
        task: Task<'a, G, K>,
        budget: &'a Budget,
        roller: Roller<G>,
        path: &Path,
        crew: Crew,
    ) -> Worker<'a, G, K> {
        let game = task.game;
        let indices = match task.config.amaf {
            Amaf::Rave => game.players() * game.move_indices(),
            _ => 0,
        };
        Worker {
            task,
            budget,
            roller,
            others: Vec::new(),
            pool: None,
            history: game.repetition().is_tracked().then(|| path.clone()),
            rule: game.repetition(),
            crew,
            grown: (0, 0),
            last: vec![0; indices],
            slots: slots(game),
            small: Small::numbers(),
            order: Vec::new(),
        }
    }

    pub fn config(&self) -> &'a Config {
        self.task.config
    }

    /// Counts what was added to the tree. Others are told when it matters to the memory that is
    /// left.
    fn add(&mut self, bytes: u64, nodes: u64) {
        self.grown.0 += bytes;
        self.grown.1 += nodes;
        if !self.crew.shares() || self.grown.0 >= self.budget.most_bytes >> 10 {
            self.tell();
        }
    }

    pub fn tell(&mut self) {
        let (bytes, nodes) = std::mem::take(&mut self.grown);
        self.budget.add(bytes, nodes);
    }

    /// Descends from the end of the path: selection, growth, playouts. What is pushed to the
    /// history is counted.
    pub fn descend<'t, T: Throw<G>, const V: usize>(
        &mut self,
        state: &mut G::State,
        path: &mut Vec<Step<'t, G::Move, V>>,
        pushed: &mut usize,
        reference: &mut Option<&'t [Later]>,
    ) -> Result<Reached<V>, Stopped> {
        let Task { game, config, .. } = self.task;
        let visits = config.playouts * (1 + self.others.len() as u32);
        // The root is open to all, and what is below an open node may be.
        let open = self.crew.shares() && path.len() == 1;
        let value = |worth| Ok(Reached::Value(worth));
        loop {
            let place = path.len() - 1;
            let node = path[place].node;
            let turn = game.turn(state);
            if turn == Turn::Over {
                if config.solver && V == 1 {
                    let payoff = game.payoff(state, self.task.hero);
                    node.prove(payoff, payoff);
                }
                let values = self.task.payoffs(state);
                self.learn_later(path, &values);
                return value(Worth::of(values, visits, config.squares()));
            }
            if place > 0
                && let Some(history) = &mut self.history
            {
                *pushed += 1;
                let ruling = history.enter(game, self.rule, state, path[place].made);
                if !ruling.is_open() {
                    return value(self.judged(path, ruling, visits));
                }
            }
            if config.solver
                && let Some(payoff) = node.proved()
            {
                let share = f64::from(payoff) / f64::from(game.max_payoff().max(1));
                let worth = Worth::of([share; V], visits, config.squares());
                return value(worth);
            }
            let view = match turn {
                Turn::Player(player) => Some(View::new::<V>(player, self.task.hero)),
                _ => None,
            };
            path[place].view = view;
            let fresh = node.visits() == 0;
            if fresh && config.expand > 0 && view.is_some() && !open {
                return self.expand::<T, V>(path, state, turn).map(Reached::Value);
            }
            if (fresh && place > 0) || place >= DEEPEST {
                return self.play_out::<T, V>(path, state).map(Reached::Value);
            }
            self.roller.meter.tick()?;
            let mut selected = self.next::<T, V>(node, state, turn, reference, open);
            let mut claim = Claim::Open;
            if open && let Some((child, group)) = selected {
                claim = child.entries.claim(self.crew);
                // Another thread has come to the same choice, and now this one comes to another.
                while claim == Claim::Taken {
                    if let Some(group) = group {
                        group.forget();
                    }
                    selected = self.next::<T, V>(node, state, turn, reference, open);
                    let Some((child, _)) = selected else { break };
                    claim = child.entries.claim(self.crew);
                }
            }
            let Some((selected, mv)) = selected.and_then(|s| Some((s, s.0.mv?))) else {
                if open && self.waits(node) {
                    return Ok(Reached::Nothing);
                }
                let stuck = match (&self.history, self.rule.forbids()) {
                    (Some(history), true) => history.ruling(game, state),
                    _ => Ruling::Open,
                };
                if !stuck.is_open() {
                    return value(self.judged(path, stuck, visits));
                }
                return self.play_out::<T, V>(path, state).map(Reached::Value);
            };
            let made = Made::of(game, self.rule, state, mv);
            game.play(state, mv);
            if let Turn::Player(player) = turn
                && config.remembers()
            {
                self.roller.remember(game, player, mv);
            }
            let ply = self.roller.line.len();
            path.push(Step {
                made,
                ..Step::new(selected, ply)
            });
            if claim == Claim::Own {
                return Ok(Reached::Own);
            }
        }
    }

    /// The value of a node at which the rule of repetition has ended the game.
    fn judged<const V: usize>(
        &mut self,
        path: &[Step<'_, G::Move, V>],
        ruling: Ruling,
        visits: u32,
    ) -> Worth<V> {
        let Task {
            game, config, hero, ..
        } = self.task;
        if !self.rule.has_exact_keys() {
            return Worth::of([0.0; V], visits, false);
        }
        if config.solver
            && V == 1
            && let Some(step) = path.last()
        {
            let payoff = ruling.payoff(game, hero);
            step.node.prove(payoff, payoff);
        }
        let values = self.task.judged(ruling);
        self.learn_later(path, &values);
        Worth::of(values, visits, config.squares())
    }

    /// Where a descent goes to.
    #[inline]
    fn next<'t, T: Throw<G>, const V: usize>(
        &mut self,
        node: &'t Node<G::Move, V>,
        state: &G::State,
        turn: Turn,
        reference: &mut Option<&'t [Later]>,
        open: bool,
    ) -> Option<Selected<'t, G::Move, V>> {
        if let Turn::Player(player) = turn {
            return self.choose::<V>(node, state, player, reference, open);
        }
        let child = self.throw::<T, V>(node, state)?;
        if open {
            // An outcome that is taken would make the others likelier.
            child.entries.open();
        }
        Some((child, None))
    }

    /// Whether another thread has a child for itself.
    fn waits<const V: usize>(&self, node: &Node<G::Move, V>) -> bool {
        let children = node.children.get();
        children.is_some_and(|children| children.all().any(|child| child.entries.is_taken()))
    }

    /// The child that a player goes to; nothing if the tree does not grow any more.
    fn choose<'t, const V: usize>(
        &mut self,
        node: &'t Node<G::Move, V>,
        state: &G::State,
        player: Player,
        reference: &mut Option<&'t [Later]>,
        open: bool,
    ) -> Option<Selected<'t, G::Move, V>> {
        let Task { game, config, .. } = self.task;
        let children = self.grown(node, state, player)?;
        if config.amaf == Amaf::Grave
            && let Some(table) = children.later.get()
        {
            *reference = Some(table);
        }
        let selector = Selector {
            game,
            config,
            node,
            children,
            player,
            view: View::new::<V>(player, self.task.hero),
            reference: *reference,
            small: self.small,
            crew: self.crew,
            open,
        };
        selector.select()
    }

    /// The children of a node, to which the next ones are added if need be.
    fn grown<'t, const V: usize>(
        &mut self,
        node: &'t Node<G::Move, V>,
        state: &G::State,
        player: Player,
    ) -> Option<&'t Children<G::Move, V>> {
        let present = match node.children.get() {
            None => 0,
            Some(children) => match children.missing() {
                // Those that are there have not all been visited.
                Some(count) if (node.entries() as usize) < count => return Some(children),
                None => return Some(children),
                Some(count) => count,
            },
        };
        let Task { game, config, .. } = self.task;
        let roller = &mut self.roller;
        roller.moves.clear();
        // Only where children are visited in order, and nothing is to be known of them, some can be
        // left for later.
        let all =
            config.knows() || config.amaf != Amaf::Off || config.expand > 0 || self.rule.forbids();
        let most = match all {
            true => usize::MAX,
            false => FIRST.max(4 * present),
        };
        let complete = game.first_moves(state, most, &mut roller.moves);
        if self.rule.forbids()
            && let Some(history) = &self.history
        {
            let (rule, mut state) = (self.rule, state.clone());
            history.retain_legal(game, rule, &mut state, &mut roller.moves, 0);
        }
        let end = roller.moves.len().min(most);
        let complete = complete && end == roller.moves.len();
        let bytes = Children::<G::Move, V>::bytes(end.saturating_sub(present), self.crew.threads);
        if !self.budget.admits(bytes) {
            return node.children.get().map(|children| &**children);
        }
        let nodes = match config.knows() {
            false => {
                let payoff = game.max_payoff();
                let new = |&mv: &G::Move| Node::new(Some(mv), 0.0, payoff);
                roller.moves[present.min(end)..end]
                    .iter()
                    .map(new)
                    .collect()
            }
            true => self.informed(state, player),
        };
        let block = Children::new(nodes, complete, self.crew);
        let added = match node.children.get() {
            None => node.children.set(block).is_ok(),
            Some(children) => children.append(block),
        };
        if added {
            self.add(bytes, end.saturating_sub(present) as u64);
        }
        node.children.get().map(|children| &**children)
    }

    /// Children with what is known of them, the best first if not all are tried at once.
    fn informed<const V: usize>(
        &mut self,
        state: &G::State,
        player: Player,
    ) -> Box<[Node<G::Move, V>]> {
        let Task {
            game, config, hero, ..
        } = self.task;
        let Roller { moves, scores, .. } = &mut self.roller;
        let unit = self.task.known(state, moves, player, scores);
        let order = &mut self.order;
        order.clear();
        order.extend(0..moves.len() as u32);
        if config.widening > 0 {
            best_first(order, scores);
        }
        let known = |place: u32| scores[place as usize] as f32 * unit;
        let most = scores.iter().max().map_or(0.0, |&most| most as f32 * unit);
        let weight = |place| ((known(place) - most) / config.temperature as f32).exp();
        let weights: f32 = (0..moves.len() as u32).map(weight).sum();
        let sign = if player == hero { 1.0 } else { -1.0 };
        let node = |&place: &u32| {
            let own = match config.selection {
                Selection::Puct => weight(place) / weights,
                _ => known(place),
            };
            let node = Node::new(Some(moves[place as usize]), own, game.max_payoff());
            let implicit = sign * known(place) * CERTAIN as f32;
            node.implicit.store(implicit as i32, Relaxed);
            node
        };
        order.iter().map(node).collect()
    }

    /// The outcome that chance brings.
    fn throw<'t, T: Throw<G>, const V: usize>(
        &mut self,
        node: &'t Node<G::Move, V>,
        state: &G::State,
    ) -> Option<&'t Node<G::Move, V>> {
        let Task { game, config, .. } = self.task;
        let children = node.children.get_or_init(|| {
            self.budget.add(Children::<G::Move, V>::bytes(0, 0), 0);
            Children::new(Box::new([]), false, self.crew)
        });
        if config.outcomes == Outcomes::Widening {
            let known = children.all().count() as f64;
            if known > 0.0 && known >= f64::from(node.visits()).sqrt() {
                // Outcomes were drawn as often as they are likely, so visits stand for
                // probabilities.
                let visits: u64 = children.all().map(|child| u64::from(child.visits())).sum();
                let mut drawn = self.roller.rng.random_range(0..visits.max(1));
                return children.all().find(|child| {
                    let own = u64::from(child.visits());
                    let found = drawn < own.max(u64::from(visits == 0));
                    drawn = drawn.saturating_sub(own);
                    found
                });
            }
        }
        let outcome = T::throw(game, state, &mut self.roller.rng)?;
        let bytes = Children::<G::Move, V>::bytes(1, 0);
        let known = children.all().find(|child| child.mv == Some(outcome));
        if known.is_some() || !self.budget.admits(bytes) {
            return known;
        }
        let (child, added) = children.outcome(outcome, game.max_payoff(), self.crew);
        if added {
            self.add(bytes, 1);
        }
        Some(child)
    }

    /// Adds the moves of a leaf and plays out some of them, drawn at random.
    fn expand<'t, T: Throw<G>, const V: usize>(
        &mut self,
        path: &mut Vec<Step<'t, G::Move, V>>,
        state: &G::State,
        turn: Turn,
    ) -> Result<Worth<V>, Stopped> {
        let Task { game, config, .. } = self.task;
        let node = path[path.len() - 1].node;
        let children = match turn {
            Turn::Player(player) => self.grown(node, state, player),
            _ => None,
        };
        let Some(children) = children else {
            return self.play_out::<T, V>(path, state);
        };
        let mut drawn: Vec<usize> = (0..children.nodes.len()).collect();
        let mut whole = Worth::NOTHING;
        for place in 0..config.expand.min(drawn.len()) {
            let other = self.roller.rng.random_range(place..drawn.len());
            drawn.swap(place, other);
            let child = &children.nodes[drawn[place]];
            let Some(mv) = child.mv else {
                continue;
            };
            self.roller.meter.tick()?;
            let mut next = state.clone();
            let made = Made::of(game, self.rule, &next, mv);
            game.play(&mut next, mv);
            let over = game.turn(&next) == Turn::Over;
            let mut ruling = Ruling::Open;
            if let Some(history) = self.history.as_mut().filter(|_| !over) {
                ruling = history.enter(game, self.rule, &next, made);
            }
            if config.solver && V == 1 && over {
                let payoff = game.payoff(&next, self.task.hero);
                child.prove(payoff, payoff);
            }
            if let Turn::Player(player) = turn
                && config.remembers()
            {
                self.roller.remember(game, player, mv);
            }
            let worth = match ruling.is_open() {
                true => self.play_out::<T, V>(path, &next),
                false => {
                    path.push(Step::new((child, None), self.roller.line.len()));
                    let worth = self.judged(path, ruling, config.playouts);
                    path.pop();
                    Ok(worth)
                }
            };
            if config.remembers() {
                self.roller.line.pop();
            }
            if let Some(history) = self.history.as_mut().filter(|_| !over) {
                history.pop();
            }
            let worth = worth?;
            child.credit(&worth, 0, self.crew.shares());
            whole.add(&worth);
        }
        Ok(whole)
    }

    /// Plays on at random from a leaf, by all threads that share it.
    fn play_out<T: Throw<G>, const V: usize>(
        &mut self,
        path: &[Step<'_, G::Move, V>],
        state: &G::State,
    ) -> Result<Worth<V>, Stopped> {
        let mut whole = Worth::NOTHING;
        let (squares, times) = (self.config().squares(), self.config().playouts);
        for _ in 0..times {
            let before = self.roller.line.len();
            if self.others.is_empty() {
                let history = self.history.as_mut();
                let values = self.roller.play_out::<K, T, V>(self.task, state, history)?;
                self.learn_later(path, &values);
                whole.add(&Worth::of(values, 1, squares));
            } else {
                for (values, line) in self.all_play_out::<T, V>(state)? {
                    self.roller.line.truncate(before);
                    self.roller.line.extend(line);
                    self.learn_later(path, &values);
                    whole.add(&Worth::of(values, 1, squares));
                }
            }
            self.roller.line.truncate(before);
        }
        Ok(whole)
    }
}

/// Sorts places by their scores; not generic, so that it is compiled once.
fn best_first(places: &mut [u32], scores: &[i32]) {
    places.sort_by_key(|&place| -scores[place as usize]);
}
