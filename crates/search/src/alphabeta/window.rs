//! Values with their certainty, windows, and the nodes they belong to.

use tabia_game::Player;

use super::stats::NodeType;
use crate::score::INFINITY;

/// A value and whether every line that matters was followed to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// From the point of view of whoever asked.
    pub score: i32,
    /// No deeper search would say otherwise.
    pub complete: bool,
}

impl Scored {
    /// A value that a deeper search may change.
    pub fn open(score: i32) -> Scored {
        Scored {
            score,
            complete: false,
        }
    }
}

impl std::ops::Neg for Scored {
    type Output = Scored;

    #[inline]
    fn neg(self) -> Scored {
        Scored {
            score: -self.score,
            ..self
        }
    }
}

/// An open window from `alpha` to `beta`, both excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The player to move is sure of this much elsewhere.
    pub alpha: i32,
    /// The opponent will not allow more than this.
    pub beta: i32,
}

impl Window {
    /// Everything.
    pub const FULL: Window = Window {
        alpha: -INFINITY,
        beta: INFINITY,
    };

    /// The window that only asks whether the value is above `alpha`.
    #[inline]
    pub fn null(alpha: i32) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The same window from the other side.
    #[inline]
    pub fn flipped(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// Whether no value lies inside.
    #[inline]
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// What there is to know about a node besides its position.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Whose turn it is, and for whom the node is valued.
    pub mover: Player,
    /// The values that matter.
    pub window: Window,
    /// Plies still to be searched.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// What the node is expected to be.
    pub kind: NodeType,
}
