//! Kinds of tables.
//!
//! A [`Kind`] says which tables a game has, what their entries are, how an entry follows from its
//! successors, and how entries are packed. Everything else is done once for all kinds: files and
//! checksums ([`file`](crate::file)), planning, building and resuming ([`build`](crate::build())),
//! and verifying ([`verify`](crate::verify())). Here tables are known by their names alone.

use tabia_game::InexactUnderRule;

use crate::build::Building;
use crate::verify::VerifyJob;
use crate::{BuildError, Kept, Symmetry, Table, TableForm, TableSet, VerifyError, total};

/// A text that names no tables, with what would have been right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NamesError(String);

impl NamesError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> NamesError {
        NamesError(message.into())
    }
}

/// How many entries a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entries {
    /// This many.
    Counted(u64),
    /// More than can be counted.
    Countless,
    /// As many as its content takes, which is not known before it is built.
    Packed,
}

impl Entries {
    /// Their number, if it is known before the table is built.
    pub fn number(self) -> Option<u64> {
        match self {
            Entries::Counted(number) => Some(number),
            Entries::Countless | Entries::Packed => None,
        }
    }
}

impl From<Option<u64>> for Entries {
    fn from(counted: Option<u64>) -> Entries {
        counted.map_or(Entries::Countless, Entries::Counted)
    }
}

/// The tables of a game, all of one kind.
///
/// Names have no blanks and no slashes. Tables that rely on each other form a group and are built
/// together; what they rely on outside of the group is built before.
///
/// ```
/// use tabia_game::Cancel;
/// use tabia_tables::{
///     BuildError, Building, Entries, Kept, Kind, NamesError, Symmetry, TableForm, TableJob,
///     VerifyError, VerifyJob, build, plan, verify,
/// };
///
/// /// A heap from which one, two or three stones are taken: 1 if the player to move wins.
/// struct Heaps;
///
/// fn heaps(name: &str) -> Option<u64> {
///     name.strip_prefix("heaps-")?.parse().ok()
/// }
///
/// /// How an entry follows from those of its successors.
/// fn derived(heap: u64, known: impl Fn(u64) -> u8) -> u8 {
///     u8::from((1..=heap.min(3)).any(|taken| known(heap - taken) == 0))
/// }
///
/// impl Kind for Heaps {
///     fn usual(&self) -> Kept {
///         Kept::Bytes
///     }
///
///     fn named(&self, text: &str) -> Result<Vec<String>, NamesError> {
///         let wrong = || NamesError::new(format!("'{text}' is no table such as heaps-20"));
///         heaps(text).map(|_| vec![text.to_string()]).ok_or_else(wrong)
///     }
///
///     fn entries(&self, name: &str, _: Symmetry) -> Entries {
///         heaps(name).into()
///     }
///
///     fn memory(&self, group: &[String], _: TableForm) -> Option<u64> {
///         heaps(&group[0])
///     }
///
///     fn build(&self, group: &[String], building: Building<'_>) -> Result<(), BuildError> {
///         let mut entries: Vec<u8> = Vec::new();
///         for heap in 0..heaps(&group[0]).unwrap_or(0) {
///             entries.push(derived(heap, |heap| entries[heap as usize]));
///         }
///         let entry = |heap| entries[heap as usize];
///         Ok(building.output.write(&group[0], entries.len() as u64, entry)?)
///     }
///
///     fn verify(
///         &self,
///         group: &[String],
///         checking: VerifyJob<'_>,
///     ) -> Result<Vec<u64>, VerifyError> {
///         let table = checking.tables.table(&group[0])?;
///         let entries = table.whole()?;
///         for heap in 0..entries.len() as u64 {
///             if entries[heap as usize] != derived(heap, |heap| entries[heap as usize]) {
///                 let reason = format!("a heap of {heap} has another value");
///                 let file = table.file().to_string();
///                 return Err(VerifyError::False { file, reason });
///             }
///         }
///         Ok(vec![entries.len() as u64])
///     }
/// }
///
/// let folder = tempfile::tempdir()?;
/// let form = TableForm { values: Kept::Bytes, symmetry: Symmetry::None };
/// let job = TableJob { spec: "subtraction", folder: folder.path(), form, memory: 1 << 20 };
/// let names = Heaps.named("heaps-20")?;
/// let groups = plan(&Heaps, &names, job)?;
/// build(&Heaps, &groups, job, &Cancel::default(), &|_, _, _| {})?;
/// let verified = verify(&Heaps, &names, job, &Cancel::default(), &|_, _, _| {})?;
/// assert_eq!(verified[0].entries, 20);
/// // It is there now.
/// assert_eq!(plan(&Heaps, &names, job)?[0].wanted, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Kind: Send + Sync {
    /// What is kept of each value unless told otherwise.
    fn usual(&self) -> Kept;

    /// Refuses a game whose rule of repetition makes values depend on the path.
    fn check_rule(&self) -> Result<(), InexactUnderRule> {
        Ok(())
    }

    /// Whether tables can keep this.
    fn keeps(&self, kept: Kept) -> bool {
        kept == self.usual()
    }

    /// Whether symmetric positions may share an entry.
    fn uses_symmetry(&self) -> bool {
        false
    }

    /// The tables that a text names, each once and in order; all that there are for an empty text,
    /// if the kind lists them.
    fn named(&self, text: &str) -> Result<Vec<String>, NamesError>;

    /// These tables and all that they rely on, in groups, in the order of building. By default each
    /// stands by itself.
    fn groups(&self, names: &[String]) -> Vec<Vec<String>> {
        names.iter().map(|name| vec![name.clone()]).collect()
    }

    /// The tables outside of a group that it relies on directly, in order.
    fn below(&self, _group: &[String]) -> Vec<String> {
        Vec::new()
    }

    /// The number by which ranges of tables are named, such as the number of pieces.
    fn size(&self, _name: &str) -> Option<u32> {
        None
    }

    /// How many entries a table has.
    fn entries(&self, name: &str, symmetry: Symmetry) -> Entries;

    /// The bytes of memory that a table takes when it is looked into at random; `None` if they
    /// cannot be counted.
    fn unpacked(&self, name: &str, form: TableForm) -> Option<u64> {
        match self.entries(name, form.symmetry) {
            Entries::Counted(entries) => form.values.bytes(entries),
            Entries::Countless => None,
            Entries::Packed => Some(0),
        }
    }

    /// The bytes of memory that it takes to build a group, without the tables that it relies on;
    /// `None` if they cannot be counted.
    fn memory(&self, group: &[String], form: TableForm) -> Option<u64>;

    /// The bytes of memory that it takes to verify a group, whose tables and those below are given;
    /// `None` if they cannot be counted. By default that of the tables.
    fn verification_memory(&self, _group: &[String], tables: &TableSet) -> Option<u64> {
        let form = |table: &Table| table.header().form();
        total(
            tables
                .iter()
                .map(|(name, table)| self.unpacked(name, form(table))),
        )
    }

    /// Finds the entries of a group and writes them, table by table, by
    /// [`Output::write`](crate::Output::write).
    fn build(&self, group: &[String], building: Building<'_>) -> Result<(), BuildError>;

    /// Derives every entry of a group again, by the rules and from entries of the given tables.
    /// Returns how many entries of each table were derived.
    ///
    /// The files are sound, and made from the tables that are given, before this is called.
    fn verify(&self, group: &[String], checking: VerifyJob<'_>) -> Result<Vec<u64>, VerifyError>;
}
