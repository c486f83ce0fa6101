//! Records of games: what is read is written and read again without loss, and the game that was
//! replayed gives a record that leads to the same end.

use crate::{Snapshot, check_refusal};
use tabia_catalog::{Record, open, replay};

/// The target.
pub fn target(text: &str) {
    let record: Record = match text.parse() {
        Ok(record) => record,
        Err(error) => return check_refusal(&error.into()),
    };
    assert_eq!(record.to_string().parse(), Ok(record.clone()));
    let Ok(game) = open(&record.game) else {
        return;
    };
    let session = match replay(&record, &*game) {
        Ok(session) => session,
        Err(error) => return check_refusal(&error),
    };
    let spelled_out = Record {
        moves: session.history().to_vec(),
        ..record
    };
    match replay(&spelled_out, &*game) {
        Ok(again) => assert_eq!(Snapshot::of(&*again), Snapshot::of(&*session)),
        Err(error) => panic!("the moves that were played are refused: {error}"),
    }
}
