//! Small games, most of which are solved completely.

mod pairs;

pub mod dao;
pub mod doguti;
pub mod einstein;
pub mod lgame;
pub mod oshizumo;
pub mod pig;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] = &[
    dao::entry::ENTRY,
    doguti::entry::ENTRY,
    einstein::entry::ENTRY,
    lgame::entry::ENTRY,
    oshizumo::entry::ENTRY,
    pig::entry::ENTRY,
];
