//! Collections of boards and Pentasol records: what is none is refused with a reason, and whatever
//! is one can be written and read again.

use tabia_catalog::{CatalogError, open};
use tabia_puzzles::morpion::{Morpion, Variant, pentasol};

/// The target.
pub fn target(text: &str) {
    for spec in [
        "samegame:3x3,colours=3",
        "sliding:3x3",
        "gaps:ranks=3",
        "klondike:ranks=2,piles=2",
    ] {
        let game = open(spec).expect("a game of the catalog");
        match game.positions(text) {
            Ok(positions) => {
                let again = positions.join("\n");
                if !spec.starts_with("samegame") {
                    assert_eq!(game.positions(&again).as_ref(), Ok(&positions));
                }
                for position in &positions {
                    assert!(game.session(Some(position)).is_ok());
                }
            }
            Err(CatalogError::Boards(error)) => assert!(!error.to_string().is_empty()),
            Err(error) => panic!("{error}"),
        }
    }
    for variant in [
        Variant::FiveTouching,
        Variant::FiveDisjoint,
        Variant::FourTouching,
        Variant::FourDisjoint,
    ] {
        let game = Morpion::new(variant);
        match pentasol::read(&game, text) {
            Ok((moves, state)) => {
                let written = pentasol::write(&game, &moves);
                assert_eq!(pentasol::read(&game, &written), Ok((moves, state)));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
