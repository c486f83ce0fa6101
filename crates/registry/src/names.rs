//! Errors about names: what there is, and what was probably meant.

use crate::CatalogError;

/// An error about a game in a program that has none.
pub fn no_games(name: &str) -> CatalogError {
    CatalogError::Unknown(format!(
        "there is no game '{name}': no family of games is linked into this program\n\
         A program that depends on the crate tabia-catalog links all of them by\n    \
         use tabia_catalog as _;"
    ))
}

/// An error that lists all names, with the nearest one first if it is near enough.
pub fn unknown(kind: &str, name: &str, known: &[&str]) -> CatalogError {
    let wanted = name.to_ascii_lowercase();
    let is_near = |known: &str| {
        strsim::damerau_levenshtein(&wanted, known) <= (known.len() / 3).max(1)
            || known.starts_with(&wanted)
    };
    let guess = known
        .iter()
        .filter(|known| !wanted.is_empty() && is_near(known))
        .min_by_key(|known| strsim::damerau_levenshtein(&wanted, known))
        .map_or(String::new(), |guess| format!("; did you mean '{guess}'?"));
    CatalogError::Unknown(format!(
        "there is no {kind} '{name}'{guess}\nKnown are: {}",
        known.join(", ")
    ))
}
