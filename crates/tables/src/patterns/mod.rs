//! Pattern databases: the distances of all positions of an [`Abstraction`], found once, kept in
//! files and looked up as lower bounds (Culberson and Schaeffer 1998).
//!
//! Distances of abstractions of which each counts other moves are added up (Korf and Felner 2002);
//! of several such sums the largest counts. Of one pattern with several rests, such as places of
//! the blank, the least distance is kept.
//!
//! They are found by going outwards from the goal. Each pattern has a set of rests that were
//! reached, and all rests that can be reached from each other without cost are dealt with at once.
//! Patterns without rests need nothing but their distances, and all of one distance are dealt with
//! in parallel.

mod abstraction;
mod kind;
mod layers;
mod store;
mod verify;

use std::sync::Arc;

use tabia_game::{Cancel, Game, Payoff};

use crate::TableError;

pub use abstraction::{Abstraction, ShortestPath};
pub use kind::{Layers, PatternTables};
pub use store::{build, file, open, verify};

/// The distance of a pattern that no move leads to.
pub const UNREACHED: u8 = u8::MAX;
/// The largest distance that is kept. Of larger ones, too, no less than this is true.
const MAX_DISTANCE: u8 = UNREACHED - 1;

/// The bytes of memory that finding the distances takes: they themselves, and three sets of rests
/// for each pattern that has several; `None` if they cannot be counted.
pub fn memory<G: Game>(abstraction: &impl Abstraction<G>) -> Option<u64> {
    match abstraction.rests() {
        1 => abstraction.patterns(),
        _ => abstraction.patterns()?.checked_mul(1 + 3 * 4),
    }
}

/// The least distance of every pattern, by its number. `progress` is told how many patterns have
/// theirs.
pub fn distances<G: Game>(
    abstraction: &impl Abstraction<G>,
    cancel: &Cancel,
    progress: &dyn Fn(u64),
) -> Result<Vec<u8>, TableError> {
    let patterns = abstraction.patterns().ok_or(TableError::Countless)?;
    let patterns = usize::try_from(patterns).map_err(|_| TableError::Countless)?;
    if abstraction.rests() == 1 {
        return layers::distances(abstraction, patterns, cancel, progress);
    }
    let mut distances = vec![UNREACHED; patterns];
    let mut reached = vec![0u32; patterns];
    let mut layer = vec![0u32; patterns];
    let mut next = vec![0u32; patterns];
    let (goal, rests) = abstraction.goal();
    layer[goal as usize] = rests;
    let mut steps = Vec::new();
    let mut done = 0;
    for distance in 0.. {
        let mut is_last = true;
        for pattern in 0..patterns {
            if pattern % CHECKED == 0 && cancel.is_cancelled() {
                return Err(TableError::Stopped);
            }
            let new = std::mem::take(&mut layer[pattern]) & !reached[pattern];
            if new == 0 {
                continue;
            }
            if distances[pattern] == UNREACHED {
                distances[pattern] = u8::try_from(distance)
                    .unwrap_or(MAX_DISTANCE)
                    .min(MAX_DISTANCE);
                done += 1;
            }
            steps.clear();
            reached[pattern] |= abstraction.expand(pattern as u64, new, &mut steps);
            for &(to, rests) in &steps {
                let to = to as usize;
                if rests & !reached[to] != 0 {
                    next[to] |= rests;
                    is_last = false;
                }
            }
        }
        progress(done);
        if is_last {
            break;
        }
        std::mem::swap(&mut layer, &mut next);
    }
    Ok(distances)
}

/// Patterns between two looks at whether the work is to stop.
const CHECKED: usize = 1 << 14;

/// An abstraction with the distances of its patterns.
#[derive(Clone, Debug)]
pub struct PatternDatabase<A> {
    abstraction: A,
    distances: Arc<[u8]>,
}

impl<A> PatternDatabase<A> {
    /// Puts them together; `None` unless there is one distance for each pattern.
    pub fn new<G: Game>(abstraction: A, distances: Vec<u8>) -> Option<PatternDatabase<A>>
    where
        A: Abstraction<G>,
    {
        let fits = abstraction.patterns() == Some(distances.len() as u64);
        fits.then(|| PatternDatabase {
            abstraction,
            distances: distances.into(),
        })
    }

    /// The abstraction.
    pub fn abstraction(&self) -> &A {
        &self.abstraction
    }

    /// The distances, by the numbers of the patterns.
    pub fn distances(&self) -> &[u8] {
        &self.distances
    }

    /// The same distances for another abstraction with the same patterns, such as the mirrored one.
    /// They are held once.
    pub fn shared<G: Game>(&self, abstraction: A) -> Option<PatternDatabase<A>>
    where
        A: Abstraction<G>,
    {
        let same = abstraction.patterns() == self.abstraction.patterns();
        let same = same && abstraction.goal() == self.abstraction.goal();
        same.then(|| PatternDatabase {
            abstraction,
            distances: Arc::clone(&self.distances),
        })
    }

    /// The distance of a position's pattern.
    #[inline]
    pub fn distance<G: Game>(&self, game: &G, state: &G::State) -> u32
    where
        A: Abstraction<G>,
    {
        let pattern = self.abstraction.pattern(game, state);
        self.distances
            .get(pattern as usize)
            .map_or(0, |&distance| u32::from(distance))
    }
}

/// Pattern databases whose distances are added up, group by group.
#[derive(Clone, Debug)]
pub struct Additive<A> {
    groups: Vec<Vec<PatternDatabase<A>>>,
}

impl<A> Default for Additive<A> {
    fn default() -> Self {
        Additive { groups: Vec::new() }
    }
}

impl<A> Additive<A> {
    /// Adds a group of databases, each of which must count moves that no other of the group counts.
    pub fn with(mut self, group: Vec<PatternDatabase<A>>) -> Additive<A> {
        self.groups.push(group);
        self
    }

    /// No fewer moves lead to the goal: the largest sum.
    #[inline]
    pub fn distance<G: Game>(&self, game: &G, state: &G::State) -> u32
    where
        A: Abstraction<G>,
    {
        let sums = self.groups.iter().map(|group| {
            let distances = group.iter().map(|database| database.distance(game, state));
            distances.sum()
        });
        sums.max().unwrap_or(0)
    }

    /// [`OnePlayer::most`](tabia_game::OnePlayer::most), as far as the databases and the game
    /// itself can tell.
    #[inline]
    pub fn most<G: ShortestPath>(&self, game: &G, state: &G::State) -> Payoff
    where
        A: Abstraction<G>,
    {
        let distance = self.distance(game, state).max(game.distance(state));
        game.most_within(state, distance)
    }
}
