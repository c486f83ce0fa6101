//! Tournament files. A refusal says why; what is read is ranked, everybody exactly once, and every
//! row of the crosstable is as long as its header. No file that a tournament names is opened.

use tabia_lab::tournament::{Tournament, TournamentFileError};

/// Ranking takes time with the square of the players and more.
const MOST: usize = 20_000;

/// The target.
pub fn target(text: &str) {
    if text.len() > MOST {
        return;
    }
    let read: Result<Tournament, TournamentFileError> = text.parse();
    let tournament = match read {
        Ok(tournament) => tournament,
        Err(error) => {
            assert!(!error.to_string().trim().is_empty(), "{error:?} is silent");
            return;
        }
    };
    let standings = tournament.standings();
    let mut players: Vec<usize> = standings.iter().map(|standing| standing.player).collect();
    players.sort_unstable();
    assert!(players.into_iter().eq(0..tournament.players.len()));
    let table = tournament.crosstable(&standings);
    assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
}
