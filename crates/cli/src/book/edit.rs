//! `tabia book edit`: overrules values and moves of a book by hand.

use std::path::PathBuf;

use serde_json::json;
use tabia_catalog::book::{Builder, Flag};
use tabia_catalog::open;
use tabia_game::Cancel;

use super::{millionths, node, read, refused, shown};
use crate::console::Console;
use crate::failure::bad_request;
use crate::files::write_whole;

/// Put a book right: mark moves, give values, strike out, add
#[derive(clap::Args)]
#[command(after_help = "\
JSON: file, line, done, nodes, value (of the root, for the first player).")]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Arguments {
    /// The file of the book
    file: PathBuf,

    /// The moves that lead to the node
    #[arg(short, long, value_name = "MOVES")]
    line: Option<String>,

    /// The last move of the line is to be played, whatever its value
    #[arg(long, group = "what")]
    best: bool,

    /// The last move of the line is not to be played if there is another
    #[arg(long, group = "what")]
    worst: bool,

    /// Take mark and given value away
    #[arg(long, group = "what")]
    clear: bool,

    /// Give the node a value for the first player, as a share of a win
    #[arg(
        long,
        value_name = "V",
        group = "what",
        value_parser = millionths,
        allow_hyphen_values = true,
    )]
    value: Option<i32>,

    /// Take the node and all that follows it out; it does not come back by itself
    #[arg(long, group = "what")]
    delete: bool,

    /// Add this move to the node
    #[arg(long, value_name = "MOVE", group = "what")]
    add: Option<String>,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let mut book = read(&arguments.file)?;
    let id = node(&book, arguments.line.as_deref())?;
    let done = if let Some(mv) = &arguments.add {
        let game = open(&book.header().game)?;
        let mut builder =
            Builder::new(game, book.header(), 1, &Cancel::default()).map_err(refused)?;
        let added = builder.add_move(&mut book, id, mv).map_err(refused)?;
        format!("added {}", book.nodes()[added].mv)
    } else if arguments.delete {
        let count = book.strike(id).map_err(refused)?;
        format!("took {count} nodes out")
    } else if let Some(value) = arguments.value {
        book.give_value(id, Some(value));
        format!("gave the value {}", shown(value))
    } else if arguments.clear {
        book.give_value(id, None);
        if id != 0 {
            book.mark(id, None).map_err(refused)?;
        }
        "cleared".to_string()
    } else {
        let (flag, word) = match (arguments.best, arguments.worst) {
            (true, _) => (Flag::Best, "best"),
            (_, true) => (Flag::Worst, "worst"),
            _ => return Err(bad_request("nothing was said that could be done")),
        };
        book.mark(id, Some(flag)).map_err(refused)?;
        format!("marked as {word}")
    };
    write_whole(&arguments.file, &book.write())?;
    let value = book.tree()[0].propagated;
    if console.json {
        return console.print_json(&json!({
            "file": arguments.file.display().to_string(),
            "line": arguments.line.as_deref().unwrap_or_default(),
            "done": done,
            "nodes": book.nodes().len(),
            "value": f64::from(value) / 1e6,
        }));
    }
    console.print(&format!(
        "{done}; {} nodes, value {} for the first player\n",
        book.nodes().len(),
        shown(value)
    ))
}
