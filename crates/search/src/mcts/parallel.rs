//! Several threads: on one tree, on a tree each, or on the playouts of one leaf (Chaslot, Winands
//! and van den Herik 2008, "Parallel Monte-Carlo tree search").
//!
//! The first thread has the luck of a search by one thread alone, so that every form with one
//! thread grows the same tree as no form at all. With more threads on one tree it depends on the
//! machine which of them comes first; trees of their own and the playouts of a leaf are the same
//! whenever they are run within a limit on nodes.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tabia_game::threads::{self, Job, drop_aside};
use tabia_game::{Limits, Seed};

use super::config::{Config, Parallelization};
use super::entries::Crew;
use super::playout::Thread;
use super::search::{Budget, Ended, Worker};
use super::tree::Node;
use super::walk::Field;
use crate::report::Pace;

/// Where a search begins, and where it ends.
pub(super) struct Origin<'a> {
    pub field: &'a dyn Field,
    pub config: &'a Config,
    pub luck: Seed,
    pub limits: &'a Limits,
    /// Visits of the root after which the search ends.
    pub visits: u32,
}

/// What was spent on a tree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub nodes: u64,
    pub tree: u64,
    pub bytes: u64,
    pub recycled: u64,
}

/// Is told of a tree that grows, and of the nodes that were spent on it.
pub(super) type Tell<'a, const V: usize> = &'a mut dyn FnMut(&Node<V>, u64);

/// Searches a tree until a limit is reached. Where the pace says so, the tree is told of: the first
/// one, if every thread has its own.
pub(super) fn search<const V: usize>(
    origin: &Origin<'_>,
    root: &mut Node<V>,
    pace: &mut Pace,
    tell: Tell<'_, V>,
) -> Spent {
    let config = origin.config;
    let threads = config.threads.max(1);
    if config.parallel != Parallelization::Root || threads == 1 {
        return grow(origin, root, (0, 1), pace, tell);
    }
    let payoff = origin.field.facts().max_payoff;
    let mut roots: Vec<Node<V>> = (1..threads).map(|_| Node::new(0, 0.0, payoff)).collect();
    let mut theirs = vec![Spent::default(); roots.len()];
    let jobs = roots.iter_mut().zip(&mut theirs).zip(1..);
    let jobs = jobs.map(|((root, spent), number)| -> Job<'_> {
        Box::new(move || {
            let (pace, tell) = (&mut Pace::never(), &mut |_: &Node<V>, _| {});
            *spent = grow(origin, root, (number, threads), pace, tell);
        })
    });
    let mut spent = Spent::default();
    let jobs = jobs.collect();
    let here = &mut || {
        spent = grow(origin, root, (0, threads), pace, tell);
    };
    threads::beside(here, jobs);
    for theirs in theirs {
        spent.nodes += theirs.nodes;
        spent.tree += theirs.tree;
        spent.recycled += theirs.recycled;
        spent.bytes += theirs.bytes;
    }
    roots.iter_mut().for_each(|other| root.absorb(other));
    drop_aside(roots, spent.bytes);
    spent.tree += threads as u64 - 1;
    spent
}

/// Searches one of `trees` trees.
fn grow<const V: usize>(
    origin: &Origin<'_>,
    root: &mut Node<V>,
    (number, trees): (usize, usize),
    pace: &mut Pace,
    tell: Tell<'_, V>,
) -> Spent {
    let config = origin.config;
    let threads = match config.parallel {
        Parallelization::Root => 1,
        _ => config.threads.max(1),
    };
    let (bytes, nodes) = root.size();
    let budget = Budget {
        bytes: AtomicU64::new(bytes),
        nodes: AtomicU64::new(nodes + 1),
        max_bytes: config.memory / trees as u64,
        max_visits: AtomicU32::new(origin.visits),
        full: AtomicBool::new(false),
        frozen: AtomicBool::new(false),
    };
    // Playouts are shared out among the trees.
    let visits = match origin.limits.playouts {
        Some(playouts) => {
            let (trees, number) = (trees as u64, number as u64);
            let share = playouts / trees + u64::from(number < playouts % trees);
            let share = u32::try_from(share).unwrap_or(u32::MAX);
            root.visits().saturating_add(share).min(origin.visits)
        }
        None => origin.visits,
    };
    let shares = (threads * trees) as u64;
    let thread = |place: usize| {
        // What cannot be divided goes to the first ones.
        let share = |all: u64| all / shares + u64::from((place as u64) < all % shares);
        let limits = Limits {
            nodes: origin.limits.nodes.map(share),
            ..origin.limits.clone()
        };
        let luck = match place {
            0 => origin.luck,
            _ => origin.luck.split("thread").number(place as u64),
        };
        Thread::new(luck.rng(), &limits)
    };
    let new = |place| {
        let crew = match config.parallel {
            Parallelization::Tree => Crew {
                number: place,
                threads,
            },
            _ => Crew::ALONE,
        };
        Worker::new(origin.field, config, &budget, thread(place), crew)
    };
    let mut first = new(number);
    let mut helpers = Vec::new();
    match config.parallel {
        Parallelization::Leaf => {
            first.others = (1..threads).map(thread).collect();
        }
        _ => helpers.extend((1..threads).map(new)),
    }
    let mut recycled = 0;
    loop {
        // A search that is listened to pauses where it may have to report.
        let pause = u32::try_from(pace.next()).unwrap_or(u32::MAX);
        let until = visits.min(pause);
        budget.max_visits.store(until, Relaxed);
        let tree = &*root;
        let mut ended = vec![Ended::Done; helpers.len()];
        let jobs = helpers.iter_mut().zip(&mut ended);
        let jobs =
            jobs.map(|(helper, ended)| -> Job<'_> { Box::new(move || *ended = helper.run(tree)) });
        let jobs = jobs.collect();
        let mut own = Ended::Done;
        let here = &mut || own = first.run(tree);
        threads::beside(here, jobs);
        if own == Ended::Done && ended.iter().all(|&ended| ended == Ended::Done) {
            let seen = root.visits();
            if seen < until || until == visits {
                break;
            }
            if pace.is_due(seen.into()) {
                tell(root, nodes_of(&first, &helpers));
            }
            continue;
        }
        recycled += make_room(root, &budget, first.thread.meter.left());
    }
    Spent {
        nodes: nodes_of(&first, &helpers),
        tree: budget.nodes.load(Relaxed),
        bytes: budget.bytes.load(Relaxed),
        recycled,
    }
}

/// The nodes that some workers have spent.
fn nodes_of(first: &Worker<'_>, helpers: &[Worker<'_>]) -> u64 {
    let others = helpers.iter().map(|helper| &helper.thread);
    let threads = others.chain(&first.others).chain([&first.thread]);
    threads.map(|thread| thread.meter.nodes()).sum()
}

/// Drops a tree of this many bytes, and does not wait for that. What several threads have grown is
/// dropped by as many, each what one of them has made: it lies together.
pub(super) fn discard<const V: usize>(mut root: Node<V>, bytes: u64, config: &Config) {
    let threads = config.threads.max(1);
    if config.parallel != Parallelization::Tree || threads == 1 {
        return drop_aside(root, bytes);
    }
    let mut parts: Vec<Vec<_>> = (0..threads).map(|_| Vec::new()).collect();
    root.scatter(&mut parts);
    let share = bytes / threads as u64;
    parts.into_iter().for_each(|part| drop_aside(part, share));
}

/// Drops the least visited subtrees until half the memory is free; the nodes that were dropped. If
/// that cannot be done, not even in time for an answer, the tree grows no more.
fn make_room<const V: usize>(root: &mut Node<V>, budget: &Budget, left: Option<Duration>) -> u64 {
    // More than it takes to look through so many bytes and to give them back.
    const NANOSECONDS_A_BYTE: u64 = 1;
    let began = Instant::now();
    let is_late = |bytes: u64| {
        let needed = Duration::from_nanos(bytes.saturating_mul(NANOSECONDS_A_BYTE));
        left.is_some_and(|left| left < began.elapsed() + needed)
    };
    let mut dropped = 0;
    let mut least = 2;
    while budget.bytes.load(Relaxed) > budget.max_bytes / 2
        && least <= root.visits()
        && !is_late(budget.bytes.load(Relaxed))
    {
        let (bytes, nodes) = root.recycle(least);
        budget.bytes.fetch_sub(bytes, Relaxed);
        budget.nodes.fetch_sub(nodes, Relaxed);
        dropped += nodes;
        least = least.saturating_mul(2);
    }
    budget.full.store(false, Relaxed);
    if budget.bytes.load(Relaxed) > budget.max_bytes / 2 {
        budget.frozen.store(true, Relaxed);
    }
    dropped
}
