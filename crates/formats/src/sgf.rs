//! Smart Game Format, file format 4 (Hollosi 1997): one game tree for each game.
//!
//! Black has the first seat. How points and moves are written depends on the game: its [`Sgf`] says
//! so. A game that began at a position sets up every square, since the format has a start position
//! of its own for some games.
//!
//! ```
//! use tabia_formats::sgf::{Sgf, SgfBoard, SgfGame};
//!
//! fn point(square: &str, _ranks: usize) -> Option<String> {
//!     Some(square.to_string())
//! }
//! let sgf = Sgf { game: 9, pieces: ['b', 'w'], point, mv: point };
//! let moves = ["a1", "c1"].map(String::from);
//! let game = SgfGame {
//!     program: "Tabia:1",
//!     board: &SgfBoard::of("3/3/3 b"),
//!     properties: vec![("PB", "one [of many]".to_string())],
//!     setup: None,
//!     second_begins: false,
//!     moves: &moves,
//! };
//! let text = "(;FF[4]CA[UTF-8]AP[Tabia:1]GM[9]SZ[3]\nPB[one [of many\\]]\n;B[a1];W[c1])\n";
//! assert_eq!(game.text(&sgf).as_deref(), Ok(text));
//! ```

/// How games of a kind are written in SGF, file format 4 (Hollosi 1997).
#[derive(Clone, Copy, Debug)]
pub struct Sgf {
    /// The number of the game, the value of `GM`.
    pub game: u32,
    /// The letters of Black's and of White's pieces in our positions. Black has the first seat.
    pub pieces: [char; 2],
    /// A square of a board with this many ranks; nothing if SGF has no name for it.
    pub point: fn(&str, usize) -> Option<String>,
    /// A move on such a board.
    pub mv: fn(&str, usize) -> Option<String>,
}

/// A game to be written.
#[derive(Clone, Debug)]
pub struct SgfGame<'a> {
    /// The program that writes it, as `Name:version`.
    pub program: &'a str,
    /// The board of the game.
    pub board: &'a SgfBoard,
    /// Properties of the root, in their order.
    pub properties: Vec<(&'static str, String)>,
    /// The position it began at, if not at the start of the game.
    pub setup: Option<SgfBoard>,
    /// Whether the second seat makes the first move, as it may after a set-up.
    pub second_begins: bool,
    /// What was played.
    pub moves: &'a [String],
}

/// A board whose points the format has no names for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board of {ranks} ranks cannot be written as SGF: its points have 26 letters")]
pub struct TooLarge {
    /// Its ranks.
    pub ranks: usize,
}

impl SgfGame<'_> {
    /// The game as a text.
    pub fn text(&self, sgf: &Sgf) -> Result<String, TooLarge> {
        let mut text = format!(
            "(;FF[4]CA[UTF-8]AP[{}]GM[{}]SZ[{}]\n",
            program(self.program),
            sgf.game,
            self.board.size()
        );
        for (name, value) in &self.properties {
            text += &format!("{name}[{}]\n", escape(value));
        }
        if let Some(board) = &self.setup {
            text += &setup(sgf, board)?;
            text += if self.second_begins {
                "PL[W]\n"
            } else {
                "PL[B]\n"
            };
        }
        for (ply, mv) in self.moves.iter().enumerate() {
            let ranks = self.board.ranks();
            let written = (sgf.mv)(mv, ranks).ok_or(TooLarge { ranks })?;
            let colour = match (ply + usize::from(self.second_begins)).is_multiple_of(2) {
                true => 'B',
                false => 'W',
            };
            text += &format!(";{colour}[{}]", escape(&written));
            // Lines stay readable.
            if ply % 10 == 9 {
                text.push('\n');
            }
        }
        Ok(format!("{})\n", text.trim_end()))
    }
}

/// Name and version are told apart by the first colon; a further one is escaped.
fn program(text: &str) -> String {
    match text.split_once(':') {
        Some((name, version)) => {
            format!("{}:{}", escape(name), escape(version).replace(':', "\\:"))
        }
        None => escape(text),
    }
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

/// The letters on a board, by ranks from the top, read from a position as our games write them:
/// rows from the top, numbers for empty squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfBoard(Vec<Vec<Option<char>>>);

impl SgfBoard {
    /// Reads a position.
    pub fn of(position: &str) -> SgfBoard {
        let rows = position.split_whitespace().next().unwrap_or_default();
        SgfBoard(rows.split('/').map(row).collect())
    }

    /// How many ranks it has.
    pub fn ranks(&self) -> usize {
        self.0.len()
    }

    /// The value of `SZ`.
    pub fn size(&self) -> String {
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

fn setup(sgf: &Sgf, board: &SgfBoard) -> Result<String, TooLarge> {
    let ranks = board.ranks();
    let [black, white] = sgf.pieces.map(Some);
    let mut text = String::new();
    for (name, piece) in [("AB", black), ("AW", white), ("AE", None)] {
        let mut points = String::new();
        for (row, rank) in board.0.iter().zip((1..=ranks).rev()) {
            for (square, file) in row.iter().zip('a'..='z') {
                if *square == piece {
                    let point = (sgf.point)(&format!("{file}{rank}"), ranks);
                    points += &format!("[{}]", point.ok_or(TooLarge { ranks })?);
                }
            }
        }
        if !points.is_empty() {
            text += &format!("{name}{points}\n");
        }
    }
    Ok(text)
}
