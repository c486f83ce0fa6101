//! `tabia table verify`: derive every entry again with the rules alone.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tabia_catalog::{Symmetry, Table, TablesError, VerifiedTable, Words, folder_of};
use tabia_game::Cancel;

use super::{Folder, MEMORY, Memory, Target, failed, memory, stray, with_threads};
use crate::arguments::Threads;
use crate::console::{Console, grouped, sentence};
use crate::failure::bad_request;
use crate::interrupt::cancel_on_interrupt;

/// Derive every entry of tables again, with the rules alone
///
/// Everything that the tables rely on is verified, too, so that a clean verification proves every
/// value. Nothing is shared with what built the tables.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game (null if a file is so damaged that it cannot be told), tables (a list of slice, symmetry,
positions, values, checksum; of tables that are no slices table and entries instead of slice and
positions), valid, reason (why not, or null). Of several files a list of such objects.

Exit status: 0 if everything is right, 1 if anything is wrong.

Examples:
  tabia table verify fanorona:5x9/2..4
  tabia table verify tables/fanorona-5x9/2-1.tbl
  tabia table verify amazons/active:4x4,values=canonical")]
pub struct Arguments {
    /// The game and its tables, such as `fanorona:5x9/2-1`, or table files
    #[arg(value_name = "GAME/TABLES or FILE", required = true)]
    targets: Vec<String>,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    memory: Memory,
}

/// What to verify with.
struct Means<'a> {
    folder: &'a Folder,
    threads: usize,
    memory: u64,
    cancel: Cancel,
}

/// Verifies one table file.
pub fn file(console: &Console, file: &Path, folder: &Folder) -> anyhow::Result<()> {
    let means = Means {
        folder,
        threads: Threads::default().number(),
        memory: memory(MEMORY).map_err(bad_request)?,
        cancel: cancel_on_interrupt(),
    };
    answer(console, &[judged_file(console, file, &means)?])
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let means = Means {
        folder: &arguments.folder,
        threads: arguments.threads.number(),
        memory: arguments.memory.memory,
        cancel: cancel_on_interrupt(),
    };
    let mut judged = Vec::new();
    for text in &arguments.targets {
        let file = Path::new(text);
        judged.push(if file.is_file() {
            judged_file(console, file, &means)?
        } else if file.extension().is_some_and(|e| e == "tbl") {
            return Err(bad_request(format!("there is no file '{text}'")));
        } else {
            let target = Target::read(text)?;
            judged_target(console, &target, &means.folder.path(), &means)?
        });
    }
    answer(console, &judged)
}

/// What is found of a table or several.
struct Judged {
    json: Value,
    reason: Option<String>,
}

impl Judged {
    fn new(game: Option<&str>, tables: Vec<Value>, reason: Option<String>) -> Judged {
        let json = json!({
            "game": game,
            "tables": tables,
            "valid": reason.is_none(),
            "reason": reason,
        });
        Judged { json, reason }
    }
}

/// A table that is right.
fn as_json(words: Words, table: &VerifiedTable) -> Value {
    json!({
        words.table: table.name,
        "symmetry": table.form.symmetry.word(),
        words.entries: table.entries,
        "values": table.form.values.word(),
        "checksum": table.checksum,
    })
}

/// Tells what was found, and fails with the first reason why not all is right.
fn answer(console: &Console, judged: &[Judged]) -> anyhow::Result<()> {
    if console.json {
        let objects = judged.iter().map(|judged| judged.json.clone());
        console.print_json(&match judged {
            [only] => only.json.clone(),
            _ => objects.collect(),
        })?;
    }
    let wrong = judged.iter().find_map(|judged| judged.reason.clone());
    wrong.map_or(Ok(()), |reason| Err(anyhow::anyhow!(reason)))
}

fn judged_file(console: &Console, file: &Path, means: &Means<'_>) -> anyhow::Result<Judged> {
    match Table::open(file) {
        Ok(table) => {
            let (target, folder) = place_of(file, &table, means.folder)?;
            judged_target(console, &target, &folder, means)
        }
        Err(error) => Ok(Judged::new(None, Vec::new(), Some(error.to_string()))),
    }
}

fn judged_target(
    console: &Console,
    target: &Target,
    folder: &Path,
    means: &Means<'_>,
) -> anyhow::Result<Judged> {
    let job = target.reading(folder, means.memory);
    let (tables, names) = (target.tables()?, target.names()?);
    let spinner = console.spinner(format!("verifying {}", target.spec));
    let progress = |group: &str, done: u64, all: u64| {
        let message = format!("{group}: {} entries of {}", grouped(done), grouped(all));
        spinner.set_message(message);
    };
    let verified = with_threads(means.threads, || {
        tables.verify(&names, job, &means.cancel, &progress)
    })?;
    spinner.finish_and_clear();
    match verified {
        Ok(verified) => {
            if !console.json {
                console.print(&as_text(console, target, tables.words(), &verified))?;
            }
            let json = verified.iter().map(|table| as_json(tables.words(), table));
            Ok(Judged::new(Some(&target.spec), json.collect(), None))
        }
        Err(error @ (TablesError::Verify(_) | TablesError::Table(_)))
            if !error.is_bad_request() =>
        {
            let reason = error.to_string();
            Ok(Judged::new(Some(&target.spec), Vec::new(), Some(reason)))
        }
        Err(error) => Err(failed(error)),
    }
}

/// The game, slice and folder of a table file, which must be the folder that was named, if one was.
fn place_of(file: &Path, table: &Table, named: &Folder) -> anyhow::Result<(Target, PathBuf)> {
    let header = table.header();
    let folder = folder_of(file, header).ok_or_else(|| bad_request(stray(file, header)))?;
    if let Some(named) = named.named()
        && named.canonicalize().ok() != folder.canonicalize().ok()
    {
        return Err(bad_request(format!(
            "'{}' does not lie in the folder of tables '{}'; a table is verified with those beside \
             it",
            file.display(),
            named.display()
        )));
    }
    let target = Target::read(&format!("{}/{}", header.game, header.slice))?;
    Ok((target, folder))
}

fn as_text(console: &Console, target: &Target, words: Words, verified: &[VerifiedTable]) -> String {
    let line = |table: &VerifiedTable| {
        let entries = match table.form.symmetry {
            Symmetry::None => words.entries,
            Symmetry::Orbits => "classes",
        };
        let text = format!(
            "{}/{} is right: {} {entries}, {}, {}",
            target.spec,
            table.name,
            grouped(table.entries),
            table.form.values.word(),
            table.checksum
        );
        sentence(console, &text)
    };
    verified.iter().map(line).collect()
}
