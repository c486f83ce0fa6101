//! A game of one's own: its rules, the conformance kit, a search, and a value with its proof.

use std::error::Error;
use std::path::Path;

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::picture::{Body, Colour, Shade};
use tabia_game::{
    Deterministic, Draw, Game, Key, Limits, MoveIndex, Payoff, Perfect, Picture, Player, Text,
    TextError, Turn, TwoPlayer, Uninformed, Wdl, zobrist,
};
use tabia_kit::Kit;
use tabia_registry::{
    AnyCertificate, CheckJob, GameEntry, Images, OpenResult, Registry, SharedListing, SolveJob,
    SolveMethod, integer,
};

/// The rules: how many stones there are at the start.
struct Stones(u8);

/// A position. It is so small that it serves as its own undo token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    left: u8,
    mover: Player,
}

impl Game for Stones {
    type State = Row;
    type Move = u8;
    type Undo = Row;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Row {
        Row {
            left: self.0,
            mover: Player::FIRST,
        }
    }

    fn turn(&self, row: &Row) -> Turn {
        match row.left {
            0 => Turn::Over,
            _ => Turn::Player(row.mover),
        }
    }

    fn moves(&self, row: &Row, out: &mut Vec<u8>) {
        out.extend(1..=row.left.min(3));
    }

    fn play(&self, row: &mut Row, taken: u8) -> Row {
        let after = Row {
            left: row.left - taken,
            mover: row.mover.other(),
        };
        std::mem::replace(row, after)
    }

    fn undo(&self, row: &mut Row, before: Row) {
        *row = before;
    }

    /// The player to move finds nothing left: the other one took the last stone.
    fn payoff(&self, row: &Row, player: Player) -> Payoff {
        if player == row.mover { -1 } else { 1 }
    }
}

impl TwoPlayer for Stones {}

impl Key for Stones {
    fn key(&self, row: &Row) -> u64 {
        zobrist::mix(u64::from(row.left) << 1 | u64::from(row.mover.0))
    }
}

impl MoveIndex for Stones {
    fn move_indices(&self) -> usize {
        4
    }

    fn move_index(&self, taken: u8) -> usize {
        usize::from(taken)
    }
}

impl Text for Stones {
    fn position_text(&self, row: &Row) -> String {
        format!("{} {}", row.left, ["a", "b"][row.mover.index() & 1])
    }

    fn parse_position(&self, text: &str) -> Result<Row, TextError> {
        let wrong = || TextError::new(format!("0 to {} stones and the side to move", self.0));
        let (left, side) = text.trim().split_once(' ').ok_or_else(wrong)?;
        let left = left.parse().ok().filter(|&left| left <= self.0);
        let mover = match side.trim() {
            "a" => Player::FIRST,
            "b" => Player::SECOND,
            _ => return Err(wrong()),
        };
        Ok(Row {
            left: left.ok_or_else(wrong)?,
            mover,
        })
    }

    fn move_text(&self, _: &Row, taken: u8) -> String {
        taken.to_string()
    }

    fn position_help(&self) -> &'static str {
        "stones left and the side to move, e.g. '7 b'"
    }
}

impl Draw for Stones {
    fn picture(&self, row: &Row, _: Option<u8>) -> Picture {
        let mut picture = Picture::default();
        for x in 0..self.0 {
            picture.cell(f32::from(x), 0.0, Shade::Light);
            if x < row.left {
                picture.piece((f32::from(x), 0.0), 'o', Colour::Black, Body::Disc);
            }
        }
        picture
    }
}

/// What the game is called, its options, and how it is opened.
const ENTRY: GameEntry = GameEntry::new(
    "stones",
    "Stones",
    "take one to three stones; whoever takes the last one wins",
    open,
)
.parameters(&[Parameter {
    key: "n",
    kind: ParameterKind::Integer(1, 255),
    default: "10",
    help: "stones at the start",
}])
.examples(&["stones", "stones:21"]);

fn open(values: &OptionValues) -> OpenResult {
    let listing = SharedListing::two(Stones(integer(values, "n")));
    Ok(listing.alphabeta(Uninformed).solve(Uninformed).boxed())
}

fn main() -> Result<(), Box<dyn Error>> {
    // It keeps the contract.
    let kit = Kit::new().two_player().key().move_index();
    kit.text().text_key().draw().run(&Stones(10))?;

    // It is called by name, with options, and played by every preset of the alpha-beta search.
    let games = Registry::new(&[&[ENTRY]]);
    let game = games.open("stones:21")?;
    let session = game.session(Some("7 b"))?;
    let mut engine = game.engine("pvs")?;
    let answer = session.ask(&mut engine, &Limits::default())?;
    // Whoever must move loses if the number of stones is a multiple of four.
    assert_eq!(answer.best.as_deref(), Some("3"));
    assert!(answer.solved && answer.value == Some(1.0));
    println!("7 stones: take {}", answer.best.unwrap_or_default());

    // It is solved, and the proof can be checked by others.
    let job = SolveJob {
        spec: "stones:21",
        method: SolveMethod::Dfpn,
        goal: None,
        tables: None,
        table_size: None,
        memory: 1 << 24,
        threads: 1,
        images: Images::Auto,
        limits: Limits::default(),
    };
    let solving = game.solving().ok_or("the entry says .solve")?;
    for (position, value) in [("20 a", Wdl::Loss), ("21 a", Wdl::Win)] {
        let mut written = Vec::new();
        let solution = solving.solve(position, &job, Some(&mut written), &mut |_, _| {})?;
        assert_eq!(solution.value(), Some(value));
        let certificate = AnyCertificate::read(Box::new(std::io::Cursor::new(written)))?;
        let checking = CheckJob {
            tables: Path::new("tables"),
            limits: &Limits::default(),
            progress: &mut |_| {},
        };
        let checked = games.check_certificate(certificate, checking)?;
        println!(
            "{position}: {value:?}, certified by {} moves",
            checked.entries
        );
    }
    Ok(())
}
