//! One target for everything that reads what a user wrote, as a function of its input: libFuzzer
//! runs them through the programs in `fuzz_targets`, the tests run them over all seeds. Here is
//! what several targets share: how a seed is laid out, and what must hold of any position that a
//! game has accepted.
//!
//! A target that needs a game takes its spec from the first line of the input, so that a seed is a
//! text which a person can read and write.

pub mod answers;
pub mod book;
pub mod byte_size;
pub mod certificate;
pub mod cgt_value;
pub mod engine_spec;
pub mod game_spec;
pub mod grid;
pub mod match_record;
pub mod moves;
pub mod openings;
pub mod options;
pub mod position;
pub mod puzzle_files;
pub mod record;
pub mod room_table;
pub mod seeds;
pub mod sequential_test;
pub mod sum;
pub mod table_file;
pub mod tournament;
pub mod weights;

use tabia_catalog::{AnyGame, CatalogError, Session};
use tabia_game::picture::{svg, terminal};
use tabia_game::{Player, Turn};

/// A target, by what it reads.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// Texts.
    Text(fn(&str)),
    /// Bytes.
    Bytes(fn(&[u8])),
}

/// All targets by name.
pub const TARGETS: [(&str, Target); 21] = [
    ("answers", Target::Text(answers::target)),
    ("book", Target::Text(book::target)),
    ("byte_size", Target::Text(byte_size::target)),
    ("certificate", Target::Text(certificate::target)),
    ("cgt_value", Target::Text(cgt_value::target)),
    ("engine_spec", Target::Text(engine_spec::target)),
    ("game_spec", Target::Text(game_spec::target)),
    ("grid", Target::Text(grid::target)),
    ("match_record", Target::Text(match_record::target)),
    ("moves", Target::Text(moves::target)),
    ("openings", Target::Text(openings::target)),
    ("options", Target::Text(options::target)),
    ("position", Target::Text(position::target)),
    ("puzzle_files", Target::Text(puzzle_files::target)),
    ("record", Target::Text(record::target)),
    ("room_table", Target::Bytes(room_table::target)),
    ("sequential_test", Target::Text(sequential_test::target)),
    ("sum", Target::Text(sum::target)),
    ("table_file", Target::Bytes(table_file::target)),
    ("tournament", Target::Text(tournament::target)),
    ("weights", Target::Bytes(weights::target)),
];

/// The first line, and what follows it.
pub fn split_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// What a session shows of itself. Equal before and after whatever must not change it.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The position text.
    pub position: String,
    /// The key.
    pub key: u64,
    /// Whose turn it is.
    pub turn: Turn,
    /// The legal moves.
    pub moves: Vec<String>,
    /// How many moves have been played.
    pub played: usize,
}

impl Snapshot {
    /// What this session shows.
    pub fn of(session: &dyn Session) -> Snapshot {
        Snapshot {
            position: session.position(),
            key: session.key(),
            turn: session.turn(),
            moves: session.moves(),
            played: session.history().len(),
        }
    }
}

/// A refusal must blame the request, and say why.
pub fn check_refusal(error: &CatalogError) {
    assert!(error.is_bad_request(), "the request was at fault: {error}");
    assert!(!error.to_string().trim().is_empty(), "{error:?} is silent");
}

/// The position text, read again, must give the same text and the same key.
pub fn check_text(game: &dyn AnyGame, session: &dyn Session) {
    let text = session.position();
    match game.session(Some(&text)) {
        Ok(again) => {
            assert_eq!(again.position(), text, "the text changes when read again");
            assert_eq!(again.key(), session.key(), "the key of '{text}' changes");
        }
        Err(error) => panic!("the game does not read what it wrote: {error}"),
    }
}

/// Checks everything that can be seen of a session: turn, ending, text, picture, and each of its
/// moves, which is read, played and taken back.
pub fn check_session(game: &dyn AnyGame, session: &mut dyn Session) {
    let before = Snapshot::of(session);
    check_text(game, session);
    check_turn(game, session);
    check_picture(session);
    for mv in &before.moves {
        if let Err(error) = session.play(mv) {
            panic!("a listed move of '{}' is refused: {error}", before.position);
        }
        let read = session.history().last();
        assert_eq!(read, Some(mv), "read as another of '{}'", before.position);
        check_text(game, session);
        assert!(!session.picture().cells.is_empty(), "no board after {mv}");
        assert!(session.undo(), "{mv} cannot be taken back");
        assert_eq!(session.position(), before.position, "after undoing {mv}");
        assert_eq!(session.key(), before.key, "after undoing {mv}");
    }
    assert_eq!(Snapshot::of(session), before, "after undoing every move");
}

fn check_turn(game: &dyn AnyGame, session: &mut dyn Session) {
    let (turn, moves, ending) = (session.turn(), session.moves(), session.ending());
    let players = game.traits().players;
    let position = session.position();
    match turn {
        Turn::Over => {
            assert!(moves.is_empty(), "'{position}' is over and has moves");
            assert!(session.play("a1").is_err(), "'{position}' is played on");
        }
        Turn::Player(Player(seat)) => {
            assert!(usize::from(seat) < players, "seat {seat} in '{position}'");
            assert!(!moves.is_empty(), "'{position}' goes on without a move");
        }
        Turn::Chance => assert!(game.traits().chance, "chance in '{position}'"),
    }
    assert_eq!(ending.is_some(), turn == Turn::Over, "end of '{position}'");
    if let Some(ending) = ending {
        assert_eq!(ending.payoffs.len(), players, "payoffs of '{position}'");
    }
}

/// Both renderers must manage every picture.
fn check_picture(session: &dyn Session) {
    let picture = session.picture();
    for style in [terminal::Style::Plain, terminal::Style::Coloured] {
        assert!(!terminal::render(&picture, style).is_empty());
    }
    assert!(!svg::render(&picture, &session.position()).is_empty());
}

/// A table file with right checksums: the first line is the header, the rest is cut into as many
/// equal blocks as there are in a table of its number of positions, as far as that can be told.
pub fn sealed_table(bytes: &[u8]) -> Vec<u8> {
    let end = bytes.iter().position(|&b| b == b'\n');
    let header = &bytes[..end.unwrap_or(bytes.len())];
    let blocks = bytes.get(header.len() + 1..).unwrap_or_default();
    let mut file = b"TABIATBL\x02\0\0\0".to_vec();
    file.extend((header.len() as u32).to_le_bytes());
    file.extend(header);
    let mut hasher = blake3::Hasher::new();
    hasher.update(&file);
    let mut index = Vec::new();
    let count = table_blocks(header).unwrap_or(1).min(1000) as usize;
    for number in 0..count {
        let cut = |n: usize| blocks.len() * n / count;
        let block = &blocks[cut(number)..cut(number + 1)];
        file.extend(block);
        index.extend((file.len() as u64).to_le_bytes());
        index.extend(blake3::hash(block).as_bytes());
    }
    hasher.update(&index);
    let start = file.len() as u64;
    file.extend(index);
    file.extend(start.to_le_bytes());
    file.extend(hasher.finalize().as_bytes());
    file
}

/// The number of blocks that a header asks for.
fn table_blocks(header: &[u8]) -> Option<u64> {
    let header: tabia_tables::TableHeader = serde_json::from_slice(header).ok()?;
    let bits = header.positions.checked_mul(header.values.bits())?;
    Some(bits.div_ceil(8).div_ceil(u64::from(header.block.max(1))))
}
