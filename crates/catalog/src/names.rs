//! Errors about names: what there is, and what was probably meant.

use crate::CatalogError;

/// An error that lists all names, with the nearest one first if it is near enough.
pub(crate) fn unknown(kind: &str, name: &str, known: &[&str]) -> CatalogError {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_only_what_is_near() {
        let error = |name| unknown("game", name, &["loa", "mnk", "tictactoe"]).to_string();
        assert_eq!(
            error("lao"),
            "there is no game 'lao'; did you mean 'loa'?\nKnown are: loa, mnk, tictactoe"
        );
        assert!(error("TicTacToe").contains("did you mean 'tictactoe'?"));
        assert!(error("tic").contains("did you mean 'tictactoe'?"));
        assert_eq!(
            error("go"),
            "there is no game 'go'\nKnown are: loa, mnk, tictactoe"
        );
        assert!(error("").starts_with("there is no game ''\n"));
    }
}
