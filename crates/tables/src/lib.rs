//! Knowing it already: the value of every position of a game, or of all its endings.
//!
//! A game that is [`Indexed`](tabia_game::Indexed) has its positions divided into slices and
//! numbered without gaps. Retrograde analysis gives each of them its value, or backward induction
//! its probability of winning where there is chance, and files keep them so that a search can look
//! them up. For puzzles there are tables of patterns, which hold bounds. Small games are also laid
//! out as explicit graphs.
//!
//! Tables of every [`Kind`] are planned, built, resumed, opened and verified by the same functions.
//! A new kind says what its entries are, how they follow from each other and how they are packed.
//!
//! # Repetition
//!
//! A table knows positions and no paths. Play without end counts as drawn. That is the value under
//! the rules of games in which positions recur freely or a recurrence of a whole position draws,
//! for a game without a history; games with any other rule of repetition are refused.

mod build;
pub mod chances;
pub mod file;
mod folder;
pub mod graph;
mod kind;
mod numbers;
pub mod patterns;
pub mod retrograde;
mod set;
mod size;
mod slice_tables;
mod slices;
mod stats;
mod value;
mod values;
mod verify;

pub use build::{
    BuildError, Building, Output, Progress, TableGroup, TableJob, build, counter, plan,
};
pub use chances::BackwardInduction;
pub use file::Reliance;
pub use file::{Checksum, Content, Kept, Table, TableError, TableForm, TableHeader, ValueCounts};
pub use folder::{TableEntry, Tables, game_folder, table_file, table_files};
pub use kind::{Entries, Kind, NamesError};
pub use numbers::Symmetry;
pub use retrograde::{Retrograde, Scheme};
pub use set::TableSet;
pub use size::{grouped, size_text};
pub use slice_tables::{ChanceTables, Derived, SliceSolver, SliceTables, SliceValues, ValueTables};
pub use slices::{below, groups, parse_slices, total, with_all_they_need};
pub use stats::{Counted, stats};
pub use value::TableValue;
pub use verify::{Verified, VerifyError, VerifyJob, verify};
