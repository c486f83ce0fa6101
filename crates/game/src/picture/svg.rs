//! Pictures as SVG.

use std::fmt::Write;

use super::{Body, Colour, Picture, Shade};

const UNIT: f32 = 48.0;
const HALF: f32 = UNIT / 2.0;

/// Renders a picture as a self-contained SVG document with this title.
pub fn render(picture: &Picture, title: &str) -> String {
    let (left, top, right, bottom) = picture.bounds();
    let (width, height) = ((right - left + 1.5) * UNIT, (bottom - top + 1.5) * UNIT);
    let x = |x: f32| (x - left + 0.75) * UNIT;
    let y = |y: f32| (y - top + 0.75) * UNIT;
    let mut svg = String::new();
    // Writing to a string cannot fail, so the results are not looked at.
    let _ = writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" text-anchor="middle" dominant-baseline="central">
<title>{}</title>
<rect width="100%" height="100%" fill="#fbfaf7"/>"##,
        escape(title)
    );
    for cell in &picture.cells {
        let fill = match cell.shade {
            Shade::Light => "#f0e2c4",
            Shade::Dark => "#dcc596",
        };
        let _ = writeln!(
            svg,
            r##"<rect x="{}" y="{}" width="{UNIT}" height="{UNIT}" fill="{fill}" stroke="#8b7750"/>"##,
            x(cell.x) - HALF,
            y(cell.y) - HALF
        );
    }
    for &(mx, my) in &picture.marks {
        let _ = writeln!(
            svg,
            r##"<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="#c8511b" stroke-width="3"/>"##,
            x(mx) - HALF + 2.0,
            y(my) - HALF + 2.0,
            UNIT - 4.0,
            UNIT - 4.0
        );
    }
    for piece in &picture.pieces {
        let (cx, cy) = (x(piece.x), y(piece.y));
        let fill = fill(piece.colour);
        let _ = match piece.body {
            Body::Disc => writeln!(
                svg,
                r##"<circle cx="{cx}" cy="{cy}" r="{}" fill="{fill}" stroke="#222" stroke-width="1.5"/>"##,
                UNIT * 0.38
            ),
            Body::Letter => writeln!(
                svg,
                r##"<text x="{cx}" y="{cy}" font-size="{}" font-weight="bold" fill="{fill}">{}</text>"##,
                UNIT * 0.75,
                escape(&piece.letter.to_ascii_uppercase().to_string())
            ),
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
    svg += "</svg>\n";
    svg
}

fn fill(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "#1c1c1c",
        Colour::White => "#ffffff",
        Colour::Red => "#c62f2f",
        Colour::Yellow => "#f2c230",
        Colour::Blue => "#2559a8",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
