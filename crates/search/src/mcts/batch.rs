//! Simulations one after the other, by one thread alone or by several on one tree.
//!
//! What is near the root is written by every simulation. Threads that did so at the same time would
//! wait for each other's memory most of the time where a random game is short: a line of it takes
//! longer to get from one core to another than a game of Connect Four takes to be played. So only
//! nodes with a large share of all visits are open to all threads, with virtual losses (Chaslot,
//! Winands and van den Herik 2008). Below them a thread takes a node for itself that no other has,
//! makes some simulations as if it were alone, and hands back what they were worth together. Which
//! node that is depends on the bounds, but those where another thread was last have some more
//! virtual losses, so that each keeps to the parts of the tree that its own memory has.

use std::sync::atomic::Ordering::Relaxed;

use tabia_game::Stopped;

use super::search::{Ended, Reached, Step, Worker};
use super::sums::{Later, PlayoutSums};
use super::tree::Node;

/// Simulations for which a thread has a node for itself.
const MAX_SIMULATIONS: u32 = 32;

/// No node with fewer visits is open to all threads.
const MIN_OPEN_VISITS: u32 = 64;

/// What some simulations were worth, and whether a limit was reached after them.
type Simulated<const V: usize> = (PlayoutSums<V>, Result<(), Stopped>);

impl Worker<'_> {
    /// Makes simulations until a limit is reached, memory is full, or the root is proved.
    pub fn run<const V: usize>(&mut self, root: &Node<V>) -> Ended {
        let mut path = Vec::new();
        self.walk.restart();
        let turn = self.walk.turn();
        let shared = self.crew.shares();
        let mut owed = PlayoutSums::NOTHING;
        let ended = loop {
            let visits = root.visits().saturating_add(owed.visits);
            let max_visits = self.budget.max_visits.load(Relaxed);
            if visits >= max_visits || (self.config.solver && root.proved().is_some()) {
                break Ended::Done;
            }
            if self.budget.full.load(Relaxed) && !self.budget.frozen.load(Relaxed) {
                break Ended::Full;
            }
            let max_simulations = (max_visits - visits).min(MAX_SIMULATIONS);
            path.clear();
            path.push(Step::new(root, turn, 0));
            self.walk.restart();
            let (worth, stopped) = self.simulate(&mut path, max_simulations);
            owed.add(&worth);
            if stopped.is_err() {
                break Ended::Done;
            }
            // The root is written by all, as seldom as that makes no difference.
            if !shared || owed.visits >= max_simulations.min(root.visits() / 64) {
                root.credit(&owed, 0, shared);
                owed = PlayoutSums::NOTHING;
            }
        };
        root.credit(&owed, 0, shared);
        self.tell();
        ended
    }

    /// One simulation from the root, or several from the first node that a thread has for itself,
    /// but no more than `max_simulations`. Their values are handed back to all nodes but the root.
    fn simulate<'t, const V: usize>(
        &mut self,
        path: &mut Vec<Step<'t, V>>,
        max_simulations: u32,
    ) -> Simulated<V> {
        self.thread.line.clear();
        let (mut entered, mut reference) = (0, None);
        let reached = self.descend(path, &mut entered, &mut reference);
        let mut passed = path.len();
        let simulated = match reached {
            Ok(Reached::Value(worth)) => (worth, Ok(())),
            Ok(Reached::Own) => {
                passed -= 1;
                self.stay(path, reference, max_simulations)
            }
            Ok(Reached::Nothing) => {
                std::thread::yield_now();
                (PlayoutSums::NOTHING, Ok(()))
            }
            Err(Stopped) => (PlayoutSums::NOTHING, Err(Stopped)),
        };
        self.settle(&path[1..passed], &simulated.0, self.crew.shares());
        if simulated.1.is_ok() {
            self.hand_back(&path[..passed]);
        }
        self.walk.leave(entered);
        simulated
    }

    /// Some simulations from the end of the path, a node that the thread has for itself.
    fn stay<'t, const V: usize>(
        &mut self,
        path: &mut Vec<Step<'t, V>>,
        reference: Option<&'t [Later]>,
        max_simulations: u32,
    ) -> Simulated<V> {
        let (base, plies) = (path.len() - 1, self.thread.line.len());
        let node = path[base].node;
        let times = match self.facts.chance {
            // Outcomes of chance must come up as often as they are likely.
            true => 1,
            false => (1 + node.visits() / 4).min(max_simulations),
        };
        self.walk.mark();
        let mut whole = PlayoutSums::NOTHING;
        let mut stopped = Ok(());
        for _ in 0..times {
            let (mut entered, mut reference) = (0, reference);
            self.walk.go_back();
            let reached = self.descend(path, &mut entered, &mut reference);
            self.walk.leave(entered);
            self.thread.line.truncate(plies);
            let worth = match reached {
                Ok(Reached::Value(worth)) => worth,
                _ => PlayoutSums::NOTHING,
            };
            self.settle(&path[base..], &worth, false);
            whole.add(&worth);
            stopped = reached.map(|_| ());
            if stopped.is_ok() {
                self.hand_back(&path[base..]);
            }
            path.truncate(base + 1);
            if stopped.is_err() || (self.config.solver && node.proved().is_some()) {
                break;
            }
        }
        self.walk.unmark();
        let share = path[0].node.visits() / (4 * self.crew.threads as u32);
        node.entries.release(share.max(MIN_OPEN_VISITS));
        (whole, stopped)
    }

    /// Hands a value back to some nodes, and takes back the virtual losses of those that are open
    /// to all.
    fn settle<const V: usize>(&self, path: &[Step<'_, V>], worth: &PlayoutSums<V>, shared: bool) {
        for step in path {
            step.node.credit(worth, u32::from(shared), shared);
            if let Some(group) = step.group {
                group.forget();
            }
        }
    }
}
