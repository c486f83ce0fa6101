//! Lines of Action in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, Listing, OpenResult, Sgf};

use super::{Both, Loa, Mia, PARAMETERS};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "loa",
    "Lines of Action",
    "the first to connect all its pieces wins",
    open,
)
.rules(
    "A piece moves in a straight line exactly as many squares as there are pieces of both \
     colours on that whole line. It jumps own pieces but not enemy ones, and takes the \
     enemy it lands on. Whoever has all their pieces in one group, diagonals included, \
     wins; a single piece is a group. A move that connects both sides is a draw, or a win \
     for the mover. A player without a move passes, and the third occurrence of a position \
     is a draw.",
)
.parameters(PARAMETERS)
.examples(&["loa", "loa:both=mover"])
.pgn("Lines of Action")
.sgf(LINES_OF_ACTION);

fn open(values: &OptionValues) -> OpenResult {
    let both = match values.word("both") {
        "mover" => Both::Mover,
        _ => Both::Draw,
    };
    let listing = Listing::new(Loa::new(both)).symmetric();
    Ok(listing
        .alphabeta(Mia::default())
        .prefer("mia")
        .solve(Mia::default())
        .boxed())
}

/// Points are written as ours, and a colon takes.
const LINES_OF_ACTION: Sgf = Sgf {
    game: 9,
    pieces: ['b', 'w'],
    point: |square, _| Some(square.to_string()),
    mv: |mv, _| Some(mv.replace('x', ":")),
};
