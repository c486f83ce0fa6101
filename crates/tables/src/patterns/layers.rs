//! Patterns without rests: distances layer by layer, in parallel, and their check from the other
//! side.
//!
//! Threads share the distances as atomics without an order among themselves. Within a layer whoever
//! reaches a pattern writes the same number, so that the result does not depend on them.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use tabia_game::threads;
use tabia_game::{Cancel, Game};

use super::{Abstraction, MAX_DISTANCE, UNREACHED};
use crate::TableError;

/// Patterns that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// The distance of every pattern from the goal, outwards.
pub(super) fn distances<G: Game>(
    abstraction: &impl Abstraction<G>,
    patterns: usize,
    cancel: &Cancel,
    progress: &dyn Fn(u64),
) -> Result<Vec<u8>, TableError> {
    let mut distances: Vec<AtomicU8> = Vec::new();
    distances.resize_with(patterns, || AtomicU8::new(UNREACHED));
    let goal = abstraction.goal().0 as usize;
    distances[goal].store(0, Ordering::Relaxed);
    let mut done = 1;
    for distance in 0..MAX_DISTANCE {
        let (reached, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        let chunks: Vec<&[AtomicU8]> = distances.chunks(CHUNK).collect();
        threads::each(chunks.len() as u64, &|chunk| {
            let (chunk, kept) = (chunk as usize, chunks[chunk as usize]);
            if cancel.is_cancelled() {
                stopped.store(true, Ordering::Relaxed);
                return;
            }
            let (mut steps, mut new) = (Vec::new(), 0);
            for (i, kept) in kept.iter().enumerate() {
                if kept.load(Ordering::Relaxed) != distance {
                    continue;
                }
                steps.clear();
                abstraction.expand((chunk * CHUNK + i) as u64, 1, &mut steps);
                for &(to, _) in &steps {
                    let to = &distances[to as usize];
                    if to.load(Ordering::Relaxed) == UNREACHED
                        && to.swap(distance + 1, Ordering::Relaxed) == UNREACHED
                    {
                        new += 1;
                    }
                }
            }
            reached.fetch_add(new, Ordering::Relaxed);
        });
        if stopped.into_inner() {
            return Err(TableError::Stopped);
        }
        let reached = reached.into_inner();
        done += reached;
        progress(done);
        if reached == 0 {
            break;
        }
    }
    Ok(distances.into_iter().map(AtomicU8::into_inner).collect())
}

/// The first pattern whose distance is not one more than the least of where its moves lead, with
/// what it should be. The goal has none, and from where no move leads on there is none either.
/// Distances are right if and only if there is no such pattern.
pub(super) fn first_wrong<G: Game>(
    abstraction: &impl Abstraction<G>,
    distances: &[u8],
    cancel: &Cancel,
) -> Result<Option<(u64, u8)>, TableError> {
    let goal = abstraction.goal().0;
    let chunks: Vec<&[u8]> = distances.chunks(CHUNK).collect();
    let wrong = threads::map(chunks.len() as u64, &|chunk| {
        let (chunk, kept) = (chunk as usize, chunks[chunk as usize]);
        if cancel.is_cancelled() {
            return Some(Err(TableError::Stopped));
        }
        let mut neighbours = Vec::new();
        for (i, &kept) in kept.iter().enumerate() {
            let pattern = (chunk * CHUNK + i) as u64;
            neighbours.clear();
            abstraction.neighbours(pattern, 0, &mut neighbours);
            let after = neighbours
                .iter()
                .filter_map(|&(to, ..)| distances.get(to as usize))
                .min();
            let derived = match (pattern == goal, after) {
                (true, _) => 0,
                (false, None | Some(&UNREACHED)) => UNREACHED,
                (false, Some(&after)) => (after + 1).min(MAX_DISTANCE),
            };
            if kept != derived {
                return Some(Ok((pattern, derived)));
            }
        }
        None
    });
    wrong.into_iter().flatten().next().transpose()
}
