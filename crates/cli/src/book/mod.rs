//! `tabia book`: opening books, grown by an engine and put right by hand.

mod edit;
mod export;
mod grow;
mod show;

use std::path::Path;

use tabia_catalog::book::{Book, BookError, NodeId};
use tabia_catalog::{open, read_text};

use crate::console::Console;
use crate::failure::{Interrupted, bad_request};

/// Grow opening books, look at them, put them right by hand, export them
///
/// A book is a tree of moves with values, in one file. Engines play from it with the option
/// `book=FILE`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia book grow first.book amazons:6x6 --nodes 100
  tabia book grow first.book --nodes 200 --method depth --penalty 0.05
  tabia book show first.book --line \"b1-b5/d5\" --diagram exits.svg
  tabia book edit first.book --line \"b1-b5/d5\" --worst
  tabia book export first.book --output first.openings
  tabia match amazons:6x6 --player antiope:book=first.book --player antiope")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Grow(grow::Arguments),
    Show(show::Arguments),
    Edit(edit::Arguments),
    Export(export::Arguments),
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Grow(arguments) => grow::run(console, arguments),
        Command::Show(arguments) => show::run(console, arguments),
        Command::Edit(arguments) => edit::run(console, arguments),
        Command::Export(arguments) => export::run(console, arguments),
    }
}

/// The book of a file.
fn read(file: &Path) -> anyhow::Result<Book> {
    let shown = file.display();
    let text = read_text(file)
        .map_err(|e| bad_request(format!("the book '{shown}' cannot be read: {e}")))?;
    Book::read(&text).map_err(|e| bad_request(format!("'{shown}' is no sound book: {e}")))
}

/// The node that moves lead to.
fn node(book: &Book, line: Option<&str>) -> anyhow::Result<NodeId> {
    let moves: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
    book.find(&moves).map_err(refused)
}

/// What went wrong, with its exit status.
fn refused(error: BookError) -> anyhow::Error {
    match error {
        BookError::Catalog(error) => error.into(),
        BookError::Stopped => Interrupted.into(),
        other => bad_request(other.to_string()),
    }
}

/// The name of whoever has this seat.
fn player_names(book: &Book) -> anyhow::Result<[String; 2]> {
    let game = open(&book.header().game)?;
    Ok([0, 1].map(|seat| game.player_name(tabia_game::Player(seat))))
}

/// A value in units of a win.
fn shown(value: i32) -> String {
    format!("{:+.4}", f64::from(value) / 1e6)
}

/// A share of a win in millionths.
fn millionths(text: &str) -> Result<i32, String> {
    text.parse::<f64>()
        .ok()
        .filter(|value| (-1.0..=1.0).contains(value))
        .map(|value| (value * 1e6).round() as i32)
        .ok_or_else(|| "a share of a win is a number from -1 to 1".to_string())
}
