//! Fanorona.

pub mod fanorona;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] = &[fanorona::entry::ENTRY];
