//! m,n,k-games and tic-tac-toe in the catalog.

use tabia_game::bits::{Bits, Wide};
use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_registry::{GameEntry, Listing, OpenResult, Sgf, SharedListing, size_error};

use super::{Mnk, OpenRows};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "mnk",
    "m,n,k-games",
    "k in a row on a board of m files and n ranks",
    open,
)
.rules(
    "Two players place stones on empty squares of a board of m files and n ranks. The first \
     with k or more of their stones in a row, straight or diagonal, wins. A full board \
     without such a row is a draw.",
)
.parameters(PARAMETERS)
.examples(&["mnk", "mnk:5,4,k=4", "mnk:9,8,5", "mnk:15,15,5"])
.sgf(GOMOKU);

fn open(values: &OptionValues) -> OpenResult {
    let [m, n, k] = ["m", "n", "k"].map(|key| values.integer(key).unsigned_abs() as usize);
    let bits = (m + 1) * n;
    if bits <= u64::WIDTH {
        narrow(m, n, k)
    } else if bits <= u128::WIDTH {
        wide(game::<u128>(m, n, k)?)
    } else {
        wide(game::<Wide>(m, n, k)?)
    }
}

fn narrow(m: usize, n: usize, k: usize) -> OpenResult {
    let listing = Listing::new(game::<u64>(m, n, k)?).symmetric();
    Ok(listing.alphabeta(OpenRows).solve(OpenRows).boxed())
}

fn wide<B: Bits>(game: Mnk<B>) -> OpenResult {
    let listing = SharedListing::two(game).symmetric();
    Ok(listing.alphabeta(OpenRows).boxed())
}

fn game<B: Bits>(m: usize, n: usize, k: usize) -> Result<Mnk<B>, OptionError> {
    Mnk::new(m, n, k).map_err(size_error("mnk"))
}

/// The entry of the game.
pub const TICTACTOE: GameEntry = GameEntry::new(
    "tictactoe",
    "Tic-tac-toe",
    "three in a row on nine squares",
    open_tictactoe,
)
.rules(
    "Two players place their marks on empty squares of a board of three by three. The first \
     with three in a row, straight or diagonal, wins; a full board without such a row is a \
     draw.",
)
.examples(&["tictactoe"])
.sgf(GOMOKU);

fn open_tictactoe(_: &OptionValues) -> OpenResult {
    narrow(3, 3, 3)
}

/// Points are letters as in Go, the second one counted from the top.
const GOMOKU: Sgf = Sgf {
    game: 4,
    pieces: ['x', 'o'],
    point: lettered_point,
    mv: lettered_point,
};

fn lettered_point(square: &str, ranks: usize) -> Option<String> {
    let file = square.chars().next().filter(char::is_ascii_lowercase)?;
    let rank: usize = square.get(1..)?.parse().ok()?;
    let from_top = ranks.checked_sub(rank).filter(|_| ranks <= 26)?;
    let letter = char::from(b'a' + u8::try_from(from_top).ok().filter(|row| *row < 26)?);
    Some(format!("{file}{letter}"))
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "m",
        kind: ParameterKind::Integer(1, 26),
        default: "3",
        help: "files",
    },
    Parameter {
        key: "n",
        kind: ParameterKind::Integer(1, 192),
        default: "3",
        help: "ranks",
    },
    Parameter {
        key: "k",
        kind: ParameterKind::Integer(1, 192),
        default: "3",
        help: "number in a row that wins",
    },
];
