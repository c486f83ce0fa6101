//! Smart Game Format, file format 4 (Hollosi 1997): one game tree for each game.
//!
//! Black has the first seat. How points and moves are written depends on the game and is told by
//! its entry in the catalog. A game that began at a position sets up every square, since the format
//! has a start position of its own for some games.

use tabia_catalog::{AnyGame, Sgf, open};

use super::{StoredRun, day, entry_with, first_to_move, winner};
use crate::LabError;
use crate::matches::Played;
use crate::player::Fault;
use crate::referee::Ending;

pub(super) fn write(stored: &StoredRun) -> Result<String, LabError> {
    let sgf = entry_with(stored, "SGF", |entry| entry.sgf)?;
    let rules = open(stored.game()?)?;
    let board = Board::of(&rules.session(None)?.position());
    let mut text = String::new();
    for game in &stored.games {
        text += &tree(stored, &*rules, &sgf, &board, game)?;
    }
    Ok(text)
}

fn tree(
    stored: &StoredRun,
    rules: &dyn AnyGame,
    sgf: &Sgf,
    board: &Board,
    game: &Played,
) -> Result<String, LabError> {
    let first = first_to_move(rules, game)?;
    let mut names = stored.names(game);
    let mut text = format!(
        "(;FF[4]CA[UTF-8]AP[Tabia:{}]GM[{}]SZ[{}]\n",
        escape(&stored.run.version).replace(':', "\\:"),
        sgf.game,
        board.size()
    );
    let mut property = |name: &str, value: &str| {
        text += &format!("{name}[{}]\n", escape(value));
    };
    property("EV", &stored.run.title);
    property("RO", &game.round.to_string());
    property("GN", &format!("{}.{}", stored.run.id, game.number));
    property("PB", names.next().unwrap_or("?"));
    property("PW", names.next().unwrap_or("?"));
    property("RE", &result(game));
    if let Some(day) = day(stored, "-") {
        property("DT", &day);
    }
    property("GC", &game.text);
    if game.position.is_some() {
        let position = rules.session(game.position.as_deref())?.position();
        text += &setup(sgf, &Board::of(&position), first)?;
    }
    for (ply, mv) in game.moves.iter().enumerate() {
        let written = (sgf.mv)(mv, board.ranks()).ok_or_else(|| too_large(board))?;
        let colour = if (ply + first).is_multiple_of(2) {
            'B'
        } else {
            'W'
        };
        text += &format!(";{colour}[{}]", escape(&written));
        // Lines stay readable.
        if ply % 10 == 9 {
            text.push('\n');
        }
    }
    Ok(format!("{})\n", text.trim_end()))
}

fn too_large(board: &Board) -> LabError {
    LabError::BadRequest(format!(
        "a board of {} ranks cannot be written as SGF: its points have 26 letters",
        board.ranks()
    ))
}

/// Text properties hold no bare brackets and backslashes, and we write none of several lines.
fn escape(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .flat_map(|c| {
            let mark = matches!(c, ']' | '\\').then_some('\\');
            mark.into_iter().chain([c])
        })
        .collect()
}

fn result(game: &Played) -> String {
    let manner = match &game.ending {
        Ending::Fault {
            reason: Fault::Time(_) | Fault::Hung(_),
            ..
        } => "T",
        Ending::Fault { .. } => "F",
        _ => "",
    };
    match winner(game) {
        Some(Some(0)) => format!("B+{manner}"),
        Some(Some(_)) => format!("W+{manner}"),
        Some(None) => "0".to_string(),
        None => "?".to_string(),
    }
}

/// The letters on a board, by ranks from the top, read from a position as our games write them:
/// rows from the top, numbers for empty squares.
struct Board(Vec<Vec<Option<char>>>);

impl Board {
    fn of(position: &str) -> Board {
        let rows = position.split_whitespace().next().unwrap_or_default();
        Board(rows.split('/').map(row).collect())
    }

    fn ranks(&self) -> usize {
        self.0.len()
    }

    fn size(&self) -> String {
        let files = self.0.first().map_or(0, Vec::len);
        match self.ranks() {
            ranks if ranks == files => ranks.to_string(),
            ranks => format!("{files}:{ranks}"),
        }
    }
}

fn row(text: &str) -> Vec<Option<char>> {
    let mut squares = Vec::new();
    let mut empty = 0;
    for c in text.chars() {
        match c.to_digit(10) {
            Some(digit) => empty = empty * 10 + digit as usize,
            None => {
                squares.extend(std::iter::repeat_n(None, std::mem::take(&mut empty)));
                squares.push(Some(c));
            }
        }
    }
    squares.extend(std::iter::repeat_n(None, empty));
    squares
}

fn setup(sgf: &Sgf, board: &Board, first: usize) -> Result<String, LabError> {
    let [black, white] = sgf.pieces.map(Some);
    let mut text = String::new();
    for (name, piece) in [("AB", black), ("AW", white), ("AE", None)] {
        let mut points = String::new();
        for (row, rank) in board.0.iter().zip((1..=board.ranks()).rev()) {
            for (square, file) in row.iter().zip('a'..='z') {
                if *square == piece {
                    let point = (sgf.point)(&format!("{file}{rank}"), board.ranks());
                    points += &format!("[{}]", point.ok_or_else(|| too_large(board))?);
                }
            }
        }
        if !points.is_empty() {
            text += &format!("{name}{points}\n");
        }
    }
    Ok(text + if first == 0 { "PL[B]\n" } else { "PL[W]\n" })
}
