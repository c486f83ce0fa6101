//! Errors about names: what there is, and what was probably meant.

use tabia_game::options::nearest;

use crate::CatalogError;

/// An error about a game in a program that has none.
pub fn no_games(name: &str) -> CatalogError {
    CatalogError::Unknown(format!(
        "there is no game '{name}': no family of games is linked into this program\n\
         A program that depends on the crate tabia-catalog links all of them by\n    \
         use tabia_catalog as _;"
    ))
}

/// An error that tells the nearest name, or all of them if none is near.
pub fn unknown(kind: &str, name: &str, known: &[&str]) -> CatalogError {
    let rest = match nearest(name, known) {
        Some(guess) => format!("; did you mean '{guess}'?"),
        None => format!("\nKnown are: {}", known.join(", ")),
    };
    CatalogError::Unknown(format!("there is no {kind} '{name}'{rest}"))
}
