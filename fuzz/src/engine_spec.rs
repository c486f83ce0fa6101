//! Specs of engines, for every game of the catalog. The spec that an engine spells out must make
//! the same engine again. No engine is asked for a move: the first search is what allocates tables.

use std::sync::OnceLock;

use crate::check_refusal;
use tabia_catalog::{AnyEngine, AnyGame, entries, open};
use tabia_game::{Limits, Seed};

static GAMES: OnceLock<Vec<Box<dyn AnyGame>>> = OnceLock::new();

fn games() -> Vec<Box<dyn AnyGame>> {
    let names = entries().iter().map(|entry| entry.name);
    names
        .map(|name| open(name).unwrap_or_else(|error| panic!("{name}: {error}")))
        .collect()
}

/// The target.
pub fn target(spec: &str) {
    for game in GAMES.get_or_init(games) {
        let mut engine = match game.engine(spec) {
            Ok(engine) => engine,
            Err(error) => {
                check_refusal(&error);
                continue;
            }
        };
        engine.new_game(Seed::new(0));
        match game.engine(engine.spec()) {
            Ok(again) => {
                assert_eq!(again.spec(), engine.spec(), "spelled out twice");
                let own = |engine: &AnyEngine| {
                    let Limits {
                        depth, nodes, time, ..
                    } = engine.limits(&Limits::default());
                    (depth, nodes, time)
                };
                assert_eq!(own(&again), own(&engine), "{}", again.spec());
            }
            Err(error) => panic!("'{spec}' is spelled out wrongly: {error}"),
        }
    }
}
