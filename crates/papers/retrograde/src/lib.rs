//! Experiments with tables, graphs and proofs, a folder per paper.

// The tests play games of the catalog.
#[cfg(test)]
use tabia_catalog as _;

mod agreement;
mod dao;
mod fanorona;

pub use agreement::EXPERIMENTS as AGREEMENT;
pub use dao::EXPERIMENTS as DAO;
pub use fanorona::EXPERIMENTS as FANORONA;
