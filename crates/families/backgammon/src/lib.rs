//! Backgammon.

pub mod backgammon;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::Entry] = &[backgammon::entry::ENTRY];
