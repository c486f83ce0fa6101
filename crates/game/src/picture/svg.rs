//! Pictures as SVG.

use std::fmt::Write;

use super::{Body, Colour, Facing, Picture, Shade};

const UNIT: f32 = 48.0;
const HALF: f32 = UNIT / 2.0;
const BOLD: &str = r##"font-weight="bold""##;
const EDGE: &str = r##"stroke="#222""##;

/// Renders a picture as a self-contained SVG document with this title.
pub fn render(picture: &Picture, title: &str) -> String {
    let (left, top, right, bottom) = picture.bounds();
    let (width, height) = ((right - left + 1.5) * UNIT, (bottom - top + 1.5) * UNIT);
    let x = |x: f32| (x - left + 0.75) * UNIT;
    let y = |y: f32| (y - top + 0.75) * UNIT;
    let mut svg = String::new();
    // Writing to a string cannot fail, so the results are not looked at.
    let _ = write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" "##
    );
    let _ = write!(svg, r##"width="{width}" height="{height}" "##);
    let _ = write!(
        svg,
        r##"font-family="sans-serif" text-anchor="middle" dominant-baseline="central">"##
    );
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
        let _ = writeln!(
            svg,
            r##"<rect x="{}" y="{}" width="{UNIT}" height="{UNIT}" fill="{fill}" {edge}/>"##,
            x(cell.x) - HALF,
            y(cell.y) - HALF
        );
    }
    for &(mx, my) in &picture.marks {
        let edge = r##"stroke="#c8511b" stroke-width="3""##;
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
    for label in &picture.labels {
        let _ = writeln!(
            svg,
            r##"<text x="{}" y="{}" font-size="16" fill="#555">{}</text>"##,
            x(label.x) + if label.x < 0.0 { UNIT * 0.2 } else { 0.0 },
            y(label.y)
                - if label.y > bottom - 0.5 {
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
            r##"<text x="{}" y="{}" font-size="13" fill="#222">{}</text>"##,
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
