//! Kinds of tables.
//!
//! A [`Kind`] says which tables a game has, what their entries are, how an entry follows from its
//! successors, and how entries are packed. Everything else is done once for all kinds: files and
//! checksums ([`file`](crate::file)), planning, building and resuming ([`build`](crate::build())),
//! and verifying ([`verify`](crate::verify())). Here tables are known by their names alone.

use crate::build::Building;
use crate::verify::Checking;
use crate::{BuildError, Form, Kept, Symmetry, TableSet, VerifyError};

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
    /// So many.
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
pub trait Kind: Send + Sync {
    /// What is kept of each value unless told otherwise.
    fn usual(&self) -> Kept;

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

    /// These tables and all that they rely on, in groups, in the order of building.
    fn groups(&self, names: &[String]) -> Vec<Vec<String>>;

    /// The tables outside of a group that it relies on directly, in order.
    fn below(&self, group: &[String]) -> Vec<String>;

    /// The number by which ranges of tables are named, such as the number of pieces.
    fn size(&self, _name: &str) -> Option<u32> {
        None
    }

    /// How many entries a table has.
    fn entries(&self, name: &str, symmetry: Symmetry) -> Entries;

    /// The bytes of memory that a table takes when it is looked into at random; `None` if they
    /// cannot be counted.
    fn unpacked(&self, name: &str, form: Form) -> Option<u64> {
        match self.entries(name, form.symmetry) {
            Entries::Counted(entries) => form.values.bytes(entries),
            Entries::Countless => None,
            Entries::Packed => Some(0),
        }
    }

    /// The bytes of memory that it takes to build a group, without the tables that it relies on;
    /// `None` if they cannot be counted.
    fn memory(&self, group: &[String], form: Form) -> Option<u64>;

    /// The bytes of memory that it takes to verify a group, whose tables and those below are given;
    /// `None` if they cannot be counted.
    fn verification_memory(&self, group: &[String], tables: &TableSet) -> Option<u64>;

    /// Finds the entries of a group and writes them, table by table, by [`Building::write`].
    fn build(&self, group: &[String], building: Building<'_>) -> Result<(), BuildError>;

    /// Derives every entry of a group again, by the rules and from entries of the given tables.
    /// Returns how many entries of each table were derived.
    ///
    /// The files are sound, and made from the tables that are given, before this is called.
    fn verify(&self, group: &[String], checking: Checking<'_>) -> Result<Vec<u64>, VerifyError>;
}
