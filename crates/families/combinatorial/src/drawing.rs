//! Drawings for Hackenbush: coloured edges that hang on the ground, and their texts.
//!
//! Nodes are numbers, 0 is the ground. A drawing is written as its edges, `0-1:b,1-2:r`, or as the
//! letters of a stalk from the ground up, `BRG`. Several stalks joined by `+` are read, too, as are
//! `ground` for 0 and the letters from `a` for the numbers from 1.

use tabia_game::bits::Bits;
use tabia_game::text::{place, shortened};
use tabia_game::{Player, TextError};

use super::trees::form;

/// The most edges of a drawing, and so the largest number of a node.
const MAX_EDGES: usize = 64;
const GROUND: u8 = 0;
const NOTHING: &str = "0";

/// Who may cut an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Paint {
    Blue,
    Red,
    Green,
}

pub(super) const PAINTS: [(char, Paint); 3] =
    [('b', Paint::Blue), ('r', Paint::Red), ('g', Paint::Green)];

impl Paint {
    pub(super) fn letter(self) -> char {
        PAINTS[self as usize].0
    }

    fn of(letter: char) -> Option<Paint> {
        let found = PAINTS
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(&letter));
        found.map(|&(_, paint)| paint)
    }

    pub(super) fn negative(self) -> Paint {
        match self {
            Paint::Blue => Paint::Red,
            Paint::Red => Paint::Blue,
            Paint::Green => Paint::Green,
        }
    }

    #[inline]
    pub(super) fn is_of(self, player: Player) -> bool {
        match self {
            Paint::Blue => player == Player::FIRST,
            Paint::Red => player != Player::FIRST,
            Paint::Green => true,
        }
    }
}

/// An edge between two nodes, the lower number first. As a move it is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub(super) low: u8,
    pub(super) high: u8,
    pub(super) paint: Paint,
}

impl Edge {
    pub(super) fn new(one: u8, other: u8, paint: Paint) -> Edge {
        Edge {
            low: one.min(other),
            high: one.max(other),
            paint,
        }
    }
}

/// Edges in ascending order, all of which hang on the ground.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Drawing(Vec<Edge>);

impl Drawing {
    pub(super) fn of(mut edges: Vec<Edge>) -> Drawing {
        edges.sort_unstable();
        Drawing(edges)
    }

    /// The nodes that hang together with some.
    fn connected(&self, seed: u128, through_ground: bool) -> u128 {
        let mut nodes = seed;
        loop {
            let mut more = nodes;
            for edge in &self.0 {
                let ends = u128::bit(usize::from(edge.low)) | u128::bit(usize::from(edge.high));
                let grounded = edge.low == GROUND;
                if ends & more != 0 && (through_ground || !grounded) {
                    more |= ends;
                }
            }
            if more == nodes {
                return nodes;
            }
            nodes = more;
        }
    }

    /// What does not hang on the ground falls.
    pub(super) fn fall(&mut self) {
        let standing = self.connected(1, true);
        self.0.retain(|edge| standing.has(usize::from(edge.low)));
    }

    /// The edges in ascending order.
    #[inline]
    pub(super) fn edges(&self) -> &[Edge] {
        &self.0
    }

    /// Takes an edge away, and what falls with it.
    pub(super) fn cut(&mut self, edge: Edge) {
        if let Ok(place) = self.0.binary_search(&edge) {
            self.0.remove(place);
        }
        self.fall();
    }

    /// The pieces that hang together without the ground, each with its nodes numbered anew.
    pub(super) fn parts(&self) -> Vec<Drawing> {
        let mut parts = Vec::new();
        let mut rest = self.0.clone();
        while let Some(&Edge { high, .. }) = rest.first() {
            let part = if high == GROUND {
                vec![rest.remove(0)]
            } else {
                let nodes = self.connected(u128::bit(usize::from(high)), false);
                let inside = |edge: &mut Edge| nodes.has(usize::from(edge.high));
                rest.extract_if(.., inside).collect()
            };
            parts.push(Drawing(part).renumbered());
        }
        parts
    }

    /// The same drawing with its nodes numbered anew.
    pub(super) fn renumbered(&self) -> Drawing {
        // Nodes for the loops come after all others, of which there are no more than edges.
        let mut next = MAX_EDGES + 1;
        let mut neighbours = vec![Vec::new(); 2 * MAX_EDGES + 1];
        let mut edges = Vec::with_capacity(self.0.len());
        for edge in &self.0 {
            let (low, mut high) = (usize::from(edge.low), usize::from(edge.high));
            if low == high {
                high = next;
                next += 1;
            }
            edges.push((low, high, edge.paint));
            neighbours[low].push((high, edge.paint as u8));
            neighbours[high].push((low, edge.paint as u8));
        }
        let mut order = breadth_first(&neighbours);
        if edges.len() + 1 == order.len() {
            order = form(&neighbours, usize::from(GROUND)).order;
        }
        let mut number = [GROUND; 2 * MAX_EDGES + 1];
        for (new, &old) in order.iter().enumerate() {
            number[old] = new as u8;
        }
        let renumbered = edges
            .iter()
            .map(|&(low, high, paint)| Edge::new(number[low], number[high], paint));
        Drawing::of(renumbered.collect())
    }

    /// The letters of a stalk that is numbered from the ground up.
    fn as_stalk(&self) -> Option<String> {
        let is_next = |(low, edge): (u8, &Edge)| (edge.low, edge.high) == (low, low + 1);
        let letter = |edge: &Edge| edge.paint.letter().to_ascii_uppercase();
        let is_stalk = (GROUND..).zip(&self.0).all(is_next);
        is_stalk.then(|| self.0.iter().map(letter).collect())
    }

    /// The letters of a stalk, or all edges.
    pub(super) fn write(&self) -> String {
        if self.0.is_empty() {
            return NOTHING.to_string();
        }
        let edges = || self.0.iter().map(edge_text).collect::<Vec<_>>().join(",");
        self.as_stalk().unwrap_or_else(edges)
    }

    pub(super) fn read(text: &str) -> Result<Drawing, TextError> {
        if text == NOTHING {
            return Ok(Drawing::default());
        }
        let words = || text.split([',', '+']).map(str::trim);
        if words().count() > MAX_EDGES || text.len() > 16 * MAX_EDGES {
            return Err(too_large());
        }
        let mut edges: Vec<Edge> = Vec::new();
        if text.contains([':', '-']) {
            for word in words() {
                edges.push(parse_edge(text, word)?);
            }
        } else {
            // Each stalk has numbers after those of the one before it.
            let mut node = GROUND;
            for word in words() {
                let paints = parse_stalk(text, word)?;
                if edges.len() + paints.len() > MAX_EDGES {
                    return Err(too_large());
                }
                let mut below = GROUND;
                for paint in paints {
                    node += 1;
                    edges.push(Edge::new(below, node, paint));
                    below = node;
                }
            }
        }
        let drawing = Drawing::of(edges);
        let standing = drawing.connected(1, true);
        let is_loose = |edge: &&Edge| !standing.has(usize::from(edge.low));
        match drawing.0.iter().find(is_loose) {
            None => Ok(drawing),
            Some(edge) => Err(TextError::new(format!(
                "the edge {} does not hang on the ground, which is node 0",
                edge_text(edge)
            ))),
        }
    }
}

fn too_large() -> TextError {
    TextError::new(format!("a drawing has at most {MAX_EDGES} edges"))
}

/// Nodes by their distance from the ground; once in this order they stay in it.
fn breadth_first(neighbours: &[Vec<(usize, u8)>]) -> Vec<usize> {
    let mut order = vec![usize::from(GROUND)];
    let mut seen = vec![false; neighbours.len()];
    seen[usize::from(GROUND)] = true;
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        let mut new: Vec<usize> = neighbours[node].iter().map(|&(other, _)| other).collect();
        new.sort_unstable();
        for other in new {
            if !std::mem::replace(&mut seen[other], true) {
                order.push(other);
            }
        }
        next += 1;
    }
    order
}

fn edge_text(edge: &Edge) -> String {
    format!("{}-{}:{}", edge.low, edge.high, edge.paint.letter())
}

fn parse_stalk(text: &str, word: &str) -> Result<Vec<Paint>, TextError> {
    if word.is_empty() {
        return Err(TextError::new(format!(
            "{}: a stalk has at least one edge, such as 'B'",
            place(text, word, |_| true)
        )));
    }
    let paint = |letter: char| {
        Paint::of(letter).ok_or_else(|| {
            TextError::new(format!(
                "{}: '{}' is no stalk: an edge is one of 'B' 'R' 'G'. Other drawings have edges \
                 such as '0-1:b', a blue one from the ground to node 1",
                place(text, word, |c| Paint::of(c).is_some()),
                shortened(word)
            ))
        })
    };
    word.chars().map(paint).collect()
}

fn parse_edge(text: &str, word: &str) -> Result<Edge, TextError> {
    let wrong = |part: &str, fits: fn(char) -> bool, why: String| {
        TextError::new(format!(
            "{}: '{}' is no edge: {why}; right would be '0-1:b' for a blue one from the ground to \
             node 1",
            place(text, part, fits),
            shortened(word)
        ))
    };
    let (nodes, paint) = word.split_once(':').ok_or_else(|| {
        let why = "it has no colour".to_string();
        wrong(&word[word.len()..], |_| true, why)
    })?;
    let (low, high) = nodes.split_once('-').ok_or_else(|| {
        let why = "it has no second node".to_string();
        wrong(&word[nodes.len()..], |_| true, why)
    })?;
    let node = |name: &str| match (name.trim(), name.trim().as_bytes()) {
        ("ground", _) => Ok(GROUND),
        (_, &[letter @ b'a'..=b'z']) => Ok(letter - b'a' + 1),
        (name, _) => match name.parse::<u8>() {
            Ok(node) if usize::from(node) <= MAX_EDGES => Ok(node),
            _ => {
                let why = format!("the node '{name}' is no number from 0 to {MAX_EDGES}");
                Err(wrong(name, |c| c.is_ascii_digit(), why))
            }
        },
    };
    let mut letters = paint.trim().chars();
    let paint = match (letters.next().and_then(Paint::of), letters.next()) {
        (Some(paint), None) => paint,
        _ => {
            let why = format!("the colour '{paint}' is neither b, r nor g");
            return Err(wrong(paint, |_| true, why));
        }
    };
    Ok(Edge::new(node(low)?, node(high)?, paint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(
            text in "[0-3:brg,-]{0,15}|[BRG+]{0,70}|(0-[1-3]:[brg],){0,3}0-1:b|.{0,12}",
        ) {
            if let Ok(drawing) = Drawing::read(&text) {
                let printed = drawing.write();
                prop_assert_eq!(Drawing::read(&printed), Ok(drawing));
            }
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |text: &str| Drawing::read(text).unwrap_err().to_string();
        assert!(error("0-1:b,2-3:r").contains("2-3:r does not hang on the ground"));
        assert!(
            error("0-1:q").contains("at character 5 ('q'): '0-1:q' is no edge: the colour 'q'")
        );
        assert!(error("0-99:b").contains("node '99'"));
        assert!(
            error("0-1").contains("at the end of the text: '0-1' is no edge: it has no colour")
        );
        assert!(error("BRGX").contains("at character 4 ('X'): 'BRGX' is no stalk"));
        assert!(error("B+RQR").contains("at character 4 ('Q'): 'RQR' is no stalk"));
        assert!(error(&"B".repeat(65)).contains("64 edges"));
        assert!(error("").contains("at least one edge"));
    }
}
