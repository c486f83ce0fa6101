//! `tabia moves`: legal moves.

use serde_json::json;

use crate::arguments::PositionArguments;
use crate::console::{Console, columns};

/// List the legal moves of a position
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position, turn, moves (a list), count.

Examples:
  tabia moves tictactoe
  tabia moves tictactoe --moves \"b2 a1\"")]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArguments,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let opened = arguments.place.open()?;
    let moves = opened.session.moves();
    if console.json {
        return console.print_json(&json!({
            "game": opened.spec,
            "position": opened.session.position(),
            "turn": opened.turn_text(),
            "moves": moves,
            "count": moves.len(),
        }));
    }
    let head = match (opened.session.ending(), moves.len()) {
        (Some(ending), _) => format!("no moves: {}", ending.text),
        (None, 1) => format!("{}, 1 move", opened.status()),
        (None, n) => format!("{}, {n} moves", opened.status()),
    };
    console.print(&format!("{head}\n{}", columns(&moves, console.width)))
}
