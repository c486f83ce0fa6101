//! CSV: one row for each game (RFC 4180).
//!
//! Columns that belong to a seat carry its number, counted from one. What is not there is empty.

use super::{StoredRun, ending_word};
use crate::LabError;
use crate::matches::PlayedGame;
use crate::matches::units::score_of_seat;

/// Columns of the game as a whole, before those of the seats.
const BEFORE: [&str; 6] = ["run", "number", "round", "game", "seed", "position"];
/// Columns of each seat.
const OF_SEAT: [&str; 7] = [
    "seat", "payoff", "points", "moves", "nodes", "seconds", "longest",
];
/// Columns of the game as a whole, after those of the seats.
const AFTER: [&str; 6] = ["ending", "fault_seat", "text", "plies", "opening", "line"];

pub(super) fn write(stored: &StoredRun) -> Result<String, LabError> {
    let game = stored.game()?;
    let seats = stored.games.iter().map(|game| game.seats.len()).max();
    let seats = seats.unwrap_or(0);
    let of_seats = (1..=seats).flat_map(|seat| OF_SEAT.map(|column| format!("{column}{seat}")));
    let header = BEFORE
        .map(String::from)
        .into_iter()
        .chain(of_seats)
        .chain(AFTER.map(String::from));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: csv::Error| LabError::BadRequest(format!("no CSV: {error}"));
    writer.write_record(header).map_err(failed)?;
    for played in &stored.games {
        let row = row(stored, game, played, seats);
        writer.write_record(row).map_err(failed)?;
    }
    let bytes = writer.into_inner().unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn row(stored: &StoredRun, spec: &str, game: &PlayedGame, seats: usize) -> Vec<String> {
    let mut row = vec![
        stored.run.id.to_string(),
        game.number.to_string(),
        game.round.to_string(),
        spec.to_string(),
        game.seed.to_string(),
        game.position.clone().unwrap_or_default(),
    ];
    for seat in 0..seats {
        let name = game.seats.get(seat).map(|&player| stored.name(player));
        let payoff = game.payoffs.as_ref().and_then(|payoffs| payoffs.get(seat));
        row.push(name.unwrap_or_default().to_string());
        row.push(payoff.map_or(String::new(), ToString::to_string));
        let points = score_of_seat(game, seat);
        row.push(points.map_or(String::new(), |points| points.to_string()));
        let effort = game.efforts.get(seat);
        row.extend(match effort {
            None => [const { String::new() }; 4],
            Some(effort) => [
                effort.moves.to_string(),
                effort.nodes.to_string(),
                effort.seconds.to_string(),
                effort.longest.to_string(),
            ],
        });
    }
    row.extend([
        ending_word(&game.ending).to_string(),
        game.forfeit()
            .map_or(String::new(), |seat| (seat + 1).to_string()),
        game.text.clone(),
        game.moves.len().to_string(),
        game.opening.to_string(),
        game.moves.join(" "),
    ]);
    row
}
