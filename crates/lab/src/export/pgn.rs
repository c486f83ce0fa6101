//! Portable Game Notation in its export format (Edwards 1994, section 3.2).
//!
//! In PGN White moves first, and readers rely on it. So White is whoever has the first seat, whatever
//! the game calls it: in Lines of Action White here is Black there. Moves are written as everywhere
//! else in Tabia; a pass is `--`, as programs write null moves. A game that began at a position has
//! `SetUp` and `FEN`, the latter in the notation of the game.

use tabia_catalog::open;

use super::{StoredRun, day, entry_with, first_to_move, winner};
use crate::LabError;
use crate::matches::Played;
use crate::player::Fault;
use crate::referee::Ending;
use crate::store::Kind;

/// The longest line of moves.
const WIDTH: usize = 79;

pub(super) fn write(stored: &StoredRun) -> Result<String, LabError> {
    let variant = entry_with(stored, "PGN", |entry| entry.pgn)?;
    let rules = open(stored.game()?)?;
    let date = day(stored, ".").unwrap_or_else(|| "????.??.??".to_string());
    let mut text = String::new();
    for game in &stored.games {
        let first = first_to_move(&*rules, game)?;
        text += &tags(stored, game, variant, &date);
        text.push('\n');
        text += &wrapped(&tokens(stored, game, first));
        text.push('\n');
    }
    Ok(text)
}

fn tags(stored: &StoredRun, game: &Played, variant: &str, date: &str) -> String {
    let mut names = stored.names(game);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        text += &format!("[{name} \"{}\"]\n", escape(value));
    };
    tag("Event", &stored.run.title);
    tag("Site", "?");
    tag("Date", date);
    // The rounds of a tournament are not those of its openings.
    let round = match stored.run.kind {
        Kind::Match => (game.number + 1).to_string(),
        Kind::Tournament | Kind::Experiment => "?".to_string(),
    };
    tag("Round", &round);
    tag("White", names.next().unwrap_or("?"));
    tag("Black", names.next().unwrap_or("?"));
    tag("Result", result(game));
    if let Some(position) = &game.position {
        tag("FEN", position);
    }
    tag("GameId", &format!("{}.{}", stored.run.id, game.number));
    tag("PlyCount", &game.moves.len().to_string());
    if game.position.is_some() {
        tag("SetUp", "1");
    }
    tag("Termination", termination(&game.ending));
    tag("Variant", variant);
    text
}

/// Strings hold neither line ends nor bare quotes and backslashes.
fn escape(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .flat_map(|c| {
            let mark = matches!(c, '"' | '\\').then_some('\\');
            mark.into_iter().chain([c])
        })
        .collect()
}

fn result(game: &Played) -> &'static str {
    match winner(game) {
        Some(Some(0)) => "1-0",
        Some(Some(_)) => "0-1",
        Some(None) => "1/2-1/2",
        None => "*",
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

fn tokens(stored: &StoredRun, game: &Played, first: usize) -> Vec<String> {
    let mut tokens = Vec::new();
    for (ply, mv) in game.moves.iter().enumerate() {
        let half = ply + first;
        if half.is_multiple_of(2) {
            tokens.push(format!("{}.", half / 2 + 1));
        } else if ply == 0 {
            tokens.push(format!("{}...", half / 2 + 1));
        }
        let pass = mv == "pass";
        tokens.push(if pass { "--".to_string() } else { mv.clone() });
    }
    // Who is at fault is named: colours may stand the other way round here.
    let ending = match &game.ending {
        Ending::Fault { seat, reason } => {
            let name = game
                .seats
                .get(*seat)
                .map_or("?", |&player| stored.name(player));
            format!("{name} {reason}")
        }
        _ => game.text.clone(),
    };
    // A comment ends at the first brace.
    let comment = format!("{{{}}}", ending.replace(['{', '}'], "|"));
    tokens.extend(comment.split_whitespace().map(str::to_string));
    tokens.push(result(game).to_string());
    tokens
}

fn wrapped(tokens: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for token in tokens {
        let length = token.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(token);
        column += length;
    }
    text.push('\n');
    text
}
