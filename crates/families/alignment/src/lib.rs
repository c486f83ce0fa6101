//! k-in-a-row games.

mod rows;

pub mod connect4;
pub mod dice;
pub mod mnk;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] = &[
    connect4::entry::ENTRY,
    dice::entry::ENTRY,
    mnk::entry::ENTRY,
    mnk::entry::TICTACTOE,
];
