//! Which positions are compared, and their values by retrograde analysis.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use tabia_game::{Cancel, Game, Indexed, Key, Retro, Symmetric, Text, Turn, Wdl};
use tabia_search::alphabeta::AlphaBetaGame;
use tabia_small::dao::Dao;
use tabia_tables::Kept;
use tabia_tables::retrograde::{KnownValues, Solved, solve_all};

use super::super::fanorona::{failure, on_one_thread};
use super::methods::Subject;
use tabia_lab::LabError;

/// Bytes that the values may take.
const MEMORY: u64 = 1 << 30;

/// One position of each class under the symmetries of the board, White to move; also those in which
/// the game is over.
pub fn classes(game: &Dao) -> Vec<<Dao as Game>::State> {
    let slices = game.slices().into_iter();
    let places = slices.flat_map(|slice| {
        let length = game.slice_len(slice).unwrap_or(0);
        (0..length).map(move |index| game.position_at(slice, index))
    });
    places
        .filter(|state| game.canonical(state) == *state)
        .collect()
}

/// Everything that can arise from the start, the start first.
pub fn reachable<G: Key>(game: &G) -> Vec<G::State> {
    let mut seen = HashSet::from([game.key(&game.start())]);
    let mut all = vec![game.start()];
    let (mut next, mut moves) = (0, Vec::new());
    while let Some(state) = all.get(next).cloned() {
        next += 1;
        moves.clear();
        game.moves(&state, &mut moves);
        for &mv in &moves {
            let mut child = state.clone();
            game.play(&mut child, mv);
            if seen.insert(game.key(&child)) {
                all.push(child);
            }
        }
    }
    all
}

/// The values of all positions in slices that can be reached from the start, by retrograde
/// analysis.
pub fn solve<G: Retro>(game: &G, cancel: &Cancel) -> Result<Solved<G>, LabError> {
    let slice = game.locate(&game.start()).map(|(slice, _)| slice);
    let slices: Vec<G::Slice> = slice.into_iter().collect();
    solve_all(game, &slices, Kept::Distance, MEMORY, cancel, &|_| {}).map_err(failure)
}

/// Where positions and their values come from.
pub struct Source<G: Game, V> {
    pub game: G,
    /// Lists the positions, always in the same order.
    pub list: fn(&G) -> Vec<G::State>,
    /// Finds the values of all of them.
    pub solve: fn(&G, &Cancel) -> Result<V, LabError>,
}

impl<G: Game + Clone, V> Clone for Source<G, V> {
    fn clone(&self) -> Source<G, V> {
        Source {
            game: self.game.clone(),
            ..*self
        }
    }
}

impl<G: Text, V> Source<G, V> {
    /// The positions with these numbers, as text.
    pub fn texts(&self, numbers: &[usize]) -> Vec<String> {
        if numbers.is_empty() {
            return Vec::new();
        }
        let positions = (self.list)(&self.game);
        let known = numbers.iter().filter_map(|&number| positions.get(number));
        known.map(|state| self.game.position_text(state)).collect()
    }
}

/// Positions and values that are made when a cell asks for them first, since the report of stored
/// cells does not need them.
pub struct Prepared<G: Indexed, V> {
    source: Source<G, V>,
    subject: Mutex<Option<Arc<Subject<G, V>>>>,
}

impl<G: Indexed + Clone, V: Send> Prepared<G, V> {
    pub fn new(source: Source<G, V>) -> Prepared<G, V> {
        Prepared {
            source,
            subject: Mutex::new(None),
        }
    }

    /// The positions with their values.
    pub fn subject(&self, cancel: &Cancel) -> Result<Arc<Subject<G, V>>, LabError> {
        let mut subject = self.subject.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(subject) = &*subject {
            return Ok(Arc::clone(subject));
        }
        let Source { game, list, solve } = &self.source;
        // Work that is shared out among the threads of a pool would take up other cells, which wait
        // for this very subject.
        let made = on_one_thread(|| {
            Ok(Subject {
                game: game.clone(),
                values: solve(game, cancel)?,
                positions: list(game),
            })
        })?;
        Ok(Arc::clone(subject.insert(Arc::new(made))))
    }
}

/// What there is to compare, counted over all positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// Different places in the tables, also those in which the game is over.
    pub places: u64,
    /// Positions won, drawn and lost for the player to move, the game going on.
    pub values: [u64; 3],
    /// Plies to the end from the start; zero if it is drawn.
    pub plies: u64,
}

impl Census {
    pub fn figures(&self) -> Vec<f64> {
        let [won, drawn, lost] = self.values;
        let figures = [self.places, won, drawn, lost, self.plies];
        figures.map(|figure| figure as f64).to_vec()
    }
}

impl<G: AlphaBetaGame + Indexed + Text, V: KnownValues<G>> Subject<G, V> {
    pub fn census(&self) -> Result<Census, LabError> {
        let located = self.positions.iter().filter_map(|s| self.game.locate(s));
        let places = located.collect::<HashSet<_>>().len() as u64;
        let mut values = [0; 3];
        for state in &self.positions {
            if self.game.turn(state) == Turn::Over {
                continue;
            }
            let value = match self.value(state)?.wdl {
                Wdl::Win => 0,
                Wdl::Draw => 1,
                Wdl::Loss => 2,
            };
            values[value] += 1;
        }
        let start = self.value(&self.game.start())?;
        Ok(Census {
            places,
            values,
            plies: start.plies.map_or(0, u64::from),
        })
    }
}
