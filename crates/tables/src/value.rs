//! The value of a position: won, drawn or lost, and in how many plies.

use std::fmt;

use tabia_game::Wdl;

/// The value of a position for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableValue {
    /// Won, drawn or lost.
    pub wdl: Wdl,
    /// Plies to the end of the game when the winner hurries and the loser delays; `None` for a draw
    /// and where distances were not kept.
    pub plies: Option<u16>,
}

impl TableValue {
    /// Neither side can force a win.
    pub const DRAW: TableValue = TableValue {
        wdl: Wdl::Draw,
        plies: None,
    };

    /// The player to move wins in this many plies.
    pub fn win(plies: u16) -> TableValue {
        TableValue {
            wdl: Wdl::Win,
            plies: Some(plies),
        }
    }

    /// The player to move loses in this many plies.
    pub fn loss(plies: u16) -> TableValue {
        TableValue {
            wdl: Wdl::Loss,
            plies: Some(plies),
        }
    }
}

impl fmt::Display for TableValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.wdl.word())?;
        match self.plies {
            Some(1) => f.write_str(" in 1 ply"),
            Some(plies) => write!(f, " in {plies} plies"),
            None => Ok(()),
        }
    }
}
