//! Games for one player on boards.

pub mod morpion;
pub mod samegame;
pub mod sliding;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] = &[
    morpion::entry::ENTRY,
    samegame::entry::ENTRY,
    sliding::entry::ENTRY,
];
