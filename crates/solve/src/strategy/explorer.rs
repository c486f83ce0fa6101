//! The positions that a strategy may need, and how they hang together.

use std::time::Instant;

use tabia_game::{Limits, Meter, Stopped, Turn};

use super::StrategyError;
use crate::certificate::{Certifiable, Positions, Task};
use crate::{Attack, Goal, Prover, Settled, Status};

/// How many nodes the search may spend on a position before it is asked about another, and how many
/// when all were tried without success.
pub(super) const EFFORTS: [u64; 5] = [1 << 12, 1 << 16, 1 << 20, 1 << 24, u64::MAX];

/// The position that the strategy is for.
pub(super) const ROOT: u32 = 0;
const NONE: u32 = u32::MAX;
/// How often progress is told: once in this many positions.
const INTERVAL: usize = 1024;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Nothing for certain.
    Open,
    /// The strategist wins by moves that are already there.
    Won,
    /// The strategist cannot stay among positions that are not lost.
    Lost,
}

pub(super) struct Node<M> {
    pub(super) strategist: bool,
    pub(super) expanded: bool,
    pub(super) mark: Mark,
    /// Where the opponent moves: how many moves lead to positions that are not won yet.
    pub(super) missing: u32,
    /// Where the strategist moves: the move.
    pub(super) choice: Option<M>,
    /// The first edge in the list of those that lead here.
    parents: u32,
}

/// A move that leads to a position.
#[derive(Clone, Copy)]
pub(super) struct Edge<M> {
    pub(super) parent: u32,
    pub(super) mv: M,
    next: u32,
}

/// Where a move of the strategist leads.
pub(super) enum Target {
    /// To a position whose value is known and suffices.
    Leaf,
    /// To this one.
    Position(u32),
}

/// What the search says of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Good,
    Bad,
    Unknown,
}

pub(super) struct Explorer<'a, G: Certifiable> {
    pub(super) game: &'a G,
    task: Task,
    attack: Attack,
    /// What the attack must come to for the strategist.
    good: Status,
    prover: &'a mut dyn Prover<G>,
    settled: &'a dyn Settled<G>,
    limits: &'a Limits,
    started: Instant,
    /// Watches the clock and the flag; nodes are counted in `spent`.
    meter: Meter,
    spent: u64,
    progress: &'a mut dyn FnMut(u64),
    pub(super) positions: Positions<G>,
    pub(super) nodes: Vec<Node<G::Move>>,
    edges: Vec<Edge<G::Move>>,
    /// Positions to be expanded, the next one last.
    pub(super) pending: Vec<u32>,
}

impl<'a, G: Certifiable> Explorer<'a, G> {
    pub(super) fn new(
        game: &'a G,
        task: Task,
        prover: &'a mut dyn Prover<G>,
        settled: &'a dyn Settled<G>,
        limits: &'a Limits,
        progress: &'a mut dyn FnMut(u64),
    ) -> Self {
        let goal = Goal {
            player: task.player,
            at_least: task.at_least.payoff(),
        };
        let (attack, holds) = goal.attack();
        let clock = Limits {
            nodes: None,
            ..limits.clone()
        };
        Explorer {
            game,
            task,
            attack,
            good: Status::of(holds),
            prover,
            settled,
            limits,
            started: Instant::now(),
            meter: clock.meter(),
            spent: 0,
            progress,
            positions: Positions::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Enters the position to begin with; false if its value is known and there is nothing to do.
    pub(super) fn begin(&mut self, root: &G::State) -> Result<bool, StrategyError> {
        if let Some(good) = self.known(root) {
            return if good {
                Ok(false)
            } else {
                Err(StrategyError::Refuted)
            };
        }
        match self.ask(root, u64::MAX)? {
            Answer::Good => (),
            Answer::Bad => return Err(StrategyError::Refuted),
            Answer::Unknown => return Err(StrategyError::Undecided(self.game.position_text(root))),
        }
        self.enter(root.clone())?;
        Ok(true)
    }

    pub(super) fn into_choices(self) -> (Positions<G>, Vec<Option<G::Move>>) {
        let choices = self.nodes.into_iter().map(|node| node.choice).collect();
        (self.positions, choices)
    }

    /// Whether a position is good for the strategist, if that is known without search.
    pub(super) fn known(&self, state: &G::State) -> Option<bool> {
        match self.attack.status(self.game, state, self.settled) {
            Status::Unknown => None,
            status => Some(status == self.good),
        }
    }

    /// The moves of a position and where they lead.
    pub(super) fn successors(&self, number: u32) -> Vec<(G::Move, G::State)> {
        let state = self.positions.get(number);
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        let play = |mv| {
            let mut child = state.clone();
            self.game.play(&mut child, mv);
            (mv, child)
        };
        moves.into_iter().map(play).collect()
    }

    /// The number of a position, which is put down for expansion if it is new.
    pub(super) fn enter(&mut self, state: G::State) -> Result<u32, StrategyError> {
        if let Some(number) = self.positions.find(self.game, &state) {
            return Ok(number);
        }
        self.meter.tick()?;
        self.spend(1)?;
        let strategist = self.game.turn(&state) == Turn::Player(self.task.player);
        let added = self.positions.add(self.game, state);
        let number = added.map_err(|_| StrategyError::TooLarge)?;
        self.nodes.push(Node {
            strategist,
            expanded: false,
            mark: Mark::Open,
            missing: 0,
            choice: None,
            parents: NONE,
        });
        self.pending.push(number);
        if self.nodes.len().is_multiple_of(INTERVAL) {
            (self.progress)(self.nodes.len() as u64);
        }
        Ok(number)
    }

    pub(super) fn node(&mut self, number: u32) -> &mut Node<G::Move> {
        &mut self.nodes[number as usize]
    }

    /// Notes that a move of `parent` leads to `child`.
    pub(super) fn link(
        &mut self,
        parent: u32,
        mv: G::Move,
        child: u32,
    ) -> Result<(), StrategyError> {
        let edge = u32::try_from(self.edges.len()).ok();
        let edge = edge.filter(|&edge| edge != NONE);
        let edge = edge.ok_or(StrategyError::TooLarge)?;
        let next = std::mem::replace(&mut self.node(child).parents, edge);
        self.edges.push(Edge { parent, mv, next });
        Ok(())
    }

    /// The moves noted that lead to a position.
    pub(super) fn parents(&self, child: u32) -> impl Iterator<Item = Edge<G::Move>> + '_ {
        let edge = |number: u32| self.edges.get(number as usize).copied();
        let first = edge(self.nodes[child as usize].parents);
        std::iter::successors(first, move |last| edge(last.next))
    }

    pub(super) fn contradiction(&self, number: u32) -> StrategyError {
        let state = self.positions.get(number);
        StrategyError::Contradiction(self.game.position_text(state))
    }

    /// Asks the search, which may spend this many nodes. An answer that a limit of the whole has
    /// cut short is an error.
    pub(super) fn ask(&mut self, state: &G::State, effort: u64) -> Result<Answer, StrategyError> {
        let left = self
            .limits
            .nodes
            .map(|nodes| nodes.saturating_sub(self.spent));
        let limits = Limits {
            nodes: left
                .into_iter()
                .chain(Some(effort).filter(|&e| e != u64::MAX))
                .min(),
            time: self
                .limits
                .time
                .map(|time| time.saturating_sub(self.started.elapsed())),
            cancel: self.limits.cancel.clone(),
            ..Limits::default()
        };
        let proof = self
            .prover
            .prove(self.game, state, self.attack, self.settled, &limits);
        let status = proof.status;
        self.spent = self.spent.saturating_add(proof.nodes);
        if status == Status::Unknown {
            let late = self
                .limits
                .time
                .is_some_and(|time| self.started.elapsed() >= time);
            if late || limits.cancel.is_cancelled() || limits.nodes == left && left.is_some() {
                return Err(Stopped.into());
            }
            return Ok(Answer::Unknown);
        }
        Ok(if status == self.good {
            Answer::Good
        } else {
            Answer::Bad
        })
    }

    fn spend(&mut self, nodes: u64) -> Result<(), Stopped> {
        if self
            .limits
            .nodes
            .is_some_and(|most| self.spent.saturating_add(nodes) > most)
        {
            return Err(Stopped);
        }
        self.spent = self.spent.saturating_add(nodes);
        Ok(())
    }

    /// A move of the strategist: one that ends the matter, or to a position that was entered and
    /// for which `usable` speaks, or the one that the search remembers, or one to a position that
    /// waits for expansion, or one that the search proves good. None if it says that all others are
    /// bad.
    pub(super) fn choose(
        &mut self,
        number: u32,
        usable: impl Fn(&Node<G::Move>) -> bool,
    ) -> Result<Option<(G::Move, Target)>, StrategyError> {
        let mut waiting = None;
        let mut entered = None;
        let mut candidates = Vec::new();
        for (mv, child) in self.successors(number) {
            match self.known(&child) {
                Some(true) => return Ok(Some((mv, Target::Leaf))),
                Some(false) => continue,
                None => (),
            }
            let Some(known) = self.positions.find(self.game, &child) else {
                candidates.push((mv, child));
                continue;
            };
            let node = &self.nodes[known as usize];
            if usable(node) {
                entered.get_or_insert((mv, Target::Position(known)));
            } else if node.mark == Mark::Open && !node.expanded {
                waiting.get_or_insert((mv, Target::Position(known)));
            }
        }
        if entered.is_some() {
            return Ok(entered);
        }
        let state = self.positions.get(number);
        let hint = self.prover.hint(self.game, state, self.attack);
        if let Some(place) = candidates.iter().position(|&(mv, _)| Some(mv) == hint) {
            candidates[..=place].rotate_right(1);
        }
        if let Some((mv, child)) = candidates.first().cloned()
            && Some(mv) == hint
            && self.ask(&child, EFFORTS[0])? == Answer::Good
        {
            let child = self.enter(child)?;
            return Ok(Some((mv, Target::Position(child))));
        }
        if waiting.is_some() {
            return Ok(waiting);
        }
        for effort in EFFORTS {
            let mut undecided = Vec::new();
            for (mv, child) in candidates {
                match self.ask(&child, effort)? {
                    Answer::Good => {
                        let child = self.enter(child)?;
                        return Ok(Some((mv, Target::Position(child))));
                    }
                    Answer::Bad => (),
                    Answer::Unknown => undecided.push((mv, child)),
                }
            }
            candidates = undecided;
        }
        match candidates.first() {
            Some((_, state)) => Err(StrategyError::Undecided(self.game.position_text(state))),
            None => Ok(None),
        }
    }
}
