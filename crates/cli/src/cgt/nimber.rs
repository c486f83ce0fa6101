//! `tabia cgt nimber`: the nimbers of the parts of a sum, and the moves that win it.

use comfy_table::CellAlignment;
use serde_json::{Value, json};
use tabia_catalog::sums::{Nimbers, SumError};
use tabia_game::Meter;

use super::{Memory, Timeout, failed};
use crate::console::{Console, table};
use crate::interrupt::cancel_on_interrupt;

/// The nimber of a sum of impartial games, part by part, and the moves that win it
///
/// Where the theory of a game goes beyond its moves, positions may be far larger than elsewhere:
/// heaps of octal games, stars and paths of Node-Kayles and Pin-Kayles.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: parts (a list: position, nimber), nimber, wins (whether the one who moves first wins),
winning_moves (or null; a list: part, counted from one, and move).

Examples:
  tabia cgt nimber nodekayles:star:310,1,1
  tabia cgt nimber pinkayles:star:5,4,3 pinkayles:path:7 --moves
  tabia cgt nimber octal.137:9,4 \"*3\" --moves")]
pub struct Arguments {
    /// What to value; several are added up
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<String>,

    /// List the moves that win
    #[arg(long)]
    moves: bool,

    #[command(flatten)]
    memory: Memory,

    #[command(flatten)]
    timeout: Timeout,
}

/// The parts with their nimbers, and the winning moves by the number of their part.
struct Found {
    parts: Vec<(String, u32)>,
    winning: Option<Vec<(usize, String)>>,
}

impl Found {
    fn total(&self) -> u32 {
        self.parts.iter().fold(0, |sum, (_, nimber)| sum ^ nimber)
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let cancel = cancel_on_interrupt();
    let mut meter = arguments.timeout.limits(&cancel).meter();
    let spinner = console.spinner("evaluating".to_string());
    let found = find(arguments, &mut meter);
    spinner.finish_and_clear();
    let found = found.map_err(|error| failed(error, &cancel))?;
    match console.json {
        true => console.print_json(&as_json(&found)),
        false => console.print(&as_text(console, &found)),
    }
}

fn find(arguments: &Arguments, meter: &mut Meter) -> Result<Found, SumError> {
    let mut nimbers = Nimbers::new(arguments.memory.memory);
    let mut parts = Vec::new();
    for spec in arguments.specs.iter().filter(|spec| spec.trim() != "+") {
        parts.extend(nimbers.parts(spec, meter)?);
    }
    let mut found = Found {
        parts,
        winning: None,
    };
    if arguments.moves {
        let total = found.total();
        let mut winning = Vec::new();
        for (number, (position, nimber)) in (1..).zip(&found.parts) {
            let moves = nimbers.moves_to(position, total ^ nimber, meter)?;
            winning.extend(moves.into_iter().map(|mv| (number, mv)));
        }
        found.winning = Some(winning);
    }
    Ok(found)
}

fn as_json(found: &Found) -> Value {
    let parts = found.parts.iter();
    let parts = parts.map(|(position, nimber)| json!({ "position": position, "nimber": nimber }));
    let winning = found.winning.as_ref().map(|moves| {
        let moves = moves.iter();
        moves
            .map(|(part, mv)| json!({ "part": part, "move": mv }))
            .collect::<Value>()
    });
    json!({
        "parts": parts.collect::<Value>(),
        "nimber": found.total(),
        "wins": found.total() != 0,
        "winning_moves": winning,
    })
}

fn as_text(console: &Console, found: &Found) -> String {
    let parts = found.parts.iter();
    let rows = parts.map(|(position, nimber)| vec![position.clone(), nimber.to_string()]);
    let mut text = table(
        console,
        &["POSITION", "NIMBER"],
        rows.collect(),
        CellAlignment::Right,
    );
    text += &match found.total() {
        0 => "nimber 0: whoever moves second wins\n".to_string(),
        total => format!("nimber {total}: whoever moves first wins\n"),
    };
    for (part, mv) in found.winning.iter().flatten() {
        text += &format!("  {mv} in {part}\n");
    }
    text
}
