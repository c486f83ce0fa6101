//! Table files: the values of one slice, packed into blocks that are checked and found one by one.
//!
//! Schadd (2011, section 4.4) keeps two bits for each position; a file may also keep distances. The
//! index holds a checksum of every block, and the checksum of the table is taken over header and
//! index, so that it stands for everything in the file and yet is known without reading it all.
//! The same values give the same bytes, whoever computed them.

mod code;
mod read;
mod write;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tabia_game::Indexed;

use crate::{Symmetry, size_text, total};

pub use code::{Content, Kept};
pub use read::Table;
pub use write::{TEMPORARY, write};

/// How every table file begins.
pub const MAGIC: [u8; 8] = *b"TABIATBL";
/// The version of the format.
const VERSION: u32 = 2;
/// Magic, version and the length of the header.
const PRELUDE: usize = 16;
/// An entry of the index: where a block ends, and its checksum.
const ENTRY: usize = 8 + blake3::OUT_LEN;
/// The footer: where the index begins, and the checksum of the table.
const FOOTER: usize = 8 + blake3::OUT_LEN;
/// The bytes of an unpacked block in the files we write.
const BLOCK: u32 = 1 << 16;

/// Identifies the content of a table: no two different tables have the same one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Checksum(blake3::Hash);

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_hex())
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Checksum> for String {
    fn from(checksum: Checksum) -> String {
        checksum.to_string()
    }
}

impl TryFrom<String> for Checksum {
    type Error = String;

    fn try_from(text: String) -> Result<Checksum, String> {
        let hash = blake3::Hash::from_hex(text.as_bytes());
        hash.map(Checksum)
            .map_err(|error| format!("a checksum is 64 hexadecimal digits: {error}"))
    }
}

/// A table of another group of slices that the values follow from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reliance {
    /// Its slice.
    pub slice: String,
    /// What it held.
    pub checksum: Checksum,
}

/// Which positions a table has entries for, and what it keeps of their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableForm {
    /// What is kept of each value.
    pub values: Kept,
    /// What is done about symmetric positions.
    pub symmetry: Symmetry,
}

impl TableForm {
    /// The bytes of memory that the table of a slice takes when all of it is unpacked; `None` if
    /// they cannot be counted.
    pub fn bytes<G: Indexed>(self, game: &G, slice: G::Slice) -> Option<u64> {
        let entries = self.symmetry.entries(game, slice)?;
        total([self.values.bytes(entries), self.symmetry.bytes(game, slice)])
    }
}

/// What a table is about, as its maker tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The spec of the game.
    pub game: String,
    /// The slice, in words.
    pub slice: String,
    /// How many entries it has.
    pub positions: u64,
    /// What the entries are.
    pub form: TableForm,
    /// The tables of other groups that the values follow from, by slice.
    pub relies_on: Vec<Reliance>,
}

/// How many positions have which value. Of probabilities those are won or lost that are certain,
/// and all others count as drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueCounts {
    /// Won by the player to move.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost by the player to move.
    pub loss: u64,
    /// The longest way to an end, where distances are known.
    pub max_plies: Option<u16>,
}

/// What a table file says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableHeader {
    /// The spec of the game.
    pub game: String,
    /// The slice, in words.
    pub slice: String,
    /// What was done about symmetric positions.
    pub symmetry: Symmetry,
    /// How many entries it has: one for each position, or one for each class of them. What is
    /// counted below are entries, too.
    pub positions: u64,
    /// What is kept of each value.
    pub values: Kept,
    /// The bytes of an unpacked block; the last one may be shorter.
    pub block: u32,
    /// Positions won by the player to move.
    pub win: u64,
    /// Drawn positions.
    pub draw: u64,
    /// Positions lost by the player to move.
    pub loss: u64,
    /// The longest way to an end, where distances are kept and anything is won or lost.
    pub max_plies: Option<u16>,
    /// The tables of other groups that the values follow from, by slice.
    pub relies_on: Vec<Reliance>,
}

impl TableHeader {
    /// What the entries are.
    pub fn form(&self) -> TableForm {
        TableForm {
            values: self.values,
            symmetry: self.symmetry,
        }
    }

    fn counts(&self) -> ValueCounts {
        ValueCounts {
            win: self.win,
            draw: self.draw,
            loss: self.loss,
            max_plies: self.max_plies,
        }
    }
}

/// Why a table cannot be used or written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The system refuses.
    #[error("'{file}' cannot be {done}: {reason}")]
    Io {
        /// The file.
        file: String,
        /// What was to be done with it.
        done: &'static str,
        /// Why not. Told by the message, so that it is not told again as the source.
        reason: io::Error,
    },
    /// The file is no table, or not as it was written.
    #[error("'{file}' is no sound table: {reason}")]
    Unsound {
        /// The file.
        file: String,
        /// What is wrong, and where.
        reason: String,
    },
    /// A sound table, but not the one that belongs there.
    #[error("'{file}' does not fit: {reason}")]
    Foreign {
        /// The file.
        file: String,
        /// What does not fit.
        reason: String,
    },
    /// A value that the format has no room for.
    #[error("'{file}' cannot hold the value of position {index}: {reason}")]
    Value {
        /// The file.
        file: String,
        /// Its place.
        index: u64,
        /// Why not.
        reason: &'static str,
    },
    /// A table that is needed is not there.
    #[error("the table of {0} is needed and is not there")]
    Missing(String),
    /// There is not enough memory.
    #[error(
        "the tables of {slices} take {} of memory, and {} may be used{}",
        size_text(.needed.unwrap_or(u64::MAX)),
        size_text(*.given),
        advice(.fitting.as_deref()),
    )]
    Memory {
        /// The slices that are needed at once.
        slices: String,
        /// The bytes needed; `None` if they cannot be counted.
        needed: Option<u64>,
        /// The bytes allowed.
        given: u64,
        /// A range of sizes whose slices would fit, where some would.
        fitting: Option<String>,
    },
    /// The game breaks its contract.
    #[error("position {index} of {slice}: {reason}")]
    Rules {
        /// The slice.
        slice: String,
        /// The place.
        index: u64,
        /// What is wrong.
        reason: &'static str,
    },
    /// There are more positions than can be numbered.
    #[error("the slices have more positions than can be numbered")]
    Countless,
    /// Some games last longer than can be told.
    #[error("some games last more than {0} plies; keep values without distances")]
    TooLong(u16),
    /// Stopped from outside; no file was changed.
    #[error("stopped")]
    Stopped,
}

fn advice(fitting: Option<&str>) -> String {
    fitting.map_or(String::new(), |range| {
        format!("; those of {range} would fit")
    })
}

impl TableError {
    pub(crate) fn io(file: &Path, done: &'static str) -> impl FnOnce(io::Error) -> TableError {
        let file = file.display().to_string();
        move |reason| TableError::Io { file, done, reason }
    }
}

/// Where blocks begin and end in the unpacked values of a slice.
#[derive(Clone, Copy, Debug)]
struct Layout {
    kept: Kept,
    block: u64,
    bytes: u64,
    positions: u64,
}

impl Layout {
    /// `None` if the values would be more bytes than there are numbers for, or if blocks of this
    /// size are not allowed.
    fn new(positions: u64, kept: Kept, block: u32) -> Option<Layout> {
        let allowed = block.is_power_of_two() && (1 << 10..=1 << 24).contains(&block);
        let bytes = kept.bytes(positions)?;
        allowed.then_some(Layout {
            kept,
            block: u64::from(block),
            bytes,
            positions,
        })
    }

    fn blocks(&self) -> u64 {
        self.bytes.div_ceil(self.block)
    }

    /// Positions in all blocks but the last.
    fn per_block(&self) -> u64 {
        self.block * 8 / self.kept.bits()
    }

    /// The positions of a block.
    fn places(&self, block: u64) -> std::ops::Range<u64> {
        let first = block * self.per_block();
        first..self.positions.min(first.saturating_add(self.per_block()))
    }

    /// The bytes of an unpacked block.
    fn unpacked(&self, block: u64) -> usize {
        let places = self.places(block);
        ((places.end - places.start) * self.kept.bits()).div_ceil(8) as usize
    }
}

/// Taken over header and index, which holds the checksums of the blocks.
fn checksum(beginning: &[u8], index: &[u8]) -> Checksum {
    let mut hasher = blake3::Hasher::new();
    hasher.update(beginning).update(index);
    Checksum(hasher.finalize())
}

/// The folder that a file lies in.
fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}
