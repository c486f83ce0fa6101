//! Connection games.

pub mod loa;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::Entry] = &[loa::entry::ENTRY];
