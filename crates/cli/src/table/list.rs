//! `tabia table list`: what there is in a folder of tables.

use std::path::Path;

use comfy_table::CellAlignment;
use serde_json::json;
use tabia_catalog::{Table, TableError, folder_of, size_text, table_files};

use super::{Folder, stray};
use crate::console::{Console, grouped, sentence, table};
use crate::failure::bad_request;

/// List the tables of a folder
#[derive(clap::Args)]
#[command(after_help = "\
JSON: a list of file, game, slice, symmetry, values, positions, win, draw, loss, max_plies, bytes,
checksum, reason (null; of a file that is no sound table why not, and everything else but file is
null; of a table that lies under the name of another that it does).")]
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
    let complaint = |file: &Path, table: &Result<Table, TableError>| match table {
        Ok(table) if folder_of(file, table.header()).is_some() => None,
        Ok(table) => Some(stray(file, table.header())),
        Err(error) => Some(error.to_string()),
    };
    if console.json {
        let objects = opened.iter().map(|(file, table)| {
            let header = table.as_ref().ok().map(Table::header);
            json!({
                "file": file.display().to_string(),
                "game": header.map(|h| &h.game),
                "slice": header.map(|h| &h.slice),
                "symmetry": header.map(|h| h.symmetry.word()),
                "values": header.map(|h| h.values.word()),
                "positions": header.map(|h| h.positions),
                "win": header.map(|h| h.win),
                "draw": header.map(|h| h.draw),
                "loss": header.map(|h| h.loss),
                "max_plies": header.and_then(|h| h.max_plies),
                "bytes": table.as_ref().ok().map(Table::size),
                "checksum": table.as_ref().ok().map(|t| t.checksum().to_string()),
                "reason": complaint(file, table),
            })
        });
        return console.print_json(&objects.collect());
    }
    let mut rows = Vec::new();
    let mut complaints = String::new();
    for (file, table) in &opened {
        if let Some(complaint) = complaint(file, table) {
            complaints += &sentence(console, &complaint);
        } else if let Ok(table) = table {
            let header = table.header();
            rows.push(vec![
                format!("{}/{}", header.game, header.slice),
                header.symmetry.word().to_string(),
                header.values.word().to_string(),
                grouped(header.positions),
                size_text(table.size()),
                table.checksum().to_string().chars().take(16).collect(),
            ]);
        }
    }
    let header = [
        "TABLE",
        "SYMMETRY",
        "VALUES",
        "POSITIONS",
        "SIZE",
        "CHECKSUM",
    ];
    let listed = table(console, &header, rows, CellAlignment::Right);
    console.print(&format!("{listed}{complaints}"))
}
