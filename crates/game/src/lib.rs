//! The contract between games and algorithms.
//!
//! A [`Game`] value holds the rules (board size, options); its `State` is a position. What a game
//! can do beyond playing itself is said by small capability traits ([`Key`], [`Text`],
//! [`Symmetric`], ...), and an algorithm's bounds say which of them it needs. The class of a game
//! in the taxonomy of Schadd (2011, table 1.1) is two associated types, so an algorithm that only
//! works without chance or without hidden information cannot be called on any other game.
//!
//! The crate knows no game and no algorithm. It also holds the few things that every layer above
//! must agree on: [`Limits`] of a computation, the [`Path`] that repetition rules look at, the
//! [`Seed`] from which all randomness is split, and the neutral [`Picture`] of a position.
//!
//! ```
//! use tabia_game::{Deterministic, Game, Perfect, Player, Turn};
//!
//! /// Nim with one heap: take one or two, whoever takes the last wins.
//! struct Heap(u32);
//!
//! impl Game for Heap {
//!     type State = (u32, Player);
//!     type Move = u32;
//!     type Undo = Self::State;
//!     type Luck = Deterministic;
//!     type Information = Perfect;
//!
//!     fn players(&self) -> usize { 2 }
//!     fn start(&self) -> Self::State { (self.0, Player::FIRST) }
//!     fn turn(&self, s: &Self::State) -> Turn {
//!         if s.0 == 0 { Turn::Over } else { Turn::Player(s.1) }
//!     }
//!     fn moves(&self, s: &Self::State, out: &mut Vec<u32>) { out.extend(1..=s.0.min(2)) }
//!     fn play(&self, s: &mut Self::State, take: u32) -> Self::Undo {
//!         std::mem::replace(s, (s.0 - take, s.1.other()))
//!     }
//!     fn undo(&self, s: &mut Self::State, old: Self::Undo) { *s = old }
//!     fn payoff(&self, s: &Self::State, p: Player) -> i32 { if p == s.1 { -1 } else { 1 } }
//! }
//!
//! assert_eq!(tabia_game::perft(&Heap(4), &Heap(4).start(), 2), 4);
//! ```

mod contract;
mod hidden;
mod knowledge;
mod limits;
mod outcome;
mod path;
mod perft;
mod playouts;
mod probability;
mod repetition;
mod seed;
mod wdl;

pub mod bits;
pub mod combinatorial;
pub mod combinatorics;
pub mod grid;
pub mod options;
pub mod orbits;

pub mod picture;
pub mod text;
pub mod threads;
pub mod zobrist;

pub use combinatorial::{Combinatorial, Impartial, LastMover};
pub use contract::{
    Chance, Classes, Deterministic, Game, Imperfect, Indexed, Information, Key, Luck, MoveIndex,
    NoClasses, OnePlayer, Payoff, Perfect, Player, Retro, Stochastic, Symmetric, Turn, TwoPlayer,
    outcome_at,
};
pub use hidden::{Hidden, Observation, ObservationOf, Opened, Simultaneous};
pub use knowledge::{CERTAIN, Knowledge, Noisy, URGENT, Uninformed};
pub use limits::{Cancel, Limits, Meter, Stopped};
pub use outcome::{Outcome, SizeError};
pub use path::{Made, Path};
pub use perft::{MAX_DISTINCT, NotCounted, distinct, perft, perft_limited};
pub use picture::{Draw, Picture};
pub use playouts::{MoveFeature, MoveFeatures, Playouts, Uniform};
pub use probability::Probability;
pub use repetition::{Compared, Consequence, InexactUnderRule, Repetition, Ruling};
pub use seed::{GameRng, Quick, Seed};
pub use text::{Text, TextError, Unit};
pub use wdl::Wdl;
