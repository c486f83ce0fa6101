//! Errors of the command and the exit status that belongs to each.

use std::io::{self, Write};
use std::process::ExitCode;

use tabia_catalog::{CatalogError, GAMES, SolveError, StrategyError};
use tabia_lab::LabError;
use tabia_lab::store::StoreError;

/// A request that cannot be carried out as it stands.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadRequest(String);

/// A bad request with a message that says what would be right.
pub fn bad_request(message: impl Into<String>) -> anyhow::Error {
    BadRequest(message.into()).into()
}

/// Ctrl-C, before there was anything to show.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Prints an error and says with which status to leave.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let status = status(error);
    if status != 0 {
        // Nobody is left to be told when standard error is gone as well.
        let _ = writeln!(io::stderr(), "error: {error:#}{}", others(error));
    }
    ExitCode::from(status)
}

/// Which games have what a game lacks, if that is the error.
fn others(error: &anyhow::Error) -> String {
    let lacked = error.chain().find_map(|e| match e.downcast_ref() {
        Some(CatalogError::Lacks(facet)) => Some(*facet),
        _ => None,
    });
    lacked.map_or_else(String::new, |facet| {
        format!("\nGames that have this: {}", GAMES.having(facet).join(", "))
    })
}

fn status(error: &anyhow::Error) -> u8 {
    let closed = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    if error.chain().filter_map(|e| e.downcast_ref()).any(closed) {
        // The reader of a pipe has seen enough, which is no failure.
        0
    } else if error.is::<BadRequest>() {
        2
    } else if let Some(error) = error.downcast_ref::<CatalogError>() {
        if error.is_bad_request() { 2 } else { 1 }
    } else if let Some(error) = error.downcast_ref::<SolveError>() {
        match error {
            SolveError::Strategy(StrategyError::Stopped(_)) => 130,
            error if error.is_bad_request() => 2,
            _ => 1,
        }
    } else if let Some(error) = error.downcast_ref::<LabError>() {
        if error.is_bad_request() { 2 } else { 1 }
    } else if let Some(error) = error.downcast_ref::<StoreError>() {
        if error.is_bad_request() { 2 } else { 1 }
    } else if error.is::<Interrupted>() {
        130
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_error_has_its_status() {
        assert_eq!(status(&bad_request("no")), 2);
        assert_eq!(status(&Interrupted.into()), 130);
        assert_eq!(
            status(&io::Error::from(io::ErrorKind::BrokenPipe).into()),
            0
        );
        assert_eq!(
            status(&io::Error::from(io::ErrorKind::StorageFull).into()),
            1
        );
        assert_eq!(status(&CatalogError::Chance.into()), 2);
        assert_eq!(
            status(&CatalogError::ForeignEngine(String::new()).into()),
            1
        );
    }
}
