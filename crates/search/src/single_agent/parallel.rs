//! Several searches at once, which differ by their luck: root parallelism, and what randomised
//! restarts are on one thread.

use std::sync::Mutex;

use tabia_game::threads::{self, Job};
use tabia_game::{Limits, OnePlayer, Payoff, Seed};

use super::{Found, Improved, Seek};
use crate::{Counter, Situation};

/// Searches that share a budget of nodes and run at the same time.
pub struct Parallel<S>(Vec<S>);

impl<S> Parallel<S> {
    /// As many searches as threads; one at least. They should differ in nothing but their seeds.
    pub fn new<G: OnePlayer>(threads: usize, seed: Seed, mut make: impl FnMut() -> S) -> Self
    where
        S: Seek<G>,
    {
        let mut searches: Vec<S> = (0..threads.max(1)).map(|_| make()).collect();
        reseed(&mut searches, seed);
        Parallel(searches)
    }
}

/// One search has the seed that it would have alone.
fn reseed<G: OnePlayer, S: Seek<G>>(searches: &mut [S], seed: Seed) {
    for (number, search) in searches.iter_mut().enumerate() {
        search.reseed(match number {
            0 => seed,
            _ => seed.split("thread").number(number as u64),
        });
    }
}

/// What the threads share.
struct Shared<'a, M> {
    /// The best payoff of all.
    best: Option<Payoff>,
    /// The nodes of each thread when it was last heard of.
    nodes: Vec<u64>,
    improved: Improved<'a, M>,
}

impl<G: OnePlayer, S: Seek<G>> Seek<G> for Parallel<S> {
    fn seek(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        if let [only] = self.0.as_mut_slice() {
            return only.seek(situation, limits, improved);
        }
        let threads = self.0.len() as u64;
        let shared = Mutex::new(Shared {
            best: None,
            nodes: vec![0; self.0.len()],
            improved,
        });
        let limits = Limits {
            cancel: limits.cancel.part(),
            ..limits.clone()
        };
        let (shared, cancel) = (&shared, &limits.cancel);
        let mut found: Vec<Option<Found<G::Move>>> = self.0.iter().map(|_| None).collect();
        let searches = self.0.iter_mut().zip(&mut found).zip(0u64..);
        let jobs = searches.map(|((search, found), number)| -> Job<'_> {
            let share = |n: u64| n / threads + u64::from(number < n % threads);
            let limits = Limits {
                nodes: limits.nodes.map(share),
                ..limits.clone()
            };
            Box::new(move || {
                let mut tell = |payoff: Payoff, line: &[G::Move], nodes: u64| {
                    // A poisoned lock means that a listener panicked, which is told when all
                    // threads have ended.
                    let Ok(mut shared) = shared.lock() else {
                        return;
                    };
                    shared.nodes[number as usize] = nodes;
                    if shared.best.is_none_or(|best| payoff > best) {
                        shared.best = Some(payoff);
                        let nodes = shared.nodes.iter().sum();
                        (shared.improved)(payoff, line, nodes);
                    }
                };
                let ended = search.seek(situation, &limits, &mut tell);
                if ended.proved {
                    cancel.cancel();
                }
                *found = Some(ended);
            })
        });
        let jobs = jobs.collect();
        threads::beside(&mut || {}, jobs);
        let found: Vec<Found<G::Move>> = found.into_iter().flatten().collect();
        let nodes = found.iter().map(|found| found.nodes).sum();
        let mut best: Option<Found<G::Move>> = None;
        for found in found {
            if best.as_ref().is_none_or(|best| found.payoff > best.payoff) {
                best = Some(found);
            }
        }
        let mut best = best.unwrap_or_else(|| Found {
            payoff: situation.game.earned(situation.state),
            line: Vec::new(),
            proved: false,
            nodes: 0,
            counters: Vec::new(),
        });
        best.nodes = nodes;
        best.counters.push(("threads", Counter::One(threads)));
        best
    }

    fn reseed(&mut self, seed: Seed) {
        reseed(&mut self.0, seed);
    }

    fn counts_playouts(&self) -> bool {
        self.0.iter().all(|search| search.counts_playouts())
    }
}
