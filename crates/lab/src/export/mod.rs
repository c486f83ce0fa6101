//! Games of a stored run in formats that other programs read.
//!
//! CSV and JSON lines hold everything and exist for every game. PGN and SGF exist for games that
//! these formats know; the catalog says which. Nothing is left out silently: a game that a format
//! cannot hold is refused with the reason.

mod csv;
mod lines;
mod pgn;
mod run;
mod sgf;
#[cfg(test)]
mod tests;

use serde::Serialize;
use tabia_game::options::split_spec;
use tabia_game::{Player, Turn};
use tabia_registry::{AnyGame, CatalogError, GameEntry, entries, entry};

use crate::LabError;
use crate::matches::PlayedGame;
use crate::player::Fault;
use crate::referee::Ending;

pub use run::StoredRun;

/// A format of files of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A row for each game.
    Csv,
    /// A JSON object for each game, each on a line.
    JsonLines,
    /// Portable Game Notation (Edwards 1994).
    Pgn,
    /// Smart Game Format, file format 4 (Hollosi 1997).
    Sgf,
}

/// The games of a run as a text of this format.
pub fn write(format: ExportFormat, stored: &StoredRun) -> Result<String, LabError> {
    match format {
        ExportFormat::Csv => csv::write(stored),
        ExportFormat::JsonLines => lines::write(stored),
        ExportFormat::Pgn => pgn::write(stored),
        ExportFormat::Sgf => sgf::write(stored),
    }
}

/// How a game ended, in a word.
fn ending_word(ending: &Ending) -> &'static str {
    match ending {
        Ending::Rules => "rules",
        Ending::Repetition => "repetition",
        Ending::Length => "length",
        Ending::Fault { .. } => "fault",
    }
}

/// What a player did wrong.
#[derive(Serialize)]
struct FaultOf<'a> {
    /// Its seat, counted from one.
    seat: usize,
    #[serde(flatten)]
    reason: &'a Fault,
}

fn fault(game: &PlayedGame) -> Option<FaultOf<'_>> {
    match &game.ending {
        Ending::Fault { seat, reason } => Some(FaultOf {
            seat: seat.saturating_add(1),
            reason,
        }),
        _ => None,
    }
}

/// Who won a game of two: the first seat, the second, or nobody; nothing if it cannot be told.
fn winner(game: &PlayedGame) -> Option<Option<usize>> {
    match (&game.payoffs, game.forfeit()) {
        (Some(payoffs), _) => match payoffs[..] {
            [first, second] if first > second => Some(Some(0)),
            [first, second] if first < second => Some(Some(1)),
            [_, _] => Some(None),
            _ => None,
        },
        (None, Some(seat @ 0..=1)) => Some(Some(1 - seat)),
        (None, _) => None,
    }
}

/// The seat that moves first in a game.
fn first_to_move(rules: &dyn AnyGame, game: &PlayedGame) -> Result<usize, CatalogError> {
    let session = rules.session(game.position.as_deref())?;
    Ok(match session.turn() {
        Turn::Player(player) => player.index(),
        Turn::Chance | Turn::Over => Player::FIRST.index(),
    })
}

/// The entry of the game of a run, if it has what the format needs.
fn entry_with<T>(
    stored: &StoredRun,
    format: &str,
    has: impl Fn(&GameEntry) -> Option<T>,
) -> Result<T, LabError> {
    let spec = stored.game()?;
    let found = has(entry(split_spec(spec.trim()).0)?);
    found.ok_or_else(|| {
        let known: Vec<&str> = entries()
            .iter()
            .filter(|entry| has(entry).is_some())
            .map(|entry| entry.name)
            .collect();
        LabError::BadRequest(format!(
            "games of {spec} cannot be written as {format}; it exists for {}; csv and jsonl exist \
             for all",
            known.join(", ")
        ))
    })
}

/// The day a run began, with these separators; nothing if it is not told.
fn day(stored: &StoredRun, separator: &str) -> Option<String> {
    let time = humantime::parse_rfc3339(&stored.run.started).ok()?;
    let time = humantime::format_rfc3339(time).to_string();
    let (day, _) = time.split_once('T')?;
    Some(day.replace('-', separator))
}
