//! `tabia table stats`: how many positions are won, drawn and lost.

use comfy_table::CellAlignment;
use serde_json::{Value, json};
use tabia_catalog::{Counted, Facet, SliceStats};

use super::{Folder, Memory, Target, failed, rooms, with_threads};
use crate::arguments::Threads;
use crate::console::{Console, grouped, table};
use crate::interrupt::cancel_on_interrupt;

/// Count the positions that are won, drawn and lost
///
/// Values are for the player to move, whose pieces come first in the names of slices. Small slices
/// need no table: they are solved as they are asked for, with distances. In games with chance, what is
/// neither certainly won nor certainly lost is open.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, slice, symmetry, positions, win, draw, loss, max_plies (null where the table keeps no
distances). In games with chance: positions, win, open, loss, mean (the mean probability of winning).
In Chinese Checkers: positions, unreached, deepest, layers (a list: how many positions are 0, 1, 2 moves from the end).
Of several slices: game, symmetry, slices (a list of slice and so on). Of rooms of Amazons: game, table, rows (a list of objects
by the size of rooms: rooms and alike, or queens, rooms and defective, or positions and what their values are).

Examples:
  tabia table stats fanorona:5x9/2-1 --symmetry thesis
  tabia table stats fanorona:5x9/2..4 --json
  tabia table stats dao --symmetry orbits
  tabia table stats amazons/territory:4x5,queens=2")]
pub struct Arguments {
    /// The game and its slices, such as `fanorona:5x9/2-1`
    #[arg(value_name = "GAME/SLICES")]
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
    if let Some(spec) = rooms::named(&arguments.target)? {
        let means = rooms::Means {
            folder: &arguments.folder.path(),
            threads: arguments.threads.number(),
            memory: arguments.memory.memory,
        };
        return rooms::stats(console, &spec, &means);
    }
    let target = Target::read(&arguments.target)?;
    let folder = arguments.folder.path();
    let job = target.reading(&folder, arguments.memory.memory);
    let tables = target
        .game
        .tables()
        .ok_or_else(|| Facet::Tables.refusal())?;
    let counted = arguments.symmetry.counted();
    let cancel = cancel_on_interrupt();
    let spinner = console.spinner(format!("counting {}", arguments.target));
    let stats = with_threads(arguments.threads.number(), || {
        tables.stats(&target.slices, job, counted, &cancel)
    })?;
    spinner.finish_and_clear();
    let stats = stats.map_err(failed)?;
    if console.json {
        return console.print_json(&as_json(&target.spec, counted, &stats));
    }
    if let [
        SliceStats {
            layers: Some(layers),
            ..
        },
    ] = stats.as_slice()
    {
        let rows = layers.iter().enumerate();
        let rows = rows
            .map(|(moves, &n)| vec![moves.to_string(), grouped(n)])
            .collect();
        return console.print(&table(
            console,
            &["MOVES", "POSITIONS"],
            rows,
            CellAlignment::Right,
        ));
    }
    let has_chance = stats.iter().any(|slice| slice.mean.is_some());
    let header = match has_chance {
        false => ["SLICE", "POSITIONS", "WIN", "DRAW", "LOSS", "PLIES"],
        true => ["SLICE", "POSITIONS", "WIN", "OPEN", "LOSS", "MEAN"],
    };
    let row = |slice: &SliceStats| {
        let counts = &slice.counts;
        let numbers = [counts.positions(), counts.win, counts.draw, counts.loss];
        let mean = slice.mean.map(|mean| format!("{:.4} %", 100.0 * mean));
        let last = mean.or_else(|| counts.max_plies.map(|plies| plies.to_string()));
        std::iter::once(slice.slice.clone())
            .chain(numbers.map(grouped))
            .chain([last.unwrap_or_default()])
            .collect()
    };
    let rows = stats.iter().map(row).collect();
    console.print(&table(console, &header, rows, CellAlignment::Right))
}

fn as_json(spec: &str, counted: Counted, stats: &[SliceStats]) -> Value {
    let object = |slice: &SliceStats| {
        let counts = &slice.counts;
        if let Some(layers) = &slice.layers {
            return json!({
                "slice": slice.slice,
                "positions": counts.positions(),
                "unreached": counts.loss,
                "deepest": counts.max_plies,
                "layers": layers,
            });
        }
        if let Some(mean) = slice.mean {
            return json!({
                "slice": slice.slice,
                "positions": counts.positions(),
                "win": counts.win,
                "open": counts.draw,
                "loss": counts.loss,
                "mean": mean,
            });
        }
        json!({
            "slice": slice.slice,
            "positions": counts.positions(),
            "win": counts.win,
            "draw": counts.draw,
            "loss": counts.loss,
            "max_plies": counts.max_plies,
        })
    };
    match stats {
        [only] => {
            let mut whole =
                json!({ "game": spec, "slice": only.slice, "symmetry": counted.word() });
            if let (Value::Object(whole), Value::Object(part)) = (&mut whole, object(only)) {
                whole.extend(part);
            }
            whole
        }
        several => json!({
            "game": spec,
            "symmetry": counted.word(),
            "slices": several.iter().map(object).collect::<Vec<_>>(),
        }),
    }
}
