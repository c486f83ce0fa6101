//! Where the games of a match begin.
//!
//! Engines that are deterministic play the same game again and again from the same position, so a
//! match needs openings: random plies, lines from a file in their order, or lines drawn from a book
//! by weight. A round is one opening; the games of a pair share it.
//!
//! Where a game begins with a deal (hands, a set-up, a board), every round has one of its own,
//! unless the options of the game fix it or the opening says where it begins.
//!
//! A file holds one opening a line: moves separated by blanks, with `WEIGHT *` before them or a
//! position and a bar. Blank lines and lines that begin with `#` do not count.
//!
//! ```text
//! # the centre, three times as often as the edge
//! 3 * 4 4
//! 1 4
//! 7/7/7/7/7/3x3 o | 4
//! ```

use rand::RngExt;
use serde::{Deserialize, Serialize};
use tabia_game::{Seed, Turn};
use tabia_registry::{AnyGame, CatalogError, Session};

use crate::referee::Beginning;

/// Where the games begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Opening {
    /// At the start of the game.
    Start,
    /// After this many random plies.
    Random(u32),
    /// With the lines of a file, one after the other.
    File(Vec<OpeningLine>),
    /// With the lines of a file, drawn by weight.
    Book(Vec<OpeningLine>),
}

/// One opening of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningLine {
    /// How often it is drawn from a book, compared with the others.
    pub weight: u32,
    /// How the game begins.
    #[serde(flatten)]
    pub beginning: Beginning,
}

/// Why there is no opening.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The text does not name one.
    #[error("'{0}' is no opening: write start, random:PLIES, file:FILE or book:FILE")]
    Unknown(String),
    /// A file that cannot be read.
    #[error("the openings '{file}' cannot be read: {reason}")]
    File {
        /// Which file.
        file: String,
        /// Why not.
        reason: std::io::Error,
    },
    /// A file without openings.
    #[error("'{0}' holds no opening: write one line of moves each")]
    Empty(String),
    /// A line that cannot be played.
    #[error("line {line} of the openings '{file}': {reason}")]
    Line {
        /// Which file.
        file: String,
        /// The line, counted from one.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// This many random plies end the game.
    #[error("no game goes on after {0} random plies: ask for fewer")]
    TooLong(u32),
    /// A stored opening that the game does not take.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

/// Random plies unless something else is said.
const RANDOM_PLIES: u32 = 4;
/// The most random plies that can be asked for.
const MAX_OPENING_PLIES: u32 = 10_000;
/// Random openings that ended the game before one is given up.
const TRIALS: u64 = 1000;

impl Opening {
    /// Reads `start`, `random:4`, `file:NAME` or `book:NAME`, and the file with it.
    pub fn parse(text: &str, game: &dyn AnyGame) -> Result<Opening, OpeningError> {
        let unknown = || OpeningError::Unknown(text.to_string());
        match text.trim().split_once(':') {
            None if text.trim() == "start" => Ok(Opening::Start),
            Some(("random", plies)) => {
                let plies = plies.trim().parse().map_err(|_| unknown())?;
                match plies {
                    0 => Ok(Opening::Start),
                    1..=MAX_OPENING_PLIES => Ok(Opening::Random(plies)),
                    _ => Err(OpeningError::TooLong(plies)),
                }
            }
            Some(("file", file)) => read_file(file, game).map(Opening::File),
            Some(("book", file)) => read_file(file, game).map(Opening::Book),
            _ => Err(unknown()),
        }
    }

    /// Where games begin unless something else is said: at the start if that is drawn for every
    /// round, else after a few random plies.
    pub fn usual(game: &dyn AnyGame) -> Opening {
        match game.deals() {
            Some(_) => Opening::Start,
            None => Opening::Random(RANDOM_PLIES),
        }
    }

    /// In a few words.
    pub fn describe(&self) -> String {
        let count = |count: usize, what: &str| {
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} {what}{plural}")
        };
        match self {
            Opening::Start => "the start position".to_string(),
            Opening::Random(1) => "1 random ply".to_string(),
            Opening::Random(plies) => format!("{plies} random plies"),
            Opening::File(lines) => format!("{} in turn", count(lines.len(), "opening")),
            Opening::Book(lines) => format!("a book of {}", count(lines.len(), "opening")),
        }
    }

    /// The opening of a round.
    pub fn draw(
        &self,
        game: &dyn AnyGame,
        round: u64,
        seed: Seed,
    ) -> Result<Beginning, OpeningError> {
        let seed = seed.split("opening").number(round);
        match self {
            Opening::Start => Ok(Beginning {
                position: deal(game, seed),
                moves: Vec::new(),
            }),
            Opening::Random(plies) => {
                let start = deal(game, seed);
                for trial in 0..TRIALS {
                    let random = random(game, start.as_deref(), *plies, seed.number(trial))?;
                    if let Some(beginning) = random {
                        return Ok(beginning);
                    }
                }
                Err(OpeningError::TooLong(*plies))
            }
            Opening::File(lines) => {
                let number = round % lines.len().max(1) as u64;
                Ok(lines
                    .get(number as usize)
                    .map_or_else(Beginning::default, |l| l.beginning.clone()))
            }
            Opening::Book(lines) => {
                let total: u64 = lines.iter().map(|line| u64::from(line.weight)).sum();
                let mut left = seed.rng().random_range(0..total.max(1));
                let drawn = lines.iter().find(|line| {
                    let weight = u64::from(line.weight);
                    let here = left < weight;
                    left = left.saturating_sub(weight);
                    here
                });
                Ok(drawn.map_or_else(Beginning::default, |line| line.beginning.clone()))
            }
        }
    }
}

/// The position that a game begins with, where that is drawn.
pub fn deal(game: &dyn AnyGame, seed: Seed) -> Option<String> {
    game.deals().map(|deals| deals.deal(seed.split("deal")))
}

/// Random moves of the players, chance left to chance; nothing if the game is over too soon.
fn random(
    game: &dyn AnyGame,
    start: Option<&str>,
    plies: u32,
    seed: Seed,
) -> Result<Option<Beginning>, CatalogError> {
    let mut rng = seed.rng();
    let mut session = game.session(start)?;
    let mut played = 0;
    while played < plies {
        match session.turn() {
            Turn::Over => return Ok(None),
            Turn::Chance => {
                session.roll(&mut rng)?;
            }
            Turn::Player(_) => {
                let moves = session.moves();
                if moves.is_empty() {
                    return Ok(None);
                }
                session.play(&moves[rng.random_range(0..moves.len())])?;
                played += 1;
            }
        }
    }
    Ok((session.turn() != Turn::Over).then(|| Beginning {
        position: start.map(str::to_string),
        moves: session.history().to_vec(),
    }))
}

fn read_file(file: &str, game: &dyn AnyGame) -> Result<Vec<OpeningLine>, OpeningError> {
    let text = tabia_registry::read_text(file.as_ref()).map_err(|reason| OpeningError::File {
        file: file.to_string(),
        reason,
    })?;
    read(&text, file, game)
}

/// Reads the lines of a file of openings and plays each of them.
pub fn read(text: &str, file: &str, game: &dyn AnyGame) -> Result<Vec<OpeningLine>, OpeningError> {
    let mut lines = Vec::new();
    for (i, text) in text.lines().enumerate() {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let line = read_line(text, game).map_err(|reason| OpeningError::Line {
            file: file.to_string(),
            line: i + 1,
            reason,
        })?;
        lines.push(line);
    }
    if lines.is_empty() {
        return Err(OpeningError::Empty(file.to_string()));
    }
    Ok(lines)
}

fn read_line(text: &str, game: &dyn AnyGame) -> Result<OpeningLine, String> {
    let (weight, rest) = match text.split_once(" * ") {
        Some((weight, rest)) => {
            let weight = weight.trim().parse().ok().filter(|&w| w > 0);
            let weight = weight.ok_or("a weight is a whole number above zero")?;
            (weight, rest)
        }
        None => (1, text),
    };
    let (position, moves) = match rest.split_once('|') {
        Some((position, moves)) => (Some(position.trim().to_string()), moves),
        None => (None, rest),
    };
    let play = |session: &mut dyn Session| session.play_line(moves);
    let mut session = game
        .session(position.as_deref())
        .map_err(|e| e.to_string())?;
    play(&mut *session).map_err(|e| e.to_string())?;
    if session.turn() == Turn::Over {
        return Err("the game is over after these moves".to_string());
    }
    Ok(OpeningLine {
        weight,
        beginning: Beginning {
            position,
            moves: session.history().to_vec(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tabia_registry::open;

    #[test]
    fn files_are_read_and_errors_name_the_line() {
        let game = open("connect4").unwrap();
        let lines = read(
            "# comment\n\n3 * 4 4\n 1 4 \n7/7/7/7/7/3x3 o | 4\n",
            "f",
            &*game,
        )
        .unwrap();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0].weight, 3);
        assert_eq!(lines[1].beginning.moves, ["1", "4"]);
        assert_eq!(
            lines[2].beginning.position.as_deref(),
            Some("7/7/7/7/7/3x3 o")
        );
        let error = |text| read(text, "f", &*game).unwrap_err().to_string();
        assert!(error("4\n4 9").starts_with("line 2 of the openings 'f': move 2:"));
        assert!(error("0 * 4").contains("whole number above zero"));
        assert!(error("1 2 1 2 1 2 1").contains("over after these moves"));
        assert!(error("#\n").contains("holds no opening"));
    }

    #[test]
    fn a_file_goes_in_turn_and_a_book_by_weight() {
        let game = open("connect4").unwrap();
        let lines = read("3 * 4\n1", "f", &*game).unwrap();
        let first = |opening: &Opening, round| {
            let beginning = opening.draw(&*game, round, Seed::new(5)).unwrap();
            beginning.moves[0].clone()
        };
        let file = Opening::File(lines.clone());
        assert_eq!([0, 1, 2].map(|round| first(&file, round)), ["4", "1", "4"]);
        // 4000 draws with probability 3/4: four standard deviations are 110.
        let book = Opening::Book(lines);
        let centre = (0..4000).filter(|&r| first(&book, r) == "4").count();
        assert!((2890..=3110).contains(&centre), "{centre}");
    }

    #[test]
    fn random_openings_differ_replay_and_leave_something_to_play() {
        let game = open("tictactoe").unwrap();
        let opening = Opening::parse("random:5", &*game).unwrap();
        let draw = |round, seed| opening.draw(&*game, round, Seed::new(seed)).unwrap();
        assert_eq!(draw(3, 1), draw(3, 1));
        assert_ne!(draw(3, 1), draw(4, 1));
        assert_ne!(draw(3, 1), draw(3, 2));
        for round in 0..200 {
            let mut session = game.session(None).unwrap();
            session.play_line(&draw(round, 1).moves.join(" ")).unwrap();
            assert!(session.ending().is_none());
        }
        let all = Opening::parse("random:9", &*game).unwrap();
        assert!(matches!(
            all.draw(&*game, 0, Seed::new(1)),
            Err(OpeningError::TooLong(9))
        ));
    }

    #[test]
    fn other_texts_are_refused_with_what_would_be_right() {
        let game = open("tictactoe").unwrap();
        for text in ["", "random", "random:x", "random:-1", "books:x", "file"] {
            let error = Opening::parse(text, &*game).unwrap_err().to_string();
            assert!(error.contains("random:PLIES"), "{error}");
        }
        let error = Opening::parse("file:/nowhere", &*game).unwrap_err();
        assert!(error.to_string().contains("cannot be read"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[0-9*|x/ #.\n-]{0,40}") {
            let game = open("connect4").unwrap();
            let _ = read(&text, "f", &*game);
            let _ = Opening::parse(&text, &*game);
        }
    }
}
