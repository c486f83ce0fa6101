//! Stratego.

pub mod stratego;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::Entry] = &[stratego::entry::ENTRY];
