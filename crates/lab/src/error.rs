//! What can go wrong in the laboratory.

use tabia_game::Stopped;
use tabia_registry::CatalogError;

use crate::matches::OpeningError;
use crate::player::OpenError;
use crate::store::StoreError;

/// Why a match, a tournament or an experiment came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// It was cancelled.
    #[error("stopped before it was finished")]
    Stopped,
    /// A game or an engine refused.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A player that cannot take part.
    #[error("player '{name}': {reason}")]
    Player {
        /// Its name.
        name: String,
        /// Why not.
        reason: OpenError,
    },
    /// No opening.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// Results that cannot be stored or read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There are no threads to work with.
    #[error("no threads could be started: {0}")]
    Threads(String),
    /// Something was asked for that there is not, or that does not go together.
    #[error("{0}")]
    BadRequest(String),
}

impl LabError {
    /// Whether the request was at fault, as opposed to the program or the machine.
    pub fn is_bad_request(&self) -> bool {
        match self {
            LabError::Catalog(error) => error.is_bad_request(),
            LabError::Player { .. } | LabError::Opening(_) | LabError::BadRequest(_) => true,
            LabError::Store(error) => error.is_bad_request(),
            LabError::Stopped | LabError::Threads(_) => false,
        }
    }
}

impl From<Stopped> for LabError {
    fn from(_: Stopped) -> Self {
        LabError::Stopped
    }
}
