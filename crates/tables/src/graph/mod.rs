//! Explicit game graphs of small games (Donkers, van den Herik and Uiterwijk 2004, sections 4 and
//! 6).
//!
//! A node is a class of positions that symmetries of the board turn into each other, and all
//! classes are seen by the player to move: an edge is a move and an exchange of colours. The graph
//! is built as in section 6.1 of the paper: every place of an [`Indexed`] game has its class, every
//! class its reference position, and moves are generated from the reference positions alone.

mod paths;
mod random;
mod rows;
mod steps;
#[cfg(test)]
mod tests;
mod visits;

use std::collections::BTreeMap;
use std::ops::Range;

use tabia_game::{Deterministic, Game, Indexed, Perfect, Player, Symmetric, Turn, TwoPlayer, Wdl};

pub use paths::{Degrees, counted};
pub use random::RandomGames;
pub use rows::SparseRows;
pub use steps::{Step, Steps};
pub use visits::{Tally, Visits};

/// What a game must be to be laid out as a graph.
pub trait Layable:
    TwoPlayer + Game<Luck = Deterministic, Information = Perfect> + Indexed + Symmetric
{
}

impl<G> Layable for G where
    G: TwoPlayer + Game<Luck = Deterministic, Information = Perfect> + Indexed + Symmetric
{
}

/// Why a game cannot be laid out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// There are too many positions.
    #[error("the game has more than {MAX_PLACES} positions, too many for an explicit graph")]
    TooLarge,
    /// Some positions are not numbered.
    #[error("the position {0} belongs to no slice, so the graph would have a gap")]
    NoPlace(String),
}

/// The largest number of places that is laid out.
pub const MAX_PLACES: u64 = 1 << 24;

/// The number of a class.
pub type Class = u32;

const NO_CLASS: Class = Class::MAX;

/// The whole of a game as a graph of classes.
///
/// ```
/// use tabia_small::doguti::{DoGuti, State};
/// use tabia_tables::graph::GameGraph;
///
/// let graph = GameGraph::new(&DoGuti, State::passed)?;
/// assert_eq!((graph.places(), graph.classes(), graph.classes_with_exchange()), (30, 16, 9));
/// # Ok::<(), tabia_tables::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameGraph {
    /// The number of the first place of each slice.
    offsets: Vec<u64>,
    /// `SymClasses`: the class of each place.
    class_of: Vec<Class>,
    /// `SymRefs`: a place of each class.
    references: Vec<u32>,
    sizes: Vec<u32>,
    /// What a finished game is worth to the player who would be to move.
    outcomes: Vec<Option<Wdl>>,
    exchanged: Vec<Class>,
    start: Class,
    moves: SparseRows,
    successors: SparseRows,
    predecessors: SparseRows,
}

/// Global numbers of places.
struct Places<'g, G: Indexed> {
    game: &'g G,
    slices: Vec<G::Slice>,
    offsets: Vec<u64>,
    by_slice: BTreeMap<G::Slice, u64>,
    len: u64,
}

impl<'g, G: Indexed> Places<'g, G> {
    fn new(game: &'g G) -> Result<Places<'g, G>, GraphError> {
        let slices = game.slices();
        let mut offsets = Vec::with_capacity(slices.len());
        let mut len = 0u64;
        for &slice in &slices {
            offsets.push(len);
            let here = game.slice_len(slice).ok_or(GraphError::TooLarge)?;
            len = len.checked_add(here).ok_or(GraphError::TooLarge)?;
        }
        if len > MAX_PLACES {
            return Err(GraphError::TooLarge);
        }
        let by_slice = slices.iter().copied().zip(offsets.iter().copied());
        Ok(Places {
            game,
            by_slice: by_slice.collect(),
            slices,
            offsets,
            len,
        })
    }

    fn number(&self, state: &G::State) -> Result<usize, GraphError> {
        let place = self.game.locate(state).and_then(|(slice, index)| {
            let number = self.by_slice.get(&slice)? + index;
            (number < self.len).then_some(number as usize)
        });
        place.ok_or_else(|| GraphError::NoPlace(format!("{state:?}")))
    }

    fn state(&self, number: u64) -> G::State {
        let slice = self.offsets.partition_point(|&first| first <= number) - 1;
        let index = number - self.offsets[slice];
        self.game.position_at(self.slices[slice], index)
    }
}

impl GameGraph {
    /// Lays a game out. `passed` gives the position with the same pieces and the other side to
    /// move.
    pub fn new<G: Layable>(
        game: &G,
        passed: impl Fn(&G::State) -> G::State,
    ) -> Result<GameGraph, GraphError> {
        let places = Places::new(game)?;
        let (class_of, references, sizes) = classes(&places)?;
        let class = |state: &G::State| places.number(state).map(|place| class_of[place]);
        let mut outcomes = Vec::with_capacity(references.len());
        let mut exchanged = Vec::with_capacity(references.len());
        let (mut moves, mut successors) = (SparseRows::default(), SparseRows::default());
        let (mut buffer, mut row) = (Vec::new(), Vec::new());
        for &reference in &references {
            let mut state = places.state(u64::from(reference));
            let over = game.turn(&state) == Turn::Over;
            outcomes.push(over.then(|| Wdl::of_payoff(game.payoff(&state, Player::FIRST))));
            exchanged.push(class(&passed(&state))?);
            buffer.clear();
            row.clear();
            game.moves(&state, &mut buffer);
            for &mv in &buffer {
                let token = game.play(&mut state, mv);
                row.push(class(&state)?);
                game.undo(&mut state, token);
            }
            moves.push(&row);
            row.sort_unstable();
            row.dedup();
            successors.push(&row);
        }
        Ok(GameGraph {
            start: class(&game.start())?,
            predecessors: successors.transposed(),
            offsets: places.offsets,
            class_of,
            references,
            sizes,
            outcomes,
            exchanged,
            moves,
            successors,
        })
    }

    /// How many positions there are, all with the same player to move.
    pub fn places(&self) -> usize {
        self.class_of.len()
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.references.len()
    }

    /// All classes.
    pub fn all(&self) -> Range<Class> {
        0..self.references.len() as Class
    }

    /// How many there are if positions that differ in the colours alone are one.
    pub fn classes_with_exchange(&self) -> usize {
        self.all().filter(|&c| c <= self.exchanged(c)).count()
    }

    /// The class in which a game begins.
    pub fn start(&self) -> Class {
        self.start
    }

    /// How many positions a class has.
    pub fn size(&self, class: Class) -> u32 {
        self.sizes[class as usize]
    }

    /// What a finished game is worth to the player who would be to move.
    pub fn outcome(&self, class: Class) -> Option<Wdl> {
        self.outcomes[class as usize]
    }

    /// The class with the same pieces and the other side to move.
    #[inline]
    pub fn exchanged(&self, class: Class) -> Class {
        self.exchanged[class as usize]
    }

    /// Where the moves of a class lead, in the order of generation: one entry for each move.
    pub fn moves(&self) -> &SparseRows {
        &self.moves
    }

    /// Where edges lead, in ascending order: each class once.
    pub fn successors(&self) -> &SparseRows {
        &self.successors
    }

    /// Where edges come from, in ascending order.
    pub fn predecessors(&self) -> &SparseRows {
        &self.predecessors
    }

    /// The moves of all positions together.
    pub fn total_moves(&self) -> u64 {
        let of = |c: Class| u64::from(self.size(c)) * self.moves.row(c).len() as u64;
        self.all().map(of).sum()
    }

    /// The reference position of a class. The game must be the one that was laid out.
    pub fn reference<G: Indexed>(&self, game: &G, class: Class) -> Option<G::State> {
        let place = u64::from(*self.references.get(class as usize)?);
        let slice = self.offsets.partition_point(|&first| first <= place);
        let slice = slice.checked_sub(1)?;
        let named = *game.slices().get(slice)?;
        Some(game.position_at(named, place - self.offsets[slice]))
    }

    /// The class of a position. The game must be the one that was laid out.
    pub fn class<G: Indexed>(&self, game: &G, state: &G::State) -> Option<Class> {
        let (slice, index) = game.locate(state)?;
        let slice = game.slices().iter().position(|&other| other == slice)?;
        let place = self.offsets.get(slice)?.checked_add(index)?;
        self.class_of.get(usize::try_from(place).ok()?).copied()
    }
}

/// The class of each place, and the reference and the size of each class.
#[expect(clippy::type_complexity)]
fn classes<G: Layable>(
    places: &Places<'_, G>,
) -> Result<(Vec<Class>, Vec<u32>, Vec<u32>), GraphError> {
    let mut class_of = vec![NO_CLASS; places.len as usize];
    let (mut references, mut sizes) = (Vec::new(), Vec::new());
    for place in 0..places.len {
        if class_of[place as usize] != NO_CLASS {
            continue;
        }
        let class = references.len() as Class;
        let state = places.state(place);
        let mut size = 0;
        for symmetry in 0..places.game.symmetries() {
            let image = places.number(&places.game.map_state(&state, symmetry))?;
            if class_of[image] == NO_CLASS {
                class_of[image] = class;
                size += 1;
            }
        }
        references.push(place as u32);
        sizes.push(size);
    }
    Ok((class_of, references, sizes))
}
