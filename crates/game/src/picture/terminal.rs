//! Pictures as text for a terminal: one line a cell, and three columns, or four where cards or
//! numbers take two.

use super::{Body, Colour, Facing, Picture};

/// Whether the text may contain colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plain characters, for pipes and files.
    Plain,
    /// ANSI colours, for terminals.
    Coloured,
}

#[derive(Clone)]
struct Glyph {
    character: char,
    colour: Option<Colour>,
    faint: bool,
}

/// Renders a picture; every line ends with a line break and has no trailing blanks.
pub fn render(picture: &Picture, style: Style) -> String {
    let (left, top, right, bottom) = picture.bounds();
    // A cell is as wide as what stands on it, with room for the marks on both sides.
    let wide = usize::from(picture.pieces.iter().any(|piece| piece.body.is_wide()));
    let columns = 3.0 + wide as f32;
    let column = |x: f32| ((x - left) * columns).round().max(0.0) as usize + 1;
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
        let (characters, faint) = match piece.body {
            Body::Disc | Body::Letter | Body::Point => ([Some(letter), None], false),
            Body::Card(suit, side) => ([Some(letter), Some(suit.sign())], side == Facing::FaceDown),
            Body::Tile(number) => (digits(number), false),
        };
        for (i, c) in characters.into_iter().enumerate() {
            if let Some(c) = c {
                let at = column(piece.x) + i;
                put(at, line(piece.y), c, Some(piece.colour), faint);
            }
        }
    }
    for &(x, y) in &picture.marks {
        put(column(x).saturating_sub(1), line(y), '[', None, false);
        put(column(x) + 1 + wide, line(y), ']', None, false);
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

/// The last two digits of a number, with a blank for a leading zero.
fn digits(number: u8) -> [Option<char>; 2] {
    let digit = |n: u8| char::from(b'0' + n % 10);
    let tens = if number < 10 { ' ' } else { digit(number / 10) };
    [Some(tens), Some(digit(number))]
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
        Colour::Green => "1;32",
    })
}
