//! The drop-out diagram (Lincke 2000): where a game leaves the book, and with what value, if the
//! book's owner plays its best moves and the opponent any move that is in it.

use std::fmt::Write;

use super::{Book, BookValue, NodeId, ROOT};

/// A way out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The leaf.
    pub leaf: NodeId,
    /// After how many plies.
    pub level: usize,
    /// Its value for the owner of the book.
    pub value: BookValue,
    /// Whether both sides play their best moves on the way.
    pub optimal: bool,
}

/// All ways out for one owner, by the number of the leaf.
pub fn drop_outs(book: &Book, owner: u8) -> Vec<Exit> {
    let (nodes, tree) = (book.nodes(), book.tree());
    // Whether a node can come about, and whether by best moves alone.
    let mut ways: Vec<Option<bool>> = vec![None; nodes.len()];
    ways[ROOT] = Some(true);
    let mut exits = Vec::new();
    for id in 0..nodes.len() {
        let Some(optimal) = ways[id] else { continue };
        let Some(best) = book.best_child(id) else {
            let value = tree[id].propagated;
            exits.push(Exit {
                leaf: id,
                level: tree[id].level,
                value: if owner == 0 { value } else { -value },
                optimal,
            });
            continue;
        };
        for &child in &tree[id].children {
            if nodes[id].mover != Some(owner) || child == best {
                ways[child] = Some(optimal && child == best);
            }
        }
    }
    exits
}

/// The diagram as a picture, in units of the given number of millionths.
pub fn drop_outs_svg(exits: &[Exit], unit: BookValue) -> String {
    const WIDTH: f64 = 560.0;
    const HEIGHT: f64 = 320.0;
    const EDGE: f64 = 48.0;
    let scaled = |value: BookValue| f64::from(value) / f64::from(unit.max(1));
    let deepest = exits
        .iter()
        .map(|exit| exit.level)
        .max()
        .unwrap_or(0)
        .max(1);
    let values = || exits.iter().map(|exit| scaled(exit.value));
    let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let span = if high > low { high - low } else { 1.0 };
    let x = |level: usize| EDGE + (WIDTH - 2.0 * EDGE) * level as f64 / deepest as f64;
    let y = |value: f64| HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * (value - low) / span;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    );
    // Writing to a string does not fail.
    let _ = writeln!(
        svg,
        "<path d=\"M{EDGE} {EDGE}V{0}M{EDGE} {1}H{2}\" stroke=\"#808080\" fill=\"none\"/>",
        HEIGHT - EDGE,
        y(0.0),
        WIDTH - EDGE
    );
    for level in 0..=deepest {
        if level % deepest.div_ceil(15) == 0 {
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{level}</text>",
                x(level),
                HEIGHT - EDGE / 2.0
            );
        }
    }
    for value in [low, 0.0, high] {
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{value:.3}</text>",
            EDGE - 6.0,
            y(value) + 4.0
        );
    }
    for exit in exits {
        let (colour, radius) = if exit.optimal {
            ("#d55e00", 5)
        } else {
            ("#0072b2", 3)
        };
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{colour}\"/>",
            x(exit.level),
            y(scaled(exit.value))
        );
    }
    svg + "</svg>\n"
}
