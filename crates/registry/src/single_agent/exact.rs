//! Exact searches as searches for lines. They know no path and are exact where positions recur
//! freely.

use std::time::Instant;

use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::{Limits, MoveIndex, OnePlayer, Payoff, Seed};
use tabia_search::single_agent::{Found, Improved, Seek};
use tabia_search::{Counter, Situation};
use tabia_solve::single_agent::{self, BranchAndBound, DepthFirst};

/// The size of a table.
pub(super) const TABLE: Parameter = Parameter {
    key: "table",
    kind: ParameterKind::Integer(0, 1 << 30),
    default: "4194304",
    help: "positions that a table holds; 0: no table",
};

/// An exact search.
#[derive(Clone, Copy)]
pub(super) enum Exact {
    /// Depth-first branch and bound with a table of this many positions.
    Bound(usize),
    /// A*, with this many positions at most.
    AStar(usize),
    /// Iterative-deepening A*.
    IdaStar,
}

/// Iterative-deepening A* with a bound of its own. For games in which positions recur freely; of
/// others it finds nothing.
pub struct Bounded<B>(pub B);

impl<G: OnePlayer, B: Fn(&G, &G::State) -> Payoff + Send + Sync> Seek<G> for Bounded<B> {
    fn seek(
        &mut self,
        Situation { game, state, .. }: Situation<'_, G>,
        limits: &Limits,
        improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        let found = single_agent::ida_star_by(game, state, &self.0, limits);
        told(game, state, found, improved, true)
    }

    /// What a bound needs is there once it was asked for.
    fn prepare(&mut self, game: &G) {
        (self.0)(game, &game.start());
    }

    fn reseed(&mut self, _: Seed) {}
}

/// What an exact search has found, as a search for lines tells it.
fn told<G: OnePlayer>(
    game: &G,
    state: &G::State,
    found: single_agent::Found<G::Move>,
    improved: Improved<'_, G::Move>,
    tell: bool,
) -> Found<G::Move> {
    if let Some(payoff) = found.payoff.filter(|_| tell) {
        improved(payoff, &found.line, found.nodes);
    }
    Found {
        // Where no game ends, what was earned is all there is; nothing is proved of that.
        proved: found.proved && found.payoff.is_some(),
        payoff: found.payoff.unwrap_or_else(|| game.earned(state)),
        line: found.line,
        nodes: found.nodes,
        counters: found.remembered.map_or_else(Vec::new, |remembered| {
            vec![
                ("positions", Counter::One(remembered.positions)),
                ("forgotten", Counter::One(remembered.forgotten)),
            ]
        }),
    }
}

impl<G: OnePlayer + MoveIndex> Seek<G> for Exact {
    fn seek(
        &mut self,
        Situation { game, state, .. }: Situation<'_, G>,
        limits: &Limits,
        improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        match *self {
            Exact::Bound(table) => {
                let found = BranchAndBound::new(table).search(game, state, limits, &mut |better| {
                    improved(
                        better.payoff.unwrap_or_default(),
                        &better.line,
                        better.nodes,
                    );
                });
                told(game, state, found, improved, false)
            }
            Exact::AStar(positions) => {
                let found = single_agent::a_star(game, state, positions, limits);
                told(game, state, found, improved, true)
            }
            Exact::IdaStar => {
                let found = single_agent::ida_star(game, state, limits);
                told(game, state, found, improved, true)
            }
        }
    }

    fn reseed(&mut self, _: Seed) {}
}

/// Depth-first search with incremental transpositions.
pub(super) struct Incremental(pub DepthFirst);

impl<G: OnePlayer + MoveIndex> Seek<G> for Incremental {
    fn seek(
        &mut self,
        Situation { game, state, .. }: Situation<'_, G>,
        limits: &Limits,
        improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        let found = self.0.search(game, state, limits);
        told(game, state, found, improved, true)
    }

    fn reseed(&mut self, _: Seed) {}
}

/// Nodes of the first look for a proof.
const FIRST_LOOK: u64 = 1_000_000;
/// The share of a limit that it may take.
const SHARE: u32 = 4;
/// Playouts before the proof begins in earnest, where nothing is limited.
const PLAYOUTS: u64 = 20_000;

/// What to do when nothing else is said: a short look for a proof, then a search by sampling;
/// without limits a proof, however long that takes. Under a rule of repetition it only samples.
pub(super) struct Auto<S> {
    pub table: usize,
    pub sampling: S,
}

impl<G: OnePlayer + MoveIndex, S: Seek<G>> Seek<G> for Auto<S> {
    fn seek(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        let Situation { game, state, .. } = situation;
        if game.repetition().is_tracked() {
            return self.sampling.seek(situation, limits, improved);
        }
        let started = Instant::now();
        let mut best: Option<i32> = None;
        let mut tell = |payoff, line: &[G::Move], nodes: u64| {
            if best.is_none_or(|best| payoff > best) {
                best = Some(payoff);
                improved(payoff, line, nodes);
            }
        };
        let prover = BranchAndBound::new(self.table);
        let unlimited = limits.nodes.is_none() && limits.time.is_none();
        let share = limits
            .nodes
            .map_or(FIRST_LOOK, |nodes| nodes / u64::from(SHARE));
        let look = Limits {
            nodes: Some(share.min(FIRST_LOOK)),
            time: limits.time.map(|time| time / SHARE),
            ..limits.clone()
        };
        let first = prover.search(game, state, &look, &mut |better| {
            tell(
                better.payoff.unwrap_or_default(),
                &better.line,
                better.nodes,
            );
        });
        if first.proved {
            return told(game, state, first, improved, false);
        }
        let nodes = match unlimited {
            true => Some(PLAYOUTS),
            false => limits.nodes.map(|nodes| nodes.saturating_sub(first.nodes)),
        };
        let rest = Limits {
            nodes,
            time: (limits.time).map(|time| time.saturating_sub(started.elapsed())),
            ..limits.clone()
        };
        let mut found = self
            .sampling
            .seek(situation, &rest, &mut |payoff, line, nodes| {
                tell(payoff, line, first.nodes + nodes);
            });
        found.nodes += first.nodes;
        if let Some(payoff) = first.payoff.filter(|&payoff| payoff > found.payoff) {
            (found.payoff, found.line) = (payoff, first.line);
        }
        if found.proved || !unlimited {
            return found;
        }
        let known = single_agent::Found {
            payoff: Some(found.payoff),
            line: found.line,
            proved: false,
            nodes: 0,
            remembered: None,
        };
        let proof = prover.improve(game, state, limits, known, &mut |better| {
            let nodes = found.nodes + better.nodes;
            tell(better.payoff.unwrap_or_default(), &better.line, nodes);
        });
        Found {
            proved: proof.proved,
            payoff: proof.payoff.unwrap_or(found.payoff),
            line: proof.line,
            nodes: found.nodes + proof.nodes,
            counters: found.counters,
        }
    }

    fn reseed(&mut self, seed: Seed) {
        self.sampling.reseed(seed);
    }
}
