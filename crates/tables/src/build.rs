//! Building tables of any kind: every group after those that it relies on.
//!
//! What is finished stays: a group whose files are there, whole, and made from the tables that are
//! there now is not built again. So work that was killed goes on where it was (Wu et al. 2004
//! restart theirs after an iteration, we after a group).

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use tabia_game::{Cancel, InexactUnderRule};

use crate::file::{Content, Heading, Reliance, TEMPORARY, write};
use crate::set::{self, TableSet};
use crate::{Kept, Kind, Symmetry, Table, TableError, TableForm, game_folder, table_file, total};

/// Why tables were not built. What was finished before is kept.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The game has a rule of repetition under which positions have no values of their own.
    #[error(transparent)]
    Rule(#[from] InexactUnderRule),
    /// A table cannot be read or written, there is too little memory, or the work was stopped.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Somebody else builds tables of this game.
    #[error("another process builds tables in '{0}'")]
    Busy(String),
    /// Tables of the game keep values of another kind.
    #[error("tables of this game cannot keep '{}'", .0.word())]
    Values(Kept),
    /// Tables of the game have an entry for every position.
    #[error("tables of this game make no use of symmetry")]
    Symmetry,
    /// A limit of the kind of table, which the message tells.
    #[error("{0}")]
    Limit(String),
}

/// What to build, and where.
#[derive(Clone, Copy, Debug)]
pub struct TableJob<'a> {
    /// The spec of the game, which the files tell.
    pub spec: &'a str,
    /// The folder of tables.
    pub folder: &'a Path,
    /// What the tables are to hold. Tables that hold more will do, too.
    pub form: TableForm,
    /// The bytes of memory that may be used.
    pub memory: u64,
}

/// Tables that are built together.
#[derive(Clone, Debug)]
pub struct TableGroup {
    /// Their names.
    pub names: Vec<String>,
    /// Their names, joined by commas.
    pub text: String,
    /// How many entries they have; `None` if that is not known before they are built, or if they
    /// cannot be counted.
    pub positions: Option<u64>,
    /// The bytes of memory it takes to build them, with the tables below at hand, which are looked
    /// into at random; `None` if they cannot be counted.
    pub memory: Option<u64>,
    /// The bytes on disk they take at most; `None` as for [`TableGroup::positions`].
    pub disk: Option<u64>,
    /// Why they are to be built; `None` if they are there.
    pub wanted: Option<String>,
}

/// How work on a group is watched: the entries that are done, and all there are.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Counts what many threads do: the function is told how many entries more are done.
pub fn counter(all: u64, progress: Progress<'_>) -> impl Fn(u64) + Sync {
    let done = AtomicU64::new(0);
    move |more| progress(done.fetch_add(more, Ordering::Relaxed) + more, all)
}

/// What a kind is given to build a group with.
pub struct Building<'a> {
    /// The tables below. Their unpacked entries may take what memory the group leaves.
    pub known: TableSet,
    /// What the tables are to hold.
    pub form: TableForm,
    /// The bytes of memory that may be used.
    pub memory: u64,
    /// Stops the work.
    pub cancel: &'a Cancel,
    /// Is told how the work goes on.
    pub progress: Progress<'a>,
    /// Writes the tables.
    pub output: Output<'a>,
}

/// Writes the tables of a group.
pub struct Output<'a> {
    job: TableJob<'a>,
    relies_on: Vec<Reliance>,
    cancel: &'a Cancel,
}

impl Output<'_> {
    /// Writes a table of this many entries, which `value` tells by their index.
    pub fn write<V: Content>(
        &self,
        name: &str,
        entries: u64,
        value: impl Fn(u64) -> V + Sync,
    ) -> Result<(), TableError> {
        let heading = Heading {
            game: self.job.spec.to_string(),
            slice: name.to_string(),
            positions: entries,
            form: self.job.form,
            relies_on: self.relies_on.clone(),
        };
        let file = table_file(self.job.folder, self.job.spec, name);
        write(&file, heading, value, self.cancel).map(|_| ())
    }
}

/// The groups that some tables need, these included, in the order of building. Files are looked at
/// but not read through. What does not fit into memory is refused, with the largest need.
pub fn plan(
    kind: &dyn Kind,
    names: &[String],
    job: TableJob<'_>,
) -> Result<Vec<TableGroup>, BuildError> {
    kind.check_rule()?;
    check_form(kind, job.form)?;
    let mut plan = Vec::new();
    for names in kind.groups(names) {
        let entries = |name: &String| kind.entries(name, job.form.symmetry).number();
        let positions = total(names.iter().map(entries));
        let known = known(kind, &names, job, 0);
        let lower = kind.below(&names).into_iter().map(|name| {
            let there = known.get(&name).map(|table| table.header().form());
            kind.unpacked(&name, there.unwrap_or(job.form))
        });
        let own = kind.memory(&names, job.form);
        plan.push(TableGroup {
            text: names.join(","),
            positions,
            memory: total([own, total(lower)]),
            disk: positions.and_then(|n| job.form.values.bytes(n)),
            wanted: wanted(kind, &names, job, &known, None)?,
            names,
        });
    }
    let wanted = || plan.iter().filter(|group| group.wanted.is_some());
    let largest = wanted().max_by_key(|group| group.memory.unwrap_or(u64::MAX));
    if let Some(group) = largest.filter(|group| !fits(group, job)) {
        return Err(too_large(group, job, fitting(kind, &plan, job)).into());
    }
    Ok(plan)
}

/// The sizes below those that do not fit, as a range.
fn fitting(kind: &dyn Kind, plan: &[TableGroup], job: TableJob<'_>) -> Option<String> {
    let size = |group: &TableGroup| group.names.iter().filter_map(|name| kind.size(name)).max();
    let sizes = || plan.iter().filter_map(size);
    let large = plan.iter().filter(|group| !fits(group, job));
    let least_of_large = large.filter_map(size).min()?;
    let most = sizes().filter(|&size| size < least_of_large).max()?;
    Some(format!("{}..{most}", sizes().min()?))
}

/// Builds what is not there of a plan, or not sound: files are read through. `progress` is told the
/// group at work, how many of its entries are done, and how many there are. Returns for each group
/// why it was built, or `None` if it was there.
pub fn build(
    kind: &dyn Kind,
    plan: &[TableGroup],
    job: TableJob<'_>,
    cancel: &Cancel,
    progress: &(dyn Fn(&TableGroup, u64, u64) + Sync),
) -> Result<Vec<Option<String>>, BuildError> {
    check_form(kind, job.form)?;
    let _lock = lock(job.folder, job.spec)?;
    let mut reasons = Vec::new();
    for group in plan {
        if cancel.is_cancelled() {
            return Err(TableError::Stopped.into());
        }
        // What the entries of lower tables may take is what is left by the group itself.
        let own = kind.memory(&group.names, job.form);
        let left = job.memory.saturating_sub(own.unwrap_or(0));
        let known = known(kind, &group.names, job, left);
        let reason = wanted(kind, &group.names, job, &known, Some(cancel))?;
        let is_there = reason.is_none();
        reasons.push(reason);
        if is_there {
            continue;
        }
        if !fits(group, job) {
            return Err(too_large(group, job, None).into());
        }
        let output = Output {
            job,
            relies_on: known.reliances(&kind.below(&group.names)),
            cancel,
        };
        let building = Building {
            known,
            form: job.form,
            memory: job.memory,
            cancel,
            progress: &|done, all| progress(group, done, all),
            output,
        };
        kind.build(&group.names, building)?;
    }
    Ok(reasons)
}

fn check_form(kind: &dyn Kind, form: TableForm) -> Result<(), BuildError> {
    if !kind.keeps(form.values) {
        return Err(BuildError::Values(form.values));
    }
    if form.symmetry != Symmetry::None && !kind.uses_symmetry() {
        return Err(BuildError::Symmetry);
    }
    Ok(())
}

fn fits(group: &TableGroup, job: TableJob<'_>) -> bool {
    group.memory.is_some_and(|needed| needed <= job.memory)
}

fn too_large(group: &TableGroup, job: TableJob<'_>, fitting: Option<String>) -> TableError {
    TableError::Memory {
        slices: group.text.clone(),
        needed: group.memory,
        given: job.memory,
        fitting,
    }
}

/// Why the tables of a group are to be built; `None` if they are there. With a flag that stops it,
/// the files are read through.
fn wanted(
    kind: &dyn Kind,
    group: &[String],
    job: TableJob<'_>,
    known: &TableSet,
    thorough: Option<&Cancel>,
) -> Result<Option<String>, BuildError> {
    let relies_on = known.reliances(&kind.below(group));
    let mut first = None;
    for name in group {
        let checked = set::open(kind, job.spec, job.folder, name).and_then(|table| {
            if let (Some(table), Some(cancel)) = (&table, thorough) {
                table.check(cancel)?;
            }
            Ok(table)
        });
        let table = match checked {
            Ok(Some(table)) => table,
            Ok(None) => return Ok(Some(format!("{name} is not there"))),
            Err(error @ (TableError::Unsound { .. } | TableError::Foreign { .. })) => {
                return Ok(Some(error.to_string()));
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(reason) = unfit(&table, name, job.form) {
            return Ok(Some(reason));
        }
        let kept = table.header().values;
        if *first.get_or_insert(kept) != kept {
            return Ok(Some(format!("{name} keeps other values than its group")));
        }
        if table.header().relies_on != relies_on {
            return Ok(Some(format!("{name} is older than tables it relies on")));
        }
    }
    Ok(None)
}

/// Why a table does not hold what is asked for.
fn unfit(table: &Table, name: &str, asked: TableForm) -> Option<String> {
    let there = table.header().form();
    if there.symmetry < asked.symmetry {
        return Some(format!("{name} is there with every position"));
    }
    if there.values.serves(asked.values) {
        return None;
    }
    Some(match (there.values, asked.values) {
        (Kept::Wdl, Kept::Distance) => format!("{name} is there without distances"),
        _ => format!("{name} keeps values of another kind"),
    })
}

/// The tables that a group relies on, as far as they are there and sound and belong there.
fn known(kind: &dyn Kind, group: &[String], job: TableJob<'_>, memory: u64) -> TableSet {
    let mut known = TableSet::default();
    for name in kind.below(group) {
        if let Ok(Some(table)) = set::open(kind, job.spec, job.folder, &name) {
            known.insert(name, table);
        }
    }
    known.keeping(memory)
}

/// Keeps others away from the tables of a game, and removes what a killed run has left. The lock
/// ends with the process, however that ends.
pub fn lock(folder: &Path, spec: &str) -> Result<File, BuildError> {
    let folder = game_folder(folder, spec);
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
