//! Pattern databases in table files: a byte for each pattern, checksummed, written beside and renamed.

use std::path::{Path, PathBuf};

use tabia_game::{Abstraction, Cancel, Game};

use super::{PatternDatabase, distances, memory};
use crate::file::{Heading, write};
use crate::{BuildError, Form, Kept, Symmetry, Table, TableError, lock, table_file};

/// Where the database of an abstraction lies.
pub fn file<G: Game>(folder: &Path, spec: &str, abstraction: &impl Abstraction<G>) -> PathBuf {
    table_file(folder, spec, &abstraction.text())
}

/// Opens the table of an abstraction, which must be the one that belongs there.
pub(super) fn table<G: Game>(
    folder: &Path,
    spec: &str,
    abstraction: &impl Abstraction<G>,
) -> Result<Table, TableError> {
    let path = file(folder, spec, abstraction);
    let text = abstraction.text();
    if !path.exists() {
        return Err(TableError::Missing(format!("{spec}/{text}")));
    }
    let table = Table::open(&path)?;
    let header = table.header();
    let reason = if (&header.game[..], &header.slice) != (spec, &text) {
        format!(
            "it is the table {}/{}, not {spec}/{text}",
            header.game, header.slice
        )
    } else if header.values != Kept::Bytes {
        "it keeps values of another kind".to_string()
    } else if Some(header.positions) != abstraction.patterns() {
        format!(
            "it has {} patterns, which is not their number",
            header.positions
        )
    } else {
        return Ok(table);
    };
    Err(TableError::Foreign {
        file: path.display().to_string(),
        reason,
    })
}

/// Builds the database of an abstraction unless it is there and sound; whether it was built. What takes more memory
/// than is given is refused before anything is begun.
pub fn build<G: Game>(
    folder: &Path,
    spec: &str,
    abstraction: &impl Abstraction<G>,
    given: u64,
    cancel: &Cancel,
    progress: &dyn Fn(u64),
) -> Result<bool, BuildError> {
    let _lock = lock(folder, spec)?;
    if let Ok(table) = table(folder, spec, abstraction)
        && table.check(cancel).is_ok()
    {
        return Ok(false);
    }
    check_memory(abstraction, memory(abstraction), given)?;
    let distances = distances(abstraction, cancel, progress)?;
    let heading = Heading {
        game: spec.to_string(),
        slice: abstraction.text(),
        positions: distances.len() as u64,
        form: Form {
            values: Kept::Bytes,
            symmetry: Symmetry::None,
        },
        relies_on: Vec::new(),
    };
    let path = file(folder, spec, abstraction);
    write(&path, heading, |index| distances[index as usize], cancel)?;
    Ok(true)
}

pub(super) fn check_memory<G: Game>(
    abstraction: &impl Abstraction<G>,
    needed: Option<u64>,
    given: u64,
) -> Result<(), TableError> {
    match needed.is_some_and(|needed| needed <= given) {
        true => Ok(()),
        false => Err(TableError::Memory {
            slices: abstraction.text(),
            needed,
            given,
            fitting: None,
        }),
    }
}

/// Reads the database of an abstraction, whole and checked.
pub fn open<G: Game, A: Abstraction<G>>(
    folder: &Path,
    spec: &str,
    abstraction: A,
) -> Result<PatternDatabase<A>, TableError> {
    let table = table(folder, spec, &abstraction)?;
    let name = table.file().to_string();
    PatternDatabase::new(abstraction, table.whole()?).ok_or_else(|| TableError::Foreign {
        file: name,
        reason: "it has another number of patterns".to_string(),
    })
}
