//! Knowing it already: the value of every position of a game, or of all its endings.
//!
//! A game that is [`Indexed`](tabia_game::Indexed) has its positions divided into slices and
//! numbered without gaps. Retrograde analysis gives each of them its value, or backward induction its
//! probability of winning where there is chance, and files keep them so that a search can look them up.
//! Small games are also laid out as explicit graphs. For puzzles there are databases of patterns, which are no values but
//! bounds.
//!
//! # Repetition
//!
//! A table knows positions and no paths. Play without end counts as drawn. That is the value under the rules
//! of games in which positions recur freely or a recurrence of a whole position draws, for a game without a
//! history; games with any other rule of repetition are refused.

mod build;
pub mod chances;
pub mod file;
mod folder;
pub mod graph;
mod numbers;
pub mod patterns;
pub mod retrograde;
mod size;
mod slices;
mod stats;
mod value;
mod verify;

pub use build::{BuildError, Group, Job, SliceValues, Solver, build, lock, plan};
pub use chances::BackwardInduction;
pub use file::{Checksum, Content, Counts, Form, Header, Kept, Table, TableError};
pub use folder::{Entry, Tables, game_folder, table_file, table_files};
pub use numbers::Symmetry;
pub use retrograde::{Retrograde, Scheme};
pub use size::size_text;
pub use slices::{SlicesError, below, groups, parse_slices, total, with_all_they_need};
pub use stats::{Counted, stats};
pub use value::Value;
pub use verify::{VerifyError, verification_memory, verify};
