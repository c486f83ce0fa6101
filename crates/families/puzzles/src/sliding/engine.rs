//! Sliding tiles by iterative-deepening A* with additive pattern databases (Korf and Felner 2002).

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::sliding::{Sliding, TilePattern};
use tabia_game::Cancel;
use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_tables::patterns::{self, Abstraction, Additive, PatternDatabase};

use tabia_registry::{Bounded, ErasedPatterns, SingleAgentSearches};

/// The numbers of tiles that a pattern may have at most.
const TILES: RangeInclusive<usize> = 2..=8;

const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "tiles",
        kind: ParameterKind::Integer(*TILES.start() as i64, *TILES.end() as i64),
        default: "6",
        help: "maximum tiles of a pattern: 5 is 5-5-5 on the 15-puzzle, 6 is 6-6-3, 8 is 7-8",
    },
    Parameter {
        key: "tables",
        kind: ParameterKind::File,
        default: "",
        help: "folder that keeps the databases; without one they are built each time",
    },
    Parameter {
        key: "memory",
        kind: ParameterKind::Bytes(1 << 20, 1 << 40),
        default: "2G",
        help: "maximum memory for building a database",
    },
];

type Databases = Additive<TilePattern>;

fn wrong(reason: &dyn std::fmt::Display) -> OptionError {
    OptionError::new(format!("patterns: {reason}"))
}

/// The patterns of a puzzle; refused if their databases take more memory than is given.
fn partition(game: &Sliding, values: &OptionValues) -> Result<Vec<TilePattern>, OptionError> {
    let tiles = usize::try_from(values.integer("tiles")).unwrap_or_default();
    let memory = values.bytes("memory");
    let partition = TilePattern::partition(game, tiles).map_err(|e| wrong(&e))?;
    for pattern in &partition {
        let needed = patterns::memory::<Sliding>(pattern);
        if needed.is_none_or(|needed| needed > memory) {
            let needed = needed.map_or_else(|| "too much".to_string(), |n| n.to_string());
            return Err(wrong(&format!(
                "a pattern of {tiles} tiles takes {needed} bytes of memory, and {memory} are \
                 given; fewer tiles or more memory will do"
            )));
        }
    }
    Ok(partition)
}

/// The tables of all patterns that the engine can be told to use.
pub(crate) fn tables(game: &Arc<Sliding>, spec: String) -> ErasedPatterns<Sliding, TilePattern> {
    let mut patterns = BTreeMap::new();
    for tiles in TILES {
        for pattern in TilePattern::partition(game, tiles).into_iter().flatten() {
            patterns.insert(Abstraction::<Sliding>::text(&pattern), pattern);
        }
    }
    let patterns = patterns.into_values().collect();
    ErasedPatterns::new(game, spec, patterns, |pattern, _| pattern.clone())
}

/// Databases, and where the board is square their mirror images.
fn together(game: &Sliding, plain: Vec<PatternDatabase<TilePattern>>) -> Databases {
    let mirror = |database: &PatternDatabase<TilePattern>| {
        let mirrored = database.abstraction().mirrored(game).ok()?;
        database.shared::<Sliding>(mirrored)
    };
    let mirrored: Option<Vec<_>> = plain.iter().map(mirror).collect();
    let databases = Additive::default().with(plain);
    match mirrored {
        Some(mirrored) => databases.with(mirrored),
        None => databases,
    }
}

/// The databases of a folder, which are built there if they are missing.
fn kept(
    game: &Sliding,
    folder: &Path,
    spec: &str,
    (partition, memory): (Vec<TilePattern>, u64),
) -> Result<Databases, OptionError> {
    let open = |pattern: TilePattern| {
        let cancel = Cancel::default();
        patterns::build::<Sliding, _>(folder, spec, &pattern, memory, &cancel)
            .map_err(|e| wrong(&e))?;
        patterns::open::<Sliding, _>(folder, spec, pattern).map_err(|e| wrong(&e))
    };
    let databases: Result<Vec<_>, OptionError> = partition.into_iter().map(open).collect();
    Ok(together(game, databases?))
}

/// The databases in memory.
fn built(game: &Sliding, partition: &[TilePattern]) -> Databases {
    let build = |pattern: &TilePattern| {
        // Nothing but a wish to stop ends this early, and nobody can have one.
        let distances = patterns::distances::<Sliding>(pattern, &Cancel::default(), &|_| {});
        PatternDatabase::new::<Sliding>(pattern.clone(), distances.ok()?)
    };
    let databases: Option<Vec<_>> = partition.iter().map(build).collect();
    together(game, databases.unwrap_or_default())
}

/// Adds iterative-deepening A* with pattern databases; `spec` names the puzzle in their files.
pub(crate) fn patterns(
    alone: SingleAgentSearches<Sliding>,
    spec: String,
) -> SingleAgentSearches<Sliding> {
    type Known = Arc<OnceLock<Databases>>;
    // Built when they are first needed, and once for each size of patterns.
    let known: [Known; 9] = std::array::from_fn(|_| Known::default());
    alone.seeker(
        "patterns",
        "iterative-deepening A* with additive pattern databases: exact",
        &[PARAMETERS],
        move |game, values| {
            let partition = partition(game, values)?;
            let place = values.integer("tiles").unsigned_abs() as usize % known.len();
            let known = Arc::clone(&known[place]);
            if let Some(folder) = values.file("tables") {
                let memory = values.bytes("memory");
                let databases = kept(game, Path::new(folder), &spec, (partition.clone(), memory))?;
                let _ = known.set(databases);
            }
            let bound = move |game: &Sliding, state: &_| {
                let databases = known.get_or_init(|| built(game, &partition));
                databases.most(game, state)
            };
            Ok(Box::new(Bounded(bound)))
        },
    )
}
