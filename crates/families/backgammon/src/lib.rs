//! Backgammon.

pub mod backgammon;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] = &[backgammon::entry::ENTRY];
