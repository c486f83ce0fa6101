//! Building tables: every group of slices after those that its moves lead to.
//!
//! What is finished stays: a group whose files are there, whole, and made from the tables that are
//! there now is not built again. So work that was killed goes on where it was (Wu et al. 2004 restart
//! theirs after an iteration, we after a group of slices).

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use tabia_game::{Cancel, Indexed, InexactUnderRule};

use crate::file::{Content, Heading, TEMPORARY, write};
use crate::folder::check_belongs;
use crate::slices::{below, groups, total};
use crate::{
    Form, Kept, Table, TableError, Tables, Value, game_folder, table_file, with_all_they_need,
};

/// The values of a slice, before they are written.
pub trait SliceValues<V = Value>: Sync {
    /// The value of the position with this index.
    fn get(&self, index: u64) -> V;
}

/// Computes the values of a group of slices.
pub trait Solver<G: Indexed, V = Value> {
    /// How it hands over the values of a slice.
    type Values: SliceValues<V>;

    /// The bytes of memory it takes; `None` if they cannot be counted.
    fn memory(&self, game: &G, group: &[G::Slice], form: Form) -> Option<u64>;

    /// The values of all entries of the group, slice by slice. `known` holds the tables of all
    /// other slices that its moves lead to. `progress` is told of the positions done so far.
    fn solve(
        &self,
        game: &G,
        group: &[G::Slice],
        known: &Tables<G>,
        form: Form,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<Self::Values>, BuildError>;
}

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
}

/// What to build, and where.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The spec of the game, which the files tell.
    pub spec: &'a str,
    /// The folder of tables.
    pub folder: &'a Path,
    /// What the tables are to hold. Such as keep more will do, too.
    pub form: Form,
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
    /// How many entries they have; `None` if they cannot be counted.
    pub positions: Option<u64>,
    /// The bytes of memory it takes to build them, with the tables below at hand, which are looked
    /// into at random; `None` if they cannot be counted.
    pub memory: Option<u64>,
    /// The bytes on disk they take at most; `None` if they cannot be counted.
    pub disk: Option<u64>,
    /// Why they are to be built; `None` if they are there.
    pub wanted: Option<String>,
}

/// The groups that some slices need, these included, in the order of building. Files are looked at
/// but not read through. What does not fit into memory is refused, with the largest need.
pub fn plan<G: Indexed, V: Content>(
    game: &G,
    slices: &[G::Slice],
    job: Job<'_>,
    solver: &impl Solver<G, V>,
) -> Result<Vec<Group<G::Slice>>, BuildError> {
    game.repetition().check_endless_draw("a table")?;
    refuse_other_values::<V>(job)?;
    let all = with_all_they_need(game, slices);
    let mut plan = Vec::new();
    for slices in groups(game, &all) {
        let names: Vec<String> = slices.iter().map(|&s| game.slice_text(s)).collect();
        let symmetry = job.form.symmetry;
        let positions = total(slices.iter().map(|&slice| symmetry.entries(game, slice)));
        let known = known(game, &slices, job, 0)?;
        let lower = below(game, &slices).into_iter().map(|slice| {
            let there = known.get(slice).map(|table| table.header().form());
            there.unwrap_or(job.form).bytes(game, slice)
        });
        let own = solver.memory(game, &slices, job.form);
        plan.push(Group {
            text: names.join(","),
            positions,
            memory: total([own, total(lower)]),
            disk: positions.and_then(|n| job.form.values.bytes(n)),
            wanted: wanted(game, &slices, job, &known, None)?,
            slices,
        });
    }
    let wanted = || plan.iter().filter(|group| group.wanted.is_some());
    let largest = wanted().max_by_key(|group| group.memory.unwrap_or(u64::MAX));
    if let Some(group) = largest.filter(|group| !has_room(group, job)) {
        return Err(no_room(group, job, fitting(game, &plan, job)).into());
    }
    Ok(plan)
}

/// The sizes below those that do not fit, as a range.
fn fitting<G: Indexed>(game: &G, plan: &[Group<G::Slice>], job: Job<'_>) -> Option<String> {
    let size = |group: &Group<G::Slice>| {
        let sizes = group.slices.iter().map(|&slice| game.slice_size(slice));
        sizes.max().unwrap_or(0)
    };
    let sizes = || plan.iter().map(size);
    let large = plan.iter().filter(|group| !has_room(group, job));
    let least_of_large = large.map(size).min()?;
    let most = sizes().filter(|&size| size < least_of_large).max()?;
    Some(format!("{}..{most}", sizes().min()?))
}

/// Builds what is not there of a plan, or not sound: files are read through. `progress` is told the
/// names of the slices at work, and how many of their positions are done. Returns for each group why
/// it was built, or `None` if it was there.
pub fn build<G: Indexed, V: Content>(
    game: &G,
    plan: &[Group<G::Slice>],
    job: Job<'_>,
    solver: &impl Solver<G, V>,
    cancel: &Cancel,
    progress: &(dyn Fn(&Group<G::Slice>, u64) + Sync),
) -> Result<Vec<Option<String>>, BuildError> {
    refuse_other_values::<V>(job)?;
    let _lock = lock(job.folder, job.spec)?;
    let mut reasons = Vec::new();
    for group in plan {
        if cancel.is_cancelled() {
            return Err(TableError::Stopped.into());
        }
        // What the values of lower slices may take is what is left by the group itself.
        let own = solver.memory(game, &group.slices, job.form);
        let left = job.memory.saturating_sub(own.unwrap_or(0));
        let known = known(game, &group.slices, job, left)?;
        let reason = wanted(game, &group.slices, job, &known, Some(cancel))?;
        let is_there = reason.is_none();
        reasons.push(reason);
        if is_there {
            continue;
        }
        if !has_room(group, job) {
            return Err(no_room(group, job, None).into());
        }
        let relies_on = known.relied_on(game, &group.slices);
        let told = |done| progress(group, done);
        let solved = solver.solve(game, &group.slices, &known, job.form, cancel, &told)?;
        for (&slice, values) in group.slices.iter().zip(&solved) {
            let heading = Heading {
                game: job.spec.to_string(),
                slice: game.slice_text(slice),
                positions: job.form.symmetry.entries(game, slice).unwrap_or(0),
                form: job.form,
                relies_on: relies_on.clone(),
            };
            let file = table_file(job.folder, job.spec, &heading.slice);
            write(&file, heading, |index| values.get(index), cancel)?;
        }
    }
    Ok(reasons)
}

fn refuse_other_values<V: Content>(job: Job<'_>) -> Result<(), BuildError> {
    let values = job.form.values;
    match V::is_in(values) {
        true => Ok(()),
        false => Err(BuildError::Values(values)),
    }
}

fn has_room<S>(group: &Group<S>, job: Job<'_>) -> bool {
    group.memory.is_some_and(|needed| needed <= job.memory)
}

fn no_room<S>(group: &Group<S>, job: Job<'_>, fitting: Option<String>) -> TableError {
    TableError::Memory {
        slices: group.text.clone(),
        needed: group.memory,
        given: job.memory,
        fitting,
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
            Err(error @ (TableError::Unsound { .. } | TableError::Foreign { .. })) => {
                return Ok(Some(error.to_string()));
            }
            Err(error) => return Err(error.into()),
        };
        if table.header().symmetry < job.form.symmetry {
            return Ok(Some(format!("{text} is there with every position")));
        }
        let kept = table.header().values;
        if !kept.serves(job.form.values) {
            return Ok(Some(match (kept, job.form.values) {
                (Kept::Wdl, Kept::Distance) => format!("{text} is there without distances"),
                _ => format!("{text} keeps values of another kind"),
            }));
        }
        if *first.get_or_insert(kept) != kept {
            return Ok(Some(format!("{text} keeps other values than its group")));
        }
        if table.header().relies_on != relies_on {
            return Ok(Some(format!("{text} is older than tables it relies on")));
        }
    }
    Ok(None)
}

/// The tables of other slices that moves from a group lead to, as far as they are there and sound
/// and belong there.
fn known<G: Indexed>(
    game: &G,
    group: &[G::Slice],
    job: Job<'_>,
    memory: u64,
) -> Result<Tables<G>, TableError> {
    let mut known = Tables::default();
    for slice in below(game, group) {
        let file = table_file(job.folder, job.spec, &game.slice_text(slice));
        if let Ok(table) = Table::open(&file)
            && check_belongs(game, job.spec, slice, &table).is_ok()
        {
            known.insert(game, job.spec, slice, table)?;
        }
    }
    Ok(known.keeping(memory))
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
