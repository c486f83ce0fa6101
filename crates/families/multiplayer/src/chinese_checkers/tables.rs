//! Chinese Checkers by tables of solitary play: how far a player alone is from the end, kept in
//! table files or built when first needed.
//!
//! A table depends on what a piece may do and not on who plays, so one file serves games of any
//! number of players.

use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::chinese_checkers::{ChineseCheckers, Race, Rules, Solitaire};
use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_game::{Cancel, Noisy, Player};
use tabia_registry::ErasedPatterns;
use tabia_registry::noise::{NOISE, NOISE_SEED, noisy};
use tabia_tables::patterns::{self, Abstraction};

/// The spec that tables of these rules are called by: that of the game for two players, all else as
/// usual.
fn spec_of(rules: Rules) -> String {
    let leave = if rules.leave { "on" } else { "off" };
    format!("chinese:2,{leave},{},filled,1000", rules.foreign.name())
}

/// The tables of a game: one, of the player to move alone.
pub(crate) fn of(game: &Arc<ChineseCheckers>) -> ErasedPatterns<ChineseCheckers, Solitaire> {
    let rules = game.rules();
    let view = |solitaire: &Solitaire, player| solitaire.clone().of(player);
    ErasedPatterns::new(game, spec_of(rules), vec![Solitaire::new(rules)], view)
}

/// The options of engines of Chinese Checkers beside those of the search.
pub(crate) const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "evaluation",
        kind: ParameterKind::Choice(&["rows", "table"]),
        default: "rows",
        help: "what a player has still to do: rows of all pieces, or moves by the table of \
               solitary play",
    },
    Parameter {
        key: "tables",
        kind: ParameterKind::File,
        default: "",
        help: "folder of that table; without one it is built in memory, once",
    },
    NOISE,
    NOISE_SEED,
];

/// Tables that were built in memory: by name, each once.
type Built = Mutex<Vec<(String, Arc<[u8]>)>>;
static BUILT: LazyLock<Built> = LazyLock::new(Built::default);

/// The evaluation that the options of an engine ask for.
pub(crate) fn race(rules: Rules, values: &OptionValues) -> Result<Noisy<Race>, OptionError> {
    let wrong = |reason: &dyn std::fmt::Display| OptionError::new(format!("chinese: {reason}"));
    let folder = values.file("tables");
    if values.word("evaluation") == "rows" {
        return match folder {
            None => Ok(noisy(Race::by_rows(), values)),
            Some(_) => Err(wrong(&"tables are of use with evaluation=table only")),
        };
    }
    let solitaire = Solitaire::new(rules).of(Player::FIRST);
    let distances: Arc<[u8]> = match folder {
        Some(folder) => {
            let spec = spec_of(rules);
            let opened =
                patterns::open::<ChineseCheckers, _>(Path::new(folder), &spec, solitaire.clone());
            opened.map_err(|e| wrong(&e))?.distances().into()
        }
        None => {
            let name = Abstraction::<ChineseCheckers>::text(&solitaire);
            let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
            match built.iter().find(|(kept, _)| *kept == name) {
                Some((_, distances)) => Arc::clone(distances),
                None => {
                    let cancel = Cancel::default();
                    let distances =
                        patterns::distances::<ChineseCheckers>(&solitaire, &cancel, &|_| {});
                    let distances: Arc<[u8]> = distances.map_err(|e| wrong(&e))?.into();
                    built.push((name, Arc::clone(&distances)));
                    distances
                }
            }
        }
    };
    let race = Race::by_table(solitaire, distances);
    let race = race.ok_or_else(|| wrong(&"the table has another number of positions"))?;
    Ok(noisy(race, values))
}
