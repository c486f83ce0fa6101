//! Books as files: lines of JSON, the header first, then a node a line, and the checksum of all
//! that last.

use serde::{Deserialize, Serialize};

use super::{Book, Header, Node};
use crate::CatalogError;

/// The number of the format.
const VERSION: u32 = 1;
/// The most nodes of a book.
const MAX_NODES: usize = 10_000_000;

/// What can go wrong with a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// A text that is no book.
    #[error("line {line} of the book: {reason}")]
    Text {
        /// The line, counted from one.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The game or the engine does not do what is asked.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// Something that cannot be done with a book.
    #[error("{0}")]
    Request(String),
    /// It was stopped before it was done.
    #[error("stopped")]
    Stopped,
}

#[derive(Serialize, Deserialize)]
struct First {
    tabia_book: u32,
    nodes: usize,
    #[serde(flatten)]
    header: Header,
}

/// The line behind a text: its checksum. It is compared letter by letter, so that it is as
/// protected as the rest.
fn last_line(text: &str) -> String {
    format!("{{\"blake3\":\"{}\"}}\n", blake3::hash(text.as_bytes()))
}

fn wrong(line: usize, reason: impl ToString) -> BookError {
    BookError::Text {
        line,
        reason: reason.to_string(),
    }
}

impl Book {
    /// The book as a text.
    pub fn write(&self) -> String {
        let first = First {
            tabia_book: VERSION,
            nodes: self.nodes().len(),
            header: self.header().clone(),
        };
        let line = |value: Result<String, serde_json::Error>| value.unwrap_or_default() + "\n";
        let mut text = line(serde_json::to_string(&first));
        for node in self.nodes() {
            text += &line(serde_json::to_string(node));
        }
        let last = last_line(&text);
        text + &last
    }

    /// Reads a book; whatever is not exactly one is refused.
    pub fn read(text: &str) -> Result<Book, BookError> {
        let mut lines = text.split_inclusive('\n').enumerate();
        let (_, first) = lines.next().ok_or_else(|| wrong(1, "the file is empty"))?;
        let First {
            tabia_book,
            nodes: count,
            header,
        } = serde_json::from_str(first)
            .map_err(|e| wrong(1, format!("no header of a book: {e}")))?;
        if tabia_book != VERSION {
            return Err(wrong(
                1,
                format!("format {tabia_book}, where {VERSION} is known"),
            ));
        }
        if !(1..=MAX_NODES).contains(&count) {
            return Err(wrong(
                1,
                format!("{count} nodes, where 1 to {MAX_NODES} are possible"),
            ));
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut bytes = first.len();
        for (number, line) in lines.by_ref().take(count) {
            let node: Node = serde_json::from_str(line).map_err(|e| wrong(number + 1, e))?;
            check(&node, nodes.len()).map_err(|reason| wrong(number + 1, reason))?;
            bytes += line.len();
            nodes.push(node);
        }
        let (number, last) = lines
            .next()
            .filter(|_| nodes.len() == count)
            .ok_or_else(|| {
                wrong(
                    nodes.len() + 2,
                    format!("the file ends before its {count} nodes and its checksum"),
                )
            })?;
        if last != last_line(&text[..bytes]) {
            return Err(wrong(
                number + 1,
                "the last line is not the checksum of the lines before",
            ));
        }
        match lines.next() {
            Some((number, _)) => Err(wrong(number + 1, "nothing belongs behind the checksum")),
            None => Ok(Book::of(header, nodes)),
        }
    }
}

/// What must hold of the node with this number.
fn check(node: &Node, number: usize) -> Result<(), String> {
    match node.parent {
        None if number > 0 => return Err("only the first node has no parent".into()),
        Some(parent) if parent >= number => {
            return Err(format!(
                "node {number} has the parent {parent}, which does not stand before it"
            ));
        }
        _ => {}
    }
    let waiting = node.waiting.iter().flatten();
    let movers = waiting
        .clone()
        .map(|waiting| waiting.mover)
        .chain([node.mover]);
    if movers.flatten().any(|mover| mover > 1) {
        return Err("the player to move is 0 or 1".into());
    }
    let values = waiting.map(|waiting| waiting.value).chain([node.value]);
    let limit = 1_000_000;
    if values
        .chain(node.given)
        .any(|value| !(-limit..=limit).contains(&value))
    {
        return Err(format!("a value lies between -{limit} and {limit}"));
    }
    Ok(())
}
