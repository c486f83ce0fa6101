//! Positions, moves and pictures.
//!
//! A position is written in rows from the top, upper case for White, a number for this many empty
//! squares or lakes. A mark after a piece says what the opponent knows of it: `'` that it has
//! moved, `!` its rank. Then come the side to move, the plies since the last attack, and what the
//! rules of repetition remember: for White and for Black the squares between which the last piece
//! goes to and fro, and the moves of the chase. `-` stands for nothing, and what is left out at the
//! end is nothing, too.

use std::str::SplitWhitespace;

use tabia_game::picture::{Body, Colour};
use tabia_game::text::shortened;
use tabia_game::{Draw, Made, Path, Picture, Player, Text, TextError};

use super::board::{Board, GRID, LAKES, SQUARES, Step, line, name};
use super::pieces::{ARMY, Piece, Rank, Sight};
use super::repetition::{Chain, History, MoveKind, Note};
use super::{State, Stratego};
use tabia_game::Outcome;

const SIDES: [&str; 2] = ["w", "b"];
const NAMES: [&str; 2] = ["White", "Black"];
const PLAYERS: [Player; 2] = [Player::FIRST, Player::SECOND];
const NOTHING: &str = "-";

fn wrong<T>(message: String) -> Result<T, TextError> {
    Err(TextError::new(message))
}

fn letter(piece: Piece) -> char {
    let letter = piece.rank.map_or('?', Rank::letter);
    match piece.owner {
        Player::FIRST => letter,
        _ => letter.to_ascii_lowercase(),
    }
}

fn write_board(board: &Board) -> String {
    let mut rows = Vec::new();
    for rank in (0..10u8).rev() {
        let (mut row, mut empty) = (String::new(), 0);
        for file in 0..10 {
            let Some(piece) = board.at(rank * 10 + file) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                row += &empty.to_string();
                empty = 0;
            }
            row.push(letter(piece));
            row += match piece.sight {
                Sight::Hidden => "",
                Sight::Moved => "'",
                Sight::Known => "!",
            };
        }
        if empty > 0 {
            row += &empty.to_string();
        }
        rows.push(row);
    }
    rows.join("/")
}

fn read_board(text: &str) -> Result<Board, TextError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 10 {
        return wrong(format!(
            "the board has {} row(s) where 10 belong, from the top and joined by '/'",
            rows.len()
        ));
    }
    let mut board = Board::EMPTY;
    for (rank, row) in (0..10u8).rev().zip(rows) {
        if let Err(why) = read_row(&mut board, rank, row) {
            return wrong(format!("row {} ('{}') {why}", rank + 1, shortened(row)));
        }
    }
    for (player, whose) in PLAYERS.into_iter().zip(NAMES) {
        let mut left = ARMY;
        for rank in board.pieces(player).filter_map(|(_, piece)| piece.rank) {
            let Some(fewer) = left[rank.index()].checked_sub(1) else {
                return wrong(format!(
                    "{whose} has more than {} of '{}'",
                    ARMY[rank.index()],
                    rank.letter()
                ));
            };
            left[rank.index()] = fewer;
        }
    }
    Ok(board)
}

fn read_row(board: &mut Board, rank: u8, row: &str) -> Result<(), String> {
    let mut file = 0u32;
    let mut characters = row.chars().peekable();
    while let Some(character) = characters.next() {
        if let Some(digit) = character.to_digit(10) {
            let mut run = digit;
            while let Some(digit) = characters.peek().and_then(|c| c.to_digit(10)) {
                run = run.saturating_mul(10).saturating_add(digit);
                characters.next();
            }
            file = file.saturating_add(run);
        } else {
            let kind = Rank::of_letter(character).ok_or_else(|| {
                let letters: String = Rank::ALL.map(Rank::letter).iter().collect();
                format!("has '{character}'; pieces are {letters}, black ones in lower case")
            })?;
            let sight = match characters.next_if(|mark| matches!(mark, '\'' | '!')) {
                None => Sight::Hidden,
                Some('!') => Sight::Known,
                Some(_) if kind.is_mobile() => Sight::Moved,
                Some(_) => return Err(format!("has a '{character}' that has moved")),
            };
            let square = u32::from(rank) * 10 + file;
            if file >= 10 || LAKES >> square & 1 == 1 {
                return Err(format!("has '{character}' in a lake or beyond the board"));
            }
            let owner = PLAYERS[usize::from(character.is_ascii_lowercase())];
            board.set(
                square as u8,
                Some(Piece {
                    owner,
                    rank: Some(kind),
                    sight,
                }),
            );
            file += 1;
        }
    }
    match file {
        10 => Ok(()),
        _ => Err(format!("has {file} square(s) where 10 belong")),
    }
}

/// Reads squares that are written one after the other.
fn read_squares(text: &str) -> Option<Vec<u8>> {
    let mut squares = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(letter) = characters.next() {
        let file = (letter as u32)
            .checked_sub('a' as u32)
            .filter(|&file| file < 10)?;
        let mut rank = characters.next()?.to_digit(10).filter(|&rank| rank > 0)?;
        if rank == 1 && characters.next_if_eq(&'0').is_some() {
            rank = 10;
        }
        squares.push((10 * (rank - 1) + file) as u8);
    }
    Some(squares)
}

/// Whether this piece of `player`'s can have come along a step whose end it stood on.
fn can_have_come(piece: Option<Piece>, player: Player, step: Step) -> bool {
    piece.is_some_and(|piece| {
        let moved = piece.sight != Sight::Hidden && piece.rank.is_some_and(Rank::is_mobile);
        let far = piece.rank == Some(Rank::Scout) && piece.sight == Sight::Known;
        piece.owner == player && moved && (far || !step.is_long())
    }) && line(step.from, step.to).is_some()
}

fn read_chain(board: &Board, player: Player, text: &str) -> Result<Chain, TextError> {
    let read = || {
        let squares = read_squares(text)?;
        let piece = board.at(*squares.last()?);
        let mut steps = squares.windows(2).map(|pair| Step {
            from: pair[0],
            to: pair[1],
        });
        let sound = steps.all(|step| can_have_come(piece, player, step));
        Chain::new(&squares).filter(|_| sound)
    };
    match (text, read()) {
        (NOTHING, _) => Ok(Chain::default()),
        (_, Some(chain)) => Ok(chain),
        (_, None) => wrong(format!(
            "'{}' are not two to four squares between which a piece of {}'s that has moved went to \
             and fro, such as 'e4e5e4', or '-'",
            shortened(text),
            NAMES[player.index() & 1]
        )),
    }
}

/// What a text tells of the moves before a position.
struct Before {
    chains: [Chain; 2],
    /// The moves of the chase.
    trail: Vec<Note>,
}

impl Before {
    /// A path that ends with these moves. Of the others of the last plies only the player is known.
    fn path(&self, mover: Player) -> Path {
        let unknown = |mover| Note {
            mover,
            step: Step { from: 0, to: 0 },
            kind: MoveKind::Unknown,
        };
        // The moves of one player, the last one first.
        let backwards = |player: Player| -> Vec<Note> {
            let known = self.trail.iter().rev().copied();
            let mut moves: Vec<Note> = known.filter(|note| note.mover == player).collect();
            let squares = self.chains[player.index() & 1].squares();
            let older = squares.windows(2).rev().skip(moves.len());
            moves.extend(older.map(|pair| Note {
                mover: player,
                step: Step {
                    from: pair[0],
                    to: pair[1],
                },
                kind: MoveKind::Quiet { threatens: false },
            }));
            moves
        };
        let players = [mover.other(), mover];
        let moves = players.map(backwards);
        let turns = moves.iter().map(Vec::len).max().unwrap_or(0);
        let mut path = Path::new();
        if turns == 0 {
            return path;
        }
        path.push_made(Made::NOTHING);
        for turn in (0..turns).rev() {
            for (side, player) in players.into_iter().enumerate().rev() {
                let note = moves[side].get(turn).copied();
                path.push_made(Made {
                    player: Some(player),
                    note: note.unwrap_or(unknown(player)).packed(),
                });
            }
        }
        path
    }
}

/// Reads the moves of a chase: goes back through them, then forth again.
fn read_chase(board: &Board, mover: Player, text: &str) -> Result<Vec<Note>, TextError> {
    if text == NOTHING {
        return Ok(Vec::new());
    }
    let bad = || bad_chase(text);
    let mut trail = Vec::new();
    for word in text.split(',') {
        match read_squares(word).as_deref() {
            Some(&[from, to]) => trail.push(Step { from, to }),
            _ => return Err(bad()),
        }
    }
    let mut board = *board;
    let mut player = mover;
    for &step in trail.iter().rev() {
        player = player.other();
        let piece = board.at(step.to);
        let mut way = line(step.to, step.from).ok_or_else(bad)?;
        if !can_have_come(piece, player, step) || !way.all(|square| board.at(square).is_none()) {
            return Err(bad());
        }
        board.set(step.to, None);
        board.set(step.from, piece);
    }
    let mut notes = Vec::with_capacity(trail.len());
    for &step in &trail {
        notes.push(Note::quiet(&board, player, step));
        let piece = board.at(step.from);
        board.set(step.from, None);
        board.set(step.to, piece);
        player = player.other();
    }
    Ok(notes)
}

fn bad_chase(text: &str) -> TextError {
    TextError::new(format!(
        "'{}' are not the last moves, none of them an attack, of a player who threatens and one \
         who evades, such as 'e4e5,e6f6', or '-'",
        shortened(text)
    ))
}

/// Reads what follows the plies since the last attack.
fn read_before(
    board: &Board,
    mover: Player,
    words: &mut SplitWhitespace<'_>,
) -> Result<Path, TextError> {
    let mut chains = [Chain::default(); 2];
    for (player, chain) in PLAYERS.into_iter().zip(&mut chains) {
        *chain = read_chain(board, player, words.next().unwrap_or(NOTHING))?;
    }
    let chase = words.next().unwrap_or(NOTHING);
    let trail = read_chase(board, mover, chase)?;
    if let Some(word) = words.next() {
        return wrong(format!("'{}' is too much", shortened(word)));
    }
    let before = Before { chains, trail };
    let path = before.path(mover);
    let history = History::of(path.made());
    let steps: Vec<Step> = before.trail.iter().map(|note| note.step).collect();
    if history.trail() != steps {
        return Err(bad_chase(chase));
    }
    if PLAYERS.map(|player| history.chain(player)) != before.chains {
        return wrong("the moves to and fro and the chase contradict each other".to_string());
    }
    Ok(path)
}

fn read_side(words: &mut SplitWhitespace<'_>) -> Result<Player, TextError> {
    match words.next() {
        None => wrong("the side to move is missing: 'w' or 'b'".to_string()),
        Some("w") => Ok(Player::FIRST),
        Some("b") => Ok(Player::SECOND),
        Some(word) => wrong(format!(
            "'{}' is no side to move: 'w' or 'b'",
            shortened(word)
        )),
    }
}

fn squares_text(squares: &[u8]) -> String {
    match squares {
        [] => NOTHING.to_string(),
        _ => squares.iter().map(|&square| name(square)).collect(),
    }
}

/// Leaves out what is nothing at the end.
fn shorten(words: &mut Vec<String>) {
    while words.len() > 2
        && words
            .last()
            .is_some_and(|word| word == NOTHING || word == "0" && words.len() == 3)
    {
        words.pop();
    }
}

impl Text for Stratego {
    fn position_text(&self, state: &State) -> String {
        let side = SIDES[state.mover.index() & 1];
        let mut words = vec![
            write_board(&state.board),
            side.to_string(),
            state.quiet.to_string(),
        ];
        shorten(&mut words);
        words.join(" ")
    }

    fn situation_text(&self, state: &State, path: &Path) -> String {
        let side = SIDES[state.mover.index() & 1];
        let mut words = vec![
            write_board(&state.board),
            side.to_string(),
            state.quiet.to_string(),
        ];
        let history = History::of(path.made());
        words.extend(PLAYERS.map(|player| squares_text(history.chain(player).squares())));
        let trail = history.trail();
        let chase: Vec<String> = trail
            .iter()
            .map(|step| squares_text(&[step.from, step.to]))
            .collect();
        words.push(match chase.is_empty() {
            true => NOTHING.to_string(),
            false => chase.join(","),
        });
        shorten(&mut words);
        words.join(" ")
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let mut words = text.split_whitespace();
        let board = read_board(words.next().unwrap_or(""))?;
        let mover = read_side(&mut words)?;
        let quiet = words.next().unwrap_or("0");
        let Ok(quiet) = quiet.parse::<u32>() else {
            return wrong(format!(
                "'{}' is no number of plies since the last attack",
                shortened(quiet)
            ));
        };
        let path = read_before(&board, mover, &mut words)?;
        if (quiet as usize) < History::of(path.made()).trail().len() {
            return wrong("the chase is longer than the time since the last attack".to_string());
        }
        let flags = PLAYERS.map(|player| {
            board
                .pieces(player)
                .any(|(_, piece)| piece.rank == Some(Rank::Flag))
        });
        let mut state = State::new(board, mover, quiet);
        state.outcome = match flags {
            [true, true] => Outcome::Open,
            [true, false] => Outcome::Won(Player::FIRST),
            [false, true] => Outcome::Won(Player::SECOND),
            [false, false] => return wrong("neither side has a Flag".to_string()),
        };
        self.settle(&mut state);
        Ok(state)
    }

    fn parse_path(&self, text: &str) -> Result<Path, TextError> {
        let mut words = text.split_whitespace();
        let board = read_board(words.next().unwrap_or(""))?;
        let mover = read_side(&mut words)?;
        words.next();
        read_before(&board, mover, &mut words)
    }

    fn move_text(&self, state: &State, step: Step) -> String {
        let mark = match state.board.at(step.to) {
            None => '-',
            Some(_) => 'x',
        };
        format!("{}{mark}{}", name(step.from), name(step.to))
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() & 1].to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top, White in upper case (F Flag, B Bomb, S Spy, O Scout, N Miner, T \
         Sergeant, L Lieutenant, P Captain, J Major, C Colonel, G General, M Marshal; ' has moved, \
         ! is known), the side to move, plies without attack and moves to and fro, e.g. \
         'fb8/b9/10/10/3o!6/10/10/4M'5/10/F9 w 7'"
    }
}

impl Draw for Stratego {
    /// Everything is shown. White is drawn red and Black blue, the colours of the box; circles tell
    /// black pieces apart where there is no colour.
    fn picture(&self, state: &State, last: Option<Step>) -> Picture {
        drawn(state, last)
    }
}

/// The picture of a position; pieces of unknown rank are question marks.
pub(super) fn drawn(state: &State, last: Option<Step>) -> Picture {
    let mut picture = GRID.picture(false);
    let place = |square: u8| GRID.place(usize::from(square) % 10, usize::from(square) / 10);
    let lakes: Vec<_> = (0..SQUARES as u8)
        .filter(|&square| LAKES >> square & 1 == 1)
        .map(place)
        .collect();
    picture
        .cells
        .retain(|cell| !lakes.contains(&(cell.x, cell.y)));
    for (player, colour) in PLAYERS.into_iter().zip([Colour::Red, Colour::Blue]) {
        for (square, piece) in state.board.pieces(player) {
            let letter = letter(piece);
            let circled = u32::from('ⓐ') + (letter as u32).saturating_sub('a' as u32);
            let shown = match player {
                _ if piece.rank.is_none() => '?',
                Player::FIRST => letter,
                _ => char::from_u32(circled).unwrap_or(letter),
            };
            picture.piece(place(square), shown, colour, Body::Letter);
        }
    }
    for square in last.into_iter().flat_map(|step| [step.from, step.to]) {
        picture.mark(place(square));
    }
    picture
}
