//! Pictures as text for a terminal: one line a cell, and three columns, or four where cards or
//! numbers take two. Hexagons are drawn with their sides, in two lines and four columns.

use super::{Body, Colour, Facing, HexSide, Picture, Shape};

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
    let hexagonal = picture.is_hexagonal();
    let (columns, lines, margin) = match hexagonal {
        // With an upright side at its left and a sloping one above it.
        true => (4.0, 2.0, (2, 1)),
        false => (3.0 + wide as f32, 1.0, (1, 0)),
    };
    let column = |x: f32| ((x - left) * columns).round().max(0.0) as usize + margin.0;
    let line = |y: f32| ((y - top) * lines).round().max(0.0) as usize + margin.1;
    let blank = Glyph {
        character: ' ',
        colour: None,
        faint: false,
    };
    let mut canvas = vec![vec![blank; column(right) + 4]; line(bottom) + 1 + margin.1];
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
        let (x, y) = (column(cell.x), line(cell.y));
        put(x, y, '·', None, true);
        for side in HexSide::ALL
            .into_iter()
            .filter(|_| cell.shape == Shape::Hexagon)
        {
            let (x, y, character) = place_of(side, x, y);
            put(x, y, character, None, true);
        }
    }
    for edge in &picture.edges {
        let (x, y, character) = place_of(edge.side, column(edge.x), line(edge.y));
        put(x, y, character, Some(edge.colour), false);
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
    let is_empty = |row: &Vec<Glyph>| row.iter().all(|glyph| glyph.character == ' ');
    if hexagonal {
        let first = canvas.iter().position(|row| !is_empty(row)).unwrap_or(0);
        canvas.drain(..first);
        canvas.truncate(
            canvas
                .iter()
                .rposition(|row| !is_empty(row))
                .map_or(0, |last| last + 1),
        );
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

/// Where a side of a hexagon is drawn whose middle is here, and how.
fn place_of(side: HexSide, x: usize, y: usize) -> (usize, usize, char) {
    let (left, up) = (|by| x.saturating_sub(by), y.saturating_sub(1));
    match side {
        HexSide::UpperRight => (x + 1, up, '\\'),
        HexSide::Right => (x + 2, y, '|'),
        HexSide::LowerRight => (x + 1, y + 1, '/'),
        HexSide::LowerLeft => (left(1), y + 1, '\\'),
        HexSide::Left => (left(2), y, '|'),
        HexSide::UpperLeft => (left(1), up, '/'),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Shade;

    #[test]
    fn hexagons_have_sides() {
        let mut picture = Picture::default();
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0)] {
            picture.hexagon(x, y, Shade::Light);
        }
        picture.piece((1.0, 0.0), 'x', Colour::Red, Body::Disc);
        picture.mark((0.5, 1.0));
        picture.edge((0.5, 1.0), HexSide::LowerLeft, Colour::Blue);
        let expected = " / \\ / \\\n|   |   |\n".replace("|   |   |", "| · | X |")
            + " \\ / \\ /\n  |[·]|\n   \\ /\n";
        assert_eq!(render(&picture, Style::Plain), expected);
        let coloured = render(&picture, Style::Coloured);
        assert!(coloured.contains("\x1b[1;36m\\\x1b[0m"), "{coloured:?}");
    }
}
