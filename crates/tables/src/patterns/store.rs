//! The table of a single abstraction, for what uses it as a bound.

use std::path::{Path, PathBuf};
use std::slice::from_ref;

use tabia_game::{Cancel, Game};

use super::{Abstraction, PatternDatabase, PatternTables};
use crate::{
    BuildError, Kept, Symmetry, TableError, TableForm, TableJob, VerifyError, plan, table_file,
};

/// Where the table of an abstraction lies.
pub fn file<G: Game>(folder: &Path, spec: &str, abstraction: &impl Abstraction<G>) -> PathBuf {
    table_file(folder, spec, &abstraction.text())
}

fn job<'a>(folder: &'a Path, spec: &'a str, memory: u64) -> TableJob<'a> {
    let form = TableForm {
        values: Kept::Bytes,
        symmetry: Symmetry::None,
    };
    TableJob {
        spec,
        folder,
        form,
        memory,
    }
}

/// Builds the table of an abstraction unless it is there and sound; whether it was built. What
/// takes more memory than is given is refused before anything is begun.
pub fn build<G: Game, A: Abstraction<G>>(
    folder: &Path,
    spec: &str,
    abstraction: &A,
    memory: u64,
    cancel: &Cancel,
) -> Result<bool, BuildError> {
    let kind = PatternTables::<G, _>::new(from_ref(abstraction));
    let job = job(folder, spec, memory);
    let plan = plan(&kind, &[abstraction.text()], job)?;
    let built = crate::build(&kind, &plan, job, cancel, &|_, _, _| {})?;
    Ok(built.iter().any(Option::is_some))
}

/// Reads the table of an abstraction, whole and checked.
pub fn open<G: Game, A: Abstraction<G>>(
    folder: &Path,
    spec: &str,
    abstraction: A,
) -> Result<PatternDatabase<A>, TableError> {
    let text = abstraction.text();
    let kind = PatternTables::<G, _>::new(from_ref(&abstraction));
    let distances = match kind.distances(&text, folder, spec) {
        Err(TableError::Missing(_)) => return Err(TableError::Missing(format!("{spec}/{text}"))),
        distances => distances?,
    };
    // A table has as many entries as there are patterns, or it does not belong there.
    PatternDatabase::new(abstraction, distances).ok_or(TableError::Countless)
}

/// Verifies the table of an abstraction; how many entries it has.
pub fn verify<G: Game, A: Abstraction<G>>(
    folder: &Path,
    spec: &str,
    abstraction: &A,
    memory: u64,
    cancel: &Cancel,
) -> Result<u64, VerifyError> {
    let kind = PatternTables::<G, _>::new(from_ref(abstraction));
    let job = job(folder, spec, memory);
    let verified = crate::verify(&kind, &[abstraction.text()], job, cancel, &|_, _, _| {})?;
    Ok(verified.iter().map(|table| table.entries).sum())
}
