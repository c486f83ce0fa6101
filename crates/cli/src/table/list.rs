//! `tabia table list`: what there is in a folder of tables.

use comfy_table::CellAlignment;
use serde_json::json;
use tabia_catalog::{Table, table_files};

use super::{Folder, size};
use crate::console::{Console, grouped, table};
use crate::failure::bad_request;

/// List the tables of a folder
#[derive(clap::Args)]
#[command(after_help = "\
JSON: a list of file, game, slice, values, positions, win, draw, loss, max_plies, bytes, checksum,
reason (null; for a file that is no sound table why not, and everything else is null).")]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let folder = arguments.folder.path();
    let files = table_files(&folder).map_err(|error| {
        bad_request(format!(
            "there are no tables in '{}': {error}",
            folder.display()
        ))
    })?;
    let opened: Vec<_> = files.iter().map(|file| (file, Table::open(file))).collect();
    if console.json {
        let objects = opened.iter().map(|(file, table)| {
            let header = table.as_ref().ok().map(Table::header);
            json!({
                "file": file.display().to_string(),
                "game": header.map(|h| &h.game),
                "slice": header.map(|h| &h.slice),
                "values": header.map(|h| h.values.word()),
                "positions": header.map(|h| h.positions),
                "win": header.map(|h| h.win),
                "draw": header.map(|h| h.draw),
                "loss": header.map(|h| h.loss),
                "max_plies": header.and_then(|h| h.max_plies),
                "bytes": table.as_ref().ok().map(Table::size),
                "checksum": table.as_ref().ok().map(|t| t.checksum().to_string()),
                "reason": table.as_ref().err().map(ToString::to_string),
            })
        });
        return console.print_json(&objects.collect());
    }
    let mut rows = Vec::new();
    let mut complaints = String::new();
    for (_, table) in &opened {
        match table {
            Ok(table) => {
                let header = table.header();
                rows.push(vec![
                    format!("{}/{}", header.game, header.slice),
                    header.values.word().to_string(),
                    grouped(header.positions),
                    size(table.size()),
                    table.checksum().to_string().chars().take(16).collect(),
                ]);
            }
            Err(error) => complaints += &format!("{error}\n"),
        }
    }
    let header = ["TABLE", "VALUES", "POSITIONS", "SIZE", "CHECKSUM"];
    let listed = table(console, &header, rows, CellAlignment::Right);
    console.print(&format!("{listed}{complaints}"))
}
