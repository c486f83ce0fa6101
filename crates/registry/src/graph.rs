//! Games laid out as explicit graphs, behind the types.
//!
//! A graph speaks of classes by number and no longer knows the game; what is left to erase is how
//! the position of a class is written.

use std::sync::Arc;

use tabia_game::Text;
use tabia_tables::graph::{GraphError, Layable};

pub use tabia_tables::graph::{Class, GameGraph, RandomGames, Steps, Tally, Visits, counted};

/// The position of a class in words.
type PositionText = Box<dyn Fn(&GameGraph, Class) -> Option<String> + Send + Sync>;

/// A game as a graph, with a position for every class.
pub struct LaidOut {
    /// The graph.
    pub graph: GameGraph,
    position: PositionText,
}

impl LaidOut {
    /// The reference position of a class, the first player to move; nothing if there is no such
    /// class.
    pub fn position(&self, class: Class) -> Option<String> {
        (self.position)(&self.graph, class)
    }
}

/// Lays a game out.
pub(crate) type LayoutFn<G> = Box<dyn Fn(&Arc<G>) -> Result<LaidOut, GraphError> + Send + Sync>;

/// How a game is laid out, given how the turn is passed.
pub(crate) fn layout<G>(passed: fn(&G::State) -> G::State) -> LayoutFn<G>
where
    G: Layable + Text + 'static,
{
    Box::new(move |game| {
        let graph = GameGraph::new(&**game, passed)?;
        let game = Arc::clone(game);
        let position = move |graph: &GameGraph, class| {
            let state = graph.reference(&*game, class)?;
            Some(game.position_text(&state))
        };
        Ok(LaidOut {
            graph,
            position: Box::new(position),
        })
    })
}
