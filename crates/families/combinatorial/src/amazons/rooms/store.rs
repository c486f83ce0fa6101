//! Tables of rooms read from files.

use std::path::{Path, PathBuf};

use tabia_game::Cancel;
use tabia_tables::{Table, TableError, TableSet, table_file};

use super::RoomTables;
use crate::amazons::rooms::active::{Active, Canonical, Minimax, Thermographs};
use crate::amazons::rooms::atlas::Atlas;
use crate::amazons::rooms::encode::{self, Coded};
use crate::amazons::rooms::frame::{Frame, MAX_SQUARES};
use crate::amazons::rooms::kind::RoomKind;
use crate::amazons::rooms::spec::{AreaValue, GAME, Holds, Spec};
use crate::amazons::rooms::territory::{MAX_QUEENS, Territories};

/// Where the table lies.
pub fn file(folder: &Path, spec: &Spec) -> PathBuf {
    table_file(folder, GAME, &spec.to_string())
}

/// What cannot be read though the checksums are right.
fn meaningless(table: &Table) -> TableError {
    TableError::Unsound {
        file: table.file().to_string(),
        reason: "its bytes are not what a table of this kind holds".to_string(),
    }
}

/// Opens a table file, which must be the one that belongs there.
fn open(folder: &Path, frame: &Frame, holds: Holds) -> Result<Table, TableError> {
    let frame = frame.clone();
    let name = Spec { frame, holds }.to_string();
    let tables = TableSet::open(&RoomKind, GAME, folder, [&name], u64::MAX)?;
    let found = tables.into_iter().next().map(|(_, table)| table);
    found.ok_or(TableError::Missing(name))
}

/// The rooms of a table: bitmaps, and the first room with the same lines.
pub(super) fn rooms(table: &Table) -> Result<Vec<(u32, u32)>, TableError> {
    encode::read_rooms(&table.whole()?).ok_or_else(|| meaningless(table))
}

/// The territories of a table, with up to this many queens.
pub(super) fn territories(
    atlas: &Atlas,
    queens: usize,
    table: &Table,
) -> Result<Territories, TableError> {
    let read = encode::read_territories(atlas, queens, &table.whole()?);
    read.ok_or_else(|| meaningless(table))
}

/// The active areas of a table, in rooms of up to this many squares.
pub(super) fn active<K: Coded>(
    atlas: &Atlas,
    largest: usize,
    table: &Table,
) -> Result<Active<K>, TableError> {
    let read = K::decode(atlas, largest, &table.whole()?);
    read.ok_or_else(|| meaningless(table))
}

/// The rooms of a frame: bitmaps, and the first room with the same lines.
pub fn read_rooms(folder: &Path, frame: &Frame) -> Result<Vec<(u32, u32)>, TableError> {
    rooms(&open(folder, frame, Holds::Rooms)?)
}

/// The table of territories with up to this many queens.
pub fn read_territories(
    atlas: &Atlas,
    folder: &Path,
    queens: usize,
) -> Result<Territories, TableError> {
    let table = open(folder, atlas.frame(), Holds::Territory(queens))?;
    territories(atlas, queens, &table)
}

fn read_active<K: Coded>(
    atlas: &Atlas,
    folder: &Path,
    worth: AreaValue,
    largest: usize,
) -> Result<Active<K>, TableError> {
    let table = open(folder, atlas.frame(), Holds::Active(worth, largest))?;
    active(atlas, largest, &table)
}

/// The table of scores.
pub fn read_scores(
    atlas: &Atlas,
    folder: &Path,
    largest: usize,
) -> Result<Active<Minimax>, TableError> {
    read_active(atlas, folder, AreaValue::Minimax, largest)
}

/// The table of canonical forms.
pub fn read_values(
    atlas: &Atlas,
    folder: &Path,
    largest: usize,
) -> Result<Active<Canonical>, TableError> {
    read_active(atlas, folder, AreaValue::Canonical, largest)
}

/// The table of thermographs.
pub fn read_thermographs(
    atlas: &Atlas,
    folder: &Path,
    largest: usize,
) -> Result<Active<Thermographs>, TableError> {
    read_active(atlas, folder, AreaValue::Thermograph, largest)
}

/// Reads bytes as a table of a kind, as if a file held them; for tests of what reads files.
pub fn read_bytes(spec: &Spec, atlas: &Atlas, bytes: &[u8]) -> bool {
    match spec.holds {
        Holds::Rooms => encode::read_rooms(bytes).is_some(),
        Holds::Territory(queens) => encode::read_territories(atlas, queens, bytes).is_some(),
        Holds::Active(AreaValue::Minimax, largest) => {
            Minimax::decode(atlas, largest, bytes).is_some()
        }
        Holds::Active(AreaValue::Canonical, largest) => {
            Canonical::decode(atlas, largest, bytes).is_some()
        }
        Holds::Active(AreaValue::Thermograph, largest) => {
            Thermographs::decode(atlas, largest, bytes).is_some()
        }
    }
}

impl RoomTables {
    /// All that a folder holds of the rooms in the largest frame of which it holds territories;
    /// nothing if there is none.
    pub fn largest(folder: &Path, cancel: &Cancel) -> Result<Option<RoomTables>, TableError> {
        let sides = (1..=MAX_SQUARES).flat_map(|a| (a..=MAX_SQUARES / a).map(move |b| (a, b)));
        let mut frames: Vec<Frame> = sides.filter_map(|(a, b)| Frame::new(a, b).ok()).collect();
        frames.sort_by_key(|frame| std::cmp::Reverse(frame.area()));
        for frame in frames {
            if let Some(tables) = RoomTables::open(folder, frame, cancel)? {
                return Ok(Some(tables));
            }
        }
        Ok(None)
    }

    /// All that a folder holds of the rooms in a frame: the territories with the most queens, and
    /// of active areas of each kind the table with the largest rooms. Nothing if there are no
    /// territories.
    pub fn open(
        folder: &Path,
        frame: Frame,
        cancel: &Cancel,
    ) -> Result<Option<RoomTables>, TableError> {
        let there = |holds: Holds| {
            let frame = frame.clone();
            file(folder, &Spec { frame, holds }).exists()
        };
        let queens = (1..=MAX_QUEENS)
            .rev()
            .find(|&queens| there(Holds::Territory(queens)));
        let Some(queens) = queens else {
            return Ok(None);
        };
        let sizes = || (2..=frame.area()).rev();
        let largest = |worth: AreaValue| sizes().find(|&size| there(Holds::Active(worth, size)));
        let of = [
            AreaValue::Minimax,
            AreaValue::Canonical,
            AreaValue::Thermograph,
        ]
        .map(largest);
        let atlas = Atlas::new(frame.clone(), cancel)?;
        let territories = read_territories(&atlas, folder, queens)?;
        let [scores, values, thermographs] = of;
        let scores = scores
            .map(|size| read_scores(&atlas, folder, size))
            .transpose()?;
        let values = values
            .map(|size| read_values(&atlas, folder, size))
            .transpose()?;
        let thermographs = thermographs
            .map(|size| read_thermographs(&atlas, folder, size))
            .transpose()?;
        let mut tables = RoomTables::new(atlas, territories);
        if let Some(scores) = scores {
            tables = tables.with_scores(scores);
        }
        if let Some(values) = values {
            tables = tables.with_values(values);
        }
        if let Some(thermographs) = thermographs {
            tables = tables.with_thermographs(thermographs);
        }
        Ok(Some(tables))
    }
}
