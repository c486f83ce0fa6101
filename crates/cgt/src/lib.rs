//! The values of combinatorial games.
//!
//! A position of a game in which whoever cannot move loses has a value (Conway 1976; Berlekamp,
//! Conway and Guy 1982), and the value of a sum of positions is the sum of their values. [`Values`]
//! stores values in canonical form, so that equal values are the same [`Value`]; [`Thermograph`]
//! shows how urgent it is to move in them; [`Evaluator`] finds the value of a position of any
//! rules; [`impartial`] does with nimbers what takes longer with values; [`scoring`] plays sums for
//! points. All is exact, and concerns short games: finite, without repetition, under normal play
//! (Siegel 2013, chapter II).
//!
//! ```
//! use tabia_cgt::Values;
//!
//! let mut values = Values::new();
//! let switch = values.read("{2|-1}").unwrap();
//! let star = values.read("*").unwrap();
//! let sum = values.sum(switch, star).unwrap();
//! assert_eq!(values.write(sum).unwrap(), "{2*|-1*}");
//! assert_eq!(values.temperature(sum).unwrap().to_string(), "3/2");
//! assert_eq!(values.difference(sum, star), Ok(switch));
//! ```

mod dyadic;
mod estimate;
mod evaluate;
mod fingerprint;
pub mod impartial;
mod nus;
pub mod scoring;
pub mod sums;
pub mod text;
mod thermograph;
mod tree;
mod values;

pub use dyadic::{Dyadic, TooLarge};
pub use evaluate::{Evaluator, MAX_PLIES, Unevaluated};
pub use nus::NumberUpStar;
pub use thermograph::{Thermograph, Wall};
pub use tree::Tree;
pub use values::{Exceeded, MAX_HEIGHT, MAX_NIMBER, OutcomeClass, Value, Values};
