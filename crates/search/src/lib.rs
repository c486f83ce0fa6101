//! Choosing a move.
//!
//! Every algorithm is an [`Engine`] over the contract of [`tabia_game`]; its bounds say which games
//! it can serve. [`alphabeta`] is one engine for two-player games without chance or hidden
//! information, whose many enhancements are switches of a single search; [`chance`] is its
//! counterpart for games with chance, and through [`OnBelief`] for games with hidden information;
//! [`many`] serves games for more than two players.

mod belief;
mod engine;
mod greedy;
mod preset;
mod random;
mod report;
mod rollout;

pub mod alphabeta;
pub mod array;
pub mod chance;
pub mod learned_rules;
pub mod many;
pub mod mcts;
pub mod score;
pub mod single_agent;
pub mod table;

pub use belief::{Believed, OnBelief};
pub use engine::{Choice, Counter, Engine, Past, Reading, Situation};
pub use greedy::Greedy;
pub use preset::Preset;
pub use random::Random;
pub use report::{Listener, Report, Tell};
pub use rollout::{RolledOut, Rollout, luck};
