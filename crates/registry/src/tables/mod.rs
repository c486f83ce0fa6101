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
///
/// What the small [`Kind`](tabia_tables::Kind#examples) in the documentation of that trait tells
/// front ends. The entry of its game says `.own_tables(|_| Box::new(Heaps))`, and `tabia table`
/// builds, counts, probes and verifies its tables.
///
/// ```
/// # use tabia_tables::{BuildError, Building, VerifyJob, Entries, TableForm, Kept, Kind, NamesError, Symmetry};
/// # use tabia_tables::VerifyError;
/// # struct Heaps;
/// # impl Kind for Heaps {
/// #     fn usual(&self) -> Kept { Kept::Bytes }
/// #     fn named(&self, text: &str) -> Result<Vec<String>, NamesError> { Ok(vec![text.to_string()]) }
/// #     fn entries(&self, name: &str, _: Symmetry) -> Entries { heaps(name).into() }
/// #     fn memory(&self, group: &[String], _: TableForm) -> Option<u64> { heaps(&group[0]) }
/// #     fn build(&self, group: &[String], building: Building<'_>) -> Result<(), BuildError> {
/// #         let entry = |heap| u8::from(heap % 4 != 0);
/// #         Ok(building.output.write(&group[0], heaps(&group[0]).unwrap_or(0), entry)?)
/// #     }
/// #     fn verify(&self, _: &[String], _: VerifyJob<'_>) -> Result<Vec<u64>, VerifyError> { Ok(vec![]) }
/// # }
/// # fn heaps(name: &str) -> Option<u64> { name.strip_prefix("heaps-")?.parse().ok() }
/// use serde_json::{Map, json};
/// use tabia_game::{Cancel, TextError};
/// use tabia_registry::{
///     AnyTables, CatalogError, Counted, Probed, Stats, TableJob, TablesError,
/// };
/// use tabia_tables::TableSet;
///
/// impl AnyTables for Heaps {
///     fn kind(&self) -> &dyn Kind {
///         self
///     }
///
///     fn stats(
///         &self,
///         names: &[String],
///         job: TableJob<'_>,
///         _: Counted,
///         _: &Cancel,
///     ) -> Result<Stats, TablesError> {
///         let tables = TableSet::open(self, job.spec, job.folder, names, job.memory)?;
///         let mut stats = Stats {
///             columns: vec!["TABLE".to_string(), "WON".to_string()],
///             ..Stats::default()
///         };
///         for name in names {
///             // A table that is not there is an error that says how it is built.
///             let table = tables.table(name);
///             let table = table.map_err(|error| TablesError::from(error).of_job(job))?;
///             let won = table.whole()?.iter().filter(|&&entry| entry == 1).count();
///             stats.fields.insert(name.clone(), json!({ "won": won }));
///             stats.rows.push(vec![name.clone(), won.to_string()]);
///         }
///         Ok(stats)
///     }
///
///     fn probe(
///         &self,
///         names: &[String],
///         position: &str,
///         job: TableJob<'_>,
///         _: &Cancel,
///     ) -> Result<Probed, TablesError> {
///         let wrong = || CatalogError::Move(TextError::new("the size of a heap, such as 7"));
///         let heap: usize = position.parse().map_err(|_| wrong())?;
///         let tables = TableSet::open(self, job.spec, job.folder, names, job.memory)?;
///         for (_, table) in tables.iter() {
///             if let Some(&entry) = table.whole()?.get(heap) {
///                 return Ok(Probed {
///                     fields: Map::from_iter([("won".to_string(), json!(entry == 1))]),
///                     value: Some(["lost", "won"][usize::from(entry)].to_string()),
///                     text: String::new(),
///                 });
///             }
///         }
///         Err(TablesError::not_built(format!("heaps-{}", heap + 1), job))
///     }
/// }
///
/// let folder = tempfile::tempdir()?;
/// let form = TableForm { values: Kept::Bytes, symmetry: Symmetry::None };
/// let job = TableJob { spec: "subtraction", folder: folder.path(), form, memory: 1 << 20 };
/// let (tables, cancel): (&dyn AnyTables, _) = (&Heaps, Cancel::default());
/// let names = tables.named("heaps-20")?;
/// assert!(tables.probe(&names, "7", job, &cancel).is_err());
/// tables.build(&tables.plan(&names, job)?, job, &cancel, &|_, _, _| {})?;
/// assert_eq!(tables.probe(&names, "7", job, &cancel)?.value.as_deref(), Some("won"));
/// assert_eq!(tables.stats(&names, job, Counted::All, &cancel)?.rows, [["heaps-20", "15"]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
