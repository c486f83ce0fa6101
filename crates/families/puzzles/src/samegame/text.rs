//! Notation and picture: a digit for the colour of a block, `.` for an empty cell, rows from the
//! top; and files of boards.

use tabia_game::grid::Grid;
use tabia_game::picture::{Body, Colour};
use tabia_game::text::shortened;
use tabia_game::{Draw, Payoff, Picture, Player, Text, TextError, Unit};

use super::{Board, MAX_COLOURS, Move, SameGame, State, cells_of};

const COLOURS: [Colour; MAX_COLOURS] = [
    Colour::Red,
    Colour::Blue,
    Colour::Yellow,
    Colour::White,
    Colour::Black,
    // As the first, but a digit instead of a disc.
    Colour::Red,
];

impl SameGame {
    fn grid(&self) -> Grid {
        Grid {
            width: self.columns,
            height: self.rows,
        }
    }

    /// The colour that a character of a board stands for; nothing for an empty cell.
    fn read_block(&self, c: char) -> Result<Option<usize>, String> {
        match c.to_digit(10) {
            _ if c == '.' => Ok(None),
            Some(digit) if (digit as usize) < self.colours => Ok(Some(digit as usize)),
            Some(digit) => Err(format!(
                "has a block of colour {digit}, but colours go from 0 to {}",
                self.colours - 1
            )),
            None => Err(format!(
                "has '{}' where the digit of a colour or '.' belongs",
                shortened(&c.to_string())
            )),
        }
    }

    /// The board of these rows, from the top. `name` tells where a row stands.
    fn read_rows<R: Iterator<Item = char>>(
        &self,
        rows: impl ExactSizeIterator<Item = R>,
        name: impl Fn(usize) -> String,
    ) -> Result<Board, TextError> {
        let wrong = |row: usize, what: String| Err(TextError::new(format!("{} {what}", name(row))));
        if rows.len() != self.rows {
            let (found, wanted) = (rows.len(), self.rows);
            return wrong(
                0,
                format!("begins a board of {found} row(s) where {wanted} belong"),
            );
        }
        let mut board = Board::EMPTY;
        let mut filled = vec![false; self.columns];
        for (from_top, row) in rows.enumerate() {
            let mut width = 0;
            for (column, c) in row.enumerate() {
                width += 1;
                let Some(filled) = filled.get_mut(column) else {
                    continue;
                };
                match self.read_block(c) {
                    Err(what) => return wrong(from_top, what),
                    Ok(Some(colour)) => {
                        board.put(column, self.rows - 1 - from_top, colour);
                        *filled = true;
                    }
                    Ok(None) if *filled => {
                        let what =
                            format!("has an empty cell below a block in column {}", column + 1);
                        return wrong(from_top, what);
                    }
                    Ok(None) => {}
                }
            }
            if width != self.columns {
                let wanted = self.columns;
                return wrong(
                    from_top,
                    format!("has {width} cell(s) where {wanted} belong"),
                );
            }
        }
        if let Some(gap) = (1..self.columns).find(|&right| filled[right] && !filled[right - 1]) {
            let what = format!("leaves column {gap} empty, but columns to its right have blocks");
            return wrong(self.rows - 1, what);
        }
        Ok(board)
    }

    /// Reads a file of full boards: a line for each row from the top, digits with or without blanks
    /// between them, and empty lines between boards.
    ///
    /// ```
    /// use tabia_puzzles::samegame::SameGame;
    ///
    /// let game = SameGame::new(3, 2, 3)?;
    /// assert_eq!(game.boards("0 1 2\n0 1 1\n\n2 2 2\n0 1 0\n").map(|boards| boards.len()), Ok(2));
    /// let error = game.boards("0 1 2\n0 1 7\n").map_err(|error| error.to_string());
    /// let expected = "line 2 has a block of colour 7, but colours go from 0 to 2";
    /// assert_eq!(error, Err(expected.to_string()));
    /// # Ok::<(), tabia_game::SizeError>(())
    /// ```
    pub fn boards(&self, text: &str) -> Result<Vec<State>, TextError> {
        let mut boards = Vec::new();
        let mut rows: Vec<(usize, &str)> = Vec::new();
        let lines = text.lines().chain([""]).map(str::trim);
        for (number, line) in (1..).zip(lines) {
            if !line.is_empty() {
                if line.contains('.') {
                    return Err(TextError::new(format!(
                        "line {number} has an empty cell, but a board to start with has none"
                    )));
                }
                rows.push((number, line));
            } else if !rows.is_empty() {
                let cells = rows
                    .iter()
                    .map(|(_, line)| line.chars().filter(|c| !c.is_whitespace()));
                let board = self.read_rows(cells, |row| {
                    format!("line {}", rows.get(row).map_or(0, |(number, _)| *number))
                })?;
                boards.push(State { board, points: 0 });
                rows.clear();
            }
        }
        Ok(boards)
    }
}

impl Text for SameGame {
    fn position_text(&self, state: &State) -> String {
        let rows: Vec<String> = (0..self.rows)
            .rev()
            .map(|row| {
                let block = |column| state.board.colour(column, row);
                (0..self.columns)
                    .map(|column| block(column).map_or('.', digit))
                    .collect()
            })
            .collect();
        match state.points {
            0 => rows.join("/"),
            points => format!("{} {points}", rows.join("/")),
        }
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let mut words = text.split_whitespace();
        let rows: Vec<&str> = words.next().unwrap_or("").split('/').collect();
        let rows = rows.iter().map(|row| row.chars());
        let board = self.read_rows(rows, |row| format!("row {} from the top", row + 1))?;
        let points = match words.next() {
            None => 0,
            Some(word) => {
                let gone = (self.columns * self.rows) as u32 - board.blocks();
                let most = self.score.most(gone);
                let points = word.parse::<Payoff>().ok();
                points.filter(|points| (0..=most).contains(points)).ok_or_else(|| {
                    TextError::new(format!(
                        "'{}' is no score: the {gone} blocks taken away brought 0 to {most} points",
                        shortened(word)
                    ))
                })?
            }
        };
        match words.next() {
            None => Ok(State { board, points }),
            Some(word) => Err(TextError::new(format!(
                "'{}' is too much: after the board belongs only the score",
                shortened(word)
            ))),
        }
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        self.grid().name(mv.column(), mv.row())
    }

    /// Any cell of a group names it.
    fn parse_move(&self, state: &State, text: &str) -> Result<Move, TextError> {
        let wrong = |what: &str| TextError::new(format!("'{}' {what}", shortened(text)));
        let no_cell = || {
            let last = self.grid().name(self.columns - 1, self.rows - 1);
            wrong(&format!("is no cell of the board, a1 to {last}"))
        };
        let mut rest = text.trim().chars();
        let column = match rest.next().map(|c| c.to_ascii_lowercase()) {
            Some(letter @ 'a'..='z') => letter as usize - 'a' as usize,
            _ => return Err(no_cell()),
        };
        let row = rest.as_str().parse::<usize>().ok();
        let row = row
            .and_then(|row| row.checked_sub(1))
            .filter(|&row| row < self.rows && column < self.columns)
            .ok_or_else(no_cell)?;
        let cells = cells_of(state, Move::new(column, row)).ok_or_else(|| wrong("is empty"))?;
        if cells.len() < 2 {
            return Err(wrong(
                "is a single block, and groups have two blocks at least",
            ));
        }
        let first = usize::from(cells.first);
        let lowest = cells.columns[first].trailing_zeros() as usize;
        Ok(Move::new(first, lowest))
    }

    fn player_name(&self, _: Player) -> String {
        "Player".to_string()
    }

    fn unit(&self) -> Unit {
        Unit::Things("point", "points")
    }

    fn position_help(&self) -> &'static str {
        "rows from the top and the points so far, e.g. '..../011./001. 16' on 4x3"
    }
}

fn digit(colour: usize) -> char {
    char::from(b'0' + colour as u8)
}

impl Draw for SameGame {
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let grid = self.grid();
        let mut picture = grid.picture(false);
        for cell in 0..self.columns * self.rows {
            let (column, row) = (cell / self.rows, cell % self.rows);
            if let Some(colour) = state.board.colour(column, row) {
                let body = if colour + 1 < MAX_COLOURS {
                    Body::Disc
                } else {
                    Body::Letter
                };
                picture.piece(
                    grid.place(column, row),
                    digit(colour),
                    COLOURS[colour],
                    body,
                );
            }
        }
        if let Some(mv) = last {
            picture.mark(grid.place(mv.column(), mv.row()));
        }
        picture
    }
}
