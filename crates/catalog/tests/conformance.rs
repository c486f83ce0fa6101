//! Every game of the catalog, in every example variant, against the contract. A new entry is
//! covered by being an entry.

use tabia_catalog::{entries, open};
use tabia_game::options::{OptionValues, Parameter};
use tabia_game::{Limits, Seed, Turn};

/// All example specs.
fn specs() -> impl Iterator<Item = &'static str> {
    entries().iter().flat_map(|e| e.examples.iter().copied())
}

#[test]
fn every_game_conforms() {
    for spec in specs() {
        let game = open(spec).unwrap();
        // Checks look at every child of a position, so wide games get fewer positions.
        let width = game.session(None).unwrap().moves().len();
        let (plays, longest) = match width {
            0..=24 => (24, 200),
            25..=80 => (4, 80),
            81..=500 => (2, 20),
            _ => (1, 6),
        };
        if let Err(violation) = game.conform(plays, longest) {
            panic!("{spec}: {violation}");
        }
    }
}

#[test]
fn entries_are_in_order_and_declared_well() {
    let names: Vec<&str> = entries().iter().map(|e| e.name).collect();
    assert!(names.is_sorted(), "{names:?}");
    for entry in entries() {
        assert_eq!(entry.examples.first(), Some(&entry.name));
        assert!(!entry.title.is_empty() && !entry.summary.is_empty());
        assert_declared_well(entry.name, entry.parameters);
        let game = open(entry.name).unwrap();
        assert!(!game.position_help().is_empty());
        let engines: Vec<&str> = game.engines().iter().map(|e| e.name).collect();
        assert_eq!(engines.last(), Some(&"random"));
        for engine in game.engines() {
            assert_eq!(engines.iter().filter(|n| **n == engine.name).count(), 1);
            assert!(!engine.summary.is_empty());
            assert_declared_well(engine.name, &engine.parameters);
        }
    }
}

fn assert_declared_well(whose: &str, parameters: &[Parameter]) {
    OptionValues::parse(whose, "", parameters).unwrap();
    for (i, parameter) in parameters.iter().enumerate() {
        assert!(!parameter.help.is_empty(), "{whose}: {}", parameter.key);
        let twin = parameters[..i].iter().find(|p| p.key == parameter.key);
        assert!(twin.is_none(), "{whose}: {} twice", parameter.key);
    }
}

/// Every engine of every game plays some moves, legally, within small limits.
#[test]
fn every_engine_plays_every_game() {
    for spec in specs() {
        let game = open(spec).unwrap();
        for info in game.engines() {
            // Clearing the memory of large tables would take longer than the searches.
            let large = |p: &Parameter| p.key == "table" && p.default.ends_with('M');
            let spec_of_engine = match info.parameters.iter().any(large) {
                true => format!("{}:table=1M", info.name),
                false => info.name.to_string(),
            };
            let mut engine = game.engine(&spec_of_engine).unwrap();
            let mut session = game.session(None).unwrap();
            for _ in 0..6 {
                match session.turn() {
                    Turn::Over => break,
                    Turn::Chance => {
                        session.roll(&mut tabia_game::Seed::new(1).rng()).unwrap();
                    }
                    Turn::Player(_) => {
                        let answer = session.ask(&mut engine, &Limits::nodes(300)).unwrap();
                        let best = answer
                            .best
                            .unwrap_or_else(|| panic!("{spec}, {}: no move", info.name));
                        let sound = answer.value.is_none_or(|v| (-1.0..=1.0).contains(&v));
                        assert!(sound, "{spec}, {best}");
                        assert_eq!(answer.line.first(), Some(&best), "{spec}, {}", info.name);
                        session.play(&best).unwrap();
                    }
                }
            }
            engine.new_game(Seed::new(0));
        }
    }
}

/// The full spec of an engine makes the same engine again.
#[test]
fn full_specs_are_specs() {
    for spec in specs() {
        let game = open(spec).unwrap();
        for info in game.engines() {
            let full = game.engine(info.name).unwrap().spec().to_string();
            assert_eq!(game.engine(&full).unwrap().spec(), full);
        }
    }
}
