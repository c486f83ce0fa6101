//! What can go wrong between a request in words and a typed game.

use tabia_formats::record::RecordError;
use tabia_game::TextError;
use tabia_game::options::OptionError;

use crate::Facet;

/// Why a request was not carried out. Messages say what would have been right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// No game or engine has this name.
    #[error("{0}")]
    Unknown(String),
    /// Something that this game does not offer.
    #[error("{0}")]
    NotOffered(String),
    /// A facet that this game lacks; [`Registry::having`](crate::Registry::having) tells who has
    /// it.
    #[error("{}", .0.lacking())]
    Lacks(Facet),
    /// Options of a game or engine that it does not take.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// A text that is no position of the game.
    #[error("'{text}' is no position: {reason}\nA position is {help}.")]
    Position {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: TextError,
        /// How positions of this game are written.
        help: &'static str,
    },
    /// A text that is no legal move.
    #[error("{0}")]
    Move(#[from] TextError),
    /// A move of a longer line that cannot be played.
    #[error("move {number}: {reason}")]
    Line {
        /// Which move, counted from one.
        number: usize,
        /// Why not.
        reason: Box<CatalogError>,
    },
    /// There is nothing to play any more.
    #[error("the game is over: {0}")]
    Over(String),
    /// A move was asked of an engine while chance is to act.
    #[error("chance is to act here, not a player; play one of its outcomes first")]
    Chance,
    /// Chance was to act while a player is to move.
    #[error("a player is to move here, chance has nothing to do")]
    NothingToRoll,
    /// A file that is no game record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file that is no collection of positions.
    #[error("{0}")]
    Boards(TextError),
    /// An engine was asked about a game it was not made for.
    #[error("the engine {0} was made for another game")]
    ForeignEngine(String),
    /// An engine broke the rules; a defect of the engine.
    #[error("the engine {engine} answered with something that is not a legal move: {answer}")]
    IllegalAnswer {
        /// Its spec.
        engine: String,
        /// What it answered.
        answer: String,
    },
}

impl CatalogError {
    /// Whether the request was at fault, as opposed to the program.
    pub fn is_bad_request(&self) -> bool {
        !matches!(
            self,
            CatalogError::ForeignEngine(_) | CatalogError::IllegalAnswer { .. }
        )
    }
}
