//! Building tables: every group of slices after those that its moves lead to.
//!
//! What is finished stays: a group whose files are there, whole, and made from the tables that are
//! there now is not built again. So work that was killed goes on where it was (Wu et al. 2004 restart
//! theirs after an iteration, we after a group of slices).

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use tabia_game::{Cancel, Indexed};

use crate::file::{Heading, TEMPORARY, write};
use crate::folder::check_belongs;
use crate::slices::{below, groups};
use crate::{Kept, Table, TableError, Tables, Value, game_folder, table_file, with_all_they_need};

/// The values of a slice, before they are written.
pub trait SliceValues: Sync {
    /// The value of the position with this index.
    fn get(&self, index: u64) -> Value;
}

/// Computes the values of a group of slices.
pub trait Solver<G: Indexed> {
    /// How it hands over the values of a slice.
    type Values: SliceValues;

    /// The bytes of memory it takes; `None` if they cannot be counted.
    fn memory(&self, game: &G, group: &[G::Slice], values: Kept) -> Option<u64>;

    /// The values of all positions of the group, slice by slice. `known` holds the tables of all
    /// other slices that its moves lead to. `progress` is told of the positions done so far.
    fn solve(
        &self,
        game: &G,
        group: &[G::Slice],
        known: &Tables<G>,
        values: Kept,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<Self::Values>, BuildError>;
}

/// Why tables were not built. What was finished before is kept.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A table cannot be read or written, or the work was stopped.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is not enough memory.
    #[error("the tables of {group} take {} of memory, and {} may be used", bytes(*.needed), bytes(Some(*.given)))]
    Memory {
        /// The slices that are built together.
        group: String,
        /// The bytes needed; `None` if they cannot be counted.
        needed: Option<u64>,
        /// The bytes allowed.
        given: u64,
    },
    /// Somebody else builds tables of this game.
    #[error("another process builds tables in '{0}'")]
    Busy(String),
}

fn bytes(number: Option<u64>) -> String {
    let beyond = || "more bytes than there are numbers for".to_string();
    number.map_or_else(beyond, |bytes| format!("{bytes} bytes"))
}

/// What to build, and where.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The spec of the game, which the files tell.
    pub spec: &'a str,
    /// The folder of tables.
    pub folder: &'a Path,
    /// What is to be kept of each value at least.
    pub values: Kept,
    /// The bytes of memory that may be used.
    pub memory: u64,
}

/// Slices that are built together.
#[derive(Clone, Debug)]
pub struct Group<S> {
    /// The slices.
    pub slices: Vec<S>,
    /// Their names, joined by commas.
    pub text: String,
    /// How many positions they have; `None` if they cannot be counted.
    pub positions: Option<u64>,
    /// The bytes of memory it takes to build them; `None` if they cannot be counted.
    pub memory: Option<u64>,
    /// The bytes on disk they take at most; `None` if they cannot be counted.
    pub disk: Option<u64>,
    /// Why they are to be built; `None` if they are there.
    pub wanted: Option<String>,
}

/// The groups that some slices need, these included, in the order of building. Files are looked at
/// but not read through. What does not fit into memory is refused, with the largest need.
pub fn plan<G: Indexed>(
    game: &G,
    slices: &[G::Slice],
    job: Job<'_>,
    solver: &impl Solver<G>,
) -> Result<Vec<Group<G::Slice>>, BuildError> {
    let all = with_all_they_need(game, slices);
    let mut plan = Vec::new();
    for slices in groups(game, &all) {
        let names: Vec<String> = slices.iter().map(|&s| game.slice_text(s)).collect();
        let lengths = slices.iter().map(|&slice| game.slice_len(slice));
        let positions = lengths
            .into_iter()
            .try_fold(0u64, |sum, n| sum.checked_add(n?));
        let known = known(game, &slices, job, 0)?;
        let disk = positions.and_then(|n| n.checked_mul(job.values.bits()));
        plan.push(Group {
            text: names.join(","),
            positions,
            memory: solver.memory(game, &slices, job.values),
            disk: disk.map(|bits| bits.div_ceil(8)),
            wanted: wanted(game, &slices, job, &known, None)?,
            slices,
        });
    }
    let wanted = plan.iter().filter(|group| group.wanted.is_some());
    let largest = wanted.max_by_key(|group| group.memory.unwrap_or(u64::MAX));
    largest.map_or(Ok(()), |group| room(group, job))?;
    Ok(plan)
}

/// Builds what is not there of a plan. `progress` is told the names of the slices at work, and how
/// many of their positions are done.
pub fn build<G: Indexed>(
    game: &G,
    plan: &[Group<G::Slice>],
    job: Job<'_>,
    solver: &impl Solver<G>,
    cancel: &Cancel,
    progress: &(dyn Fn(&Group<G::Slice>, u64) + Sync),
) -> Result<(), BuildError> {
    let _lock = lock(job)?;
    for group in plan {
        if cancel.is_cancelled() {
            return Err(TableError::Stopped.into());
        }
        // What the values of lower slices may take is what is left by the group itself.
        let left = job.memory.saturating_sub(group.memory.unwrap_or(0));
        let known = known(game, &group.slices, job, left)?;
        if wanted(game, &group.slices, job, &known, Some(cancel))?.is_none() {
            continue;
        }
        room(group, job)?;
        let relies_on = known.relied_on(game, &group.slices);
        let told = |done| progress(group, done);
        let solved = solver.solve(game, &group.slices, &known, job.values, cancel, &told)?;
        for (&slice, values) in group.slices.iter().zip(&solved) {
            let heading = Heading {
                game: job.spec.to_string(),
                slice: game.slice_text(slice),
                positions: game.slice_len(slice).unwrap_or(0),
                values: job.values,
                relies_on: relies_on.clone(),
            };
            let file = table_file(job.folder, job.spec, &heading.slice);
            write(&file, heading, |index| values.get(index), cancel)?;
        }
    }
    Ok(())
}

fn room<S>(group: &Group<S>, job: Job<'_>) -> Result<(), BuildError> {
    match group.memory {
        Some(needed) if needed <= job.memory => Ok(()),
        needed => Err(BuildError::Memory {
            group: group.text.clone(),
            needed,
            given: job.memory,
        }),
    }
}

/// Why the tables of a group are to be built; `None` if they are there. With a flag that stops it,
/// the files are read through.
fn wanted<G: Indexed>(
    game: &G,
    group: &[G::Slice],
    job: Job<'_>,
    known: &Tables<G>,
    thorough: Option<&Cancel>,
) -> Result<Option<String>, BuildError> {
    let relies_on = known.relied_on(game, group);
    let mut first = None;
    for &slice in group {
        let text = game.slice_text(slice);
        let file = table_file(job.folder, job.spec, &text);
        if !file.exists() {
            return Ok(Some(format!("{text} is not there")));
        }
        let checked = Table::open(&file).and_then(|table| {
            check_belongs(game, job.spec, slice, &table)?;
            thorough.map_or(Ok(()), |cancel| table.check(cancel))?;
            Ok(table)
        });
        let table = match checked {
            Ok(table) => table,
            Err(error @ TableError::Unsound { .. }) => return Ok(Some(error.to_string())),
            Err(error) => return Err(error.into()),
        };
        if table.header().values < job.values {
            return Ok(Some(format!("{text} is there without distances")));
        }
        if *first.get_or_insert(table.header().values) != table.header().values {
            return Ok(Some(format!("{text} keeps other values than its group")));
        }
        if table.header().relies_on != relies_on {
            return Ok(Some(format!("{text} is older than tables it relies on")));
        }
    }
    Ok(None)
}

/// The tables of other slices that moves from a group lead to, as far as they are there and sound.
fn known<G: Indexed>(
    game: &G,
    group: &[G::Slice],
    job: Job<'_>,
    memory: u64,
) -> Result<Tables<G>, TableError> {
    let mut known = Tables::default();
    for slice in below(game, group) {
        let file = table_file(job.folder, job.spec, &game.slice_text(slice));
        if let Ok(table) = Table::open(&file) {
            known.insert(game, job.spec, slice, table)?;
        }
    }
    Ok(known.keeping(memory))
}

/// Keeps others away from the tables of a game, and removes what a killed run has left. The lock
/// ends with the process, however that ends.
fn lock(job: Job<'_>) -> Result<File, BuildError> {
    let folder = game_folder(job.folder, job.spec);
    let broken = |error| TableError::io(&folder, "written to")(error);
    std::fs::create_dir_all(&folder).map_err(broken)?;
    let lock = File::create(folder.join(".lock")).map_err(broken)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(BuildError::Busy(folder.display().to_string()));
        }
        Err(TryLockError::Error(error)) => return Err(broken(error).into()),
    }
    remove_unfinished(&folder).map_err(broken)?;
    Ok(lock)
}

fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') && name.ends_with(TEMPORARY) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
