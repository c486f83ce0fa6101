//! Active areas: rooms with one queen of each colour (Tegos 2002, chapter 4).
//!
//! A move leaves a smaller active area, or two territories, and squares that nobody reaches. So
//! every position is valued by a look one move ahead, and never are two active areas added up. What
//! a value is says a [`Valuation`]: the [score](Minimax) for either player to begin, the [canonical
//! form](Canonical) or the [thermograph](Thermographs).
//!
//! Exchanging the queens negates a value, so that a table has an entry for every pair of squares of
//! a room, the first of which is Black's. Left is Black.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tabia_cgt::{Dyadic, Exceeded, Thermograph, TooLarge, Value, Values};
use tabia_game::{Cancel, Limits};

use crate::amazons::rooms::Stopped;
use crate::amazons::rooms::area::{After, Area, each_move};
use crate::amazons::rooms::atlas::{Atlas, RoomNumber};
use crate::amazons::rooms::frame::{MAX_SQUARES, Set, squares};
use crate::amazons::rooms::territory::Territories;

/// What is kept of active areas.
pub trait Valuation: Sync {
    /// The value of a position.
    type Entry: Copy + Ord + Send + Sync;
    /// What becomes an entry.
    type Draft: Send;

    /// Black has this many more moves in territories than White.
    fn integer(&self, moves: i32) -> Self::Entry;
    /// The value with colours exchanged.
    fn negative(&self, entry: Self::Entry) -> Self::Entry;
    /// What follows from what Black and White can move to, each once and in order.
    fn draft(&self, left: &[Self::Entry], right: &[Self::Entry]) -> Result<Self::Draft, Exceeded>;
    /// Makes it an entry.
    fn settle(&mut self, draft: Self::Draft) -> Result<Self::Entry, Exceeded>;
    /// From now on stops when this is cancelled.
    fn watch(&mut self, _: &Cancel) {}
}

/// Why a table cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unbuilt {
    /// Stopped from outside.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// There are too many values.
    #[error(transparent)]
    Exceeded(Exceeded),
}

impl From<Exceeded> for Unbuilt {
    fn from(error: Exceeded) -> Unbuilt {
        match error {
            Exceeded::Stopped => Unbuilt::Stopped(Stopped),
            other => Unbuilt::Exceeded(other),
        }
    }
}

/// The values of all active areas in the rooms of an atlas, up to a size of rooms.
#[derive(Debug)]
pub struct Active<K: Valuation> {
    kind: K,
    largest: usize,
    entries: Vec<K::Entry>,
    offsets: Vec<u64>,
}

/// A place in the list of a room: the pairs of squares that come before.
#[inline]
fn pair(first: u32, second: u32) -> u64 {
    u64::from(second * second.wrapping_sub(1) / 2 + first)
}

/// How many squares of a room come before one.
#[inline]
fn rank(set: Set, square: usize) -> u32 {
    (set & ((1 << square) - 1)).count_ones()
}

/// Where the entries of each room begin, and their number.
fn offsets(atlas: &Atlas, largest: usize) -> Vec<u64> {
    let mut offsets = vec![0];
    let mut end = 0;
    for room in &atlas.rooms()[..atlas.of_size(largest).end] {
        let size = room.count_ones();
        end += u64::from(size * (size - 1) / 2);
        offsets.push(end);
    }
    offsets
}

/// How many entries the rooms of up to this many squares have.
pub fn entries(atlas: &Atlas, largest: usize) -> u64 {
    offsets(atlas, largest).last().copied().unwrap_or(0)
}

/// Rooms whose positions are valued before any becomes an entry.
const BATCH: usize = 512;

impl<K: Valuation> Active<K> {
    /// Values all active areas of up to this many squares. `progress` is told of entries done.
    pub fn build(
        atlas: &Atlas,
        territories: &Territories,
        mut kind: K,
        largest: usize,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Active<K>, Unbuilt> {
        kind.watch(cancel);
        let largest = largest.min(atlas.frame().area());
        let mut active = Active {
            kind,
            largest,
            entries: Vec::new(),
            offsets: offsets(atlas, largest),
        };
        for size in 1..=largest {
            let rooms: Vec<usize> = atlas.of_size(size).collect();
            for batch in rooms.chunks(BATCH) {
                let drafts: Vec<Vec<K::Draft>> = batch
                    .par_iter()
                    .map(|&room| {
                        if cancel.is_cancelled() {
                            return Err(Exceeded::Stopped);
                        }
                        active.drafts(atlas, territories, room as RoomNumber)
                    })
                    .collect::<Result<_, _>>()?;
                let mut done = 0;
                for draft in drafts.into_iter().flatten() {
                    let entry = active.kind.settle(draft)?;
                    active.entries.push(entry);
                    done += 1;
                }
                progress(done);
            }
        }
        Ok(active)
    }

    /// A table of entries that are known, such as a file holds; `None` if they are too many or too
    /// few.
    pub fn of_entries(
        atlas: &Atlas,
        kind: K,
        largest: usize,
        entries: Vec<K::Entry>,
    ) -> Option<Active<K>> {
        let offsets = offsets(atlas, largest);
        let complete = offsets.last() == Some(&(entries.len() as u64));
        complete.then_some(Active {
            kind,
            largest,
            entries,
            offsets,
        })
    }

    /// What entries are.
    pub fn kind(&self) -> &K {
        &self.kind
    }

    /// What entries are, for operations that store something.
    pub fn kind_mut(&mut self) -> &mut K {
        &mut self.kind
    }

    /// The most squares of a room.
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// All entries: room by room, and in a room by the second square of a pair, then by the first.
    pub fn entries(&self) -> &[K::Entry] {
        &self.entries
    }

    /// The entries of a room.
    pub fn of_room(&self, room: usize) -> &[K::Entry] {
        match self.offsets.get(room..room + 2) {
            Some(&[start, end]) => &self.entries[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The entries of all rooms of a size.
    pub fn of_size(&self, atlas: &Atlas, size: usize) -> &[K::Entry] {
        let rooms = atlas.of_size(size);
        match (self.offsets.get(rooms.start), self.offsets.get(rooms.end)) {
            (Some(&start), Some(&end)) => &self.entries[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The value of a position in a room of the atlas; `None` if the room is larger than those of
    /// the table.
    #[inline]
    pub fn get(
        &self,
        atlas: &Atlas,
        room: RoomNumber,
        black: usize,
        white: usize,
    ) -> Option<K::Entry> {
        let start = *self.offsets.get(room as usize)?;
        let set = atlas.rooms()[room as usize];
        let (b, w) = (rank(set, black), rank(set, white));
        let place = start + if b < w { pair(b, w) } else { pair(w, b) };
        let entry = *self.entries.get(place as usize)?;
        Some(if b < w {
            entry
        } else {
            self.kind.negative(entry)
        })
    }

    /// All positions of a room, in the order of entries.
    fn drafts(
        &self,
        atlas: &Atlas,
        territories: &Territories,
        room: RoomNumber,
    ) -> Result<Vec<K::Draft>, Exceeded> {
        let set = atlas.rooms()[room as usize];
        let mut drafts = Vec::new();
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for white in squares(set) {
            for black in squares(set & ((1 << white) - 1)) {
                left.clear();
                right.clear();
                self.options(atlas, territories, set, [black, white], &mut left);
                // White's options are Black's with colours exchanged.
                self.options(atlas, territories, set, [white, black], &mut right);
                left.sort_unstable();
                left.dedup();
                for entry in &mut right {
                    *entry = self.kind.negative(*entry);
                }
                right.sort_unstable();
                right.dedup();
                drafts.push(self.kind.draft(&left, &right)?);
            }
        }
        Ok(drafts)
    }

    /// What the moves of a queen lead to, for its owner as Black.
    #[inline]
    fn options(
        &self,
        atlas: &Atlas,
        territories: &Territories,
        set: Set,
        queens: [usize; 2],
        out: &mut Vec<K::Entry>,
    ) {
        each_move(atlas, territories, set, queens, |after| match after {
            // A room that lost a square is of an earlier layer.
            After::Active(area) => out.extend(self.of_area(atlas, area)),
            After::Settled(moves) => out.push(self.kind.integer(moves)),
        });
    }

    /// The value of an active area; `None` if the room is larger than those of the table.
    #[inline]
    pub fn of_area(&self, atlas: &Atlas, area: Area) -> Option<K::Entry> {
        self.get(atlas, area.room, area.black.into(), area.white.into())
    }
}

/// Scores, if Black begins and if White does.
///
/// Each move counts one for its player, and so do those that territories hold in the end. A player
/// who cannot move passes as long as the other can. The thesis does not say how it counts; this
/// gives the numbers of its table 7.2.
#[derive(Clone, Copy, Debug, Default)]
pub struct Minimax;

/// The scores if Black and if White begins.
pub type Scores = [i8; 2];

impl Valuation for Minimax {
    type Entry = Scores;
    type Draft = Scores;

    #[inline]
    fn integer(&self, moves: i32) -> Scores {
        [moves as i8; 2]
    }

    #[inline]
    fn negative(&self, [black, white]: Scores) -> Scores {
        [-white, -black]
    }

    fn draft(&self, left: &[Scores], right: &[Scores]) -> Result<Scores, Exceeded> {
        let black = left.iter().map(|option| option[1] + 1).max();
        let white = right.iter().map(|option| option[0] - 1).min();
        let passed = black.or(white).unwrap_or(0);
        Ok([black.unwrap_or(passed), white.unwrap_or(passed)])
    }

    fn settle(&mut self, draft: Scores) -> Result<Scores, Exceeded> {
        Ok(draft)
    }
}

/// The largest difference of moves in two territories.
const MAX_DIFFERENCE: usize = MAX_SQUARES;

/// The integers that territories can give, each made once.
fn integers<T, E>(mut make: impl FnMut(i32) -> Result<T, E>) -> Result<Vec<T>, E> {
    (-(MAX_DIFFERENCE as i32)..=MAX_DIFFERENCE as i32)
        .map(&mut make)
        .collect()
}

fn place(moves: i32) -> usize {
    (moves + MAX_DIFFERENCE as i32) as usize
}

/// Canonical forms.
#[derive(Debug)]
pub struct Canonical {
    values: Values,
    integers: Vec<Value>,
    negatives: FxHashMap<Value, Value>,
}

impl Canonical {
    /// Values go to this store.
    pub fn new(mut values: Values) -> Result<Canonical, Exceeded> {
        let integers = integers(|n| values.integer(n))?;
        let negatives = integers.iter().copied().zip(integers.iter().rev().copied());
        Ok(Canonical {
            negatives: negatives.collect(),
            integers,
            values,
        })
    }

    /// The store.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The store, for sums, means and so on.
    pub fn values_mut(&mut self) -> &mut Values {
        &mut self.values
    }

    /// Makes a value of this store an entry.
    pub fn admit(&mut self, value: Value) -> Result<Value, Exceeded> {
        if !self.negatives.contains_key(&value) {
            let negative = self.values.negative(value)?;
            self.negatives.insert(value, negative);
            self.negatives.insert(negative, value);
        }
        Ok(value)
    }
}

impl Valuation for Canonical {
    type Entry = Value;
    type Draft = [Vec<Value>; 2];

    fn integer(&self, moves: i32) -> Value {
        self.integers[place(moves)]
    }

    /// Entries have been admitted together with their negatives.
    fn negative(&self, entry: Value) -> Value {
        self.negatives[&entry]
    }

    fn draft(&self, left: &[Value], right: &[Value]) -> Result<[Vec<Value>; 2], Exceeded> {
        Ok([left.to_vec(), right.to_vec()])
    }

    fn settle(&mut self, [left, right]: [Vec<Value>; 2]) -> Result<Value, Exceeded> {
        let value = self.values.from_options(&left, &right)?;
        self.admit(value)
    }

    fn watch(&mut self, cancel: &Cancel) {
        self.values.watch(&Limits {
            cancel: cancel.clone(),
            ..Limits::default()
        });
    }
}

/// Thermographs, each stored once. They need no canonical forms.
#[derive(Debug)]
pub struct Thermographs {
    graphs: Vec<Arc<Thermograph>>,
    numbers: FxHashMap<Arc<Thermograph>, u32>,
    negatives: Vec<u32>,
    integers: Vec<u32>,
}

impl Default for Thermographs {
    fn default() -> Thermographs {
        let mut store = Thermographs {
            graphs: Vec::new(),
            numbers: FxHashMap::default(),
            negatives: Vec::new(),
            integers: Vec::new(),
        };
        let number =
            |n: i32| Ok::<_, TooLarge>(store.admit(Thermograph::of_integer(Dyadic::from(n))));
        let numbers = integers(number);
        store.integers = numbers.unwrap_or_default();
        store
    }
}

impl Thermographs {
    /// The number of a thermograph in the store, which holds its negative, too.
    pub fn admit(&mut self, graph: Thermograph) -> u32 {
        if let Some(&number) = self.numbers.get(&graph) {
            return number;
        }
        let negative = graph.negative();
        let number = self.push(graph);
        let opposite = match self.numbers.get(&negative) {
            Some(&same) => same,
            None => self.push(negative),
        };
        self.negatives[number as usize] = opposite;
        self.negatives[opposite as usize] = number;
        number
    }

    fn push(&mut self, graph: Thermograph) -> u32 {
        let number = self.graphs.len() as u32;
        let graph = Arc::new(graph);
        self.graphs.push(graph.clone());
        self.numbers.insert(graph, number);
        self.negatives.push(number);
        number
    }

    /// A thermograph by its number.
    pub fn graph(&self, number: u32) -> &Arc<Thermograph> {
        &self.graphs[number as usize]
    }

    /// The number of a thermograph, if it is in the store.
    pub fn number(&self, graph: &Thermograph) -> Option<u32> {
        self.numbers.get(graph).copied()
    }

    /// All thermographs, by number.
    pub fn graphs(&self) -> &[Arc<Thermograph>] {
        &self.graphs
    }
}

impl Valuation for Thermographs {
    type Entry = u32;
    type Draft = Thermograph;

    fn integer(&self, moves: i32) -> u32 {
        self.integers[place(moves)]
    }

    fn negative(&self, entry: u32) -> u32 {
        self.negatives[entry as usize]
    }

    fn draft(&self, left: &[u32], right: &[u32]) -> Result<Thermograph, Exceeded> {
        let graphs = |side: &[u32]| -> Vec<&Thermograph> {
            side.iter().map(|&number| &**self.graph(number)).collect()
        };
        Ok(Thermograph::of_options(&graphs(left), &graphs(right))?.of_value())
    }

    fn settle(&mut self, draft: Thermograph) -> Result<u32, Exceeded> {
        Ok(self.admit(draft))
    }
}
