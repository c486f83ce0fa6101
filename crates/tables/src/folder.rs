//! A folder of tables: `<folder>/<game>/<slice>.tbl`, and looking positions up in them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use tabia_game::Indexed;

use crate::TableValue;
use crate::file::{Checksum, Content, Table, TableError};
use crate::numbers::{LazyNumbers, Numbers};
use crate::set::{Shares, check_belongs};

/// How the names of table files end.
const EXTENSION: &str = "tbl";

/// Where the tables of a game lie: a folder of its own, whose name is the spec in letters that
/// every file system takes.
pub fn game_folder(folder: &Path, spec: &str) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    folder.join(spec.chars().map(plain).collect::<String>())
}

/// Where the table of a slice lies; what not every file system takes in a name becomes a dash.
pub fn table_file(folder: &Path, spec: &str, slice: &str) -> PathBuf {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' {
            c
        } else {
            '-'
        }
    };
    let slice: String = slice.chars().map(plain).collect();
    game_folder(folder, spec).join(format!("{slice}.{EXTENSION}"))
}

/// All table files in a folder of tables, by name.
pub fn table_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for game in std::fs::read_dir(folder)? {
        let game = game?.path();
        if !game.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(game)? {
            let file = file?.path();
            files.extend(
                file.extension()
                    .is_some_and(|e| e == EXTENSION)
                    .then_some(file),
            );
        }
    }
    files.sort();
    Ok(files)
}

/// Tables of one game, of every position or of one of each class.
pub struct Tables<G: Indexed> {
    tables: BTreeMap<G::Slice, Numbered<G>>,
}

/// An entry of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry<S, V = TableValue> {
    /// The slice.
    pub slice: S,
    /// The number of the entry in the table of the slice.
    pub number: u64,
    /// What it says.
    pub value: V,
}

/// A table, and the numbers of the positions in it.
struct Numbered<G: Indexed> {
    table: Table,
    numbers: LazyNumbers<G>,
}

impl<G: Indexed> Default for Tables<G> {
    fn default() -> Self {
        Tables {
            tables: BTreeMap::new(),
        }
    }
}

impl<G: Indexed> Tables<G> {
    /// Opens what is there of the tables of some slices. Their unpacked values take this many bytes
    /// of memory at most, but for one block each.
    pub fn open(
        game: &G,
        spec: &str,
        folder: &Path,
        slices: &[G::Slice],
        memory: u64,
    ) -> Result<Tables<G>, TableError> {
        let mut tables = Tables::default();
        for &slice in slices {
            let file = table_file(folder, spec, &game.slice_text(slice));
            if file.exists() {
                tables.insert(game, spec, slice, Table::open(&file)?)?;
            }
        }
        Ok(tables.keeping(memory))
    }

    /// Tables that are open, by slice; each must be the one of its slice.
    pub(crate) fn of(tables: impl IntoIterator<Item = (G::Slice, Table)>) -> Tables<G> {
        let numbered = |(slice, table)| {
            let numbers = LazyNumbers::new();
            (slice, Numbered { table, numbers })
        };
        Tables {
            tables: tables.into_iter().map(numbered).collect(),
        }
    }

    /// Keeps this many bytes of unpacked blocks at most, but for one block of each table.
    pub fn keeping(self, memory: u64) -> Tables<G> {
        let shares = Shares::of(memory, self.tables.values().map(|held| &held.table));
        let limited = self.tables.into_iter().map(|(slice, held)| {
            let table = shares.limit(held.table);
            (slice, Numbered { table, ..held })
        });
        Tables {
            tables: limited.collect(),
        }
    }

    /// Adds a table, which must be the one of this slice.
    pub fn insert(
        &mut self,
        game: &G,
        spec: &str,
        slice: G::Slice,
        table: Table,
    ) -> Result<(), TableError> {
        let entries = table.header().symmetry.entries(game, slice);
        check_belongs(&table, spec, &game.slice_text(slice), entries.into())?;
        let numbers = LazyNumbers::new();
        self.tables.insert(slice, Numbered { table, numbers });
        Ok(())
    }

    /// The table of a slice.
    pub fn get(&self, slice: G::Slice) -> Option<&Table> {
        self.tables.get(&slice).map(|held| &held.table)
    }

    /// The numbers of the positions in the table of a slice.
    pub(crate) fn numbers(&self, game: &G, slice: G::Slice) -> Result<&Numbers<G>, TableError> {
        let held = self.tables.get(&slice);
        let held = held.ok_or_else(|| TableError::Missing(game.slice_text(slice)))?;
        let symmetry = held.table.header().symmetry;
        let numbers = held.numbers.get(game, slice, symmetry);
        numbers.ok_or(TableError::Countless)
    }

    /// All tables, by slice.
    pub fn iter(&self) -> impl Iterator<Item = (G::Slice, &Table)> {
        self.tables
            .iter()
            .map(|(&slice, held)| (slice, &held.table))
    }

    /// The slices and checksums of all tables: what an answer that used them relies on.
    pub fn checksums(&self) -> Vec<(String, Checksum)> {
        let tables = self.tables.values().map(|held| &held.table);
        tables
            .map(|table| (table.header().slice.clone(), table.checksum()))
            .collect()
    }

    /// The value of a position for the player to move; `None` if its table is not there.
    ///
    /// Meant for positions in which the game goes on. Where a finished position has a place, the
    /// value is for the player who would be to move.
    #[inline]
    pub fn probe(&self, game: &G, state: &G::State) -> Result<Option<TableValue>, TableError> {
        Ok(self.entry(game, state)?.map(|entry| entry.value))
    }

    /// As [`Tables::probe`], with the place of the value.
    #[inline]
    pub fn entry(
        &self,
        game: &G,
        state: &G::State,
    ) -> Result<Option<TableEntry<G::Slice>>, TableError> {
        self.content(game, state)
    }

    /// As [`Tables::entry`], of tables that keep values of this kind.
    #[inline]
    pub fn content<V: Content>(
        &self,
        game: &G,
        state: &G::State,
    ) -> Result<Option<TableEntry<G::Slice, V>>, TableError> {
        let Some((slice, place)) = game.locate(state) else {
            return Ok(None);
        };
        let Some(Numbered { table, numbers }) = self.tables.get(&slice) else {
            return Ok(None);
        };
        let numbers = numbers.get(game, slice, table.header().symmetry);
        let number = numbers.ok_or(TableError::Countless)?.number(state, place);
        Ok(Some(TableEntry {
            slice,
            number,
            value: table.content(number)?,
        }))
    }

    /// As [`Tables::probe`], but a damaged table counts as one that is not there.
    #[inline]
    pub fn value(&self, game: &G, state: &G::State) -> Option<TableValue> {
        self.probe(game, state).ok().flatten()
    }
}
