//! `tabia table probe`: what the tables say of a position.

use serde_json::json;
use tabia_catalog::Probed;

use super::{Folder, Memory, Target, extend, failed};
use crate::arguments::PositionArguments;
use crate::console::Console;
use crate::failure::bad_request;
use crate::interrupt::cancel_on_interrupt;

/// Look a position and its moves up
///
/// Moves are listed with what they are worth to the player who makes them, the best first. In games
/// with chance these are the rolls, with the best that can be made of them.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position, slice, index, value (win, draw or loss for the player to move), plies (to the
end; null for draws and where no distances are kept), moves (a list of move, value and plies, both
null where the table is not there). In games with chance: chance (the probability that the player
wins) instead of value and plies. Of a player alone: moves_to_go instead. Of tables of parts of
positions: game, position, parts (a list of position, size and what is known, null where no table
knows).

Examples:
  tabia table probe dao
  tabia table probe fanorona:5x9 --position \"9/9/4w4/9/4b3b w\"
  tabia table probe backgammon --position \"6:2/6:2 w roll\"
  tabia table probe amazons/rooms:4x4 --position \"X..|...|..O\"")]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArguments,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    memory: Memory,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments {
        place,
        folder,
        memory,
    } = arguments;
    let named = place.game().map(Target::read).transpose()?;
    let own = match &named {
        Some(target) => target.tables()?.own_positions().map(|help| (target, help)),
        None => None,
    };
    if let Some((target, help)) = own {
        let position = place.position().ok_or_else(|| bad_request(help))?;
        let probed = look_up(target, position, folder, memory)?;
        return match console.json {
            true => print_json(console, target, position, probed),
            false => console.print(&probed.text),
        };
    }
    let opened = place.open_as(named.as_ref().map(|target| target.game_spec.as_str()))?;
    let target = match named {
        Some(target) => target,
        None => Target::read(&opened.spec)?,
    };
    let position = opened.session.position();
    let probed = look_up(&target, &position, folder, memory)?;
    if console.json {
        return print_json(console, &target, &position, probed);
    }
    let board = console.board(&opened.session.picture());
    let status = match &probed.value {
        Some(value) => format!("{}: {value}", opened.status()),
        None => opened.status(),
    };
    console.print(&format!("{board}\n{position}\n{status}\n{}", probed.text))
}

fn look_up(
    target: &Target,
    position: &str,
    folder: &Folder,
    memory: &Memory,
) -> anyhow::Result<Probed> {
    let folder = folder.path();
    let job = target.reading(&folder, memory.memory);
    let cancel = cancel_on_interrupt();
    let names = target.names()?;
    let probed = target.tables()?.probe(&names, position, job, &cancel);
    probed.map_err(failed)
}

fn print_json(
    console: &Console,
    target: &Target,
    position: &str,
    probed: Probed,
) -> anyhow::Result<()> {
    let mut whole = json!({ "game": target.spec, "position": position });
    extend(&mut whole, probed.fields);
    console.print_json(&whole)
}
