//! What tables hold, counted as Tegos (2002) counts it.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use tabia_cgt::Dyadic;

use crate::amazons::rooms::active::{Active, Canonical, Minimax, Thermographs};
use crate::amazons::rooms::atlas::{Atlas, RoomNumber};
use crate::amazons::rooms::territory::Territories;

/// Defective territories with this many queens in rooms of one size (tables A.1 to A.8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defects {
    /// Rooms that have some.
    pub rooms: u64,
    /// Those with 1, 2, … defects; symmetric ones count once.
    pub by_defects: Vec<u64>,
}

impl Defects {
    /// All of them.
    pub fn all(&self) -> u64 {
        self.by_defects.iter().sum()
    }
}

/// Defective territories by the number of queens and the size of rooms.
pub fn defects(atlas: &Atlas, territories: &Territories) -> BTreeMap<(usize, usize), Defects> {
    let mut counts: BTreeMap<(usize, usize), Defects> = BTreeMap::new();
    let mut rooms: FxHashSet<(RoomNumber, u32)> = FxHashSet::default();
    for found in territories.listed() {
        let size = atlas.rooms()[found.room as usize].count_ones() as usize;
        let queens = found.queens.count_ones();
        let count = counts.entry((queens as usize, size)).or_default();
        let defects = usize::from(found.defects);
        if count.by_defects.len() < defects {
            count.by_defects.resize(defects, 0);
        }
        count.by_defects[defects - 1] += 1;
        count.rooms += u64::from(rooms.insert((found.room, queens)));
    }
    counts
}

/// Positions in which whoever begins scores at least three less than by moving second (table 7.2).
///
/// The text speaks of two, the definition of more than two; the printed numbers are these.
pub fn zugzwangs(atlas: &Atlas, active: &Active<Minimax>, size: usize) -> u64 {
    let worse = |[black, white]: &&[i8; 2]| white - black >= 3;
    active.of_size(atlas, size).iter().filter(worse).count() as u64
}

/// How many different thermographs the positions of a size have (table 4.2), the first queen of a
/// pair being Black.
pub fn thermographs(atlas: &Atlas, active: &Active<Thermographs>, size: usize) -> u64 {
    let graphs = active
        .of_size(atlas, size)
        .iter()
        .map(|&number| active.kind().graph(number));
    let walls: FxHashSet<_> = graphs.map(|graph| (graph.left(), graph.right())).collect();
    walls.len() as u64
}

/// How many different values the positions of a size have.
pub fn values(atlas: &Atlas, active: &Active<Canonical>, size: usize) -> u64 {
    let values: FxHashSet<_> = active.of_size(atlas, size).iter().collect();
    values.len() as u64
}

/// How many positions of a size are worth this nimber (table 7.1).
pub fn nimbers(atlas: &Atlas, active: &Active<Canonical>, size: usize, heap: u32) -> u64 {
    let store = active.kind().values();
    let entries = active.of_size(atlas, size).iter();
    entries
        .filter(|&&value| store.as_nimber(value) == Some(heap))
        .count() as u64
}

/// The temperatures of all positions, each once and in order.
pub fn temperatures(active: &mut Active<Canonical>) -> Result<Vec<Dyadic>, tabia_cgt::Exceeded> {
    let mut values = active.entries().to_vec();
    values.sort_unstable();
    values.dedup();
    let store = active.kind_mut().values_mut();
    let temperatures = values.into_iter().map(|value| store.temperature(value));
    let mut temperatures = temperatures.collect::<Result<Vec<_>, _>>()?;
    temperatures.sort_unstable();
    temperatures.dedup();
    Ok(temperatures)
}
