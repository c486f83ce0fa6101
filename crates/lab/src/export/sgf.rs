//! Stored games in Smart Game Format: one game tree for each game. See [`tabia_formats::sgf`].

use tabia_formats::sgf::{SgfBoard, SgfGame};
use tabia_registry::open;

use super::{StoredRun, day, entry_with, first_to_move, winner};
use crate::LabError;
use crate::matches::PlayedGame;
use crate::player::Fault;
use crate::referee::Ending;

pub(super) fn write(stored: &StoredRun) -> Result<String, LabError> {
    let sgf = entry_with(stored, "SGF", |entry| entry.sgf)?;
    let rules = open(stored.game()?)?;
    let board = SgfBoard::of(&rules.session(None)?.position());
    let program = format!("Tabia:{}", stored.run.version);
    let mut text = String::new();
    for game in &stored.games {
        let setup = match game.position.as_deref() {
            Some(position) => {
                let position = rules.session(Some(position))?.position();
                Some(SgfBoard::of(&position))
            }
            None => None,
        };
        let tree = SgfGame {
            program: &program,
            board: &board,
            properties: properties(stored, game),
            setup,
            second_begins: first_to_move(&*rules, game)? != 0,
            moves: &game.moves,
        };
        let tree = tree.text(&sgf);
        text += &tree.map_err(|error| LabError::BadRequest(error.to_string()))?;
    }
    Ok(text)
}

fn properties(stored: &StoredRun, game: &PlayedGame) -> Vec<(&'static str, String)> {
    let mut names = stored.names(game);
    let mut name = || names.next().unwrap_or("?").to_string();
    let mut properties = vec![
        ("EV", stored.run.title.clone()),
        ("RO", game.round.to_string()),
        ("GN", format!("{}.{}", stored.run.id, game.number)),
        ("PB", name()),
        ("PW", name()),
        ("RE", result(game)),
    ];
    properties.extend(day(stored, "-").map(|day| ("DT", day)));
    properties.push(("GC", game.text.clone()));
    properties
}

fn result(game: &PlayedGame) -> String {
    let manner = match &game.ending {
        Ending::Fault {
            reason: Fault::Time(_) | Fault::Hung(_),
            ..
        } => "T",
        Ending::Fault { .. } => "F",
        _ => "",
    };
    match winner(game) {
        Some(Some(0)) => format!("B+{manner}"),
        Some(Some(_)) => format!("W+{manner}"),
        Some(None) => "0".to_string(),
        None => "?".to_string(),
    }
}
