//! The dynamic side: games and engines by name.
//!
//! A game enters the catalog as one [`Entry`] whose constructor builds a [`Listing`]. The methods
//! of that builder carry the trait bounds of the algorithms, so what a game can do follows from
//! its types and is written down nowhere else. Behind [`AnyGame`], [`Session`] and [`AnyEngine`]
//! the types are gone: front ends only see names, specs and text.
//!
//! ```
//! use tabia_catalog::open;
//! use tabia_game::Limits;
//!
//! let game = open("mnk:3,3,3")?;
//! let mut session = game.session(None)?;
//! session.play("b2")?;
//! let mut engine = game.engine("random:seed=7")?;
//! let answer = session.ask(&mut engine, &Limits::default())?;
//! assert!(session.moves().contains(&answer.best.unwrap()));
//!
//! let error = open("tiktaktoe").err().unwrap().to_string();
//! assert!(error.contains("did you mean 'tictactoe'?"), "{error}");
//! # Ok::<(), tabia_catalog::CatalogError>(())
//! ```

/// The examples of the guides are tested like those of the code.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../../../docs/adding-a-game.md")]
    mod adding_a_game {}
    #[doc = include_str!("../../../docs/adding-an-algorithm.md")]
    mod adding_an_algorithm {}
}

mod alone;
pub mod book;
mod certificates;
mod chance_tables;
pub mod endgame;
mod engine;
mod entries;
mod error;
mod listing;
mod names;
mod pentasol;
mod progress;
mod race;
mod record;
pub mod regressions;
mod rollouts;
pub mod room_tables;
mod session;
mod solving;
pub mod sums;

pub mod graph;
mod tables;

pub use alone::{Alone, Line, SeekJob, Told};
pub use certificates::{
    AnyCertificate, CERTIFICATE_MAGIC, Certificate, CertificateHeader, CheckError, Checking, Claim,
    Refusal, Summary, check_certificate, table_name,
};
pub use chance_tables::{ChanceTabled, TableContent};
pub use engine::{Answer, AnyEngine, EngineInfo};
pub use entries::{Entry, Sgf, entries, entry, open};
pub use error::CatalogError;
pub use listing::{AnyGame, Listable, Listing, SumPlayer, Traits, UCT, learnt};
pub use pentasol::EXTENSION as PENTASOL_EXTENSION;
pub use record::Record;
pub use rollouts::{Rolled, RolloutJob};
pub use session::{Ending, Session};
pub use solving::{
    GoalFound, Guarantee, Means, Method, Provable, Solution, SolveError, SolveJob, Telling,
};
/// Rooms of Amazons and their tables.
pub use tabia_rooms as rooms;
pub use tabia_search::Counter;
pub use tabia_search::alphabeta::MAX_DEPTH;
pub use tabia_search::{RolledOut, Rollout};
pub use tabia_solve::expectation::Expectation;
pub use tabia_solve::{Proof, Status, StrategyError};
pub use tables::{
    AnyTables, Counted, Kept, Probed, SliceStats, Symmetry, TABLE_MAGIC, Table, TableError,
    TableForm, TableGroup, TableHeader, TableJob, TableProgress, TableValue, Tabled, TablesError,
    VerifiedTable, folder_of, full_spec, size_text, table_file, table_files,
};
