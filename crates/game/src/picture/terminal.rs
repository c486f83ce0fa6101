//! Pictures as text for a terminal: three columns and one line a cell.

use super::{Colour, Picture};

/// Whether the text may contain colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plain characters, for pipes and files.
    Plain,
    /// ANSI colours, for terminals.
    Coloured,
}

const COLUMNS: f32 = 3.0;

#[derive(Clone)]
struct Glyph {
    character: char,
    colour: Option<Colour>,
    faint: bool,
}

/// Renders a picture; every line ends with a line break and has no trailing blanks.
pub fn render(picture: &Picture, style: Style) -> String {
    let (left, top, right, bottom) = picture.bounds();
    let column = |x: f32| ((x - left) * COLUMNS).round().max(0.0) as usize + 1;
    let line = |y: f32| (y - top).round().max(0.0) as usize;
    let blank = Glyph {
        character: ' ',
        colour: None,
        faint: false,
    };
    let mut canvas = vec![vec![blank; column(right) + 4]; line(bottom) + 1];
    let mut put = |x: usize, y: usize, character, colour, faint| {
        if let Some(glyph) = canvas.get_mut(y).and_then(|row| row.get_mut(x)) {
            *glyph = Glyph {
                character,
                colour,
                faint,
            };
        }
    };
    for cell in &picture.cells {
        put(column(cell.x), line(cell.y), '·', None, true);
    }
    for label in &picture.labels {
        // Two-digit ranks start one column earlier, so that their units line up.
        let width = label.text.chars().count();
        let start = (column(label.x) + 1).saturating_sub(width);
        for (i, c) in label.text.chars().enumerate() {
            put(start + i, line(label.y), c, None, true);
        }
    }
    for piece in &picture.pieces {
        let letter = piece.letter.to_ascii_uppercase();
        put(
            column(piece.x),
            line(piece.y),
            letter,
            Some(piece.colour),
            false,
        );
    }
    for &(x, y) in &picture.marks {
        put(column(x).saturating_sub(1), line(y), '[', None, false);
        put(column(x) + 1, line(y), ']', None, false);
    }
    let mut text = String::new();
    for row in &canvas {
        let end = row
            .iter()
            .rposition(|g| g.character != ' ')
            .map_or(0, |i| i + 1);
        for glyph in &row[..end] {
            match (style, ansi(glyph)) {
                (Style::Coloured, Some(code)) => {
                    text += &format!("\x1b[{code}m{}\x1b[0m", glyph.character);
                }
                _ => text.push(glyph.character),
            }
        }
        text.push('\n');
    }
    text
}

fn ansi(glyph: &Glyph) -> Option<&'static str> {
    if glyph.faint {
        return Some("2");
    }
    glyph.colour.map(|colour| match colour {
        Colour::Black => "1;34",
        Colour::White => "1;37",
        Colour::Red => "1;31",
        Colour::Yellow => "1;33",
        Colour::Blue => "1;36",
    })
}
