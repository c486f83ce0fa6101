//! `tabia table build`: build tables with everything they need.

use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use serde_json::{Value, json};
use tabia_catalog::{
    Kept, Symmetry, Table, TableForm, TableGroup, TablesError, size_text, table_file,
};

use super::{Folder, Memory, Target, failed, with_threads};
use crate::arguments::Threads;
use crate::console::{Console, counted, grouped, seconds, sentence};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

/// Build tables and all that they need
///
/// Slices that moves lead back and forth between are built together, after those that they lead to.
/// What is there and sound is kept; work that was killed goes on with the same command. The files
/// depend neither on threads nor on how often the work was begun.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, folder, values, symmetry, seconds, positions, memory, disk (of what was built; disk at
most), tables (a list of slice, built (false if it was there), reason (why it was built, or null),
file, bytes, checksum, symmetry, positions, win, draw, loss, max_plies). Of symmetric positions
with one entry all count as one. Of probabilities those that are certain count as win or loss,
others as draw. Where the number of entries is not known before they are built, positions and disk
are null. Tables that are no slices are named by table instead of slice.

Examples:
  tabia table build fanorona:5x9/2..5
  tabia table build dao --symmetry orbits
  tabia table build backgammon/2..12
  tabia table build fanorona:3x7/3-2,4-2 --tables /data/tables --memory 16G
  tabia table build amazons/territory:4x5,queens=4")]
pub struct Arguments {
    /// The game and its tables, such as `fanorona:5x9/2-1,3..5`: slices by name, or ranges of sizes
    /// with both ends included; all slices if none are named
    #[arg(value_name = "GAME/TABLES")]
    target: String,

    /// What to keep of each value: won, drawn or lost, or the distance to the end as well; in games
    /// with chance the probability of winning. The most that the game allows if nothing is said
    #[arg(long, value_enum, value_name = "WHAT")]
    values: Option<Values>,

    /// Which positions to keep; tables with fewer entries than asked for are kept, too
    #[arg(long, value_enum, value_name = "HOW", default_value = "none")]
    symmetry: Reduction,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    memory: Memory,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Values {
    /// Won, drawn or lost, in two bits
    Wdl,
    /// The same with the plies to the end, in two bytes
    Distance,
    /// The probability of winning, in four bytes
    Chance,
}

impl Values {
    fn kept(self) -> Kept {
        match self {
            Values::Wdl => Kept::Wdl,
            Values::Distance => Kept::Distance,
            Values::Chance => Kept::Chance,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Reduction {
    /// Every position
    None,
    /// One position of each class under the symmetries of the board
    Orbits,
}

impl Reduction {
    fn symmetry(self) -> Symmetry {
        match self {
            Reduction::None => Symmetry::None,
            Reduction::Orbits => Symmetry::Orbits,
        }
    }
}

/// What the work is expected to take.
struct Expected {
    /// Entries; `None` if they are not known before they are built.
    positions: Option<u64>,
    memory: u64,
    disk: Option<u64>,
}

impl Expected {
    fn of(plan: &[TableGroup]) -> Expected {
        let wanted = || plan.iter().filter(|group| group.wanted.is_some());
        let sum = |number: fn(&TableGroup) -> Option<u64>| {
            let add = |sum: u64, group| Some(sum.saturating_add(number(group)?));
            wanted().try_fold(0, add)
        };
        let memory = wanted().map(|group| group.memory.unwrap_or(u64::MAX));
        Expected {
            positions: sum(|group| group.positions),
            memory: memory.max().unwrap_or(0),
            disk: sum(|group| group.disk),
        }
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let target = Target::read(&arguments.target)?;
    let folder = arguments.folder.path();
    let tables = target.tables()?;
    let usual = tables.kind().usual();
    let form = TableForm {
        values: arguments.values.map_or(usual, Values::kept),
        symmetry: arguments.symmetry.symmetry(),
    };
    let job = target.job(&folder, form, arguments.memory.memory);
    let mut plan = tables.plan(&target.names()?, job).map_err(failed)?;
    let expected = Expected::of(&plan);
    if !console.json {
        console.print(&announcement(console, &target.spec, &plan, &expected))?;
    }
    let started = Instant::now();
    let cancel = cancel_on_interrupt();
    let bar = Progress::new(&target.spec, expected.positions.unwrap_or(1));
    let tally = Mutex::new(Tally::default());
    let progress = |group: &str, done: u64, all: u64| {
        if let Ok(mut tally) = tally.lock() {
            let done = tally.done(group, done.min(all), all);
            // Where the whole is not known, it is what was done and the group at work.
            bar.set(done, expected.positions.unwrap_or(tally.before + tally.all));
            bar.tell(group.to_string());
        }
    };
    let built = with_threads(arguments.threads.number(), || {
        tables.build(&plan, job, &cancel, &progress)
    })?;
    bar.finish();
    // A plan does not read files through, so that damage within them is found only now.
    for (group, reason) in plan.iter_mut().zip(built.map_err(failed)?) {
        let unexpected = reason.as_ref().filter(|_| group.wanted.is_none());
        if let Some(reason) = unexpected.filter(|_| !console.json) {
            let text = format!("{} was built again: {reason}", group.text);
            console.print(&sentence(console, &text))?;
        }
        group.wanted = reason;
    }
    let mut rows = Vec::new();
    for group in &plan {
        for name in &group.names {
            let file = table_file(&folder, &target.spec, name);
            let table = Table::open(&file).map_err(|error| failed(TablesError::from(error)))?;
            let reason = group.wanted.as_deref();
            rows.push(as_json(tables.words().table, &file, &table, reason));
        }
    }
    let expected = Expected::of(&plan);
    let elapsed = started.elapsed();
    if console.json {
        return console.print_json(&json!({
            "game": target.spec,
            "folder": folder.display().to_string(),
            "values": form.values.word(),
            "symmetry": form.symmetry.word(),
            "seconds": elapsed.as_secs_f64(),
            "positions": expected.positions,
            "memory": expected.memory,
            "disk": expected.disk,
            "tables": rows,
        }));
    }
    let bytes = rows.iter().filter_map(|row| row["bytes"].as_u64()).sum();
    console.print(&sentence(
        console,
        &format!(
            "{} in '{}', {}, after {}",
            counted(rows.len() as u64, "table", "tables"),
            folder.display(),
            size_text(bytes),
            seconds(elapsed)
        ),
    ))
}

/// Entries done in groups that are finished, and those of the group at work.
#[derive(Default)]
struct Tally {
    group: String,
    all: u64,
    before: u64,
}

impl Tally {
    fn done(&mut self, group: &str, done: u64, all: u64) -> u64 {
        if self.group != group {
            self.before += self.all;
            self.group = group.to_string();
            self.all = all;
        }
        self.before + done
    }
}

fn announcement(console: &Console, spec: &str, plan: &[TableGroup], expected: &Expected) -> String {
    let wanted: Vec<_> = plan.iter().filter(|group| group.wanted.is_some()).collect();
    if wanted.is_empty() {
        return sentence(console, &format!("{spec}: everything is there"));
    }
    let names: Vec<&str> = wanted.iter().map(|group| group.text.as_str()).collect();
    let mut text = sentence(
        console,
        &format!("{spec}: to be built are {}", names.join(" ")),
    );
    let memory = size_text(expected.memory);
    let needs = match (expected.positions, expected.disk) {
        (Some(positions), Some(disk)) => format!(
            "{} positions, {memory} of memory, {} on disk at most",
            grouped(positions),
            size_text(disk)
        ),
        _ => format!("{memory} of memory at most"),
    };
    text += &sentence(console, &needs);
    // That a table is not there needs no explanation; that one is not good enough does.
    let reasons = wanted.iter().filter_map(|group| group.wanted.as_deref());
    for reason in reasons.filter(|reason| !reason.ends_with("is not there")) {
        text += &sentence(console, reason);
    }
    text
}

fn as_json(name: &str, file: &Path, table: &Table, reason: Option<&str>) -> Value {
    let header = table.header();
    json!({
        name: header.slice,
        "built": reason.is_some(),
        "reason": reason,
        "file": file.display().to_string(),
        "bytes": table.size(),
        "checksum": table.checksum().to_string(),
        "symmetry": header.symmetry.word(),
        "positions": header.positions,
        "win": header.win,
        "draw": header.draw,
        "loss": header.loss,
        "max_plies": header.max_plies,
    })
}
