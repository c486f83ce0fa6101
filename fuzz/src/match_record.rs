//! Matches of backgammon in the format of Jellyfish: what is read is written and read again without
//! loss, and every game replays from its start.

use tabia_backgammon::backgammon::Backgammon;
use tabia_backgammon::backgammon::records::MatchRecord;
use tabia_game::Game;

/// The target.
pub fn target(text: &str) {
    let record: MatchRecord = match text.parse() {
        Ok(record) => record,
        Err(error) => return assert!(!error.reason.is_empty() && error.line > 0),
    };
    assert_eq!(record.to_string().parse(), Ok(record.clone()));
    let Ok(game) = Backgammon::new(record.rules()) else {
        panic!("a record by rules that contradict each other");
    };
    let mut moves = Vec::new();
    for one in &record.games {
        let mut state = record.start(one);
        for &mv in &one.moves {
            moves.clear();
            game.moves(&state, &mut moves);
            assert!(moves.contains(&mv), "{mv:?} is not legal");
            game.play(&mut state, mv);
        }
    }
}
