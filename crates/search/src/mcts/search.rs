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
//! their own.

mod growth;

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use rand::RngExt;
use tabia_game::{Player, Ruling, Stopped, Turn};

use super::config::{Amaf, Config};
use super::entries::{Claim, Crew};
use super::groups::Group;
use super::moves::{Move, Short};
use super::playout::{Thread, Values};
use super::select::{Selected, Selector, Small, slots};
use super::sums::{Later, PlayoutSums, View};
use super::tree::Node;
use super::walk::{Arrival, Facts, Field, Walk};

/// No node lies deeper, so that dropping a tree cannot exhaust the stack.
const MAX_DEPTH: usize = 2000;

/// What all threads of a search share beside the tree. Nobody's own memory lies beside it.
#[repr(align(128))]
pub(super) struct Budget {
    /// Bytes and nodes of the tree.
    pub bytes: AtomicU64,
    pub nodes: AtomicU64,
    /// Bytes that it may take.
    pub max_bytes: u64,
    /// Visits of the root after which the search ends.
    pub max_visits: AtomicU32,
    /// Whether a block was refused for want of memory.
    pub full: AtomicBool,
    /// Whether there is nothing left to recycle: leaves are valued without growing the tree.
    pub frozen: AtomicBool,
}

impl Budget {
    /// Whether a block of this size may be added. The moves of the root always may.
    fn admits(&self, bytes: u64) -> bool {
        let taken = self.bytes.load(Relaxed);
        let admitted = taken == 0 || taken.saturating_add(bytes) <= self.max_bytes;
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
pub(super) struct Step<'t, const V: usize> {
    pub node: &'t Node<V>,
    /// Who is to move there, and how the rule of repetition ends the game, if it does.
    turn: Turn,
    ruling: Ruling,
    /// How whoever is to move there reads values; nobody does where chance decides or the game
    /// ends.
    pub view: Option<View>,
    /// The moves that were played before it.
    pub ply: usize,
    /// The group among its siblings that is out of date after the visit.
    pub group: Option<&'t Group>,
}

impl<'t, const V: usize> Step<'t, V> {
    /// A node with the position that is there.
    pub fn new(node: &'t Node<V>, turn: Turn, ply: usize) -> Step<'t, V> {
        Step {
            node,
            turn,
            ruling: Ruling::Open,
            view: None,
            ply,
            group: None,
        }
    }

    fn at((child, group): Selected<'t, V>, arrival: Arrival, ply: usize) -> Step<'t, V> {
        Step {
            group,
            ruling: arrival.ruling,
            ..Step::new(child.node(), arrival.turn, ply)
        }
    }
}

/// Where a descent ends.
pub(super) enum Reached<const V: usize> {
    /// At the end of a simulation.
    Value(PlayoutSums<V>),
    /// At a node that the thread has for itself.
    Own,
    /// Where others have every node that it could go to.
    Nothing,
}

/// What a thread works with, in memory of its own.
#[repr(align(128))]
pub(super) struct Worker<'a> {
    pub config: &'a Config,
    pub facts: Facts,
    pub walk: Box<dyn Walk + 'a>,
    pub thread: Thread,
    pub budget: &'a Budget,
    /// Those that play out the same leaf.
    pub others: Vec<Thread>,
    pub crew: Crew,
    /// Bytes and nodes that it has added and not yet told of.
    grown: (u64, u64),
    /// The ply of the last occurrence of a move, by player and index.
    pub last: Vec<u32>,
    pub slots: usize,
    small: &'static Small,
    /// The places of the listed moves, and their indices.
    order: Vec<u32>,
    indices: Vec<u32>,
    /// The moves of a new block, if they are short.
    shorts: Vec<Short>,
}

impl<'a> Worker<'a> {
    pub fn new(
        field: &'a dyn Field,
        config: &'a Config,
        budget: &'a Budget,
        thread: Thread,
        crew: Crew,
    ) -> Worker<'a> {
        let facts = field.facts();
        let indices = match config.amaf {
            Amaf::Rave => facts.players * facts.move_indices,
            _ => 0,
        };
        Worker {
            config,
            facts,
            walk: field.walker(),
            thread,
            budget,
            others: Vec::new(),
            crew,
            grown: (0, 0),
            last: vec![0; indices],
            slots: slots(facts.move_indices),
            small: Small::numbers(),
            order: Vec::new(),
            indices: Vec::new(),
            shorts: Vec::new(),
        }
    }

    /// How a player reads the values of a tree with this many.
    pub fn view(&self, player: Player, values: usize) -> View {
        View::new(player, self.facts.hero, values)
    }

    /// A payoff as a share of the largest.
    fn share(&self, payoff: i32) -> f64 {
        f64::from(payoff) / f64::from(self.facts.max_payoff.max(1))
    }

    /// Payoffs as values.
    fn values<const V: usize>(&self, payoff: impl Fn(Player) -> i32) -> Values {
        let mut values = Values::default();
        match V {
            1 => values[0] = self.share(payoff(self.facts.hero)),
            _ => {
                for (place, value) in values.iter_mut().enumerate().take(self.facts.players) {
                    *value = self.share(payoff(Player(place as u8)));
                }
            }
        }
        values
    }

    /// Counts what was added to the tree. Others are told when it matters to the memory that is
    /// left.
    fn add(&mut self, bytes: u64, nodes: u64) {
        self.grown.0 += bytes;
        self.grown.1 += nodes;
        if !self.crew.shares() || self.grown.0 >= self.budget.max_bytes >> 10 {
            self.tell();
        }
    }

    pub fn tell(&mut self) {
        let (bytes, nodes) = std::mem::take(&mut self.grown);
        self.budget.add(bytes, nodes);
    }

    /// Descends from the end of the path: selection, growth, playouts. What is entered on the path
    /// of the game is counted.
    pub fn descend<'t, const V: usize>(
        &mut self,
        path: &mut Vec<Step<'t, V>>,
        entered: &mut usize,
        reference: &mut Option<&'t [Later]>,
    ) -> Result<Reached<V>, Stopped> {
        let config = self.config;
        let visits = config.playouts * (1 + self.others.len() as u32);
        // The root is open to all, and what is below an open node may be.
        let open = self.crew.shares() && path.len() == 1;
        let value = |worth| Ok(Reached::Value(worth));
        loop {
            let place = path.len() - 1;
            let &Step {
                node, turn, ruling, ..
            } = &path[place];
            if turn == Turn::Over {
                if config.solver && V == 1 {
                    let payoff = self.walk.payoff(self.facts.hero);
                    node.prove(payoff, payoff);
                }
                let values = self.values::<V>(|player| self.walk.payoff(player));
                self.learn_later(path, &values);
                return value(PlayoutSums::of(&values, visits, config.squares()));
            }
            if !ruling.is_open() {
                return value(self.judged(path, ruling, visits));
            }
            if config.solver
                && let Some(payoff) = node.proved()
            {
                let mut values = Values::default();
                values[..V].fill(self.share(payoff));
                return value(PlayoutSums::of(&values, visits, config.squares()));
            }
            let view = match turn {
                Turn::Player(player) => Some(self.view(player, V)),
                _ => None,
            };
            path[place].view = view;
            let fresh = node.visits() == 0;
            if fresh && config.expand > 0 && view.is_some() && !open {
                return self.expand(path, turn).map(Reached::Value);
            }
            if (fresh && place > 0) || place >= MAX_DEPTH {
                return self.play_out(path).map(Reached::Value);
            }
            self.thread.meter.tick()?;
            let mut selected = self.next(node, turn, reference, open);
            let mut claim = Claim::Open;
            if open && let Some((child, group)) = selected {
                claim = child.node().entries.claim(self.crew);
                // Another thread has come to the same choice, and now this one comes to another.
                while claim == Claim::Taken {
                    if let Some(group) = group {
                        group.forget();
                    }
                    selected = self.next(node, turn, reference, open);
                    let Some((child, _)) = selected else { break };
                    claim = child.node().entries.claim(self.crew);
                }
            }
            let Some(selected) = selected else {
                if open && self.waits(node) {
                    return Ok(Reached::Nothing);
                }
                let stuck = self.walk.stuck();
                if !stuck.is_open() {
                    return value(self.judged(path, stuck, visits));
                }
                return self.play_out(path).map(Reached::Value);
            };
            let arrival = self.play(&selected.0.mv(), turn);
            *entered += usize::from(arrival.entered);
            path.push(Step::at(selected, arrival, self.thread.line.len()));
            if claim == Claim::Own {
                return Ok(Reached::Own);
            }
        }
    }

    /// Plays a move of the tree.
    #[inline]
    fn play(&mut self, mv: &Move<'_>, turn: Turn) -> Arrival {
        let arrival = self.walk.play(mv);
        if self.config.remembers()
            && let Turn::Player(player) = turn
        {
            self.walk.remember(&mut self.thread, player, mv);
        }
        arrival
    }

    /// The value of a node at which the rule of repetition has ended the game.
    fn judged<const V: usize>(
        &mut self,
        path: &[Step<'_, V>],
        ruling: Ruling,
        visits: u32,
    ) -> PlayoutSums<V> {
        let config = self.config;
        if !self.facts.rule.has_exact_keys() {
            return PlayoutSums::of(&Values::default(), visits, false);
        }
        if config.solver
            && V == 1
            && let Some(step) = path.last()
        {
            let payoff = self.walk.judged(ruling, self.facts.hero);
            step.node.prove(payoff, payoff);
        }
        let values = self.values::<V>(|player| self.walk.judged(ruling, player));
        self.learn_later(path, &values);
        PlayoutSums::of(&values, visits, config.squares())
    }

    /// Where a descent goes to.
    #[inline(always)]
    fn next<'t, const V: usize>(
        &mut self,
        node: &'t Node<V>,
        turn: Turn,
        reference: &mut Option<&'t [Later]>,
        open: bool,
    ) -> Option<Selected<'t, V>> {
        if let Turn::Player(player) = turn {
            return self.choose(node, player, reference, open);
        }
        let child = self.throw(node)?;
        if open {
            // An outcome that is taken would make the others likelier.
            child.node().entries.open();
        }
        Some((child, None))
    }

    /// Whether another thread has a child for itself.
    fn waits<const V: usize>(&self, node: &Node<V>) -> bool {
        let children = node.children.get();
        children.is_some_and(|children| children.all().any(|child| child.entries.now().is_taken()))
    }

    /// The child that a player goes to; nothing if the tree does not grow any more.
    #[inline(always)]
    fn choose<'t, const V: usize>(
        &mut self,
        node: &'t Node<V>,
        player: Player,
        reference: &mut Option<&'t [Later]>,
        open: bool,
    ) -> Option<Selected<'t, V>> {
        let config = self.config;
        let children = self.grown(node, player)?;
        if config.amaf == Amaf::Grave
            && let Some(table) = children.later.get()
        {
            *reference = Some(table);
        }
        let selector = Selector {
            config,
            node,
            children,
            player,
            view: self.view(player, V),
            reference: *reference,
            small: self.small,
            crew: self.crew,
            open,
        };
        selector.select()
    }

    /// Adds the moves of a leaf and plays out some of them, drawn at random.
    fn expand<'t, const V: usize>(
        &mut self,
        path: &mut Vec<Step<'t, V>>,
        turn: Turn,
    ) -> Result<PlayoutSums<V>, Stopped> {
        let config = self.config;
        let node = path[path.len() - 1].node;
        let children = match turn {
            Turn::Player(player) => self.grown(node, player),
            _ => None,
        };
        let Some(children) = children else {
            return self.play_out(path);
        };
        let mut drawn: Vec<usize> = (0..children.nodes.len()).collect();
        let mut whole = PlayoutSums::NOTHING;
        self.walk.mark();
        for place in 0..config.expand.min(drawn.len()) {
            let other = self.thread.rng.random_range(place..drawn.len());
            drawn.swap(place, other);
            let child = children.child(drawn[place]);
            if let Err(stopped) = self.thread.meter.tick() {
                self.walk.unmark();
                return Err(stopped);
            }
            let arrival = self.play(&child.mv(), turn);
            if config.solver && V == 1 && arrival.turn == Turn::Over {
                let payoff = self.walk.payoff(self.facts.hero);
                child.node().prove(payoff, payoff);
            }
            let worth = match arrival.ruling.is_open() {
                true => self.play_out(path),
                false => {
                    path.push(Step::at((child, None), arrival, self.thread.line.len()));
                    let worth = self.judged(path, arrival.ruling, config.playouts);
                    path.pop();
                    Ok(worth)
                }
            };
            if config.remembers() {
                self.thread.line.pop();
            }
            self.walk.leave(usize::from(arrival.entered));
            self.walk.go_back();
            let worth = match worth {
                Ok(worth) => worth,
                Err(stopped) => {
                    self.walk.unmark();
                    return Err(stopped);
                }
            };
            child.node().credit(&worth, 0, self.crew.shares());
            whole.add(&worth);
        }
        self.walk.unmark();
        Ok(whole)
    }

    /// Plays on at random from a leaf, by all threads that share it.
    fn play_out<const V: usize>(
        &mut self,
        path: &[Step<'_, V>],
    ) -> Result<PlayoutSums<V>, Stopped> {
        let mut whole = PlayoutSums::NOTHING;
        let (squares, times) = (self.config.squares(), self.config.playouts);
        for _ in 0..times {
            let before = self.thread.line.len();
            if self.others.is_empty() {
                let values = self.walk.play_out(&mut self.thread)?;
                self.learn_later(path, &values);
                whole.add(&PlayoutSums::of(&values, 1, squares));
            } else {
                let played = self.walk.all_play_out(&mut self.thread, &mut self.others);
                for (number, values) in played.into_iter().enumerate() {
                    let values = values?;
                    // The first is the thread's own.
                    if let Some(other) = number.checked_sub(1) {
                        self.thread.line.clone_from(&self.others[other].line);
                    }
                    self.learn_later(path, &values);
                    whole.add(&PlayoutSums::of(&values, 1, squares));
                }
            }
            self.thread.line.truncate(before);
        }
        Ok(whole)
    }
}
