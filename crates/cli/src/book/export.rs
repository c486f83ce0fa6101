//! `tabia book export`: the lines of a book as openings of matches, or as a table.

use std::path::PathBuf;

use serde_json::json;
use tabia_catalog::book::Book;

use super::{read, shown};
use crate::console::Console;
use crate::files::{refuse_same, write_whole};

/// Write the lines of a book to a file
///
/// As openings they are what `tabia match --opening file:FILE` reads: one line of moves for every
/// leaf. As CSV there is a row for every node.
#[derive(clap::Args)]
#[command(after_help = "JSON: file, format, lines.")]
pub struct Arguments {
    /// The file of the book
    file: PathBuf,

    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// What to write
    #[arg(long, value_name = "F", default_value = "openings", value_parser = ["openings", "csv"])]
    format: String,

    /// Leave out lines that are shorter
    #[arg(long, value_name = "PLIES", default_value_t = 1)]
    least: usize,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let book = read(&arguments.file)?;
    refuse_same(&arguments.file, &arguments.output)?;
    let (text, lines) = match arguments.format.as_str() {
        "csv" => csv(&book, arguments.least),
        _ => openings(&book, arguments.least),
    };
    write_whole(&arguments.output, &text)?;
    let shown = arguments.output.display().to_string();
    if console.json {
        return console.print_json(&json!({
            "file": shown,
            "format": arguments.format,
            "lines": lines,
        }));
    }
    console.print(&format!("{lines} lines written to {shown}\n"))
}

/// A line for every leaf in which the game is not over.
fn openings(book: &Book, least: usize) -> (String, usize) {
    let position = match &book.header().position {
        Some(position) => format!("{position} | "),
        None => String::new(),
    };
    let (mut text, mut lines) = (format!("# {}\n", book.header().game), 0);
    for (id, place) in book.tree().iter().enumerate() {
        let open = book.nodes()[id].mover.is_some();
        if place.children.is_empty() && place.level >= least && open {
            text += &format!("{position}{}\n", book.line(id).join(" "));
            lines += 1;
        }
    }
    (text, lines)
}

/// A row for every node.
fn csv(book: &Book, least: usize) -> (String, usize) {
    let (mut text, mut lines) = ("level,line,value,propagated,children\n".to_string(), 0);
    for (id, place) in book.tree().iter().enumerate() {
        if place.level >= least {
            let line = book.line(id).join(" ").replace('"', "\"\"");
            let (own, all) = (shown(book.nodes()[id].value), shown(place.propagated));
            text += &format!(
                "{},\"{line}\",{own},{all},{}\n",
                place.level,
                place.children.len()
            );
            lines += 1;
        }
    }
    (text, lines)
}
