//! A position as a neutral picture, and the renderers that show it.
//!
//! A game says once what there is to see: cells, pieces, labels, marks on what was just played.
//! [`terminal`] and [`svg`] turn that into text and into a file. Coordinates grow to the right and
//! downwards, and neighbouring cells are one apart.

use crate::{Game, Player};

pub mod svg;
pub mod terminal;

/// How a game looks.
pub trait Draw: Game {
    /// The picture of a position; the cells of the move just played are marked.
    fn picture(&self, state: &Self::State, last: Option<Self::Move>) -> Picture;

    /// The picture as `viewer` may see it. Games with hidden information leave out what is hidden from that
    /// player.
    fn picture_for(
        &self,
        state: &Self::State,
        last: Option<Self::Move>,
        viewer: Player,
    ) -> Picture {
        let _ = viewer;
        self.picture(state, last)
    }
}

/// The background of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// An ordinary cell.
    Light,
    /// The other colour of a checkered board.
    Dark,
}

/// The colour of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Black stones.
    Black,
    /// White stones.
    White,
    /// Red discs or marks.
    Red,
    /// Yellow discs.
    Yellow,
    /// Blue discs or marks.
    Blue,
}

/// The body of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A round stone.
    Disc,
    /// The letter itself, written large.
    Letter,
}

/// One square, hexagon or field of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Centre.
    pub x: f32,
    /// Centre.
    pub y: f32,
    /// Background.
    pub shade: Shade,
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Centre.
    pub x: f32,
    /// Centre.
    pub y: f32,
    /// The letter that stands for it in notation.
    pub letter: char,
    /// Its colour.
    pub colour: Colour,
    /// Its body.
    pub body: Body,
}

/// A short text, such as a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Centre.
    pub x: f32,
    /// Centre.
    pub y: f32,
    /// The text.
    pub text: String,
}

/// What there is to see of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The board.
    pub cells: Vec<Cell>,
    /// What stands on it.
    pub pieces: Vec<Piece>,
    /// Coordinates and other short texts.
    pub labels: Vec<Label>,
    /// Centres of highlighted cells.
    pub marks: Vec<(f32, f32)>,
}

impl Picture {
    /// Adds a cell.
    pub fn cell(&mut self, x: f32, y: f32, shade: Shade) {
        self.cells.push(Cell { x, y, shade });
    }

    /// Adds a piece.
    pub fn piece(&mut self, (x, y): (f32, f32), letter: char, colour: Colour, body: Body) {
        self.pieces.push(Piece {
            x,
            y,
            letter,
            colour,
            body,
        });
    }

    /// Adds a label.
    pub fn label(&mut self, x: f32, y: f32, text: String) {
        self.labels.push(Label { x, y, text });
    }

    /// Highlights a cell.
    pub fn mark(&mut self, at: (f32, f32)) {
        self.marks.push(at);
    }

    /// Left, top, right and bottom of everything in the picture.
    fn bounds(&self) -> (f32, f32, f32, f32) {
        let cells = self.cells.iter().map(|c| (c.x, c.y));
        let pieces = self.pieces.iter().map(|p| (p.x, p.y));
        let labels = self.labels.iter().map(|l| (l.x, l.y));
        let empty = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
        let bounds = cells
            .chain(pieces)
            .chain(labels)
            .fold(empty, |(l, t, r, b), (x, y)| {
                (l.min(x), t.min(y), r.max(x), b.max(y))
            });
        if bounds.0 > bounds.2 {
            (0.0, 0.0, 0.0, 0.0)
        } else {
            bounds
        }
    }
}
