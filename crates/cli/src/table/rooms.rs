//! Tables of rooms of Amazons: `amazons/rooms:4x5`, `amazons/territory:4x5,queens=2`, `amazons/active:4x4,values=canonical`.

use std::path::Path;
use std::time::Instant;

use comfy_table::CellAlignment;
use serde_json::{Map, Value, json};
use tabia_catalog::rooms::atlas::Atlas;
use tabia_catalog::rooms::spec::{GAME, Holds, Spec, Worth};
use tabia_catalog::rooms::store::{self, Held, StoreError};
use tabia_catalog::rooms::{RoomTables, stats as counts};
use tabia_catalog::sums::amazons_parts;
use tabia_catalog::{TableError, size_text};
use tabia_game::Cancel;

use super::with_threads;
use crate::console::{Console, counted, grouped, seconds, sentence, table};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

/// What to work with.
pub struct Means<'a> {
    pub folder: &'a Path,
    pub threads: usize,
    pub memory: u64,
}

/// The table of rooms that a target names, if it names one.
pub fn named(target: &str) -> anyhow::Result<Option<Spec>> {
    let name = target
        .trim()
        .strip_prefix(GAME)
        .and_then(|rest| rest.strip_prefix('/'));
    let spec = name.map(Spec::parse).transpose();
    spec.map_err(|error| bad_request(error.to_string()))
}

/// An error with the status that belongs to it.
fn failed(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::Table(TableError::Stopped) => Interrupted.into(),
        StoreError::Table(TableError::Memory { .. }) | StoreError::Exceeded(_) => {
            bad_request(error.to_string())
        }
        StoreError::Table(TableError::Missing(table)) => bad_request(format!(
            "the table {table} is not there; 'tabia table build {table}' builds it"
        )),
        error => error.into(),
    }
}

/// Why a table is not right; an error if that could not be found out.
pub fn reason(error: StoreError) -> anyhow::Result<String> {
    match error {
        StoreError::Wrong { .. } => Ok(error.to_string()),
        StoreError::Table(TableError::Unsound { .. } | TableError::Foreign { .. }) => {
            Ok(error.to_string())
        }
        error => Err(failed(error)),
    }
}

pub fn build(console: &Console, spec: &Spec, means: &Means<'_>) -> anyhow::Result<()> {
    store::check_memory(spec, spec.memory(), means.memory).map_err(failed)?;
    if !console.json {
        let memory = size_text(spec.memory());
        console.print(&sentence(
            console,
            &format!("{GAME}/{spec}: {memory} of memory at most"),
        ))?;
    }
    let started = Instant::now();
    let cancel = cancel_on_interrupt();
    let bar = Progress::new(&format!("{GAME}/{spec}"), 1);
    let progress = |spec: &Spec, done: u64, all: u64| {
        bar.set(done, all);
        bar.tell(spec.to_string());
    };
    let built = with_threads(means.threads, || {
        store::build(spec, means.folder, means.memory, &cancel, &progress)
    })?;
    bar.finish();
    let built = built.map_err(failed)?;
    let elapsed = started.elapsed();
    if console.json {
        let object = |held: &Held| {
            json!({
                "table": held.spec.to_string(),
                "built": held.built,
                "file": held.file.display().to_string(),
                "bytes": held.bytes,
                "checksum": held.checksum.to_string(),
            })
        };
        return console.print_json(&json!({
            "game": GAME,
            "folder": means.folder.display().to_string(),
            "seconds": elapsed.as_secs_f64(),
            "memory": spec.memory(),
            "tables": built.iter().map(object).collect::<Vec<_>>(),
        }));
    }
    let mut text = String::new();
    for held in &built {
        let there = if held.built { "built" } else { "there" };
        text += &sentence(
            console,
            &format!("{GAME}/{}: {there}, {}", held.spec, size_text(held.bytes)),
        );
    }
    let all = counted(built.len() as u64, "table", "tables");
    text += &sentence(
        console,
        &format!(
            "{all} in '{}' after {}",
            means.folder.display(),
            seconds(elapsed)
        ),
    );
    console.print(&text)
}

/// A row of figures by name.
type Row = Vec<(&'static str, Value)>;

pub fn stats(console: &Console, spec: &Spec, means: &Means<'_>) -> anyhow::Result<()> {
    store::check_memory(spec, spec.memory(), means.memory).map_err(failed)?;
    let cancel = cancel_on_interrupt();
    let spinner = console.spinner(format!("counting {GAME}/{spec}"));
    let rows = with_threads(means.threads, || rows(spec, means.folder, &cancel))?;
    spinner.finish_and_clear();
    let rows = rows.map_err(failed)?;
    if console.json {
        let object = |row: &Row| {
            let fields = row
                .iter()
                .map(|(name, value)| ((*name).to_string(), value.clone()));
            Value::Object(fields.collect::<Map<String, Value>>())
        };
        return console.print_json(&json!({
            "game": GAME,
            "table": spec.to_string(),
            "rows": rows.iter().map(object).collect::<Vec<_>>(),
        }));
    }
    let names = rows.first().map(|row| {
        row.iter()
            .map(|(name, _)| name.to_uppercase())
            .collect::<Vec<_>>()
    });
    let names = names.unwrap_or_default();
    let header: Vec<&str> = names.iter().map(String::as_str).collect();
    let cell = |value: &Value| match value {
        Value::Array(numbers) => numbers.iter().map(cell_text).collect::<Vec<_>>().join(" "),
        value => cell_text(value),
    };
    let lines = rows
        .iter()
        .map(|row| row.iter().map(|(_, value)| cell(value)).collect())
        .collect();
    console.print(&table(console, &header, lines, CellAlignment::Right))
}

fn cell_text(value: &Value) -> String {
    value.as_u64().map_or_else(|| value.to_string(), grouped)
}

fn rows(spec: &Spec, folder: &Path, cancel: &Cancel) -> Result<Vec<Row>, StoreError> {
    if spec.holds == Holds::Rooms {
        let rooms = store::read_rooms(folder, &spec.frame)?;
        let of_size = |size: usize| {
            let rooms = rooms.iter().enumerate();
            rooms.filter(move |(_, (room, _))| room.count_ones() as usize == size)
        };
        let row = |size: usize| {
            let alike = of_size(size).filter(|(number, (_, first))| *number == *first as usize);
            vec![
                ("size", json!(size)),
                ("rooms", json!(of_size(size).count())),
                ("alike", json!(alike.count())),
            ]
        };
        return Ok((1..=spec.frame.area()).map(row).collect());
    }
    // Files are read before the rooms are enumerated, so that a missing one is told at once.
    if !store::file(folder, spec).exists() {
        return Err(StoreError::Table(TableError::Missing(format!(
            "{GAME}/{spec}"
        ))));
    }
    let atlas = Atlas::new(spec.frame.clone(), cancel)?;
    let sizes = |largest: usize| 2..=largest;
    let positions = |size: usize| atlas.of_size(size).len() * size * (size - 1) / 2;
    let start = |size: usize| vec![("size", json!(size)), ("positions", json!(positions(size)))];
    Ok(match spec.holds {
        Holds::Rooms => Vec::new(),
        Holds::Territory(queens) => {
            let table = store::read_territories(&atlas, folder, queens)?;
            let row = |(&(queens, size), defects): (&(usize, usize), &counts::Defects)| {
                vec![
                    ("queens", json!(queens)),
                    ("size", json!(size)),
                    ("rooms", json!(defects.rooms)),
                    ("defective", json!(defects.all())),
                    ("by_defects", json!(defects.by_defects)),
                ]
            };
            counts::defects(&atlas, &table).iter().map(row).collect()
        }
        Holds::Active(Worth::Minimax, largest) => {
            let table = store::read_scores(&atlas, folder, largest)?;
            let zugzwangs = |size| ("zugzwangs", json!(counts::zugzwangs(&atlas, &table, size)));
            sizes(largest)
                .map(|size| [start(size), vec![zugzwangs(size)]].concat())
                .collect()
        }
        Holds::Active(Worth::Canonical, largest) => {
            let table = store::read_values(&atlas, folder, largest)?;
            let nimbers = |size, heap| counts::nimbers(&atlas, &table, size, heap);
            let row = |size| {
                let more = vec![
                    ("values", json!(counts::values(&atlas, &table, size))),
                    ("zeros", json!(nimbers(size, 0))),
                    ("stars", json!(nimbers(size, 1))),
                    ("star2", json!(nimbers(size, 2))),
                    ("star3", json!(nimbers(size, 3))),
                ];
                [start(size), more].concat()
            };
            sizes(largest).map(row).collect()
        }
        Holds::Active(Worth::Thermograph, largest) => {
            let table = store::read_thermographs(&atlas, folder, largest)?;
            let unique = |size| {
                (
                    "thermographs",
                    json!(counts::thermographs(&atlas, &table, size)),
                )
            };
            sizes(largest)
                .map(|size| [start(size), vec![unique(size)]].concat())
                .collect()
        }
    })
}

pub fn probe(
    console: &Console,
    spec: &Spec,
    position: Option<&str>,
    folder: &Path,
) -> anyhow::Result<()> {
    let position = position.ok_or_else(|| {
        bad_request("a room is named with --position, such as --position \"X..|...|..O\"")
    })?;
    let parts = amazons_parts(position).map_err(|error| bad_request(error.to_string()))?;
    let cancel = cancel_on_interrupt();
    let tables = RoomTables::open(folder, spec.frame.clone(), &cancel).map_err(failed)?;
    let mut tables = tables.ok_or_else(|| {
        let territory = spec.holding(Holds::Territory(4));
        failed(StoreError::Table(TableError::Missing(format!(
            "{GAME}/{territory}"
        ))))
    })?;
    let mut found = Vec::new();
    for (text, part) in &parts {
        found.push(part_json(&mut tables, text, part)?);
    }
    if console.json {
        return console.print_json(&json!({ "game": GAME, "position": position, "parts": found }));
    }
    let mut text = String::new();
    for part in &found {
        let word = |name: &str| match &part[name] {
            Value::Null => None,
            Value::String(word) => Some(word.clone()),
            other => Some(other.to_string()),
        };
        text += &format!("{}\n", word("position").unwrap_or_default());
        for name in [
            "size",
            "territory",
            "scores",
            "value",
            "mean",
            "temperature",
        ] {
            if let Some(word) = word(name) {
                text += &format!("  {name:<12} {word}\n");
            }
        }
        if word("size").is_none() {
            text += "  not known\n";
        }
    }
    if found.is_empty() {
        text += "nobody can move\n";
    }
    console.print(&text)
}

fn part_json(
    tables: &mut RoomTables,
    text: &str,
    part: &tabia_catalog::sums::Room,
) -> anyhow::Result<Value> {
    let placed = tables.place(part);
    let of = placed.as_ref();
    let territory = of.and_then(|placed| tables.territory(placed));
    let scores = of.and_then(|placed| tables.scores(placed));
    let value = of.and_then(|placed| tables.value(placed));
    let graph = of.and_then(|placed| tables.thermograph(placed));
    let text_of = |tables: &mut RoomTables, value| -> anyhow::Result<Option<[String; 3]>> {
        let Some(table) = tables.values_mut() else {
            return Ok(None);
        };
        let store = table.kind_mut().values_mut();
        let texts = [
            store.write(value)?,
            store.mean(value)?.to_string(),
            store.temperature(value)?.to_string(),
        ];
        Ok(Some(texts))
    };
    let exact = match value {
        Some(value) => text_of(tables, value)?,
        None => None,
    };
    let mean = exact.as_ref().map(|texts| texts[1].clone());
    let mean = mean.or_else(|| graph.as_ref().map(|graph| graph.mean().to_string()));
    let temperature = exact.as_ref().map(|texts| texts[2].clone());
    let temperature =
        temperature.or_else(|| graph.as_ref().map(|graph| graph.temperature().to_string()));
    let corners = |wall: &tabia_catalog::sums::Wall| -> Vec<[String; 2]> {
        let corner = |(tax, value): &(_, _)| [format!("{tax}"), format!("{value}")];
        wall.points().iter().map(corner).collect()
    };
    Ok(json!({
        "position": text,
        "size": placed.map(|placed| placed.size()),
        "territory": territory,
        "scores": scores,
        "value": exact.map(|[value, ..]| value),
        "mean": mean,
        "temperature": temperature,
        "thermograph": graph.map(|graph| json!({ "left": corners(graph.left()), "right": corners(graph.right()) })),
    }))
}
