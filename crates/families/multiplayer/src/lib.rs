//! Board games for up to six players.

pub mod chinese_checkers;
pub mod focus;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] =
    &[chinese_checkers::entry::ENTRY, focus::entry::ENTRY];
