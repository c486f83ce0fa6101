//! Arguments that several subcommands share.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::Value;
use tabia_catalog::{
    AnyGame, CatalogError, MAX_DEPTH, Record, Session, open, read_text, record_format, replay,
};
use tabia_game::options::{OptionValues, split_spec};
use tabia_game::{Cancel, Limits, Turn};
use tabia_lab::store::{RunKind, Store, StoreError};

use crate::failure::bad_request;

/// Which game, and where in it.
#[derive(Args)]
pub struct PositionArguments {
    /// The game, such as `tictactoe` or `mnk:5,4,k=4`; `tabia games` lists them
    #[arg(required_unless_present = "record")]
    game: Option<String>,

    /// Begin at this position; `tabia games GAME` says how it is written
    #[arg(
        short,
        long,
        value_name = "P",
        conflicts_with = "record",
        allow_hyphen_values = true
    )]
    position: Option<String>,

    /// Play these moves first, separated by blanks
    #[arg(short, long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,

    /// Begin with the game recorded in this file; a game's own formats are known by their
    /// extensions
    #[arg(short, long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// A game that was opened as [`PositionArguments`] says.
pub struct OpenedGame {
    /// Its spec.
    pub spec: String,
    /// The game.
    pub game: Box<dyn AnyGame>,
    /// How it stands.
    pub session: Box<dyn Session>,
    /// The position it began with, if not the start.
    pub position: Option<String>,
    /// Who sat where, if a record told.
    pub seats: Vec<String>,
}

impl PositionArguments {
    /// The game as it was named.
    pub fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// The position as it was given.
    pub fn position(&self) -> Option<&str> {
        self.position.as_deref()
    }

    /// Whether the game begins where it always begins: no position, moves or record was named.
    pub fn is_at_the_start(&self) -> bool {
        self.position.is_none() && self.moves.is_none() && self.record.is_none()
    }

    /// Opens the game and plays the moves.
    pub fn open(&self) -> anyhow::Result<OpenedGame> {
        self.open_as(self.game())
    }

    /// The same with this game in the place of the one that was named.
    pub fn open_as(&self, game: Option<&str>) -> anyhow::Result<OpenedGame> {
        let mut opened = match &self.record {
            Some(file) => self.replay(file, game)?,
            None => {
                let spec = game.unwrap_or_default().trim();
                let game = open(spec)?;
                OpenedGame {
                    spec: spec.to_string(),
                    session: game.session(self.position.as_deref())?,
                    game,
                    position: self.position.clone(),
                    seats: Vec::new(),
                }
            }
        };
        opened
            .session
            .play_line(self.moves.as_deref().unwrap_or_default())?;
        Ok(opened)
    }

    fn replay(&self, file: &Path, game: Option<&str>) -> anyhow::Result<OpenedGame> {
        let shown = file.display();
        let text =
            read_text(file).map_err(|e| bad_request(format!("'{shown}' cannot be read: {e}")))?;
        let format = record_format(file);
        let record = match format {
            Some(format) => (format.read)(game, &text),
            None => text.parse().map_err(CatalogError::from),
        };
        let record: Record =
            record.map_err(|e| bad_request(format!("'{shown}' is no game record: {e}")))?;
        if let Some(given) = game
            && given.trim() != record.game.trim()
        {
            return Err(bad_request(format!(
                "'{shown}' is a record of {}, not of {given}",
                record.game
            )));
        }
        let game = open(&record.game)?;
        Ok(OpenedGame {
            session: replay(&record, &*game)?,
            spec: record.game,
            game,
            position: record.position,
            seats: record.seats,
        })
    }
}

impl OpenedGame {
    /// Who is to act, or `over`.
    pub fn turn_text(&self) -> String {
        match self.session.turn() {
            Turn::Player(player) => self.game.player_name(player),
            Turn::Chance => "chance".to_string(),
            Turn::Over => "over".to_string(),
        }
    }

    /// Whose turn it is or how the game has ended, as a line.
    pub fn status(&self) -> String {
        match self.session.ending() {
            Some(ending) => ending.text,
            None => format!("{} to move", self.turn_text()),
        }
    }
}

/// The spec of an engine with one more option, unless it gives that itself; nothing if the engine
/// does not have it.
pub fn with_option(game: &dyn AnyGame, spec: &str, key: &str, value: u64) -> Option<String> {
    let (name, options) = split_spec(spec.trim());
    let engines = game.engines();
    let info = engines.iter().find(|info| info.is_called(name))?;
    info.parameters.iter().find(|p| p.key == key)?;
    Some(match OptionValues::parse(name, options, &info.parameters) {
        Ok(values) if !values.is_given(key) && options.is_empty() => {
            format!("{name}:{key}={value}")
        }
        Ok(values) if !values.is_given(key) => format!("{name}:{options},{key}={value}"),
        _ => spec.to_string(),
    })
}

/// How many threads to work with.
#[derive(Args, Default)]
pub struct Threads {
    /// Threads to work with; all cores if none are given. Results do not depend on it, but for
    /// limits on time
    #[arg(short, long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl Threads {
    /// Their number.
    pub fn number(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }
}

/// How much an engine may spend on a move.
#[derive(Args)]
pub struct LimitArguments {
    /// Search depth in plies
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)),
    )]
    depth: Option<u32>,

    /// Maximum nodes to search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Maximum seconds to think, such as 0.5
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
}

impl LimitArguments {
    /// The limits that were asked for.
    pub fn limits(&self, cancel: Cancel) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time,
            cancel,
            ..Limits::default()
        }
    }
}

/// How much an engine that plays may spend on a move.
#[derive(Args)]
pub struct PlayBudget {
    #[command(flatten)]
    budget: LimitArguments,

    /// Maximum playouts, for Monte-Carlo engines; others refuse it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
}

impl PlayBudget {
    /// The limits that were asked for.
    pub fn limits(&self, cancel: Cancel) -> Limits {
        Limits {
            playouts: self.playouts,
            ..self.budget.limits(cancel)
        }
    }
}

/// The limits, with this much time if there is no limit at all.
pub fn or_time(mut limits: Limits, time: Duration) -> Limits {
    if limits.is_unlimited() {
        limits.time = Some(time);
    }
    limits
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds| (1e-3..=1e7).contains(seconds))
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "seconds are a number from 0.001 to 10000000".to_string())
}

/// Where results are kept.
#[derive(Args)]
pub struct Keep {
    /// Keep everything that is finished in this file of results
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,

    /// Go on with what the file holds of the same plan; if no plan is told, with the newest one
    #[arg(long, requires = "db")]
    pub resume: bool,
}

impl Keep {
    /// The file, open for writing.
    pub fn store(&self) -> Result<Option<Store>, StoreError> {
        self.db.as_deref().map(Store::writer).transpose()
    }

    /// Whether a file would have to be begun: not for a request that is refused.
    pub fn is_new(&self) -> bool {
        self.db.as_deref().is_some_and(|file| !file.exists())
    }

    /// The plan of the newest run of a kind.
    pub fn newest_plan(&self, kind: RunKind) -> anyhow::Result<Value> {
        let store = self.db.as_deref().map(Store::open).transpose()?;
        let runs = store.as_ref().map(Store::runs).transpose()?;
        let mut runs = runs.unwrap_or_default().into_iter().rev();
        let newest = runs.find(|run| run.kind == kind);
        let nothing = || format!("there is no {} in the file to go on with", kind.word());
        Ok(newest.ok_or_else(|| bad_request(nothing()))?.plan)
    }

    /// Says that there was nothing to go on with.
    pub fn tell_if_new(&self, there: usize) {
        if self.resume && there == 0 {
            // Nobody is left to be told when standard error is gone.
            let _ = writeln!(
                std::io::stderr(),
                "there is nothing of this plan to go on with; it is begun"
            );
        }
    }

    /// What to say of a run that was stopped.
    pub fn hint(&self, command: &str) -> String {
        match &self.db {
            Some(file) => {
                let file = file.display();
                format!("stopped; 'tabia {command} --db {file} --resume' goes on\n")
            }
            None => String::new(),
        }
    }
}
