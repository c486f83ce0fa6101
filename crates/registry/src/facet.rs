//! What a game may or may not have, and how a refusal is worded.

use crate::CatalogError;

/// A part of [`AnyGame`](crate::AnyGame) that not every game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// Endgame tables.
    Tables,
    /// The game laid out as a graph.
    Graph,
}

impl Facet {
    /// What is said of a game that lacks it.
    pub fn lacking(self) -> &'static str {
        match self {
            Facet::Tables => "this game has no tables",
            Facet::Graph => "this game is not laid out as a graph",
        }
    }

    /// The error for a game that lacks it.
    pub fn refusal(self) -> CatalogError {
        CatalogError::NotOffered(self.lacking().to_string())
    }

    /// Whether a game has it.
    pub fn of(self, game: &dyn crate::AnyGame) -> bool {
        match self {
            Facet::Tables => game.tables().is_some(),
            Facet::Graph => game.has_graph(),
        }
    }
}
