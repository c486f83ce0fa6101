//! The positions that are solved together, as the propagation schemes see them: numbers, moves that
//! stay among them, and moves whose value is known.

use std::sync::OnceLock;

use tabia_game::{Game, Indexed, Player, Retro, Turn, Wdl};

use crate::numbers::Numbers;
use crate::{Symmetry, TableError, TableValue};

/// What the moves of a position lead to, but for those that stay within the component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// The quickest win.
    pub win: Option<u16>,
    /// Whether there is a draw.
    pub draw: bool,
    /// The longest loss.
    pub loss: Option<u16>,
}

impl Outside {
    /// Takes note of a move to a position of this value for the opponent. Where plies are not known
    /// they count as none.
    #[inline]
    pub fn meet(&mut self, value: TableValue) {
        let plies = value.plies.unwrap_or(0).saturating_add(1);
        match value.wdl {
            Wdl::Loss => self.win = Some(self.win.map_or(plies, |win| win.min(plies))),
            Wdl::Draw => self.draw = true,
            Wdl::Win => self.loss = Some(self.loss.map_or(plies, |loss| loss.max(plies))),
        }
    }
}

/// A set of positions, numbered from zero, whose values depend on each other.
///
/// Propagation is compiled once: it asks an object, once for every position that it looks at.
pub trait Component: Sync {
    /// How many positions there are.
    fn positions(&self) -> u64;

    /// What one thread looks at positions with.
    fn visitor(&self) -> Box<dyn Visitor + '_>;
}

/// The moves of positions of a [`Component`], forwards and backwards.
pub trait Visitor {
    /// The value of a position where the game is over; else what its moves lead to: those that stay
    /// within the component are appended to `inside`, as often as [`Visitor::predecessors`] tells
    /// of them.
    fn moves(&mut self, index: u64, inside: &mut Vec<u64>) -> Result<Outside, TableValue>;

    /// Appends the other end of each move within the component that leads to a position.
    fn predecessors(&mut self, index: u64, before: &mut Vec<u64>);
}

/// Values that are known already.
pub trait KnownValues<G: Game>: Sync {
    /// The value of a position for the player to move; `None` if it is not known.
    fn known(&self, game: &G, state: &G::State) -> Result<Option<TableValue>, TableError>;
}

/// A group of slices of a game.
pub(super) struct Slices<'a, G: Indexed, K> {
    game: &'a G,
    known: &'a K,
    parts: Vec<Part<G>>,
    len: u64,
    /// Whether several positions share a number.
    shared: bool,
    /// What went wrong first, if anything did.
    failure: OnceLock<TableError>,
}

/// The positions of one slice.
struct Part<G: Indexed> {
    slice: G::Slice,
    numbers: Numbers<G>,
    /// The number of the first one in the component.
    offset: u64,
}

/// One thread's look at the positions.
struct Moves<'a, 's, G: Indexed, K> {
    slices: &'s Slices<'a, G, K>,
    moves: Vec<G::Move>,
    before: Vec<G::State>,
}

impl<'a, G: Indexed, K: KnownValues<G>> Slices<'a, G, K> {
    /// The positions of some slices; `None` if they cannot be counted.
    pub fn new(
        game: &'a G,
        group: &[G::Slice],
        known: &'a K,
        symmetry: Symmetry,
    ) -> Option<Slices<'a, G, K>> {
        let mut parts = Vec::new();
        let mut len = 0u64;
        for &slice in group {
            parts.push(Part {
                slice,
                numbers: Numbers::new(game, slice, symmetry)?,
                offset: len,
            });
            len = len.checked_add(symmetry.entries(game, slice)?)?;
        }
        Some(Slices {
            game,
            known,
            parts,
            len,
            shared: symmetry != Symmetry::None,
            failure: OnceLock::new(),
        })
    }

    /// The number of the first position of each slice.
    pub fn offsets(&self) -> impl Iterator<Item = u64> {
        self.parts.iter().map(|part| part.offset)
    }

    /// Hands over what went wrong.
    pub fn failure(self) -> Option<TableError> {
        self.failure.into_inner()
    }

    #[inline]
    fn position(&self, index: u64) -> G::State {
        let mut parts = self.parts.iter().rev();
        let of = parts.find(|part| part.offset <= index);
        let part = of.unwrap_or(&self.parts[0]);
        part.numbers
            .position(self.game, part.slice, index - part.offset)
    }

    #[inline]
    fn number(&self, state: &G::State, (slice, place): (G::Slice, u64)) -> Option<u64> {
        let mut parts = self.parts.iter();
        let of = parts.find(|part| part.slice == slice);
        of.map(|part| part.offset + part.numbers.number(state, place))
    }

    fn fail(&self, error: TableError) {
        // The first failure is the one to tell.
        let _ = self.failure.set(error);
    }

    /// The value of a position outside, for the player to move there.
    fn outside(&self, state: &G::State) -> Option<TableValue> {
        match self.known.known(self.game, state) {
            Ok(Some(value)) => return Some(value),
            Ok(None) => {
                let slice = self.game.locate(state).map(|(slice, _)| slice);
                let slice = slice.map_or_else(String::new, |s| self.game.slice_text(s));
                self.fail(TableError::Missing(slice));
            }
            Err(error) => self.fail(error),
        }
        None
    }
}

/// Leaves each number from `first` on once. From one class to another there may be more moves than
/// can be taken back, or fewer, where one of them has more members; whether there are any is the
/// same both ways.
fn once_each(numbers: &mut Vec<u64>, first: usize) {
    numbers[first..].sort_unstable();
    let mut kept = first;
    for at in first..numbers.len() {
        if kept == first || numbers[kept - 1] != numbers[at] {
            numbers[kept] = numbers[at];
            kept += 1;
        }
    }
    numbers.truncate(kept);
}

impl<G: Retro, K: KnownValues<G>> Component for Slices<'_, G, K> {
    fn positions(&self) -> u64 {
        self.len
    }

    fn visitor(&self) -> Box<dyn Visitor + '_> {
        Box::new(Moves {
            slices: self,
            moves: Vec::new(),
            before: Vec::new(),
        })
    }
}

impl<G: Retro, K: KnownValues<G>> Visitor for Moves<'_, '_, G, K> {
    fn moves(&mut self, index: u64, inside: &mut Vec<u64>) -> Result<Outside, TableValue> {
        let (slices, game) = (self.slices, self.slices.game);
        let mut state = slices.position(index);
        if game.turn(&state) == Turn::Over {
            // Positions are numbered with the first player to move.
            let wdl = Wdl::of_payoff(game.payoff(&state, Player::FIRST));
            let plies = (wdl != Wdl::Draw).then_some(0);
            return Err(TableValue { wdl, plies });
        }
        let mut outside = Outside::default();
        let first = inside.len();
        self.moves.clear();
        game.moves(&state, &mut self.moves);
        for &mv in &self.moves {
            let token = game.play(&mut state, mv);
            match game.locate(&state) {
                Some(place) => match slices.number(&state, place) {
                    Some(number) => inside.push(number),
                    None => {
                        if let Some(value) = slices.outside(&state) {
                            outside.meet(value);
                        }
                    }
                },
                None => {
                    let wdl = Wdl::of_payoff(game.payoff(&state, Player::SECOND));
                    outside.meet(TableValue {
                        wdl,
                        plies: Some(0),
                    });
                }
            }
            game.undo(&mut state, token);
        }
        if slices.shared {
            once_each(inside, first);
        }
        Ok(outside)
    }

    fn predecessors(&mut self, index: u64, before: &mut Vec<u64>) {
        let (slices, game) = (self.slices, self.slices.game);
        let first = before.len();
        self.before.clear();
        let state = slices.position(index);
        game.predecessors(&state, &mut self.before);
        for state in &self.before {
            let place = game.locate(state);
            before.extend(place.and_then(|place| slices.number(state, place)));
        }
        if slices.shared {
            once_each(before, first);
        }
    }
}
