//! Stored games in Portable Game Notation. See [`tabia_formats::pgn`].
//!
//! White is whoever has the first seat, whatever the game calls it. A game that began at a position
//! has `SetUp` and `FEN`, the latter in the notation of the game.

use tabia_formats::pgn::{PgnGame, PgnResult};
use tabia_registry::open;

use super::{StoredRun, day, entry_with, first_to_move, winner};
use crate::LabError;
use crate::matches::PlayedGame;
use crate::player::Fault;
use crate::referee::Ending;
use crate::store::RunKind;

pub(super) fn write(stored: &StoredRun) -> Result<String, LabError> {
    let variant = entry_with(stored, "PGN", |entry| entry.pgn)?;
    let rules = open(stored.game()?)?;
    let date = day(stored, ".").unwrap_or_else(|| "????.??.??".to_string());
    let mut text = String::new();
    for game in &stored.games {
        let game = PgnGame {
            tags: tags(stored, game, variant, &date),
            second_begins: first_to_move(&*rules, game)? != 0,
            moves: &game.moves,
            comment: comment(stored, game),
            result: result(game),
        };
        text += &game.to_string();
    }
    Ok(text)
}

fn tags(
    stored: &StoredRun,
    game: &PlayedGame,
    variant: &str,
    date: &str,
) -> Vec<(&'static str, String)> {
    let mut names = stored.names(game);
    let mut name = || names.next().unwrap_or("?").to_string();
    // The rounds of a tournament are not those of its openings.
    let round = match stored.run.kind {
        RunKind::Match => (game.number + 1).to_string(),
        RunKind::Tournament | RunKind::Experiment => "?".to_string(),
    };
    let mut tags = vec![
        ("Event", stored.run.title.clone()),
        ("Site", "?".to_string()),
        ("Date", date.to_string()),
        ("Round", round),
        ("White", name()),
        ("Black", name()),
        ("Result", result(game).word().to_string()),
    ];
    tags.extend(game.position.clone().map(|position| ("FEN", position)));
    tags.push(("GameId", format!("{}.{}", stored.run.id, game.number)));
    tags.push(("PlyCount", game.moves.len().to_string()));
    if game.position.is_some() {
        tags.push(("SetUp", "1".to_string()));
    }
    tags.push(("Termination", termination(&game.ending).to_string()));
    tags.push(("Variant", variant.to_string()));
    tags
}

fn result(game: &PlayedGame) -> PgnResult {
    match winner(game) {
        Some(Some(0)) => PgnResult::White,
        Some(Some(_)) => PgnResult::Black,
        Some(None) => PgnResult::Draw,
        None => PgnResult::Unknown,
    }
}

/// The words of section 9.8.1.
fn termination(ending: &Ending) -> &'static str {
    match ending {
        Ending::Rules | Ending::Repetition => "normal",
        Ending::Length => "adjudication",
        Ending::Fault { reason, .. } => match reason {
            Fault::Time(_) | Fault::Hung(_) => "time forfeit",
            Fault::Crashed(_) | Fault::Refused(_) => "abandoned",
            Fault::Illegal(_) | Fault::Nodes(_) | Fault::NoMove | Fault::Garbage(_) => {
                "rules infraction"
            }
        },
    }
}

/// How it ended. Who is at fault is named: colours may stand the other way round here.
fn comment(stored: &StoredRun, game: &PlayedGame) -> String {
    match &game.ending {
        Ending::Fault { seat, reason } => {
            let player = game.seats.get(*seat);
            let name = player.map_or("?", |&player| stored.name(player));
            format!("{name} {reason}")
        }
        _ => game.text.clone(),
    }
}
