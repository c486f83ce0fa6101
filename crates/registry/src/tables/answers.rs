//! What is answered about tables: fields for programs, words for people.

use std::fmt;

use serde_json::{Map, Value, json};
use tabia_tables::{Counted, grouped};

/// Figures of tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// For programs.
    pub fields: Map<String, Value>,
    /// The columns for people.
    pub columns: Vec<String>,
    /// The rows for people.
    pub rows: Vec<Vec<String>>,
}

/// What tables say of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probed {
    /// For programs.
    pub fields: Map<String, Value>,
    /// What the position is worth in a few words, if there is one value.
    pub value: Option<String>,
    /// All else for people: lines that end with a line feed.
    pub text: String,
}

/// The fields of an object.
pub(super) fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The figures of tables that are counted one by one: those of a single table stand by themselves,
/// those of several in a list. Each object has the name of its table.
pub(super) fn fields_of_tables(counted: Counted, tables: Vec<Value>) -> Map<String, Value> {
    let symmetry = counted.word();
    match <[Value; 1]>::try_from(tables) {
        Ok([only]) => {
            let mut whole = fields(json!({ "slice": only["slice"], "symmetry": symmetry }));
            whole.extend(fields(only));
            whole
        }
        Err(several) => fields(json!({ "symmetry": symmetry, "slices": several })),
    }
}

/// What an entry holds, as answers tell it.
pub(super) trait Answered: fmt::Display {
    /// The fields that tell it; of an entry that is not known the same ones.
    fn fields(content: Option<&Self>) -> Map<String, Value>;
}

/// A position that was looked up.
pub(super) struct LookedUp<T> {
    /// The name of its table.
    pub slice: String,
    /// Its number there.
    pub index: u64,
    /// What the entry holds.
    pub content: T,
    /// Every move or roll with what the table holds for the player who makes it, the best first;
    /// `None` if its table is not there.
    pub moves: Vec<(String, Option<T>)>,
}

impl<T: Answered> From<LookedUp<T>> for Probed {
    fn from(found: LookedUp<T>) -> Probed {
        let mv = |(text, content): &(String, Option<T>)| {
            let mut object = fields(json!({ "move": text }));
            object.extend(T::fields(content.as_ref()));
            Value::Object(object)
        };
        let mut fields = fields(json!({
            "slice": found.slice,
            "index": found.index,
            "moves": found.moves.iter().map(mv).collect::<Vec<_>>(),
        }));
        fields.extend(T::fields(Some(&found.content)));
        let widest = found.moves.iter().map(|(mv, _)| mv.chars().count()).max();
        let width = widest.unwrap_or(0);
        let mut text = format!("position {} of {}\n\n", grouped(found.index), found.slice);
        for (mv, content) in &found.moves {
            let told = content.as_ref().map(T::to_string);
            let told = told.unwrap_or_else(|| "not known".to_string());
            text += &format!("{mv:<width$}  {told}\n");
        }
        Probed {
            fields,
            value: Some(found.content.to_string()),
            text,
        }
    }
}
