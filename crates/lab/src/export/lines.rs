//! JSON lines: one object for each game.
//!
//! Seeds are numbers of 64 bits and are written exactly. A reader that keeps numbers as 64-bit
//! floating point, as JavaScript does, rounds those above 2^53.

use serde::Serialize;

use super::{FaultOf, StoredRun, ending_word, fault};
use crate::LabError;
use crate::referee::Effort;

#[derive(Serialize)]
struct JsonLine<'a> {
    run: i64,
    number: u64,
    round: u64,
    game: &'a str,
    seed: u64,
    position: Option<&'a str>,
    seats: Vec<&'a str>,
    payoffs: Option<&'a [i32]>,
    ending: &'static str,
    fault: Option<FaultOf<'a>>,
    text: &'a str,
    plies: usize,
    opening: usize,
    moves: &'a [String],
    efforts: &'a [Effort],
}

pub(super) fn write(stored: &StoredRun) -> Result<String, LabError> {
    let spec = stored.game()?;
    let mut text = String::new();
    for game in &stored.games {
        let line = JsonLine {
            run: stored.run.id,
            number: game.number,
            round: game.round,
            game: spec,
            seed: game.seed,
            position: game.position.as_deref(),
            seats: stored.names(game).collect(),
            payoffs: game.payoffs.as_deref(),
            ending: ending_word(&game.ending),
            fault: fault(game),
            text: &game.text,
            plies: game.moves.len(),
            opening: game.opening,
            moves: &game.moves,
            efforts: &game.efforts,
        };
        let line = serde_json::to_string(&line)
            .map_err(|error| LabError::BadRequest(format!("no JSON: {error}")))?;
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}
