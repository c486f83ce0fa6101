//! Errors about names: what there is, and what was probably meant.

use tabia_game::options::nearest;

use crate::CatalogError;

/// An error that tells the nearest name, or all of them if none is near.
pub fn unknown(kind: &str, name: &str, known: &[&str]) -> CatalogError {
    let rest = match nearest(name, known) {
        Some(guess) => format!("; did you mean '{guess}'?"),
        None => format!("\nKnown are: {}", known.join(", ")),
    };
    CatalogError::Unknown(format!("there is no {kind} '{name}'{rest}"))
}
