//! Verifying tables of any kind.
//!
//! The files of a group are read through, and must be made from the tables below that are there.
//! Then the kind derives every entry again. Groups come in the order of building, so that a clean
//! verification proves every entry by induction.

use tabia_game::Cancel;

use crate::build::Progress;
use crate::{Kind, TableError, TableForm, TableJob, TableSet, TableValue};

/// Why a table is not to be trusted, or could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A table cannot be read, or verification was stopped.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Tables that do not belong together.
    #[error("'{file}' {reason}")]
    Together {
        /// The file.
        file: String,
        /// Why not.
        reason: String,
    },
    /// A table that says something that is not so.
    #[error("'{file}' is wrong: {reason}")]
    False {
        /// The file.
        file: String,
        /// What is not so.
        reason: String,
    },
    /// A limit of the kind of table, which the message tells.
    #[error("{0}")]
    Limit(String),
    /// An entry that does not follow from its successors.
    #[error("'{file}' has {found} at {index}, '{position}', and its successors make it {derived}")]
    Wrong {
        /// The file.
        file: String,
        /// The place of the entry.
        index: u64,
        /// The position.
        position: String,
        /// What the table says.
        found: String,
        /// What follows from the rules and the other entries.
        derived: String,
    },
    /// A win or loss that rests on itself.
    #[error("'{file}' has a {found} at {index}, '{position}', that rests on itself alone")]
    Circular {
        /// The file.
        file: String,
        /// The place of the entry.
        index: u64,
        /// The position.
        position: String,
        /// What the table says.
        found: TableValue,
    },
    /// The game breaks its contract.
    #[error("position {index} of {slice}, '{position}': {reason}")]
    Rules {
        /// The slice.
        slice: String,
        /// The place.
        index: u64,
        /// The position.
        position: String,
        /// What is wrong.
        reason: &'static str,
    },
}

/// A table that was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Its name.
    pub name: String,
    /// How many entries were derived again.
    pub entries: u64,
    /// What they are.
    pub form: TableForm,
    /// Its checksum.
    pub checksum: String,
}

/// What a kind is given to verify a group with.
pub struct VerifyJob<'a> {
    /// The spec of the game.
    pub spec: &'a str,
    /// The tables of the group and those below.
    pub tables: TableSet,
    /// Stops the work.
    pub cancel: &'a Cancel,
    /// Is told how the work goes on.
    pub progress: Progress<'a>,
}

/// Verifies tables and everything they rely on, with the rules alone. `progress` is told the names
/// of the tables at work, how many of their entries are done, and how many there are.
pub fn verify(
    kind: &dyn Kind,
    names: &[String],
    job: TableJob<'_>,
    cancel: &Cancel,
    progress: &(dyn Fn(&str, u64, u64) + Sync),
) -> Result<Vec<Verified>, VerifyError> {
    let groups = kind.groups(names);
    // What is not there or does not fit is told before any work.
    for group in &groups {
        open(kind, group, job)?;
    }
    let mut verified = Vec::new();
    for group in &groups {
        let tables = open(kind, group, job)?;
        check_together(kind, group, &tables)?;
        let mut found = Vec::new();
        for name in group {
            let table = tables.table(name)?;
            table.check(cancel)?;
            found.push((name, table.header().form(), table.checksum()));
        }
        let text = group.join(",");
        let checking = VerifyJob {
            spec: job.spec,
            tables,
            cancel,
            progress: &|done, all| progress(&text, done, all),
        };
        let derived = kind.verify(group, checking)?;
        let described = found.into_iter().zip(derived);
        verified.extend(described.map(|((name, form, checksum), entries)| Verified {
            name: name.clone(),
            entries,
            form,
            checksum: checksum.to_string(),
        }));
    }
    Ok(verified)
}

/// The tables of a group and those below it, all unpacked at once: they are looked into at random.
fn open(kind: &dyn Kind, group: &[String], job: TableJob<'_>) -> Result<TableSet, VerifyError> {
    let below = kind.below(group);
    let all = || group.iter().chain(&below);
    let tables = TableSet::open(kind, job.spec, job.folder, all(), job.memory)?;
    for name in all() {
        tables.table(name)?;
    }
    let needed = kind.verification_memory(group, &tables);
    if needed.is_none_or(|needed| needed > job.memory) {
        return Err(VerifyError::Table(TableError::Memory {
            slices: group.join(","),
            needed,
            given: job.memory,
            fitting: None,
        }));
    }
    Ok(tables)
}

/// The tables of a group are of one form of values, and made from the tables at hand.
fn check_together(kind: &dyn Kind, group: &[String], tables: &TableSet) -> Result<(), VerifyError> {
    let relied = tables.reliances(&kind.below(group));
    let mut first = None;
    for name in group {
        let table = tables.table(name)?;
        let header = table.header();
        let together = |reason: String| VerifyError::Together {
            file: table.file().to_string(),
            reason,
        };
        let (other, values) = *first.get_or_insert((name, header.values));
        if values != header.values {
            return Err(together(format!("keeps other values than {other}")));
        }
        if header.relies_on != relied {
            let was = "was made from other tables than those that are there now";
            return Err(together(was.to_string()));
        }
    }
    Ok(())
}
