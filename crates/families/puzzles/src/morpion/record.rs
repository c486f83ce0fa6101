//! Records of Morpion Solitaire in the format of the program Pentasol.

use crate::morpion::{self, Morpion, pentasol};
use tabia_game::options::{OptionValues, split_spec};
use tabia_game::{Game, Text};

use tabia_registry::{CatalogError, Record, RecordFormat};

/// The format.
pub const PENTASOL: RecordFormat = RecordFormat {
    extension: "psol",
    title: "Pentasol record",
    read,
    write,
};

const NAME: &str = "morpion";

fn game(spec: &str) -> Result<Morpion, CatalogError> {
    let (name, options) = split_spec(spec.trim());
    if name != NAME {
        let reason = format!("Pentasol records are games of {NAME}, not of {name}");
        return Err(CatalogError::NotOffered(reason));
    }
    let values = OptionValues::parse(name, options, morpion::PARAMETERS)?;
    Ok(Morpion::from_values(&values)?)
}

/// Reads a Pentasol record, which does not say which variant it is of; 5T if nothing is said.
fn read(spec: Option<&str>, text: &str) -> Result<Record, CatalogError> {
    let spec = spec.unwrap_or(NAME);
    let game = game(spec)?;
    let (moves, _) = pentasol::read(&game, text)?;
    let mut state = game.start();
    let word = |mv| {
        let text = game.move_text(&state, mv);
        game.play(&mut state, mv);
        text
    };
    Ok(Record {
        game: spec.to_string(),
        moves: moves.into_iter().map(word).collect(),
        ..Record::default()
    })
}

/// Writes a game of Morpion Solitaire as a Pentasol record, from the cross on.
fn write(record: &Record) -> Result<String, CatalogError> {
    let game = game(&record.game)?;
    let mut state = game.start();
    let mut played = Vec::new();
    let before = match &record.position {
        None => Vec::new(),
        Some(text) => game.replay(&game.parse_position(text)?),
    };
    for mv in before {
        game.play(&mut state, mv);
        played.push(mv);
    }
    for (number, text) in (1..).zip(&record.moves) {
        let mv = game
            .parse_move(&state, text)
            .map_err(|reason| CatalogError::Line {
                number,
                reason: Box::new(reason.into()),
            })?;
        game.play(&mut state, mv);
        played.push(mv);
    }
    Ok(pentasol::write(&game, &played))
}
