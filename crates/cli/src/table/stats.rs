//! `tabia table stats`: what tables hold, counted.

use comfy_table::CellAlignment;
use serde_json::json;
use tabia_catalog::Counted;

use super::{Folder, Memory, Target, extend, failed, with_threads};
use crate::arguments::Threads;
use crate::console::{Console, table};
use crate::interrupt::cancel_on_interrupt;

/// Count what tables hold, such as the positions that are won, drawn and lost
///
/// Values are for the player to move, whose pieces come first in the names of slices. Small slices
/// need no table: they are solved as they are asked for, with distances. In games with chance, what
/// is neither certainly won nor certainly lost is open.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, slice, symmetry, positions, win, draw, loss, max_plies (null where the table keeps no
distances). In games with chance: positions, win, open, loss, mean (the mean probability of
winning). Of a player alone: positions, unreached, deepest, layers (a list: how many positions are
0, 1, 2 moves from the end). Of several slices: game, symmetry, slices (a list of slice and so on).
Of tables that are no slices: game, table, rows (a list of objects; the guide of the game tells
what is in them).

Examples:
  tabia table stats fanorona:5x9/2-1 --symmetry thesis
  tabia table stats fanorona:5x9/2..4 --json
  tabia table stats dao --symmetry orbits
  tabia table stats amazons/territory:4x5,queens=2")]
pub struct Arguments {
    /// The game and its tables, such as `fanorona:5x9/2-1`
    #[arg(value_name = "GAME/TABLES")]
    target: String,

    /// What to count
    #[arg(long, value_enum, value_name = "HOW", default_value = "none")]
    symmetry: Symmetry,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    memory: Memory,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Symmetry {
    /// Every position
    None,
    /// One position of each class under the symmetries of the board
    Orbits,
    /// The same without those that a half turn maps to themselves, as Schadd (2011, table 4.3)
    Thesis,
}

impl Symmetry {
    fn counted(self) -> Counted {
        match self {
            Symmetry::None => Counted::All,
            Symmetry::Orbits => Counted::Orbits,
            Symmetry::Thesis => Counted::Thesis,
        }
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let target = Target::read(&arguments.target)?;
    let folder = arguments.folder.path();
    let job = target.reading(&folder, arguments.memory.memory);
    let tables = target.tables()?;
    let names = target.names()?;
    let counted = arguments.symmetry.counted();
    let cancel = cancel_on_interrupt();
    let spinner = console.spinner(format!("counting {}", arguments.target));
    let stats = with_threads(arguments.threads.number(), || {
        tables.stats(&names, job, counted, &cancel)
    })?;
    spinner.finish_and_clear();
    let stats = stats.map_err(failed)?;
    if console.json {
        let mut whole = json!({ "game": target.spec });
        extend(&mut whole, stats.fields);
        return console.print_json(&whole);
    }
    let columns: Vec<&str> = stats.columns.iter().map(String::as_str).collect();
    console.print(&table(console, &columns, stats.rows, CellAlignment::Right))
}
