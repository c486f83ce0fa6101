//! Experiments with combinatorial games, a folder per paper.

// The tests play games of the catalog.
#[cfg(test)]
use tabia_catalog as _;

mod amazons_book;
mod boards;
mod kayles;
mod sums;
mod tegos;
mod toads;

pub use amazons_book::EXPERIMENTS as AMAZONS_BOOK;
pub use boards::EXPERIMENTS as BOARDS;
pub use kayles::EXPERIMENTS as KAYLES;
pub use sums::EXPERIMENTS as SUMS;
pub use tegos::EXPERIMENTS as TEGOS;
pub use toads::EXPERIMENTS as TOADS;
