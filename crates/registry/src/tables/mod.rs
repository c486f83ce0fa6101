//! Tables of listed games, behind the types: names, positions and figures in words.
//!
//! A [`Kind`] knows how its tables are built and verified; [`AnyTables`] adds what front ends ask
//! for: figures, and positions looked up. Kinds that many games have are [`values`], [`chances`]
//! and [`patterns`]; a game may bring one of its own.

mod answers;
mod chances;
mod error;
mod patterns;
mod values;

use std::path::{Path, PathBuf};

use tabia_game::Cancel;
use tabia_tables::{Kind, Verified};

pub use tabia_tables::file::{MAGIC as TABLE_MAGIC, TableHeader};
pub use tabia_tables::{
    Counted, Kept, Symmetry, Table, TableError, TableForm, TableGroup, TableJob, TableValue,
    Verified as VerifiedTable, grouped, size_text, table_file, table_files,
};

pub use answers::{Probed, Stats};
pub use chances::ChanceTabled;
pub(crate) use chances::ErasedChances;
pub use error::{TablesError, quoted};
pub use patterns::ErasedPatterns;
pub(crate) use values::ErasedValues;
pub use values::Tabled;

/// What a kind calls its tables and their entries in answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// A table, such as `slice`.
    pub table: &'static str,
    /// Entries, such as `positions`.
    pub entries: &'static str,
}

/// How work goes on: the tables at work, entries done and entries in all.
pub type TableProgress<'a> = &'a (dyn Fn(&str, u64, u64) + Sync);

/// The tables of a game whose type is forgotten.
pub trait AnyTables: Send + Sync {
    /// Which tables there are, and how they are built and verified.
    fn kind(&self) -> &dyn Kind;

    /// The spec that its tables are called by, given that of the game. Games that share tables have
    /// one in common.
    fn spec(&self, game: String) -> String {
        game
    }

    /// What its tables and their entries are called in answers.
    fn words(&self) -> Words {
        Words {
            table: "slice",
            entries: "positions",
        }
    }

    /// What is looked up if it is not positions of the game: a hint at how it is written.
    fn own_positions(&self) -> Option<&'static str> {
        None
    }

    /// Counts the entries of tables.
    fn stats(
        &self,
        names: &[String],
        job: TableJob<'_>,
        counted: Counted,
        cancel: &Cancel,
    ) -> Result<Stats, TablesError>;

    /// Looks a position up in some tables.
    fn probe(
        &self,
        names: &[String],
        position: &str,
        job: TableJob<'_>,
        cancel: &Cancel,
    ) -> Result<Probed, TablesError>;
}

impl dyn AnyTables + '_ {
    /// The tables that a text names, such as `2-1,3..5`; all for an empty text, if the kind lists
    /// them.
    pub fn named(&self, text: &str) -> Result<Vec<String>, TablesError> {
        Ok(self.kind().named(text)?)
    }

    /// What it takes to build tables, with everything they need, in the order of building.
    pub fn plan(
        &self,
        names: &[String],
        job: TableJob<'_>,
    ) -> Result<Vec<TableGroup>, TablesError> {
        Ok(tabia_tables::plan(self.kind(), names, job)?)
    }

    /// Builds what is planned. Returns for each group why it was built, or `None` if it was there.
    pub fn build(
        &self,
        plan: &[TableGroup],
        job: TableJob<'_>,
        cancel: &Cancel,
        progress: TableProgress<'_>,
    ) -> Result<Vec<Option<String>>, TablesError> {
        let told = |group: &TableGroup, done, all| progress(&group.text, done, all);
        let built = tabia_tables::build(self.kind(), plan, job, cancel, &told);
        Ok(built?)
    }

    /// Verifies tables and everything they rely on, with the rules alone.
    pub fn verify(
        &self,
        names: &[String],
        job: TableJob<'_>,
        cancel: &Cancel,
        progress: TableProgress<'_>,
    ) -> Result<Vec<Verified>, TablesError> {
        let verified = tabia_tables::verify(self.kind(), names, job, cancel, progress);
        verified.map_err(|error| TablesError::from(error).of_job(job))
    }
}

/// The folder of tables that a table file lies in, if it has the name that its header asks for.
pub fn folder_of(file: &Path, header: &TableHeader) -> Option<PathBuf> {
    let folder = file.parent()?.parent()?;
    let named = table_file(folder, &header.game, &header.slice);
    (named == file).then(|| folder.to_path_buf())
}
