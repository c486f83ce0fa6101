//! What is answered about tables of rooms: figures, and rooms looked up.

use serde_json::{Map, Value, json};
use tabia_cgt::Wall;
use tabia_game::{Cancel, Combinatorial};
use tabia_registry::{
    AnyTables, CatalogError, Counted, Probed, Stats, TableError, TableJob, TablesError, Words,
    grouped,
};
use tabia_tables::{Kind, Table, TableSet};

use crate::Cells;
use crate::amazons::combinatorial::Amazons;
use crate::amazons::rooms::active::{Active, Canonical, Minimax, Thermographs};
use crate::amazons::rooms::atlas::Atlas;
use crate::amazons::rooms::kind::{RoomKind, spec_of, too_many};
use crate::amazons::rooms::spec::{AreaValue, GAME, Holds, Spec};
use crate::amazons::rooms::store::{active, rooms, territories};
use crate::amazons::rooms::{RoomTables, stats as counts};

impl AnyTables for RoomKind {
    fn kind(&self) -> &dyn Kind {
        self
    }

    /// A room has nothing to do with the size of the board.
    fn spec(&self, _: String) -> String {
        GAME.to_string()
    }

    fn words(&self) -> Words {
        Words {
            table: "table",
            entries: "entries",
        }
    }

    fn own_positions(&self) -> Option<&'static str> {
        Some("a room is named with --position, such as --position \"X..|...|..O\"")
    }

    /// Figures by the size of rooms. There are no symmetries to count by.
    fn stats(
        &self,
        names: &[String],
        job: TableJob<'_>,
        _: Counted,
        cancel: &Cancel,
    ) -> Result<Stats, TablesError> {
        let [name] = names else {
            return Err(one_table());
        };
        let spec = spec_of(name)?;
        if spec.memory() > job.memory {
            return Err(TablesError::Table(TableError::Memory {
                slices: name.clone(),
                needed: Some(spec.memory()),
                given: job.memory,
                fitting: None,
            }));
        }
        let tables = TableSet::open(self, job.spec, job.folder, names, job.memory)?;
        let table = tables.get(name);
        let table = table.ok_or_else(|| TablesError::not_built(name, job))?;
        Ok(told(name, &rows(&spec, table, cancel)?))
    }

    fn probe(
        &self,
        names: &[String],
        position: &str,
        job: TableJob<'_>,
        cancel: &Cancel,
    ) -> Result<Probed, TablesError> {
        let [name] = names else {
            return Err(one_table());
        };
        let spec = spec_of(name)?;
        let position = Amazons.parse_position(position.trim());
        let position = position.map_err(CatalogError::Move)?;
        let mut parts = Vec::new();
        Amazons.split(&position, &mut parts);
        let tables = RoomTables::open(job.folder, spec.frame.clone(), cancel)?;
        let mut tables = tables.ok_or_else(|| {
            let territory = spec.holding(Holds::Territory(4));
            TablesError::not_built(territory.to_string(), job)
        })?;
        let mut found = Vec::new();
        for part in &parts {
            found.push(part_fields(&mut tables, part)?);
        }
        let text = match found.is_empty() {
            true => "nobody can move\n".to_string(),
            false => found.iter().map(part_text).collect(),
        };
        Ok(Probed {
            fields: Map::from_iter([("parts".to_string(), json!(found))]),
            value: None,
            text,
        })
    }
}

fn one_table() -> TablesError {
    CatalogError::NotOffered("name a single table".to_string()).into()
}

/// A row of figures by name.
type Row = Vec<(&'static str, Value)>;

/// Rows as fields and as text.
fn told(name: &str, rows: &[Row]) -> Stats {
    let object = |row: &Row| {
        let fields = row.iter();
        let fields = fields.map(|(name, value)| (name.to_string(), value.clone()));
        Value::Object(fields.collect())
    };
    let objects: Vec<Value> = rows.iter().map(object).collect();
    let columns = rows.first().into_iter().flatten();
    let line = |row: &Row| row.iter().map(|(_, value)| cell(value)).collect();
    Stats {
        fields: Map::from_iter([
            ("table".to_string(), json!(name)),
            ("rows".to_string(), json!(objects)),
        ]),
        columns: columns.map(|(name, _)| name.to_uppercase()).collect(),
        rows: rows.iter().map(line).collect(),
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Array(numbers) => {
            let cells: Vec<String> = numbers.iter().map(cell).collect();
            cells.join(" ")
        }
        value => value.as_u64().map_or_else(|| value.to_string(), grouped),
    }
}

fn rows(spec: &Spec, table: &Table, cancel: &Cancel) -> Result<Vec<Row>, TableError> {
    if spec.holds == Holds::Rooms {
        return Ok(rows_of_rooms(spec, &rooms(table)?));
    }
    let atlas = Atlas::new(spec.frame.clone(), cancel)?;
    let rows_of = |largest: usize, figures: &dyn Fn(usize) -> Row| {
        let row = |size: usize| {
            let positions = atlas.of_size(size).len() * size * (size - 1) / 2;
            let mut row = vec![("size", json!(size)), ("positions", json!(positions))];
            row.extend(figures(size));
            row
        };
        (2..=largest).map(row).collect()
    };
    Ok(match spec.holds {
        Holds::Rooms => Vec::new(),
        Holds::Territory(queens) => {
            let table = territories(&atlas, queens, table)?;
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
        Holds::Active(AreaValue::Minimax, largest) => {
            let table: Active<Minimax> = active(&atlas, largest, table)?;
            let zugzwangs = |size| json!(counts::zugzwangs(&atlas, &table, size));
            rows_of(largest, &|size| vec![("zugzwangs", zugzwangs(size))])
        }
        Holds::Active(AreaValue::Canonical, largest) => {
            let table: Active<Canonical> = active(&atlas, largest, table)?;
            let nimbers = |size, heap| json!(counts::nimbers(&atlas, &table, size, heap));
            rows_of(largest, &|size| {
                vec![
                    ("values", json!(counts::values(&atlas, &table, size))),
                    ("zeros", nimbers(size, 0)),
                    ("stars", nimbers(size, 1)),
                    ("star2", nimbers(size, 2)),
                    ("star3", nimbers(size, 3)),
                ]
            })
        }
        Holds::Active(AreaValue::Thermograph, largest) => {
            let table: Active<Thermographs> = active(&atlas, largest, table)?;
            let unique = |size| json!(counts::thermographs(&atlas, &table, size));
            rows_of(largest, &|size| vec![("thermographs", unique(size))])
        }
    })
}

/// How many rooms of each size there are, and how many kinds of them.
fn rows_of_rooms(spec: &Spec, rooms: &[(u32, u32)]) -> Vec<Row> {
    let row = |size: usize| {
        let numbered = rooms.iter().enumerate();
        let of_size = numbered.filter(|(_, (room, _))| room.count_ones() as usize == size);
        let is_first = |(number, (_, first)): &(usize, &(u32, u32))| *number == *first as usize;
        let alike = of_size.clone().filter(is_first);
        vec![
            ("size", json!(size)),
            ("rooms", json!(of_size.count())),
            ("alike", json!(alike.count())),
        ]
    };
    (1..=spec.frame.area()).map(row).collect()
}

/// What the tables say of a room.
fn part_fields(tables: &mut RoomTables, part: &Cells) -> Result<Value, TablesError> {
    let placed = tables.place(part);
    let of = placed.as_ref();
    let territory = of.and_then(|placed| tables.territory(placed));
    let scores = of.and_then(|placed| tables.scores(placed));
    let value = of.and_then(|placed| tables.value(placed));
    let graph = of.and_then(|placed| tables.thermograph(placed));
    let exact = match (value, tables.values_mut()) {
        (Some(value), Some(table)) => {
            let store = table.kind_mut().values_mut();
            let exceeded = |error| CatalogError::NotOffered(too_many(error));
            let mean = store.mean(value).map_err(exceeded)?;
            let temperature = store.temperature(value).map_err(exceeded)?;
            let text = store.write(value).map_err(exceeded)?;
            Some((text, mean.to_string(), temperature.to_string()))
        }
        _ => None,
    };
    let (value, [mean, temperature]) = match (exact, &graph) {
        (Some((value, mean, temperature)), _) => (Some(value), [Some(mean), Some(temperature)]),
        (None, Some(graph)) => {
            let figures = [graph.mean().to_string(), graph.temperature().to_string()];
            (None, figures.map(Some))
        }
        (None, None) => (None, [None, None]),
    };
    let corners = |wall: &Wall| -> Vec<[String; 2]> {
        let points = wall.points().iter();
        points
            .map(|(tax, value)| [tax.to_string(), value.to_string()])
            .collect()
    };
    let thermograph = graph
        .map(|graph| json!({ "left": corners(graph.left()), "right": corners(graph.right()) }));
    Ok(json!({
        "position": Amazons.position_text(part),
        "size": placed.map(|placed| placed.size()),
        "territory": territory,
        "scores": scores,
        "value": value,
        "mean": mean,
        "temperature": temperature,
        "thermograph": thermograph,
    }))
}

/// The same for people.
fn part_text(part: &Value) -> String {
    let word = |name: &str| match &part[name] {
        Value::Null => None,
        Value::String(word) => Some(word.clone()),
        other => Some(other.to_string()),
    };
    let mut text = format!("{}\n", word("position").unwrap_or_default());
    let names = [
        "size",
        "territory",
        "scores",
        "value",
        "mean",
        "temperature",
    ];
    for (name, word) in names
        .into_iter()
        .filter_map(|name| Some((name, word(name)?)))
    {
        text += &format!("  {name:<12} {word}\n");
    }
    if part["size"].is_null() {
        text += "  not known\n";
    }
    text
}
