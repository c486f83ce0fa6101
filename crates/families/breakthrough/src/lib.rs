//! Breakthrough, and its variant with chance.

pub mod breakthrough;
pub mod chance_breakthrough;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] = &[
    breakthrough::entry::ENTRY,
    chance_breakthrough::entry::ENTRY,
];
