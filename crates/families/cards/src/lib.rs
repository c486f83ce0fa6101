//! Card games, and solitaires with cards.

mod cards;

pub mod gaps;
pub mod goofspiel;
pub mod klondike;
pub mod tricks;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] = &[
    gaps::entry::ENTRY,
    goofspiel::entry::ENTRY,
    klondike::entry::ENTRY,
    tricks::entry::HEARTS,
    tricks::entry::SPADES,
];
