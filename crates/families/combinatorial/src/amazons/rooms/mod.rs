//! Rooms of Amazons and what is known of them.
//!
//! Arrows cut the board into rooms, which are independent of each other. Small ones come again and
//! again, so that their values are worth keeping (Tegos 2002): [`room`] enumerates rooms of any
//! shape, [`atlas`] those in a rectangle, [`lines`] tells which of them are alike though not
//! symmetric; [`territory`] knows rooms with queens of one colour and [`active`] those with a queen
//! of each. [`RoomTables`] answers for a room on any board.
//!
//! In files they are a [kind of table](kind), which [`store`] reads. A verification derives what
//! they hold once more, by the rules.

pub mod active;
#[cfg(not(test))]
mod answers;
pub mod area;
pub mod atlas;
mod encode;
pub mod frame;
pub mod kind;
pub mod lines;
pub mod room;
pub mod spec;
pub mod stats;
pub mod store;
mod tables;
pub mod territory;
mod verify;

pub use tables::{Placed, RoomTables};

/// The work was stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;
