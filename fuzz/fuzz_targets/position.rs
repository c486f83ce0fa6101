//! Positions: a line with the spec of a game, then the position. What is accepted round trips, and
//! each of its moves can be read, played and taken back.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use tabia_catalog::open;
use tabia_fuzz::{check_refusal, check_session, split_line};

fuzz_target!(|text: &str| -> Corpus {
    let (spec, position) = split_line(text);
    let Ok(game) = open(spec) else {
        return Corpus::Reject;
    };
    match game.session(Some(position)) {
        Ok(mut session) => check_session(&*game, &mut *session),
        Err(error) => check_refusal(&error),
    }
    Corpus::Keep
});
