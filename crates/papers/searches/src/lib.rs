//! Experiments with searches on any game, a folder per paper.

// The tests play games of the catalog.
#[cfg(test)]
use tabia_catalog as _;

mod brs;
mod laboratory;
mod relative_history;
mod search_methods;
mod selective_simulations;

pub use brs::EXPERIMENTS as BRS;
pub use laboratory::EXPERIMENTS as LABORATORY;
pub use relative_history::EXPERIMENTS as RELATIVE_HISTORY;
pub use search_methods::EXPERIMENTS as SEARCH_METHODS;
pub use selective_simulations::EXPERIMENTS as SELECTIVE_SIMULATIONS;
