//! `tabia table`: tables of all kinds, built, counted, looked up and verified.

mod build;
mod list;
mod probe;
mod stats;
mod verify;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use tabia_catalog::{
    AnyGame, AnyTables, Facet, GAMES, Kept, Symmetry, TableForm, TableHeader, TableJob,
    TablesError, full_spec, open,
};
use tabia_game::options::parse_bytes;

use crate::console::Console;
use crate::failure::{Interrupted, bad_request};

/// Build tables, count what they hold, look positions up, verify them
///
/// A table holds the value of every position of a slice of a game, such as all positions of
/// Fanorona with two pieces against one. Some games have tables of other kinds, with names of their
/// own. Tables lie in a folder, one file each.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia table build fanorona:5x9/2..4     all slices with two to four pieces
  tabia table stats fanorona:5x9/2-1
  tabia table probe fanorona:5x9 --position \"9/9/4w4/9/4b3b w\"
  tabia table verify fanorona:5x9/2..4
  tabia table build amazons/active:4x4,values=canonical
  tabia table list")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Build(build::Arguments),
    Stats(stats::Arguments),
    Probe(probe::Arguments),
    Verify(verify::Arguments),
    List(list::Arguments),
}

pub use verify::file as verify_file;

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Build(arguments) => build::run(console, arguments),
        Command::Stats(arguments) => stats::run(console, arguments),
        Command::Probe(arguments) => probe::run(console, arguments),
        Command::Verify(arguments) => verify::run(console, arguments),
        Command::List(arguments) => list::run(console, arguments),
    }
}

/// Where tables lie.
#[derive(clap::Args)]
pub struct Folder {
    /// The folder of tables; `tables`, or what TABIA_TABLES says, if none is named
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl Folder {
    /// Refuses a folder that was named and is none.
    pub fn refuse_if_missing(&self) -> anyhow::Result<()> {
        self.named().map_or(Ok(()), refuse_missing_folder)
    }

    /// The folder, if one was named with the command.
    fn named(&self) -> Option<&Path> {
        self.tables.as_deref()
    }

    /// The folder named, or the usual one.
    pub fn path(&self) -> PathBuf {
        let said = || std::env::var_os("TABIA_TABLES").filter(|folder| !folder.is_empty());
        let named = self.tables.clone().or_else(|| said().map(PathBuf::from));
        named.unwrap_or_else(|| PathBuf::from("tables"))
    }
}

/// Refuses a folder of tables to be read that there is not.
pub fn refuse_missing_folder(folder: &Path) -> anyhow::Result<()> {
    match folder.is_dir() {
        true => Ok(()),
        false => Err(bad_request(format!(
            "there is no folder of tables '{}'",
            folder.display()
        ))),
    }
}

/// How much memory may be used.
#[derive(clap::Args)]
struct Memory {
    /// Maximum memory to use, such as 8G
    #[arg(long, value_name = "BYTES", default_value = MEMORY, value_parser = memory)]
    memory: u64,
}

const MEMORY: &str = "4G";

/// Reads a number of bytes.
pub fn memory(text: &str) -> Result<u64, String> {
    let wrong = || {
        "memory is a whole number of bytes, or of K, M or G (powers of 1024), such as 500M or 8G"
            .to_string()
    };
    parse_bytes(text).filter(|&n| n > 0).ok_or_else(wrong)
}

/// A game, and which of its tables.
struct Target {
    /// The spec of the game as it was given.
    game_spec: String,
    game: Box<dyn AnyGame>,
    /// The spec that its tables are called by.
    spec: String,
    names: String,
}

impl Target {
    /// Reads `GAME/TABLES`, or a game alone for all its tables.
    fn read(text: &str) -> anyhow::Result<Target> {
        let (game_spec, names) = text.trim().rsplit_once('/').unwrap_or((text, ""));
        let game = open(game_spec)?;
        let spec = full_spec(game_spec)?;
        let spec = match game.tables() {
            Some(tables) => tables.spec(spec),
            None => spec,
        };
        Ok(Target {
            game_spec: game_spec.trim().to_string(),
            game,
            spec,
            names: names.to_string(),
        })
    }

    fn tables(&self) -> anyhow::Result<&dyn AnyTables> {
        self.game.tables().ok_or_else(|| {
            let others = GAMES.having(Facet::Tables).join(", ");
            let lacking = Facet::Tables.lacking();
            let sizes = "on boards of 64 points at most";
            bad_request(format!("{lacking}; these have, {sizes}: {others}"))
        })
    }

    /// The names of the tables.
    fn names(&self) -> anyhow::Result<Vec<String>> {
        self.tables()?.named(&self.names).map_err(failed)
    }

    fn job<'a>(&'a self, folder: &'a Path, form: TableForm, memory: u64) -> TableJob<'a> {
        TableJob {
            spec: &self.spec,
            folder,
            form,
            memory,
        }
    }

    /// What it takes to read tables, whatever they hold.
    fn reading<'a>(&'a self, folder: &'a Path, memory: u64) -> TableJob<'a> {
        let least = TableForm {
            values: Kept::Wdl,
            symmetry: Symmetry::None,
        };
        self.job(folder, least, memory)
    }
}

/// Adds fields to an object.
fn extend(object: &mut Value, fields: Map<String, Value>) {
    if let Value::Object(object) = object {
        object.extend(fields);
    }
}

/// What is said of a table that does not lie where it belongs.
fn stray(file: &Path, header: &TableHeader) -> String {
    format!(
        "'{}' is the table {}/{}, but does not lie in a folder of tables under that name",
        file.display(),
        header.game,
        header.slice
    )
}

/// An error of the tables, with the status that belongs to it.
fn failed(error: TablesError) -> anyhow::Error {
    match error {
        TablesError::Stopped => Interrupted.into(),
        error if error.is_bad_request() => bad_request(error.to_string()),
        error => error.into(),
    }
}

/// Works with this many threads.
fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    Ok(pool.build()?.install(work))
}
