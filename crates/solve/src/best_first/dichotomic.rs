//! The value of a position by several proof-number searches, one for each threshold that a
//! bisection comes to: what [`Mopns`](super::Mopns) is compared with.

use std::time::Instant;

use tabia_game::Limits;

use super::frame::{BestFirstResult, BestFirstSearch, Solvable};
use super::initial::Initial;
use super::mopns::Stakes;
use super::pn::{Pn, ProofPair};
use crate::{Goal, Settled, Status};

impl<I> Pn<I> {
    /// Bisects the thresholds, with a tree of its own for each, until all are decided or the limits
    /// are reached. Of two in the middle the higher is tried first. Nodes and expansions are sums
    /// over the trees.
    pub fn dichotomic<G: Solvable, const T: usize>(
        &self,
        game: &G,
        state: &G::State,
        stakes: Stakes<T>,
        settled: &dyn Settled<G>,
        limits: &Limits,
    ) -> BestFirstResult<[ProofPair; T]>
    where
        I: Initial<G>,
    {
        let started = Instant::now();
        let mut all = BestFirstResult {
            root: [ProofPair::UNIT; T],
            nodes: 0,
            expansions: 0,
            held: 0,
            lack: None,
        };
        let mut open = 0..T;
        while !open.is_empty() {
            let middle = (open.start + open.end) / 2;
            let goal = Goal {
                player: stakes.player,
                at_least: stakes.thresholds[middle],
            };
            let (attack, upright) = goal.attack();
            let limits = Limits {
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(all.nodes)),
                time: limits.time.map(|t| t.saturating_sub(started.elapsed())),
                ..limits.clone()
            };
            let one = self.search(game, state, attack, settled, &limits, None);
            all.nodes += one.nodes;
            all.expansions += one.expansions;
            all.held = all.held.max(one.held);
            all.lack = one.lack;
            let numbers = if upright {
                one.root
            } else {
                one.root.flipped()
            };
            all.root[middle] = numbers;
            match numbers.status() {
                Status::Proved => {
                    all.root[open.start..middle].fill(ProofPair::PROVED);
                    open.start = middle + 1;
                }
                Status::Disproved => {
                    all.root[middle..open.end].fill(ProofPair::DISPROVED);
                    open.end = middle;
                }
                Status::Unknown => break,
            }
        }
        all
    }
}
