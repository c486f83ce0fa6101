//! Probabilities of winning in games with chance whose positions never come back.
//!
//! Backward induction, as bear-off databases are made: the positions of a group of slices are
//! sorted by a number that falls with every turn, and those of equal number are valued in parallel,
//! each from its successors. Every probability is rounded once, so it is off by half a unit for
//! each turn that is left at most; and it follows from its successors to the last bit, which a
//! verification checks.

mod stats;
mod verify;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tabia_game::threads;
use tabia_game::{Cancel, Chance, Game, Indexed, Player, Probability, Turn, TwoPlayer};

pub(crate) use verify::verify_chances;

use crate::{
    BuildError, Kept, SliceSolver, SliceValues, Symmetry, TableError, TableForm, Tables, total,
};

/// Positions before a chance event that never come back: what tables of probabilities are built
/// over.
///
/// A turn is a chance event and one move of the player whose turn it is, and nobody draws. Slices
/// may hold the endings alone, but whatever follows a position of a slice after a turn is over or
/// in a slice.
pub trait Descending: Indexed + Chance {
    /// A number that is lower for every position that follows after a turn.
    fn height(&self, state: &Self::State) -> u32;
}

/// Values groups of slices in memory, with all threads of the current pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct BackwardInduction;

/// The probabilities of one slice, in memory.
#[derive(Clone)]
pub struct InMemory {
    values: Arc<[AtomicU32]>,
    offset: usize,
}

impl SliceValues<Probability> for InMemory {
    #[inline]
    fn get(&self, index: u64) -> Probability {
        let value = &self.values[self.offset + index as usize];
        Probability::from_bits(value.load(Ordering::Relaxed))
    }
}

/// Positions valued between two looks at the cancel flag.
const CHUNK: usize = 1 << 10;
/// Of each position: its value, its height and its number.
const BYTES: u64 = 12;

impl<G: Descending + TwoPlayer> SliceSolver<G, Probability> for BackwardInduction {
    type Values = InMemory;

    fn memory(&self, game: &G, group: &[G::Slice], form: TableForm) -> Option<u64> {
        let positions = group
            .iter()
            .map(|&slice| form.symmetry.entries(game, slice));
        // Positions are numbered in 32 bits.
        let positions = total(positions).filter(|&n| n <= u64::from(u32::MAX));
        positions?.checked_mul(BYTES)
    }

    fn solve(
        &self,
        game: &G,
        group: &[G::Slice],
        known: &Tables<G>,
        form: TableForm,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<InMemory>, BuildError> {
        if form.values != Kept::Chance {
            return Err(BuildError::Values(form.values));
        }
        let run = Run::new(game, group, known, form.symmetry)?;
        run.run(cancel, progress)?;
        let values: Arc<[AtomicU32]> = run.values.into();
        let slices = run.parts.iter().map(|part| InMemory {
            values: Arc::clone(&values),
            offset: part.offset as usize,
        });
        Ok(slices.collect())
    }
}

/// The positions of one slice.
struct Part<S> {
    slice: S,
    /// The number of the first one in the group.
    offset: u32,
}

struct Run<'a, G: Descending> {
    game: &'a G,
    known: &'a Tables<G>,
    parts: Vec<Part<G::Slice>>,
    /// Written once each, layer by layer, and read in later layers only.
    values: Vec<AtomicU32>,
}

/// Buffers that a thread reuses.
struct Buffers<G: Game> {
    outcomes: Vec<(G::Move, u64)>,
    moves: Vec<G::Move>,
}

impl<'a, G: Descending + TwoPlayer> Run<'a, G> {
    fn new(
        game: &'a G,
        group: &[G::Slice],
        known: &'a Tables<G>,
        symmetry: Symmetry,
    ) -> Result<Run<'a, G>, TableError> {
        let mut parts = Vec::new();
        let mut len = 0u32;
        for &slice in group {
            parts.push(Part { slice, offset: len });
            // Classes of symmetric positions are not made use of.
            let entries = Some(symmetry).filter(|&s| s == Symmetry::None);
            let entries = entries.and_then(|s| u32::try_from(s.entries(game, slice)?).ok());
            let next = entries.and_then(|n| len.checked_add(n));
            len = next.ok_or(TableError::Countless)?;
        }
        Ok(Run {
            game,
            known,
            parts,
            values: (0..len).map(|_| AtomicU32::new(0)).collect(),
        })
    }

    fn run(&self, cancel: &Cancel, progress: &(dyn Fn(u64) + Sync)) -> Result<(), TableError> {
        let mut order: Vec<(u32, u32)> = (0..self.values.len() as u32).map(|n| (0, n)).collect();
        let mut chunks: Vec<&mut [(u32, u32)]> = order.chunks_mut(CHUNK).collect();
        threads::each_mut(&mut chunks, &|_, chunk| {
            for (height, number) in chunk.iter_mut() {
                *height = self.game.height(&self.position(*number));
            }
        });
        order.sort_unstable();
        let done = AtomicU64::new(0);
        for layer in order.chunk_by(|a, b| a.0 == b.0) {
            let chunks: Vec<&[(u32, u32)]> = layer.chunks(CHUNK).collect();
            threads::try_each(chunks.len() as u64, &|chunk| {
                if cancel.is_cancelled() {
                    return Err(TableError::Stopped);
                }
                let mut buffers = Buffers {
                    outcomes: Vec::new(),
                    moves: Vec::new(),
                };
                let chunk = chunks[chunk as usize];
                for &(height, number) in chunk {
                    let value = self.value(height, number, &mut buffers)?;
                    self.values[number as usize].store(value.bits(), Ordering::Relaxed);
                }
                let more = chunk.len() as u64;
                progress(done.fetch_add(more, Ordering::Relaxed) + more);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The slice of a number, and the number in it.
    fn place(&self, number: u32) -> (G::Slice, u64) {
        let mut parts = self.parts.iter().rev();
        let of = parts.find(|part| part.offset <= number);
        let part = of.unwrap_or(&self.parts[0]);
        (part.slice, u64::from(number - part.offset))
    }

    #[inline]
    fn position(&self, number: u32) -> G::State {
        let (slice, index) = self.place(number);
        self.game.position_at(slice, index)
    }

    /// The probability that the player wins whose turn begins at a position: the mean over the
    /// outcomes of the best that can be made of each.
    fn value(
        &self,
        height: u32,
        number: u32,
        buffers: &mut Buffers<G>,
    ) -> Result<Probability, TableError> {
        let flaw = |reason| self.flaw(number, reason);
        let Buffers { outcomes, moves } = buffers;
        outcomes.clear();
        let mut state = self.position(number);
        self.game.outcomes(&state, outcomes);
        let mut failure = None;
        let mean = Probability::mean(outcomes.iter().map(|&(outcome, weight)| {
            let token = self.game.play(&mut state, outcome);
            let best = self.best(height, &mut state, moves);
            self.game.undo(&mut state, token);
            let best = best.unwrap_or_else(|reason| {
                failure.get_or_insert(reason);
                Probability::LOSS
            });
            (best, weight)
        }));
        match failure {
            Some(Failure::Flaw(reason)) => Err(flaw(reason)),
            Some(Failure::Table(error)) => Err(error),
            None => mean.ok_or_else(|| flaw("it is not followed by a chance event")),
        }
    }

    /// The best that the first player can make of the outcome of a chance event.
    #[inline]
    fn best(
        &self,
        height: u32,
        state: &mut G::State,
        moves: &mut Vec<G::Move>,
    ) -> Result<Probability, Failure> {
        if self.game.turn(state) != Turn::Player(Player::FIRST) {
            return Err(Failure::Flaw("a turn is not a chance event and a move"));
        }
        moves.clear();
        self.game.moves(state, moves);
        let mut best = None;
        for &mv in moves.iter() {
            let token = self.game.play(state, mv);
            let after = self.after(height, state);
            self.game.undo(state, token);
            best = best.max(Some(after?));
        }
        best.ok_or(Failure::Flaw("there is no move after a chance event"))
    }

    /// The probability that the first player wins after their turn.
    #[inline]
    fn after(&self, height: u32, state: &G::State) -> Result<Probability, Failure> {
        if self.game.turn(state) == Turn::Over {
            return match self.game.payoff(state, Player::FIRST) {
                1.. => Ok(Probability::WIN),
                0 => Err(Failure::Flaw("a game is drawn")),
                ..0 => Ok(Probability::LOSS),
            };
        }
        let unplaced = "a turn leads to a position without a place";
        let (slice, index) = self.game.locate(state).ok_or(Failure::Flaw(unplaced))?;
        let of_opponent = match self.parts.iter().find(|part| part.slice == slice) {
            Some(part) => {
                if self.game.height(state) >= height {
                    return Err(Failure::Flaw("a turn leads to a position that is no lower"));
                }
                let value = &self.values[(u64::from(part.offset) + index) as usize];
                Probability::from_bits(value.load(Ordering::Relaxed))
            }
            None => {
                let entry = self.known.content(self.game, state);
                let missing = || TableError::Missing(self.game.slice_text(slice));
                let entry = entry.and_then(|entry| entry.ok_or_else(missing));
                entry.map_err(Failure::Table)?.value
            }
        };
        Ok(of_opponent.flipped())
    }

    #[cold]
    fn flaw(&self, number: u32, reason: &'static str) -> TableError {
        let (slice, index) = self.place(number);
        TableError::Rules {
            slice: self.game.slice_text(slice),
            index,
            reason,
        }
    }
}

/// Why a position has no value.
enum Failure {
    /// The game breaks its contract.
    Flaw(&'static str),
    /// A table cannot be read.
    Table(TableError),
}
