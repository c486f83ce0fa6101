//! `tabia table probe`: what the tables say of a position.

use serde_json::{Value, json};
use tabia_catalog::{Facet, TableContent};

use super::{Folder, Memory, Target, failed, rooms};
use crate::arguments::Place;
use crate::console::{Console, grouped};

/// Look a position and its moves up
///
/// Moves are listed with what they are worth to the player who makes them, the best first. In games with
/// chance these are the rolls, with the best that can be made of them.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position, slice, index, value (win, draw or loss for the player to move), plies (to the
end; null for draws and where no distances are kept), moves (a list of move, value and plies, both
null where the table is not there). In games with chance: chance (the probability that the player wins)
instead of value and plies. In Chinese Checkers: moves_to_go (that a player alone needs) instead. Of rooms of Amazons: game, position, parts (a list of position, size, territory, scores,
value, mean, temperature, thermograph; null where no table knows).

Examples:
  tabia table probe dao
  tabia table probe fanorona:5x9 --position \"9/9/4w4/9/4b3b w\"
  tabia table probe backgammon --position \"6:2/6:2 w roll\"
  tabia table probe amazons/rooms:4x4 --position \"X..|...|..O\"")]
pub struct Arguments {
    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    memory: Memory,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    if let Some((spec, position)) = arguments.place.room()? {
        return rooms::probe(console, &spec, position, &arguments.folder.path());
    }
    let opened = arguments.place.open()?;
    let target = Target::read(&opened.spec)?;
    let folder = arguments.folder.path();
    let job = target.reading(&folder, arguments.memory.memory);
    let position = opened.session.position();
    let probed = target
        .game
        .tables()
        .ok_or_else(|| Facet::Tables.refusal())?
        .probe(&position, job)
        .map_err(failed)?;
    if console.json {
        let has_chance = matches!(probed.value, TableContent::Chance(_));
        let mv = |(text, content): &(String, Option<TableContent>)| {
            with_content(json!({ "move": text }), *content, has_chance)
        };
        let whole = json!({
            "game": target.spec,
            "position": position,
            "slice": probed.slice,
            "index": probed.index,
            "moves": probed.moves.iter().map(mv).collect::<Vec<_>>(),
        });
        return console.print_json(&with_content(whole, Some(probed.value), has_chance));
    }
    let mut text = format!(
        "{}\n{position}\n{}: {}\nposition {} of {}\n\n",
        console.board(&opened.session.picture()),
        opened.status(),
        probed.value,
        grouped(probed.index),
        probed.slice
    );
    let longest = probed.moves.iter().map(|(mv, _)| mv.chars().count()).max();
    let width = longest.unwrap_or(0);
    for (mv, value) in &probed.moves {
        let value = value.map_or("not known".to_string(), |value| value.to_string());
        text += &format!("{mv:<width$}  {value}\n");
    }
    console.print(&text)
}

/// Adds what a table holds to an object: `chance`, or `value` and `plies`.
fn with_content(mut object: Value, content: Option<TableContent>, has_chance: bool) -> Value {
    let (value, chance) = match content {
        Some(TableContent::Value(value)) => (Some(value), None),
        Some(TableContent::Chance(chance)) => (None, Some(chance.to_f64())),
        Some(TableContent::Moves(moves)) => {
            object["moves_to_go"] = json!(moves);
            return object;
        }
        None => (None, None),
    };
    if has_chance {
        object["chance"] = json!(chance);
    } else {
        object["value"] = json!(value.map(|value| value.wdl.word()));
        object["plies"] = json!(value.and_then(|value| value.plies));
    }
    object
}
