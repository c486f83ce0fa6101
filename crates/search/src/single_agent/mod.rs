//! Searching games for one player, who wants as much as can be had.
//!
//! Such a search looks for a line, not for a move: it hands out the best line it has come across
//! whenever that improves, and may be stopped at any time. [`SpMcts`] is the single-player
//! Monte-Carlo tree search of Schadd (2011, chapter 3), [`Nested`] nested Monte-Carlo search
//! (Cazenave 2009), [`Nrpa`] nested rollout policy adaptation (Rosin 2011) and its generalisation
//! (Cazenave 2020), [`Beam`] beam search. Exact searches are in the crate of solvers.
//!
//! They take a game under any [rule of repetition](tabia_game::Repetition): every line begins with
//! the path of the situation, contains no move that the rule forbids, and pays what the rule says
//! where it ends the game. No line is called best unless it pays [`OnePlayer::most`].
//!
//! Budgets of nodes count playouts, for a beam without playouts positions, so that equal budgets
//! mean about equal work.

mod beam;
mod engine;
mod nested;
mod nrpa;
mod parallel;
mod playout;
mod ruled;
mod spmcts;

#[cfg(test)]
mod tests;

pub use beam::{Beam, Config as BeamConfig, PARAMETERS as BEAM_PARAMETERS};
pub use engine::Follow;
pub use nested::{Config as NestedConfig, Nested, PARAMETERS as NESTED_PARAMETERS};
pub use nrpa::{Config as NrpaConfig, Nrpa, PARAMETERS as NRPA_PARAMETERS};
pub use parallel::Parallel;
pub use spmcts::{Config as SpMctsConfig, PARAMETERS as SPMCTS_PARAMETERS, SpMcts, TopScore};

use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::{CERTAIN, Game, Knowledge, Limits, OnePlayer, Payoff, Player, Seed};

use crate::{Counter, Situation};

/// The threads of a search: [`Parallel`] ones, or those of a beam.
pub const THREADS: Parameter = Parameter {
    key: "threads",
    kind: ParameterKind::Integer(1, 256),
    default: "1",
    help: "threads to search with",
};

/// Where the luck of a search comes from.
pub const SEED: Parameter = Parameter {
    key: "seed",
    kind: ParameterKind::Integer(0, i64::MAX),
    default: "0",
    help: "random seed",
};

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<M> {
    /// The best payoff.
    pub payoff: Payoff,
    /// The moves that earn it.
    pub line: Vec<M>,
    /// Whether nothing better exists.
    pub proved: bool,
    /// Nodes visited.
    pub nodes: u64,
    /// What the search counted, by name.
    pub counters: Vec<(&'static str, Counter)>,
}

/// Is told of every improvement: the payoff, the line from the position that was asked about, and
/// the nodes visited so far.
pub type Improved<'a, M> = &'a mut (dyn FnMut(Payoff, &[M], u64) + Send);

/// A search for the best line of a game for one player.
pub trait Seek<G: OnePlayer>: Send {
    /// Looks for the best line from a position until a limit is reached or nothing better can
    /// exist. Deterministic under a limit of nodes. Games whose positions recur freely need no
    /// path.
    fn seek(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        improved: Improved<'_, G::Move>,
    ) -> Found<G::Move>;

    /// Does what takes long and is needed but once, before anybody waits for a line.
    fn prepare(&mut self, game: &G) {
        let _ = game;
    }

    /// Everything random follows from this seed from now on.
    fn reseed(&mut self, seed: Seed);

    /// Whether the nodes of this search are playouts.
    fn counts_playouts(&self) -> bool {
        false
    }
}

impl<G: OnePlayer, S: Seek<G> + ?Sized> Seek<G> for Box<S> {
    fn seek(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        (**self).seek(situation, limits, improved)
    }

    fn prepare(&mut self, game: &G) {
        (**self).prepare(game);
    }

    fn reseed(&mut self, seed: Seed) {
        (**self).reseed(seed);
    }

    fn counts_playouts(&self) -> bool {
        (**self).counts_playouts()
    }
}

/// What is known of a position of any game for one player: the middle between what was earned and
/// the most that can be had.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outlook;

impl<G: OnePlayer> Knowledge<G> for Outlook {
    fn evaluate(&self, game: &G, state: &G::State, _: Player) -> i32 {
        let middle = (i64::from(game.earned(state)) + i64::from(game.most(state))) / 2;
        let largest = i64::from(game.max_payoff().max(1));
        (middle * i64::from(CERTAIN) / largest) as i32
    }
}

/// The best line so far.
struct Best<'a, 'b, G: Game> {
    payoff: Option<Payoff>,
    line: Vec<G::Move>,
    /// No line pays more than this.
    most: Payoff,
    improved: &'a mut Improved<'b, G::Move>,
}

impl<'a, 'b, G: OnePlayer> Best<'a, 'b, G> {
    fn new(game: &G, state: &G::State, improved: &'a mut Improved<'b, G::Move>) -> Self {
        Best {
            payoff: None,
            line: Vec::new(),
            most: game.most(state),
            improved,
        }
    }

    /// Takes a line, found after this many nodes, if it is the best so far.
    fn offer(&mut self, payoff: Payoff, nodes: u64, line: impl FnOnce(&mut Vec<G::Move>)) {
        if self.payoff.is_none_or(|best| payoff > best) {
            self.payoff = Some(payoff);
            self.line.clear();
            line(&mut self.line);
            (self.improved)(payoff, &self.line, nodes);
        }
    }

    /// Whether nothing better can exist.
    fn is_perfect(&self) -> bool {
        self.payoff.is_some_and(|best| best >= self.most)
    }

    /// What was found; a search that was stopped before its first playout has found what was earned
    /// already.
    fn found(
        self,
        earned: Payoff,
        nodes: u64,
        counters: Vec<(&'static str, Counter)>,
    ) -> Found<G::Move> {
        Found {
            proved: self.is_perfect(),
            payoff: self.payoff.unwrap_or(earned),
            line: self.line,
            nodes,
            counters,
        }
    }
}
