//! Standard output: JSON or text, as wide as the terminal, coloured only on one.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use indicatif::ProgressBar;
use serde_json::Value;
use tabia_game::Picture;
use tabia_game::picture::terminal::{self, Style};

pub use tabia_catalog::grouped;

/// Where the answers go.
pub struct Console {
    /// Whether the answer is JSON.
    pub json: bool,
    /// Columns of the terminal; 80 where there is none.
    pub width: usize,
    style: Style,
}

impl Console {
    /// Looks at standard output and the environment.
    pub fn new(json: bool) -> Console {
        let columns = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let coloured = io::stdout().is_terminal() && !is_set("NO_COLOR") && !dumb;
        Console {
            json,
            width: columns.max(20),
            style: if coloured {
                Style::Coloured
            } else {
                Style::Plain
            },
        }
    }

    /// Prints text as it is.
    pub fn print(&self, text: &str) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    /// Prints one JSON value.
    pub fn print_json(&self, value: &Value) -> anyhow::Result<()> {
        self.print(&format!("{value:#}\n"))
    }

    /// A picture as text.
    pub fn board(&self, picture: &Picture) -> String {
        terminal::render(picture, self.style)
    }

    /// A sign of life for long work, on a terminal only.
    pub fn spinner(&self, message: String) -> ProgressBar {
        // Drawn on standard error, and not at all if that is no terminal.
        let spinner = ProgressBar::new_spinner().with_message(message);
        spinner.enable_steady_tick(Duration::from_millis(120));
        spinner
    }
}

/// A table without lines, as wide as the terminal; all columns but the first are aligned as told.
/// What is aligned to the right are numbers, which are never broken; what stands before them are
/// names, which are broken between options only.
pub fn table(
    console: &Console,
    header: &[&str],
    rows: Vec<Vec<String>>,
    alignment: CellAlignment,
) -> String {
    let unbroken = alignment == CellAlignment::Right;
    let in_order = || rows.iter().map(|row| told(console, header, row)).collect();
    if console.width < TABLE_WIDTH {
        return in_order();
    }
    let rows = match unbroken {
        true => match names_broken(console, header, &rows) {
            Some(rows) => rows,
            None => return in_order(),
        },
        false => rows,
    };
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(console.width).unwrap_or(u16::MAX))
        .set_header(header)
        .add_rows(rows);
    for (place, column) in table.column_iter_mut().enumerate() {
        if place > 0 {
            column.set_cell_alignment(alignment);
        }
        if unbroken {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

/// The rows with their first cells on as many lines as they need, so that all other columns can be
/// as wide as they are; nothing if that leaves no room.
fn names_broken(
    console: &Console,
    header: &[&str],
    rows: &[Vec<String>],
) -> Option<Vec<Vec<String>>> {
    // A cell has a blank on either side.
    const BLANKS: usize = 2;
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let cells = cells.map(String::as_str).chain(header.get(column).copied());
        let widest = cells.map(|cell| cell.chars().count()).max();
        widest.unwrap_or(0) + BLANKS
    };
    let others: usize = (1..header.len()).map(width).sum();
    let room = console.width.checked_sub(others + BLANKS)?;
    let mut rows = rows.to_vec();
    for name in rows.iter_mut().filter_map(|row| row.first_mut()) {
        *name = name_on_lines(name, room)?;
    }
    (header.first()?.chars().count() <= room).then_some(rows)
}

/// A name on lines of at most `width` columns, broken after blanks, colons and commas: an option is
/// never torn apart. Nothing if an option is longer than that.
fn name_on_lines(name: &str, width: usize) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in name.split_inclusive([' ', ':', ',']) {
        let length = |text: &str| text.trim_end().chars().count();
        if length(part) > width {
            return None;
        }
        match lines.last_mut() {
            Some(line) if line.chars().count() + length(part) <= width => line.push_str(part),
            _ => lines.push(part.to_string()),
        }
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    Some(lines.join("\n"))
}

/// Narrower than this, rows are told one after the other.
const TABLE_WIDTH: usize = 60;

/// A row as a list: its first cell, then what the others are.
fn told(console: &Console, header: &[&str], row: &[String]) -> String {
    let first = row.first().map_or("", String::as_str);
    let others = header
        .iter()
        .zip(row)
        .skip(1)
        .filter(|(_, cell)| !cell.is_empty());
    let mut text = sentence(console, first);
    for (name, cell) in others {
        let line = match name.is_empty() {
            true => format!("    {cell}\n"),
            false => format!("    {} {cell}\n", name.to_lowercase()),
        };
        text += &line;
    }
    text
}

/// A line, broken where the terminal ends.
pub fn sentence(console: &Console, text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    format!("{}\n", wrap(&words, console.width, 2))
}

/// Words on lines of at most `width` columns; lines after the first begin with `indent` blanks.
pub fn wrap<S: AsRef<str>>(words: &[S], width: usize, indent: usize) -> String {
    let mut text = String::new();
    let mut column = indent;
    for word in words.iter().map(AsRef::as_ref) {
        let length = word.chars().count();
        if column > indent {
            if column + 1 + length > width {
                text.push('\n');
                text.push_str(&" ".repeat(indent));
                column = indent;
            } else {
                text.push(' ');
                column += 1;
            }
        }
        text.push_str(word);
        column += length;
    }
    text
}

/// Words in columns of equal width, read row by row.
pub fn columns(words: &[String], width: usize) -> String {
    let widest = words.iter().map(|w| w.chars().count()).max().unwrap_or(0);
    let across = ((width + 2) / (widest + 2)).max(1);
    let mut text = String::new();
    for row in words.chunks(across) {
        let line: String = row.iter().map(|w| format!("{w:<widest$}  ")).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A number of things.
pub fn counted(number: impl Into<u64>, one: &str, many: &str) -> String {
    let number = number.into();
    let things = if number == 1 { one } else { many };
    format!("{} {things}", grouped(number))
}

/// A duration in seconds, with as many places as are worth reading.
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 10.0 {
        format!("{seconds:.3} s")
    } else {
        format!("{seconds:.1} s")
    }
}

/// This many a second, as text; nothing when it went too fast to tell.
pub fn rate(count: u64, time: Duration) -> Option<String> {
    let seconds = time.as_secs_f64();
    (seconds >= 1e-3).then(|| grouped((count as f64 / seconds).round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let texts = [0, 999, 1000, 1_563_208, u64::MAX].map(grouped);
        assert_eq!(
            texts,
            [
                "0",
                "999",
                "1,000",
                "1,563,208",
                "18,446,744,073,709,551,615"
            ]
        );
    }

    #[test]
    fn columns_fit_the_width() {
        let words: Vec<String> = ["a1", "b1-b3", "c"].map(String::from).to_vec();
        assert_eq!(columns(&words, 12), "a1     b1-b3\nc\n");
        assert_eq!(columns(&words, 1), "a1\nb1-b3\nc\n");
        assert_eq!(columns(&[], 80), "");
    }

    #[test]
    fn names_are_broken_between_options_only() {
        let name = "paranoid:nodes=1000,table=64M";
        assert_eq!(name_on_lines(name, 29).as_deref(), Some(name));
        assert_eq!(
            name_on_lines(name, 22).as_deref(),
            Some("paranoid:nodes=1000,\ntable=64M")
        );
        assert_eq!(
            name_on_lines(name, 12).as_deref(),
            Some("paranoid:\nnodes=1000,\ntable=64M")
        );
        assert_eq!(name_on_lines(name, 10), None);
    }

    #[test]
    fn words_wrap_at_the_width() {
        assert_eq!(wrap(&["aa", "bb", "cc"], 7, 2), "aa bb\n  cc");
        assert_eq!(wrap(&["aaaaaaaaaa", "b"], 4, 2), "aaaaaaaaaa\n  b");
    }
}
