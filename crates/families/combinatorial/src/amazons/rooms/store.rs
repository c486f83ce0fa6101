//! Tables of rooms in files, through `tabia-tables`: checksummed, written beside and renamed.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tabia_cgt::Values;
use tabia_game::Cancel;
use tabia_tables::file::{Heading, Reliance, write};
use tabia_tables::{
    BuildError, Checksum, Form, Kept, Symmetry, Table, TableError, lock, table_file,
};

use super::{RoomTables, Stopped};
use crate::amazons::rooms::active::{Active, Canonical, Minimax, Thermographs, Unbuilt};
use crate::amazons::rooms::atlas::Atlas;
use crate::amazons::rooms::encode::{self, Coded};
use crate::amazons::rooms::frame::{Frame, MAX_SQUARES};
use crate::amazons::rooms::lines::Lines;
use crate::amazons::rooms::spec::{GAME, Holds, Spec, Worth};
use crate::amazons::rooms::territory::{MAX_QUEENS, Territories};

/// Why a table cannot be built, read or verified.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file or the memory is at fault, or the work was stopped.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Somebody else builds tables.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// There are too many values.
    #[error("{0}; more --memory allows more of them")]
    Exceeded(tabia_cgt::Exceeded),
    /// A table says something that is not so.
    #[error("'{file}' is wrong: {reason}")]
    Wrong {
        /// The file.
        file: String,
        /// What is wrong.
        reason: String,
    },
}

impl From<Stopped> for StoreError {
    fn from(Stopped: Stopped) -> StoreError {
        StoreError::Table(TableError::Stopped)
    }
}

impl From<Unbuilt> for StoreError {
    fn from(error: Unbuilt) -> StoreError {
        match error {
            Unbuilt::Stopped(stopped) => stopped.into(),
            Unbuilt::Exceeded(error) => StoreError::Exceeded(error),
        }
    }
}

/// A table that is there.
#[derive(Debug)]
pub struct Held {
    /// What it is.
    pub spec: Spec,
    /// The file.
    pub file: PathBuf,
    /// Bytes of the file.
    pub bytes: u64,
    /// What it stands for.
    pub checksum: Checksum,
    /// Whether it was built just now.
    pub built: bool,
}

/// How work goes on: what is built, what is done and all there is to do.
pub type Progress<'a> = &'a (dyn Fn(&Spec, u64, u64) + Sync);

/// Where the table lies.
pub fn file(folder: &Path, spec: &Spec) -> PathBuf {
    table_file(folder, GAME, &spec.to_string())
}

/// What cannot be read though the checksums are right.
pub(crate) fn unsound(path: &Path, reason: &str) -> StoreError {
    StoreError::Table(TableError::Unsound {
        file: path.display().to_string(),
        reason: reason.to_string(),
    })
}

const MEANINGLESS: &str = "its bytes are not what a table of this kind holds";

/// Refuses what would take more memory than is given, before anything is begun.
pub fn check_memory(spec: &Spec, needed: u64, memory: u64) -> Result<(), StoreError> {
    match needed <= memory {
        true => Ok(()),
        false => Err(StoreError::Table(TableError::Memory {
            slices: format!("{GAME}/{spec}"),
            needed: Some(needed),
            given: memory,
            fitting: None,
        })),
    }
}

/// A table file, which must be the one that belongs there.
pub(crate) fn open(folder: &Path, spec: &Spec) -> Result<Table, StoreError> {
    let path = file(folder, spec);
    if !path.exists() {
        return Err(StoreError::Table(TableError::Missing(format!(
            "{GAME}/{spec}"
        ))));
    }
    let table = Table::open(&path)?;
    let header = table.header();
    if (header.game.as_str(), &header.slice, header.values)
        != (GAME, &spec.to_string(), Kept::Bytes)
    {
        return Err(StoreError::Table(TableError::Foreign {
            file: path.display().to_string(),
            reason: format!(
                "it is the table {}/{}, not {GAME}/{spec}",
                header.game, header.slice
            ),
        }));
    }
    Ok(table)
}

/// Builds a table, and what it relies on, unless they are there.
pub fn build(
    spec: &Spec,
    folder: &Path,
    memory: u64,
    cancel: &Cancel,
    progress: Progress<'_>,
) -> Result<Vec<Held>, StoreError> {
    check_memory(spec, spec.memory(), memory)?;
    let _lock = lock(folder, GAME)?;
    let mut held = Vec::new();
    for spec in spec.relies_on().into_iter().chain([spec.clone()]) {
        held.push(build_one(&spec, folder, memory, cancel, progress)?);
    }
    Ok(held)
}

fn build_one(
    spec: &Spec,
    folder: &Path,
    memory: u64,
    cancel: &Cancel,
    progress: Progress<'_>,
) -> Result<Held, StoreError> {
    let path = file(folder, spec);
    let found = |table: &Table, built: bool| Held {
        spec: spec.clone(),
        file: path.clone(),
        bytes: table.size(),
        checksum: table.checksum(),
        built,
    };
    let below = match spec.relies_on() {
        Some(below) => vec![Reliance {
            checksum: open(folder, &below)?.checksum(),
            slice: below.to_string(),
        }],
        None => Vec::new(),
    };
    // What is damaged, foreign or made from other tables is built again.
    if let Ok(table) = open(folder, spec)
        && table.header().relies_on == below
        && table.check(cancel).is_ok()
    {
        return Ok(found(&table, false));
    }
    let atlas = Atlas::new(spec.frame.clone(), cancel)?;
    let bytes = match spec.holds {
        Holds::Rooms => encode::rooms(
            &atlas,
            &classes(&atlas, cancel, &|done, all| progress(spec, done, all))?,
        ),
        Holds::Territory(queens) => {
            let all = atlas.rooms().len() as u64;
            let territories =
                Territories::build(&atlas, queens, cancel, &count(spec, all, progress))?;
            encode::territories(&territories)
        }
        Holds::Active(worth, largest) => {
            let territories = read_territories(&atlas, folder, 1)?;
            let all = crate::amazons::rooms::active::entries(&atlas, largest);
            let told = &count(spec, all, progress);
            let work = Work {
                atlas: &atlas,
                territories: &territories,
                largest,
                cancel,
                progress: told,
            };
            match worth {
                Worth::Minimax => work.bytes(Minimax)?,
                Worth::Canonical => {
                    let values =
                        Values::with_limit(usize::try_from(memory / 600).unwrap_or(usize::MAX));
                    work.bytes(Canonical::new(values).map_err(StoreError::Exceeded)?)?
                }
                Worth::Thermograph => work.bytes(Thermographs::default())?,
            }
        }
    };
    let heading = Heading {
        game: GAME.to_string(),
        slice: spec.to_string(),
        positions: bytes.len() as u64,
        form: Form {
            values: Kept::Bytes,
            symmetry: Symmetry::None,
        },
        relies_on: below,
    };
    write(&path, heading, |index| bytes[index as usize], cancel)?;
    Ok(found(&open(folder, spec)?, true))
}

/// Counts what is done.
fn count<'a>(spec: &'a Spec, all: u64, progress: Progress<'a>) -> impl Fn(u64) + Sync + 'a {
    let done = std::sync::atomic::AtomicU64::new(0);
    move |more| {
        let before = done.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
        progress(spec, before + more, all);
    }
}

struct Work<'a> {
    atlas: &'a Atlas,
    territories: &'a Territories,
    largest: usize,
    cancel: &'a Cancel,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl Work<'_> {
    fn bytes<K: Coded>(&self, kind: K) -> Result<Vec<u8>, StoreError> {
        let mut active = Active::build(
            self.atlas,
            self.territories,
            kind,
            self.largest,
            self.cancel,
            self.progress,
        )?;
        K::encode(&mut active)
            .ok_or_else(|| unsound(Path::new(GAME), "a thermograph has too many corners"))
    }
}

/// For every room the first with the same lines.
pub fn classes(
    atlas: &Atlas,
    cancel: &Cancel,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Vec<u32>, Stopped> {
    let all = atlas.rooms().len();
    let mut first = FxHashMap::default();
    let mut classes = Vec::with_capacity(all);
    for start in (0..all).step_by(1 << 12) {
        if cancel.is_cancelled() {
            return Err(Stopped);
        }
        let rooms = start..all.min(start + (1 << 12));
        let forms: Vec<_> = rooms
            .into_par_iter()
            .map(|room| Lines::new(&atlas.room(room)).form().form)
            .collect();
        for form in forms {
            let number = classes.len() as u32;
            classes.push(*first.entry(form).or_insert(number));
        }
        progress(classes.len() as u64, all as u64);
    }
    Ok(classes)
}

/// The rooms of a table: bitmaps, and the first room with the same lines.
pub fn read_rooms(folder: &Path, frame: &Frame) -> Result<Vec<(u32, u32)>, StoreError> {
    let spec = Spec {
        frame: frame.clone(),
        holds: Holds::Rooms,
    };
    let bytes = open(folder, &spec)?.whole()?;
    encode::read_rooms(&bytes).ok_or_else(|| unsound(&file(folder, &spec), MEANINGLESS))
}

/// The table of territories with up to so many queens.
pub fn read_territories(
    atlas: &Atlas,
    folder: &Path,
    queens: usize,
) -> Result<Territories, StoreError> {
    let spec = Spec {
        frame: atlas.frame().clone(),
        holds: Holds::Territory(queens),
    };
    let bytes = open(folder, &spec)?.whole()?;
    let read = encode::read_territories(atlas, queens, &bytes);
    read.ok_or_else(|| unsound(&file(folder, &spec), MEANINGLESS))
}

fn read_active<K: Coded>(
    atlas: &Atlas,
    folder: &Path,
    worth: Worth,
    largest: usize,
) -> Result<Active<K>, StoreError> {
    let spec = Spec {
        frame: atlas.frame().clone(),
        holds: Holds::Active(worth, largest),
    };
    let bytes = open(folder, &spec)?.whole()?;
    let read = K::decode(atlas, largest, &bytes);
    read.ok_or_else(|| unsound(&file(folder, &spec), MEANINGLESS))
}

/// The table of scores.
pub fn read_scores(
    atlas: &Atlas,
    folder: &Path,
    largest: usize,
) -> Result<Active<Minimax>, StoreError> {
    read_active(atlas, folder, Worth::Minimax, largest)
}

/// The table of canonical forms.
pub fn read_values(
    atlas: &Atlas,
    folder: &Path,
    largest: usize,
) -> Result<Active<Canonical>, StoreError> {
    read_active(atlas, folder, Worth::Canonical, largest)
}

/// The table of thermographs.
pub fn read_thermographs(
    atlas: &Atlas,
    folder: &Path,
    largest: usize,
) -> Result<Active<Thermographs>, StoreError> {
    read_active(atlas, folder, Worth::Thermograph, largest)
}

/// Reads bytes as a table of a kind, as if a file held them; for tests of what reads files.
pub fn read_bytes(spec: &Spec, atlas: &Atlas, bytes: &[u8]) -> bool {
    match spec.holds {
        Holds::Rooms => encode::read_rooms(bytes).is_some(),
        Holds::Territory(queens) => encode::read_territories(atlas, queens, bytes).is_some(),
        Holds::Active(Worth::Minimax, largest) => Minimax::decode(atlas, largest, bytes).is_some(),
        Holds::Active(Worth::Canonical, largest) => {
            Canonical::decode(atlas, largest, bytes).is_some()
        }
        Holds::Active(Worth::Thermograph, largest) => {
            Thermographs::decode(atlas, largest, bytes).is_some()
        }
    }
}

impl RoomTables {
    /// All that a folder holds of the rooms in the largest frame of which it holds territories; nothing if there is none.
    pub fn largest(folder: &Path, cancel: &Cancel) -> Result<Option<RoomTables>, StoreError> {
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

    /// All that a folder holds of the rooms in a frame: the territories with the most queens, and of active areas of each
    /// kind the table with the largest rooms. Nothing if there are no territories.
    pub fn open(
        folder: &Path,
        frame: Frame,
        cancel: &Cancel,
    ) -> Result<Option<RoomTables>, StoreError> {
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
        let largest = |worth: Worth| sizes().find(|&size| there(Holds::Active(worth, size)));
        let of = [Worth::Minimax, Worth::Canonical, Worth::Thermograph].map(largest);
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
