//! The table of games: one entry each.

mod amazons;
mod boards;
mod cards;
mod combinatorial;
mod puzzles;

use tabia_game::Uninformed;
use tabia_game::bits::{Bits, Wide};
use tabia_game::options::{Kind, OptionError, Parameter, Values, split_spec};
use tabia_games::SizeError;
use tabia_games::backgammon::{self, Backgammon, Learnt, Networks, Rules};
use tabia_games::breakthrough::{self, Advancement, Breakthrough};
use tabia_games::chance_breakthrough::{self, ChanceBreakthrough, PiecesAndRank};
use tabia_games::connect4::{self, Connect4, Threats};
use tabia_games::dao::{self, Dao, ThreeOfFour};
use tabia_games::dice::{self, Dice, FullLine, PairCount};
use tabia_games::doguti::{self, DoGuti};
use tabia_games::einstein::{Distance, Einstein};
use tabia_games::fanorona::{self, Fanorona, Material};
use tabia_games::lgame::{self, LGame};
use tabia_games::loa::{self, Both, Loa, Mia};
use tabia_games::mnk::{Mnk, OpenRows};
use tabia_games::pig::{self, Pig, Points};
use tabia_games::stratego::{self, Armies, Setup, Stratego};

use crate::names::unknown;
use crate::regressions;
use crate::{AnyGame, CatalogError, Listing};

/// A game in the catalog.
#[derive(Debug)]
pub struct Entry {
    /// The word for it in specs.
    pub name: &'static str,
    /// Its name in the literature.
    pub title: &'static str,
    /// What it is about, in one line.
    pub summary: &'static str,
    /// Its options.
    pub parameters: &'static [Parameter],
    /// Specs that cover its variants, the plain name first. The tests put each through the
    /// conformance kit.
    pub examples: &'static [&'static str],
    /// Its `Variant` in PGN; only where two players alternate and moves go from square to square.
    pub pgn: Option<&'static str>,
    /// How it is written in SGF, where that knows it.
    pub sgf: Option<Sgf>,
    open: fn(&Values) -> Result<Box<dyn AnyGame>, OptionError>,
}

/// How games of a kind are written in SGF, file format 4 (Hollosi 1997).
#[derive(Clone, Copy, Debug)]
pub struct Sgf {
    /// The number of the game, the value of `GM`.
    pub game: u32,
    /// The letters of Black's and of White's pieces in our positions. Black has the first seat.
    pub pieces: [char; 2],
    /// A square of a board with so many ranks; nothing if SGF has no name for it.
    pub point: fn(&str, usize) -> Option<String>,
    /// A move on such a board.
    pub mv: fn(&str, usize) -> Option<String>,
}

/// All games, by name.
pub fn entries() -> &'static [Entry] {
    ENTRIES
}

/// The game with this name.
pub fn entry(name: &str) -> Result<&'static Entry, CatalogError> {
    ENTRIES.iter().find(|e| e.name == name).ok_or_else(|| {
        let known: Vec<&str> = ENTRIES.iter().map(|e| e.name).collect();
        unknown("game", name, &known)
    })
}

/// Opens a game from `name` or `name:options`.
pub fn open(spec: &str) -> Result<Box<dyn AnyGame>, CatalogError> {
    let (name, options) = split_spec(spec.trim());
    let entry = entry(name)?;
    let values = Values::parse(name, options, entry.parameters)?;
    Ok((entry.open)(&values)?)
}

// Only boards of up to 64 bits are solved: proofs on larger ones are out of reach, and every board
// width means every search compiled once more.
static ENTRIES: &[Entry] = &[
    amazons::AMAZONS,
    Entry {
        name: "backgammon",
        title: "Backgammon",
        summary: "race your checkers home by the dice",
        parameters: backgammon::PARAMETERS,
        examples: &[
            "backgammon",
            "backgammon:gammons=off",
            "backgammon:cube=on,jacoby=on",
            "backgammon:match=3,cube=on",
        ],
        pgn: None,
        sgf: None,
        open: |values| {
            let rules = Rules::from(values);
            let game = Backgammon::new(rules)
                .map_err(|error| OptionError::new(format!("backgammon: {error}")))?;
            let listing = Listing::new(game).star_minimax_with(NETWORKS, learnt);
            let listing = listing.chance_tables().expectation();
            Ok(listing.prefer("filtered").boxed())
        },
    },
    Entry {
        name: "breakthrough",
        title: "Breakthrough",
        summary: "the first to bring a piece to the last rank wins",
        parameters: breakthrough::PARAMETERS,
        examples: &["breakthrough", "breakthrough:5x6", "breakthrough:10x9"],
        pgn: Some("Breakthrough"),
        sgf: None,
        open: |values| {
            let (width, height) = values.size("size");
            if breakthrough::fits::<u64>(width, height) {
                let listing = breakthrough::<u64>(width, height)?;
                Ok(listing.solve(Advancement).boxed())
            } else {
                Ok(breakthrough::<u128>(width, height)?.boxed())
            }
        },
    },
    Entry {
        name: "chancebreakthrough",
        title: "ChanceBreakthrough",
        summary: "Breakthrough in which dice may remove a piece",
        parameters: chance_breakthrough::PARAMETERS,
        examples: &["chancebreakthrough", "chancebreakthrough:3x5,filled=1"],
        pgn: None,
        sgf: None,
        open: |values| {
            let (width, height) = values.size("size");
            let filled = values.integer("filled").unsigned_abs() as usize;
            let game = ChanceBreakthrough::<u64>::new(width, height, filled)
                .map_err(size_error("chancebreakthrough"))?;
            let known: &[_] = match (width, height, filled) {
                (8, 8, 2) => regressions::CHANCE_BREAKTHROUGH,
                _ => &[],
            };
            let listing = Listing::new(game).regressions(known);
            Ok(listing.star_minimax(PiecesAndRank).expectation().boxed())
        },
    },
    boards::CHINESE,
    combinatorial::CLOBBER,
    combinatorial::COL,
    Entry {
        name: "connect4",
        title: "Connect Four",
        summary: "dropped discs, four in a row wins",
        parameters: connect4::PARAMETERS,
        examples: &["connect4", "connect4:5x4,k=3", "connect4:9x8"],
        pgn: None,
        sgf: None,
        open: |values| {
            let (columns, rows) = values.size("size");
            let k = values.integer("k").unsigned_abs() as usize;
            if connect4::fits::<u64>(columns, rows) {
                let listing = connect4::<u64>(columns, rows, k)?;
                Ok(listing.solve(Threats).boxed())
            } else {
                Ok(connect4::<u128>(columns, rows, k)?.boxed())
            }
        },
    },
    Entry {
        name: "dao",
        title: "Dao",
        summary: "slide pieces into a line, a square or the corners",
        parameters: &[],
        examples: &["dao"],
        pgn: None,
        sgf: None,
        open: |_| {
            let listing = Listing::new(Dao).symmetric().graph(dao::State::passed);
            Ok(listing
                .alphabeta(ThreeOfFour)
                .solve_with_tables(ThreeOfFour)
                .boxed())
        },
    },
    Entry {
        name: "dice",
        title: "Dice",
        summary: "k in a row; a die says in which line",
        parameters: dice::PARAMETERS,
        examples: &["dice", "dice:3,k=3", "dice:4,k=3,full=reroll", "dice:11"],
        pgn: None,
        sgf: None,
        open: |values| {
            let [m, k] = ["m", "k"].map(|key| values.integer(key).unsigned_abs() as usize);
            let full = match values.word("full") {
                "reroll" => FullLine::Reroll,
                _ => FullLine::Pass,
            };
            let bits = (m + 1) * m;
            if bits <= u64::WIDTH {
                Ok(dice::<u64>(m, k, full)?.expectation().boxed())
            } else {
                Ok(dice::<Wide>(m, k, full)?.boxed())
            }
        },
    },
    Entry {
        name: "doguti",
        title: "Do-Guti",
        summary: "two stones each; whoever cannot move has lost",
        parameters: &[],
        examples: &["doguti"],
        pgn: None,
        sgf: None,
        open: |_| {
            let listing = Listing::new(DoGuti)
                .symmetric()
                .graph(doguti::State::passed);
            Ok(listing
                .alphabeta(Uninformed)
                .solve_with_tables(Uninformed)
                .boxed())
        },
    },
    combinatorial::DOMINEERING,
    Entry {
        name: "einstein",
        title: "EinStein würfelt nicht",
        summary: "a die says which stone goes for the corner",
        parameters: &[],
        examples: &["einstein"],
        pgn: None,
        sgf: None,
        open: |_| {
            Ok(Listing::new(Einstein)
                .star_minimax(Distance)
                .expectation()
                .boxed())
        },
    },
    combinatorial::ELEPHANTS,
    Entry {
        name: "fanorona",
        title: "Fanorona",
        summary: "capture by approach or withdrawal until none is left",
        parameters: fanorona::PARAMETERS,
        examples: &["fanorona", "fanorona:3x5", "fanorona:5x5", "fanorona:9x9"],
        pgn: None,
        sgf: None,
        open: |values| {
            let (rows, columns) = values.size("size");
            if fanorona::fits::<u64>(rows, columns) {
                let listing = fanorona::<u64>(rows, columns)?;
                Ok(listing.solve_with_tables(Material).boxed())
            } else if fanorona::fits::<u128>(rows, columns) {
                Ok(fanorona::<u128>(rows, columns)?.boxed())
            } else {
                Ok(fanorona::<Wide>(rows, columns)?.boxed())
            }
        },
    },
    combinatorial::FISSION,
    boards::FOCUS,
    puzzles::GAPS,
    cards::GOOFSPIEL,
    combinatorial::HACKENBUSH,
    cards::HEARTS,
    combinatorial::KAYLES,
    puzzles::KLONDIKE,
    Entry {
        name: "lgame",
        title: "The L-Game",
        summary: "whoever cannot put his L in another place has lost",
        parameters: &[],
        examples: &["lgame"],
        pgn: None,
        sgf: None,
        open: |_| {
            let listing = Listing::new(LGame).symmetric().graph(lgame::State::passed);
            Ok(listing
                .alphabeta(Uninformed)
                .solve_with_tables(Uninformed)
                .boxed())
        },
    },
    Entry {
        name: "loa",
        title: "Lines of Action",
        summary: "the first to connect all its pieces wins",
        parameters: loa::PARAMETERS,
        examples: &["loa", "loa:both=mover"],
        pgn: Some("Lines of Action"),
        sgf: Some(LINES_OF_ACTION),
        open: |values| {
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
        },
    },
    Entry {
        name: "mnk",
        title: "m,n,k-games",
        summary: "k in a row on a board of m files and n ranks",
        parameters: MNK,
        examples: &["mnk", "mnk:5,4,k=4", "mnk:9,8,5", "mnk:15,15,5"],
        pgn: None,
        sgf: Some(GOMOKU),
        open: |values| {
            let [m, n, k] = ["m", "n", "k"].map(|key| values.integer(key).unsigned_abs() as usize);
            let bits = (m + 1) * n;
            if bits <= u64::WIDTH {
                Ok(mnk::<u64>(m, n, k)?.solve(OpenRows).boxed())
            } else if bits <= u128::WIDTH {
                Ok(mnk::<u128>(m, n, k)?.boxed())
            } else {
                Ok(mnk::<Wide>(m, n, k)?.boxed())
            }
        },
    },
    puzzles::MORPION,
    combinatorial::NIM,
    combinatorial::NODE_KAYLES,
    combinatorial::NOGO,
    boards::OTHELLO,
    Entry {
        name: "pig",
        title: "Pig",
        summary: "roll as you dare; a one loses the turn",
        parameters: pig::PARAMETERS,
        examples: &["pig", "pig:20"],
        pgn: None,
        sgf: None,
        open: |values| {
            let goal = u16::try_from(values.integer("goal")).unwrap_or(u16::MAX);
            Ok(Listing::new(Pig::new(goal))
                .star_minimax(Points)
                .expectation()
                .boxed())
        },
    },
    combinatorial::PIN_KAYLES,
    boards::ROLIT,
    puzzles::SAMEGAME,
    puzzles::SLIDING,
    combinatorial::SNORT,
    cards::SPADES,
    Entry {
        name: "stratego",
        title: "Stratego",
        summary: "find and take the hidden Flag",
        parameters: stratego::PARAMETERS,
        examples: &[
            "stratego",
            "stratego:figure",
            "stratego:setup=random,seed=7,limit=100",
        ],
        pgn: None,
        sgf: None,
        open: |values| {
            let seed = values.integer("seed").unsigned_abs();
            let limit = u32::try_from(values.integer("limit")).unwrap_or(u32::MAX);
            let setup = Setup::named(values.word("setup"), seed);
            let listing =
                Listing::new(Stratego::new(setup, limit)).regressions(regressions::STRATEGO);
            Ok(listing.star_minimax_on_belief(Armies).boxed())
        },
    },
    Entry {
        name: "tictactoe",
        title: "Tic-tac-toe",
        summary: "three in a row on nine squares",
        parameters: &[],
        examples: &["tictactoe"],
        pgn: None,
        sgf: Some(GOMOKU),
        open: |_| Ok(mnk::<u64>(3, 3, 3)?.solve(OpenRows).boxed()),
    },
    combinatorial::TOADS,
    combinatorial::TOPPLING_DOMINOES,
];

/// Points are letters as in Go, the second one counted from the top.
const GOMOKU: Sgf = Sgf {
    game: 4,
    pieces: ['x', 'o'],
    point: lettered_point,
    mv: lettered_point,
};

/// Points are written as ours, and a colon takes.
const LINES_OF_ACTION: Sgf = Sgf {
    game: 9,
    pieces: ['b', 'w'],
    point: |square, _| Some(square.to_string()),
    mv: |mv, _| Some(mv.replace('x', ":")),
};

fn lettered_point(square: &str, ranks: usize) -> Option<String> {
    let file = square.chars().next().filter(char::is_ascii_lowercase)?;
    let rank: usize = square.get(1..)?.parse().ok()?;
    let from_top = ranks.checked_sub(rank).filter(|_| ranks <= 26)?;
    let letter = char::from(b'a' + u8::try_from(from_top).ok().filter(|row| *row < 26)?);
    Some(format!("{file}{letter}"))
}

const MNK: &[Parameter] = &[
    Parameter {
        key: "m",
        kind: Kind::Integer(1, 26),
        default: "3",
        help: "files",
    },
    Parameter {
        key: "n",
        kind: Kind::Integer(1, 192),
        default: "3",
        help: "ranks",
    },
    Parameter {
        key: "k",
        kind: Kind::Integer(1, 192),
        default: "3",
        help: "how many in a row win",
    },
];

fn size_error(name: &str) -> impl FnOnce(SizeError) -> OptionError {
    move |error| OptionError::new(format!("{name}: {error}"))
}

fn mnk<B: Bits>(m: usize, n: usize, k: usize) -> Result<Listing<Mnk<B>>, OptionError> {
    let game = Mnk::new(m, n, k).map_err(size_error("mnk"))?;
    Ok(Listing::new(game).symmetric().alphabeta(OpenRows))
}

fn dice<B: Bits>(m: usize, k: usize, full: FullLine) -> Result<Listing<Dice<B>>, OptionError> {
    let game = Dice::new(m, k, full).map_err(size_error("dice"))?;
    let known: &[_] = match (m, k, full) {
        (5, 4, FullLine::Pass) => regressions::DICE,
        _ => &[],
    };
    Ok(Listing::new(game)
        .regressions(known)
        .star_minimax(PairCount))
}

fn connect4<B: Bits>(
    columns: usize,
    rows: usize,
    k: usize,
) -> Result<Listing<Connect4<B>>, OptionError> {
    let game = Connect4::new(columns, rows, k).map_err(size_error("connect4"))?;
    Ok(Listing::new(game).symmetric().alphabeta(Threats))
}

fn breakthrough<B: Bits>(
    width: usize,
    height: usize,
) -> Result<Listing<Breakthrough<B>>, OptionError> {
    let game = Breakthrough::new(width, height).map_err(size_error("breakthrough"))?;
    Ok(Listing::new(game).symmetric().alphabeta(Advancement))
}

fn fanorona<B: Bits>(rows: usize, columns: usize) -> Result<Listing<Fanorona<B>>, OptionError> {
    let game = Fanorona::new(rows, columns).map_err(size_error("fanorona"))?;
    Ok(Listing::new(game).symmetric().alphabeta(Material))
}

/// Options of the engines of backgammon.
const NETWORKS: &[Parameter] = &[
    Parameter {
        key: "network",
        kind: Kind::File,
        default: "",
        help: "weights to evaluate with, from tabia train; those that come with Tabia if none are named",
    },
    Parameter {
        key: "noise",
        kind: Kind::Decimal(0, 1000),
        default: "0",
        help: "standard deviation of noise on the chance to win",
    },
];

fn learnt(values: &Values) -> Result<Learnt, OptionError> {
    let learnt = match values.file("network") {
        None => Learnt::shipped().map_err(|error| error.to_string()),
        Some(file) => std::fs::read(file)
            .map_err(|error| error.to_string())
            .and_then(|bytes| Networks::from_bytes(&bytes).map_err(|error| error.to_string()))
            .map(Learnt::new)
            .map_err(|error| format!("'{file}' holds no networks of backgammon: {error}")),
    };
    let noise = values.decimal("noise") as f32;
    Ok(learnt.map_err(OptionError::new)?.noisy(noise))
}
