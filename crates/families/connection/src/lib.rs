//! Connection games.

pub mod hex;
pub mod loa;
pub mod y;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] =
    &[hex::entry::ENTRY, loa::entry::ENTRY, y::entry::ENTRY];
