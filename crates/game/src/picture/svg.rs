//! Pictures as SVG.

use std::fmt::Write;

use super::{Body, Colour, Facing, Picture, Shade, Shape};

const UNIT: f32 = 48.0;
const HALF: f32 = UNIT / 2.0;
/// From one row of hexagons to the next: the height of a triangle with this side.
const ROW: f32 = UNIT * 0.866_025_4;
/// From the centre of a hexagon to its corners.
const RADIUS: f32 = UNIT * 0.577_350_26;
/// Letters on pieces, moved down by about half their height: not every program knows baselines in
/// the middle.
const BOLD: &str = r##"dy="0.35em" font-weight="bold""##;
const EDGE: &str = r##"stroke="#222""##;

/// Renders a picture as a self-contained SVG document with this title.
pub fn render(picture: &Picture, title: &str) -> String {
    let (left, top, right, bottom) = picture.bounds();
    // Rows of hexagons lie closer to each other than the cells of a row.
    let row = if picture.is_hexagonal() { ROW } else { UNIT };
    let (width, height) = (
        (right - left + 1.5) * UNIT,
        (bottom - top) * row + 1.5 * UNIT,
    );
    let x = |x: f32| (x - left + 0.75) * UNIT;
    let y = |y: f32| (y - top) * row + 0.75 * UNIT;
    let mut svg = String::new();
    // Writing to a string cannot fail, so the results are not looked at.
    let _ = write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" "##
    );
    let _ = write!(svg, r##"width="{width}" height="{height}" "##);
    let _ = write!(svg, r##"font-family="sans-serif" text-anchor="middle">"##);
    let _ = writeln!(
        svg,
        r##"
<title>{}</title>
<rect width="100%" height="100%" fill="#fbfaf7"/>"##,
        escape(title)
    );
    for cell in &picture.cells {
        let fill = match cell.shade {
            Shade::Light => "#f0e2c4",
            Shade::Dark => "#dcc596",
        };
        let edge = r##"stroke="#8b7750""##;
        let (cx, cy) = (x(cell.x), y(cell.y));
        let _ = match cell.shape {
            Shape::Square => writeln!(
                svg,
                r##"<rect x="{}" y="{}" width="{UNIT}" height="{UNIT}" fill="{fill}" {edge}/>"##,
                cx - HALF,
                cy - HALF
            ),
            Shape::Hexagon => writeln!(
                svg,
                r##"<polygon points="{}" fill="{fill}" {edge}/>"##,
                hexagon((cx, cy), RADIUS)
            ),
        };
    }
    for edge in &picture.edges {
        let place = edge.side as usize;
        let corners = corners((x(edge.x), y(edge.y)), RADIUS);
        let ((x1, y1), (x2, y2)) = (corners[place], corners[(place + 1) % 6]);
        let colour = fill(edge.colour);
        let thick = r##"stroke-width="6" stroke-linecap="round""##;
        let _ = write!(svg, r##"<line stroke="{colour}" {thick} "##);
        let _ = writeln!(
            svg,
            r##"x1="{x1:.2}" y1="{y1:.2}" x2="{x2:.2}" y2="{y2:.2}"/>"##
        );
    }
    for &(mx, my) in &picture.marks {
        let edge = r##"stroke="#c8511b" stroke-width="3""##;
        if picture.is_hexagonal() {
            let points = hexagon((x(mx), y(my)), RADIUS - 2.5);
            let _ = writeln!(svg, r##"<polygon points="{points}" fill="none" {edge}/>"##);
            continue;
        }
        let _ = writeln!(
            svg,
            r##"<rect x="{}" y="{}" width="{}" height="{}" fill="none" {edge}/>"##,
            x(mx) - HALF + 2.0,
            y(my) - HALF + 2.0,
            UNIT - 4.0,
            UNIT - 4.0
        );
    }
    for &[from, to] in &picture.lines {
        let _ = writeln!(
            svg,
            r##"<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="#222" stroke-width="2"/>"##,
            x(from.0),
            y(from.1),
            x(to.0),
            y(to.1)
        );
    }
    for piece in &picture.pieces {
        let (cx, cy) = (x(piece.x), y(piece.y));
        let fill = fill(piece.colour);
        let _ = match piece.body {
            Body::Disc => writeln!(
                svg,
                r##"<circle cx="{cx}" cy="{cy}" r="{}" fill="{fill}" {EDGE} stroke-width="1.5"/>"##,
                UNIT * 0.38
            ),
            Body::Point => writeln!(
                svg,
                r##"<circle cx="{cx}" cy="{cy}" r="{}" fill="{fill}"/>"##,
                UNIT * 0.12
            ),
            Body::Letter => writeln!(
                svg,
                r##"<text x="{cx}" y="{cy}" font-size="{}" {BOLD} fill="{fill}">{}</text>"##,
                UNIT * 0.75,
                escape(&piece.letter.to_ascii_uppercase().to_string())
            ),
            Body::Card(suit, side) => {
                let (paper, opacity) = match side {
                    Facing::FaceUp => ("#ffffff", 1.0),
                    Facing::FaceDown => ("#b9c6d8", 0.6),
                };
                let rank = match piece.letter.to_ascii_uppercase() {
                    'T' => "10".to_string(),
                    letter => escape(&letter.to_string()),
                };
                slab(&mut svg, (cx, cy), CARD, paper);
                let ink = format!(r##"fill="{fill}" fill-opacity="{opacity}""##);
                writeln!(
                    svg,
                    r##"<text x="{cx}" y="{cy}" font-size="{}" {BOLD} {ink}>{rank}{}</text>"##,
                    UNIT * 0.4,
                    suit.sign()
                )
            }
            Body::Tile(number) => {
                slab(&mut svg, (cx, cy), TILE, "#fffdf6");
                let ink = format!(r##"fill="{fill}""##);
                writeln!(
                    svg,
                    r##"<text x="{cx}" y="{cy}" font-size="{}" {BOLD} {ink}>{number}</text>"##,
                    UNIT * 0.5
                )
            }
        };
    }
    // Coordinates at the left and below come nearer to the squares. Hexagons have corners there.
    let nearer = !picture.is_hexagonal();
    for label in &picture.labels {
        let _ = writeln!(
            svg,
            r##"<text dy="0.35em" x="{}" y="{}" font-size="16" fill="#555">{}</text>"##,
            x(label.x)
                + if nearer && label.x < 0.0 {
                    UNIT * 0.2
                } else {
                    0.0
                },
            y(label.y)
                - if nearer && label.y > bottom - 0.5 {
                    UNIT * 0.2
                } else {
                    0.0
                },
            escape(&label.text)
        );
    }
    for note in &picture.notes {
        let _ = writeln!(
            svg,
            r##"<text dy="0.35em" x="{}" y="{}" font-size="13" fill="#222">{}</text>"##,
            x(note.x) + UNIT * 0.26,
            y(note.y) - UNIT * 0.26,
            escape(&note.text)
        );
    }
    svg += "</svg>\n";
    svg
}

/// Width and height of cards and tiles, in cells.
const CARD: (f32, f32) = (0.8, 0.92);
const TILE: (f32, f32) = (0.9, 0.9);

/// What the text of a card or tile is written on: a rectangle with round corners.
fn slab(svg: &mut String, (cx, cy): (f32, f32), (width, height): (f32, f32), paper: &str) {
    let (width, height) = (width * UNIT, height * UNIT);
    let _ = writeln!(
        svg,
        r##"<rect x="{}" y="{}" width="{width}" height="{height}" rx="5" fill="{paper}" {EDGE}/>"##,
        cx - width / 2.0,
        cy - height / 2.0
    );
}

/// The corners of a hexagon, clockwise from the top; a [`HexSide`](super::HexSide) begins at the
/// corner with its number.
fn corners((cx, cy): (f32, f32), radius: f32) -> [(f32, f32); 6] {
    let across = radius * 0.866_025_4;
    [
        (0.0, -radius),
        (across, -radius / 2.0),
        (across, radius / 2.0),
        (0.0, radius),
        (-across, radius / 2.0),
        (-across, -radius / 2.0),
    ]
    .map(|(x, y)| (cx + x, cy + y))
}

/// The corners as SVG has them.
fn hexagon(centre: (f32, f32), radius: f32) -> String {
    let corners = corners(centre, radius).map(|(x, y)| format!("{x:.2},{y:.2}"));
    corners.join(" ")
}

fn fill(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "#1c1c1c",
        Colour::White => "#ffffff",
        Colour::Red => "#c62f2f",
        Colour::Yellow => "#f2c230",
        Colour::Blue => "#2559a8",
        Colour::Green => "#2f8f46",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::HexSide;

    /// Cells that share a side share two corners, and the sides are in the order of the corners.
    #[test]
    fn hexagons_meet_at_their_sides() {
        let here = corners((0.0, 0.0), RADIUS);
        let beside = [
            (HexSide::UpperRight, (HALF, -ROW)),
            (HexSide::Right, (UNIT, 0.0)),
            (HexSide::LowerRight, (HALF, ROW)),
            (HexSide::LowerLeft, (-HALF, ROW)),
            (HexSide::Left, (-UNIT, 0.0)),
            (HexSide::UpperLeft, (-HALF, -ROW)),
        ];
        assert_eq!(beside.map(|(side, _)| side), HexSide::ALL);
        for (side, centre) in beside {
            let there = corners(centre, RADIUS);
            let place = side as usize;
            for corner in [here[place], here[(place + 1) % 6]] {
                let near = |other: &(f32, f32)| {
                    (other.0 - corner.0).abs() < 0.01 && (other.1 - corner.1).abs() < 0.01
                };
                assert!(there.iter().any(near), "{side:?}");
            }
        }
    }

    #[test]
    fn cells_and_edges_are_drawn_in_their_shapes() {
        let mut picture = Picture::default();
        picture.hexagon(0.0, 0.0, Shade::Light);
        picture.edge((0.0, 0.0), HexSide::Left, Colour::Blue);
        let drawn = render(&picture, "one cell");
        assert_eq!(drawn.matches("<polygon").count(), 1);
        // The side on the left is upright.
        let line = drawn
            .lines()
            .find(|line| line.starts_with("<line"))
            .unwrap_or_default();
        let upright = HALF + UNIT * 0.25 - HALF;
        assert!(line.contains(&format!("x1=\"{upright:.2}\"")), "{line}");
        assert!(line.contains(&format!("x2=\"{upright:.2}\"")), "{line}");
        assert!(line.contains("#2559a8"), "{line}");
        let mut square = Picture::default();
        square.cell(0.0, 0.0, Shade::Light);
        assert!(!render(&square, "").contains("<polygon"));
    }
}
