//! The laboratory: matches, tournaments and experiments, run the same way and reported the same
//! way.
//!
//! An [`Experiment`] belongs to a paper and measures one of its tables or figures. It returns a
//! [`ExperimentReport`]: our figures beside the printed ones, and the relations that the paper
//! claims, each held, failed or not decided by this sample. Nothing is tuned to a printed figure.
//! The experiments themselves are in the crate `tabia-papers`; this crate knows games by name only.
//!
//! The names come from the families of games that are linked into the program, all of them with
//! `use tabia_catalog as _;`. Without that line, as here, there is nothing to play:
//!
//! ```standalone_crate
//! use tabia_lab::matches::{Match, MatchPlan, Opening};
//! use tabia_lab::player::Entrant;
//! use tabia_lab::referee::Terms;
//!
//! let plan = MatchPlan {
//!     game: "connect4".to_string(),
//!     players: vec![Entrant::parse("random"), Entrant::parse("other=random")],
//!     games: 2,
//!     paired: true,
//!     opening: Opening::Start,
//!     terms: Terms::default(),
//!     sprt: None,
//!     seed: 1,
//! };
//! let error = Match::new(plan).err().unwrap().to_string();
//! assert!(error.contains("no family of games is linked"), "{error}");
//! assert!(error.contains("use tabia_catalog as _;"), "{error}");
//! ```

// The tests play games of the catalog.
#[cfg(test)]
use tabia_catalog as _;

mod error;
pub mod experiment;
pub mod export;
pub mod matches;
pub mod player;
pub mod positions;
pub mod referee;
pub mod report;
pub mod statistics;
pub mod store;
pub mod tournament;
pub mod tuning;

pub use error::LabError;
pub use experiment::{
    Curve, Experiment, ExperimentReport, Experiments, Figure, Relation, Row, Scale, Series,
    Setting, Verdict,
};
