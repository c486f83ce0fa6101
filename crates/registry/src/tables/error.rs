//! Why a request about tables was not carried out.

use std::path::Path;

use tabia_tables::{BuildError, NamesError, TableError, VerifyError};

use super::TableJob;
use crate::CatalogError;

/// Why tables cannot be built, read or verified.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// The request was at fault.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// There are no such tables.
    #[error(transparent)]
    Names(#[from] NamesError),
    /// Tables cannot be built.
    #[error(transparent)]
    Build(BuildError),
    /// A table is false, or could not be verified.
    #[error(transparent)]
    Verify(VerifyError),
    /// A table cannot be read.
    #[error(transparent)]
    Table(TableError),
    /// A table is asked for that was not built.
    #[error(
        "the table of {name} is not there; 'tabia table build {game}/{name} --tables {folder}' \
         builds it"
    )]
    NotBuilt {
        /// The spec of the game.
        game: String,
        /// The name of the table.
        name: String,
        /// The folder of tables.
        folder: String,
    },
    /// Stopped from outside.
    #[error("stopped")]
    Stopped,
}

impl TablesError {
    /// The table with this name was not built.
    pub fn not_built(name: impl Into<String>, job: TableJob<'_>) -> TablesError {
        TablesError::NotBuilt {
            game: job.spec.to_string(),
            name: name.into(),
            folder: quoted(job.folder),
        }
    }

    /// Says of a table that is missing how it is built.
    pub fn of_job(self, job: TableJob<'_>) -> TablesError {
        match self {
            TablesError::Table(TableError::Missing(name)) => TablesError::not_built(name, job),
            other => other,
        }
    }

    /// Whether the request was at fault, as opposed to a file or the system.
    pub fn is_bad_request(&self) -> bool {
        match self {
            TablesError::Catalog(error) => error.is_bad_request(),
            TablesError::Names(_) | TablesError::NotBuilt { .. } => true,
            TablesError::Table(error) => matches!(error, TableError::Memory { .. }),
            TablesError::Build(error) => matches!(
                error,
                BuildError::Values(_) | BuildError::Symmetry | BuildError::Limit(_)
            ),
            TablesError::Verify(error) => matches!(error, VerifyError::Limit(_)),
            TablesError::Stopped => false,
        }
    }
}

impl From<TableError> for TablesError {
    fn from(error: TableError) -> TablesError {
        match error {
            TableError::Stopped => TablesError::Stopped,
            other => TablesError::Table(other),
        }
    }
}

impl From<BuildError> for TablesError {
    fn from(error: BuildError) -> TablesError {
        match error {
            BuildError::Table(error) => error.into(),
            other => TablesError::Build(other),
        }
    }
}

impl From<VerifyError> for TablesError {
    fn from(error: VerifyError) -> TablesError {
        match error {
            VerifyError::Table(error) => error.into(),
            other => TablesError::Verify(other),
        }
    }
}

/// A path as a shell takes it.
pub fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,@".contains(c);
    match path.chars().all(plain) {
        true => path,
        false => format!("\"{path}\""),
    }
}
