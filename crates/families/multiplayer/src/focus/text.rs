//! Notation and picture of Focus.
//!
//! A position is the rows of the 8x8 board from the top, in which a number stands for this many
//! squares without men (those that were cut off included), a letter for a man and letters in
//! parentheses for a stack from the lowest man on; then the player to move, the reserves, the
//! captured men of each player by their colours, and the number of moves played:
//! `8/1rrggrr1/... r 0,1 0,2;1,0 17`. What is left out at the end is nothing.
//!
//! A move is `c3-c5`, a man of the reserve `*c5`.

use std::str::Chars;

use tabia_game::picture::{Body, Colour, Picture, Shade};
use tabia_game::{Draw, Player, Text, TextError};

use super::{BOARD, Focus, GRID, Move, PASS, RESERVE, SEATS, SIDE, SQUARES, Stack, State};
use tabia_game::Outcome;

const LETTERS: [char; SEATS] = ['r', 'g', 'b', 'y'];
const NAMES: [&str; SEATS] = ["Red", "Green", "Blue", "Yellow"];
const COLOURS: [Colour; SEATS] = [Colour::Red, Colour::Green, Colour::Blue, Colour::Yellow];

fn name(square: u8) -> String {
    let square = usize::from(square);
    GRID.name(square % SIDE, square / SIDE)
}

fn wrong<T>(message: impl Into<String>) -> Result<T, TextError> {
    Err(TextError::new(message))
}

fn stack_text(stack: Stack) -> String {
    let men = stack.men().map(|man| LETTERS[usize::from(man)]);
    match stack.height() {
        1 => men.collect(),
        _ => format!("({})", men.collect::<String>()),
    }
}

fn rows_text(state: &State) -> String {
    let row = |rank: usize| {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..SIDE {
            let stack = state.stacks[rank * SIDE + file];
            if stack.is_empty() {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text += &stack_text(stack);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    };
    let rows: Vec<String> = (0..SIDE).rev().map(row).collect();
    rows.join("/")
}

fn numbers_text(numbers: &[u8]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
    numbers.join(",")
}

impl Focus {
    fn man(&self, letter: char) -> Result<u8, TextError> {
        let letters = &LETTERS[..self.players];
        match letters.iter().position(|&l| l == letter) {
            Some(owner) => Ok(owner as u8),
            None => {
                let known: Vec<String> = letters.iter().map(|l| format!("'{l}'")).collect();
                let known = known.join(", ");
                wrong(format!(
                    "'{letter}' is no man: the men are {known}, a number stands for squares \
                     without any, and a stack is in parentheses"
                ))
            }
        }
    }

    fn read_stack(&self, letters: &mut Chars<'_>) -> Result<Stack, TextError> {
        let mut stack = Stack::EMPTY;
        loop {
            match letters.next() {
                Some(')') if !stack.is_empty() => return Ok(stack),
                Some(')') => return wrong("a stack in parentheses has at least one man"),
                None => return wrong("a stack lacks its ')'"),
                Some(letter) => {
                    let taller = stack.with(self.man(letter)?);
                    stack =
                        taller.ok_or_else(|| TextError::new("a stack has more than five men"))?;
                }
            }
        }
    }

    fn read_row(&self, text: &str, rank: usize, row: &mut [Stack]) -> Result<(), TextError> {
        let bad = |why: String| wrong(format!("row {} ('{text}') {why}", rank + 1));
        let mut file = 0usize;
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if let Some(digit) = letter.to_digit(10) {
                file += digit as usize;
            } else {
                let stack = match letter {
                    '(' => self.read_stack(&mut letters)?,
                    '.' | '-' | '_' => Stack::EMPTY,
                    letter => Stack::of(self.man(letter)?),
                };
                let cut = BOARD & 1u64.wrapping_shl((rank * SIDE + file) as u32) == 0;
                match row.get_mut(file) {
                    Some(_) if cut && !stack.is_empty() => {
                        let name = GRID.name(file, rank);
                        return bad(format!("has a man on {name}, which is not on the board"));
                    }
                    Some(square) => *square = stack,
                    None => return bad(format!("is longer than {SIDE} squares")),
                }
                file += 1;
            }
        }
        match file == SIDE {
            true => Ok(()),
            false => bad(format!("has {file} square(s) where {SIDE} belong")),
        }
    }

    /// This many numbers with commas between them.
    fn read_numbers(&self, text: &str, whose: &str) -> Result<[u8; SEATS], TextError> {
        let mut numbers = [0; SEATS];
        let words: Vec<&str> = text.split(',').collect();
        let read: Option<Vec<u8>> = words.iter().map(|word| word.parse().ok()).collect();
        match read {
            Some(read) if read.len() == self.players => {
                numbers[..self.players].copy_from_slice(&read);
                Ok(numbers)
            }
            _ => wrong(format!(
                "'{text}' does not tell {whose}: {} numbers of men belong there, with commas \
                 between them",
                self.players
            )),
        }
    }

    fn read_captured(&self, text: &str) -> Result<[[u8; SEATS]; SEATS], TextError> {
        let mut captured = [[0; SEATS]; SEATS];
        let words: Vec<&str> = text.split(';').collect();
        if words.len() != self.players {
            return wrong(format!(
                "'{text}' does not tell captured men: {} lists belong there, with semicolons \
                 between them",
                self.players
            ));
        }
        for (player, word) in words.into_iter().enumerate() {
            captured[player] = self.read_numbers(word, "captured men")?;
            if captured[player][player] > 0 {
                return wrong("a player does not capture men of the own colour");
            }
        }
        Ok(captured)
    }

    /// No colour has more men than it begins with.
    fn check_men(&self, state: &State) -> Result<(), TextError> {
        for colour in 0..self.players {
            let on_board = state.stacks.iter().flat_map(|stack| stack.men());
            let on_board = on_board.filter(|&man| usize::from(man) == colour).count();
            let captured = state.captured.iter().map(|men| usize::from(men[colour]));
            let all = on_board + usize::from(state.reserve[colour]) + captured.sum::<usize>();
            if all > usize::from(self.men()) {
                return wrong(format!(
                    "{} has {all} men where {} are all there are",
                    NAMES[colour],
                    self.men()
                ));
            }
        }
        Ok(())
    }
}

impl Text for Focus {
    fn position_text(&self, state: &State) -> String {
        let captured: Vec<String> = state.captured[..self.players]
            .iter()
            .map(|men| numbers_text(&men[..self.players]))
            .collect();
        format!(
            "{} {} {} {} {}",
            rows_text(state),
            LETTERS[state.mover.index() % SEATS],
            numbers_text(&state.reserve[..self.players]),
            captured.join(";"),
            state.plies
        )
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        let text = text.to_ascii_lowercase();
        let mut words = text.split_whitespace();
        let rows: Vec<&str> = words.next().unwrap_or("").split('/').collect();
        if rows.len() != SIDE {
            return wrong(format!(
                "the board has {} row(s) where {SIDE} belong, from the top and joined by '/'",
                rows.len()
            ));
        }
        let mut stacks = [Stack::EMPTY; SQUARES];
        for (down, row) in rows.into_iter().enumerate() {
            let rank = SIDE - 1 - down;
            self.read_row(row, rank, &mut stacks[rank * SIDE..][..SIDE])?;
        }
        let Some(mover) = words.next() else {
            return wrong("after the board belongs the player to move");
        };
        let mut letter = mover.chars();
        let mover = match (letter.next(), letter.next()) {
            (Some(letter), None) => self.man(letter)?,
            _ => return wrong(format!("'{mover}' is no player to move")),
        };
        let reserve = words.next().map(|word| self.read_numbers(word, "reserves"));
        let captured = words.next().map(|word| self.read_captured(word));
        let plies = match words.next() {
            None => 0,
            Some(word) => match word.parse() {
                Ok(plies) if plies <= self.longest => plies,
                _ => {
                    return wrong(format!(
                        "'{word}' is no number of moves: 0 to {} have been played",
                        self.longest
                    ));
                }
            },
        };
        if let Some(more) = words.next() {
            return wrong(format!("'{more}' is too much"));
        }
        let mut state = State {
            stacks,
            reserve: reserve.transpose()?.unwrap_or_default(),
            captured: captured.transpose()?.unwrap_or_default(),
            mover: Player(mover),
            plies,
            outcome: Outcome::Open,
            key: 0,
        };
        self.check_men(&state)?;
        state.key = state.full_key();
        state.outcome = self.standing(&state)?;
        Ok(state)
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        match mv {
            PASS => "pass".to_string(),
            Move { from: RESERVE, to } => format!("*{}", name(to)),
            Move { from, to } => format!("{}-{}", name(from), name(to)),
        }
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[player.index() % SEATS].to_string()
    }

    fn position_help(&self) -> &'static str {
        "rows from the top, the player to move, reserves, captured men and moves played, e.g. \
         '8/8/8/2r1(rg)3/8/8/8/8 r 0,1 0,2;0,0 7' for two players"
    }
}

impl Draw for Focus {
    /// The owner of a stack and how many men it has; an SVG also tells which.
    fn picture(&self, state: &State, last: Option<Move>) -> Picture {
        let mut picture = Picture::default();
        for square in (0..SQUARES).filter(|&square| BOARD & 1 << square != 0) {
            let (x, y) = GRID.place(square % SIDE, square / SIDE);
            picture.cell(x, y, Shade::Light);
            let stack = state.stacks[square];
            if let Some(owner) = stack.top().map(usize::from) {
                picture.piece((x, y), LETTERS[owner], COLOURS[owner], Body::Disc);
            }
            if stack.height() > 1 {
                picture.label(x + 0.34, y, stack.height().to_string());
                let men = stack.men().map(|man| LETTERS[usize::from(man)]);
                picture.note(x, y, men.collect());
            }
        }
        for at in 0..SIDE {
            let (x, y) = GRID.place(at, at);
            picture.label(-1.0, y, (at + 1).to_string());
            picture.label(
                x,
                SIDE as f32,
                tabia_game::grid::file_letter(at).to_string(),
            );
        }
        if let Some(mv) = last {
            for square in [mv.from, mv.to].into_iter().filter(|&s| s != RESERVE) {
                let square = usize::from(square);
                picture.mark(GRID.place(square % SIDE, square / SIDE));
            }
        }
        picture
    }
}
