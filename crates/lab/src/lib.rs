//! The laboratory: matches, tournaments and experiments, run the same way and reported the same
//! way.
//!
//! An [`Experiment`] belongs to a paper and measures one of its tables or figures. It returns a
//! [`ExperimentReport`]: our figures beside the printed ones, and the relations that the paper
//! claims, each held, failed or not decided by this sample. Nothing is tuned to a printed figure.
//! The experiments themselves are in the crate `tabia-papers`; this crate knows games by name only.

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
