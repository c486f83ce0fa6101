//! Bearing off: what is known exactly once all checkers are in the home boards of their owners.
//!
//! The players are past each other, so a play is a matter of one side alone. *Two-sided*: the
//! probability that the player on roll wins with best play of both, where each has few checkers
//! left. *One-sided*: how many rolls a player needs, as a distribution, for all 54,264 homes of up
//! to fifteen checkers. Hauk, Buro and Schaeffer (2004) play with such databases of GNU Backgammon.
//! Homes have the same numbers here as there.

mod home;
mod one_sided;
mod slices;
#[cfg(test)]
mod tests;
mod two_sided;

pub use home::{Home, home_number, homes, numbered_home};
pub use one_sided::OneSided;
pub use two_sided::Bearoff;
