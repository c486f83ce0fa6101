//! What is known of Chinese Checkers: how many moves a player alone on the board would need to
//! finish, from a table (Sturtevant 2003; Schadd 2011, section 6.4.1), a thousand points each.
//! Without a table, the rows that all pieces have to go together count. Moves that go the most rows
//! ahead come first.

use std::sync::Arc;

use tabia_game::bits::Bits;
use tabia_game::{Knowledge, Player};

use super::star::{BIT, FRAMES, TRIANGLES, backwards, rows_to_tip};
use super::{ChineseCheckers, Move, PASS, Solitaire, State};

/// Points of a move that is still to be made.
const MOVE: i32 = 1_000;
/// Points of a row that a piece has still to go. From start to target there are 56 rows, and 17
/// moves suffice.
const ROW: i32 = 300;

/// How far every player is from the end of the race.
#[derive(Clone, Debug, Default)]
pub struct Race {
    table: Option<(Solitaire, Arc<[u8]>)>,
}

impl Race {
    /// By rows, without a table.
    pub fn by_rows() -> Race {
        Race::default()
    }

    /// By the distances of a table; `None` unless it has one for each of its patterns.
    pub fn by_table(solitaire: Solitaire, distances: Arc<[u8]>) -> Option<Race> {
        let fits = solitaire.positions() == distances.len() as u64;
        fits.then_some(Race {
            table: Some((solitaire, distances)),
        })
    }

    /// What is left to do for a player, in points.
    #[inline]
    fn left(&self, game: &ChineseCheckers, state: &State, player: Player) -> i32 {
        match &self.table {
            Some((solitaire, distances)) => {
                let number = solitaire.number(game, state, player) as usize;
                MOVE * distances.get(number).map_or(0, |&moves| i32::from(moves))
            }
            None => ROW * rows_left(game, state, player),
        }
    }
}

/// The rows that a player's pieces have to go until they fill the target, whichever of them where;
/// pieces at the sides count as in the hexagon.
fn rows_left(game: &ChineseCheckers, state: &State, player: Player) -> i32 {
    /// Rows to the tip of all pieces in the target.
    const DONE: i32 = 8;
    let own = state.pieces[player.index() % TRIANGLES];
    let rows = own.iter().map(|cell| rows(game, player, cell));
    rows.sum::<i32>() - DONE
}

/// The rows from a cell to the tip of a player's target.
#[inline]
fn rows(game: &ChineseCheckers, player: Player, cell: usize) -> i32 {
    let home = usize::from(game.home(player));
    let framed = match BIT[home % FRAMES][cell] {
        // A triangle at the side lies level with the hexagon.
        0 => return 6,
        bit if home < FRAMES => bit,
        bit => backwards(bit),
    };
    rows_to_tip(framed.first())
}

impl Knowledge<ChineseCheckers> for Race {
    fn evaluate(&self, game: &ChineseCheckers, state: &State, player: Player) -> i32 {
        let own = self.left(game, state, player);
        match game.players {
            // With two players what one has the other has not.
            2 => self.left(game, state, player.other()) - own,
            _ => -own,
        }
    }

    fn priority(&self, game: &ChineseCheckers, state: &State, mv: Move) -> i32 {
        if mv == PASS {
            return 0;
        }
        let rows = |cell: u8| rows(game, state.mover, usize::from(cell));
        4 * (rows(mv.from) - rows(mv.to))
    }
}
