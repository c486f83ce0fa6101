//! `tabia show`: draw a position.

use serde_json::json;
use tabia_catalog::entry;
use tabia_game::options::split_spec;
use tabia_game::picture::{svg, terminal};

use crate::arguments::PositionArguments;
use crate::console::Console;
use crate::failure::bad_request;
use crate::files;

/// Draw a position
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position, turn (a player, \"chance\" or \"over\"), result, payoffs, moves
(played so far), board, key (hexadecimal).

Examples:
  tabia show tictactoe
  tabia show tictactoe --position \"x.o/.x./..o x\" --svg board.svg
  tabia show --record game.txt")]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArguments,

    /// Also write the picture to this SVG file; `-` prints it instead of the board
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let opened = arguments.place.open()?;
    let session = &opened.session;
    let picture = session.picture();
    if let Some(file) = &arguments.svg {
        let title = entry(split_spec(&opened.spec).0)?.title;
        let drawing = svg::render(&picture, title);
        if file == "-" {
            if console.json {
                return Err(bad_request(
                    "--svg - and --json both want standard output; give --svg a file",
                ));
            }
            return console.print(&drawing);
        }
        files::write_whole(file.as_ref(), &drawing)?;
    }
    if console.json {
        let ending = session.ending();
        return console.print_json(&json!({
            "game": opened.spec,
            "position": session.position(),
            "turn": opened.turn_text(),
            "result": ending.as_ref().map(|e| &e.text),
            "payoffs": ending.as_ref().map(|e| &e.payoffs),
            "moves": session.history(),
            "board": terminal::render(&picture, terminal::Style::Plain),
            "key": format!("{:016x}", session.key()),
        }));
    }
    let written = match &arguments.svg {
        Some(file) => format!("written to {file}\n"),
        None => String::new(),
    };
    console.print(&format!(
        "{}\n{}\n{}\n{written}",
        console.board(&picture),
        session.position(),
        opened.status()
    ))
}
