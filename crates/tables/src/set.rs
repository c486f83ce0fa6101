//! Open tables of one kind, by name.

use std::collections::BTreeMap;
use std::path::Path;

use crate::file::Reliance;
use crate::{Entries, Kind, Table, TableError, table_file};

/// Open tables of one kind, by name.
#[derive(Default)]
pub struct TableSet(BTreeMap<String, Table>);

impl TableSet {
    /// Opens what is there of some tables; each must be the one that belongs there. Their unpacked
    /// entries take this many bytes of memory at most, but for one block each.
    pub fn open<'a>(
        kind: &dyn Kind,
        spec: &str,
        folder: &Path,
        names: impl IntoIterator<Item = &'a String>,
        memory: u64,
    ) -> Result<TableSet, TableError> {
        let mut set = TableSet::default();
        for name in names {
            if let Some(table) = open(kind, spec, folder, name)? {
                set.insert(name.clone(), table);
            }
        }
        Ok(set.keeping(memory))
    }

    /// Adds a table.
    pub(crate) fn insert(&mut self, name: String, table: Table) {
        self.0.insert(name, table);
    }

    /// Keeps this many bytes of unpacked blocks at most, but for one block of each table.
    pub(crate) fn keeping(self, memory: u64) -> TableSet {
        let shares = Shares::of(memory, self.0.values());
        let limited = self.0.into_iter();
        TableSet(
            limited
                .map(|(name, table)| (name, shares.limit(table)))
                .collect(),
        )
    }

    /// A table that must be there.
    pub fn table(&self, name: &str) -> Result<&Table, TableError> {
        self.get(name)
            .ok_or_else(|| TableError::Missing(name.to_string()))
    }

    /// A table, if it is there.
    pub fn get(&self, name: &str) -> Option<&Table> {
        self.0.get(name)
    }

    /// The tables with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Table)> {
        self.0.iter().map(|(name, table)| (name.as_str(), table))
    }

    /// What entries that follow from these tables rely on, as far as they are here.
    pub fn reliances(&self, names: &[String]) -> Vec<Reliance> {
        let there = names.iter().filter_map(|name| self.get(name));
        there.map(reliance).collect()
    }
}

impl IntoIterator for TableSet {
    type Item = (String, Table);
    type IntoIter = std::collections::btree_map::IntoIter<String, Table>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// What is told of a table that others rely on.
pub(crate) fn reliance(table: &Table) -> Reliance {
    Reliance {
        slice: table.header().slice.clone(),
        checksum: table.checksum(),
    }
}

/// How much memory each of some tables may keep.
pub(crate) struct Shares {
    memory: u64,
    unpacked: u128,
}

impl Shares {
    /// Shares of this many bytes in proportion to the sizes of these tables.
    pub(crate) fn of<'a>(memory: u64, tables: impl Iterator<Item = &'a Table>) -> Shares {
        let unpacked = tables.map(|table| u128::from(table.unpacked())).sum();
        Shares { memory, unpacked }
    }

    /// Limits a table to its share, unless all of them fit.
    pub(crate) fn limit(&self, table: Table) -> Table {
        let memory = u128::from(self.memory);
        if self.unpacked <= memory {
            return table;
        }
        let share = memory.saturating_mul(u128::from(table.unpacked())) / self.unpacked;
        table.keeping(u64::try_from(share).unwrap_or(self.memory))
    }
}

/// Opens a table, which must be the one that belongs there; `None` if there is none.
pub(crate) fn open(
    kind: &dyn Kind,
    spec: &str,
    folder: &Path,
    name: &str,
) -> Result<Option<Table>, TableError> {
    let file = table_file(folder, spec, name);
    if !file.exists() {
        return Ok(None);
    }
    let table = Table::open(&file)?;
    let entries = kind.entries(name, table.header().symmetry);
    check_belongs(&table, spec, name, entries)?;
    Ok(Some(table))
}

/// Refuses a table of another game, of another name or with another number of entries.
pub(crate) fn check_belongs(
    table: &Table,
    spec: &str,
    name: &str,
    entries: Entries,
) -> Result<(), TableError> {
    let header = table.header();
    let positions = header.positions;
    let reason = if header.game != spec {
        format!("it is a table of {}, not of {spec}", header.game)
    } else if header.slice != name {
        format!("it is the table of {}, not of {name}", header.slice)
    } else {
        match entries {
            Entries::Packed => return Ok(()),
            Entries::Counted(here) if here == positions => return Ok(()),
            Entries::Counted(here) => {
                format!("it has {positions} positions where there are {here}")
            }
            Entries::Countless => {
                format!("it has {positions} positions where there are more than can be counted")
            }
        }
    };
    Err(TableError::Foreign {
        file: table.file().to_string(),
        reason,
    })
}
