//! `tabia table verify`: derive every entry again with the rules alone.

use std::path::Path;

use clap::Parser;
use serde_json::json;
use tabia_catalog::{Kept, Table, TablesError, VerifiedTable, folder_of};

use super::{Folder, Memory, Target, failed, with_threads};
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
JSON: game, tables (a list of slice, positions, values, checksum), valid, reason (why not, or
null). Of several files a list of such objects.

Exit status: 0 if everything is right, 1 if anything is wrong.

Examples:
  tabia table verify fanorona:5x9/2..4
  tabia table verify tables/fanorona-5x9/2-1.tbl")]
pub struct Arguments {
    /// The game and its slices, such as `fanorona:5x9/2-1`, or table files
    #[arg(value_name = "GAME/SLICES or FILE", required = true)]
    targets: Vec<String>,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    memory: Memory,
}

/// Verifies one table file.
pub fn file(console: &Console, file: &Path) -> anyhow::Result<()> {
    let words = ["verify".into(), file.as_os_str().to_os_string()];
    let parsed = Alone::try_parse_from(words).map_err(|e| bad_request(e.to_string()))?;
    run(console, &parsed.arguments)
}

/// The command without the others around it.
#[derive(clap::Parser)]
struct Alone {
    #[command(flatten)]
    arguments: Arguments,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let cancel = cancel_on_interrupt();
    let mut answers = Vec::new();
    let mut wrong = None;
    for text in &arguments.targets {
        let (target, folder) = match Path::new(text) {
            file if file.is_file() => of_file(file)?,
            _ => (Target::read(text)?, arguments.folder.path()),
        };
        let job = target.job(&folder, Kept::Wdl, arguments.memory.memory);
        let tables = target.game.tables()?;
        let spinner = console.spinner(format!("verifying {text}"));
        let progress = |group: &str, done: u64, all: u64| {
            let message = format!("{group}: {} entries of {}", grouped(done), grouped(all));
            spinner.set_message(message);
        };
        let verified = with_threads(arguments.threads.number(), || {
            tables.verify(&target.slices, job, &cancel, &progress)
        })?;
        spinner.finish_and_clear();
        let (verified, reason) = match verified {
            Ok(verified) => (verified, None),
            Err(error @ (TablesError::Verify(_) | TablesError::Table(_))) => {
                (Vec::new(), Some(error.to_string()))
            }
            Err(error) => return Err(failed(error)),
        };
        if !console.json && reason.is_none() {
            console.print(&as_text(console, &target.spec, &verified))?;
        }
        let object = |table: &VerifiedTable| {
            json!({
                "slice": table.slice,
                "positions": table.positions,
                "values": table.values.word(),
                "checksum": table.checksum,
            })
        };
        answers.push(json!({
            "game": target.spec,
            "tables": verified.iter().map(object).collect::<Vec<_>>(),
            "valid": reason.is_none(),
            "reason": reason,
        }));
        wrong = wrong.or(reason);
    }
    if console.json {
        let answer = match answers.len() {
            1 => answers.remove(0),
            _ => answers.into(),
        };
        console.print_json(&answer)?;
    }
    wrong.map_or(Ok(()), |reason| Err(anyhow::anyhow!(reason)))
}

/// The game, slice and folder of a table file.
fn of_file(file: &Path) -> anyhow::Result<(Target, std::path::PathBuf)> {
    let table = Table::open(file)?;
    let header = table.header();
    let folder = folder_of(file, header).ok_or_else(|| {
        bad_request(format!(
            "'{}' is the table {}/{}, but does not lie in a folder of tables under that name",
            file.display(),
            header.game,
            header.slice
        ))
    })?;
    let target = Target::read(&format!("{}/{}", header.game, header.slice))?;
    Ok((target, folder))
}

fn as_text(console: &Console, spec: &str, verified: &[VerifiedTable]) -> String {
    let mut text = String::new();
    for table in verified {
        text += &sentence(
            console,
            &format!(
                "{spec}/{} is right: {} positions, {}, {}",
                table.slice,
                grouped(table.positions),
                table.values.word(),
                table.checksum
            ),
        );
    }
    text
}
