//! A position as a neutral picture, and the renderers that show it.
//!
//! A game says once what there is to see: cells, pieces, labels, marks on what was just played.
//! [`terminal`] and [`svg`] turn that into text and into a file. Coordinates grow to the right and
//! downwards, and neighbouring cells are one apart. Hexagons stand on a corner: those of one row are
//! one apart, and each row lies half a cell beside the next.

use crate::Game;

pub mod svg;
pub mod terminal;

/// How a game looks.
pub trait Draw: Game {
    /// The picture of a position; the cells of the move just played are marked.
    fn picture(&self, state: &Self::State, last: Option<Self::Move>) -> Picture;
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
    /// Green discs.
    Green,
}

/// The body of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A round stone.
    Disc,
    /// The letter itself, written large.
    Letter,
    /// A small point, as where lines meet.
    Point,
    /// A playing card, whose letter is its rank, with `T` for the ten.
    Card(Suit, Facing),
    /// A tile with a number on it, which takes the place of the letter.
    Tile(u8),
}

impl Body {
    /// Whether it takes two characters where others take one.
    fn is_wide(self) -> bool {
        matches!(self, Body::Card(..) | Body::Tile(_))
    }
}

/// The suit of a playing card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Suit {
    /// Spades, which are black.
    Spades,
    /// Hearts, which are red.
    Hearts,
    /// Diamonds, which are red.
    Diamonds,
    /// Clubs, which are black.
    Clubs,
}

impl Suit {
    /// All four, in the order of their declaration.
    pub const ALL: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// The sign that is printed on cards.
    pub fn sign(self) -> char {
        match self {
            Suit::Spades => '♠',
            Suit::Hearts => '♥',
            Suit::Diamonds => '♦',
            Suit::Clubs => '♣',
        }
    }

    /// Red or black.
    pub fn colour(self) -> Colour {
        match self {
            Suit::Spades | Suit::Clubs => Colour::Black,
            Suit::Hearts | Suit::Diamonds => Colour::Red,
        }
    }
}

/// How a card lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Facing {
    /// It can be used.
    FaceUp,
    /// It lies face down. Whoever may not know it must not be shown the card at all.
    FaceDown,
}

/// The outline of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A square.
    #[default]
    Square,
    /// A hexagon that stands on a corner.
    Hexagon,
}

/// A side of a hexagon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HexSide {
    /// Above, to the right.
    UpperRight,
    /// To the right.
    Right,
    /// Below, to the right.
    LowerRight,
    /// Below, to the left.
    LowerLeft,
    /// To the left.
    Left,
    /// Above, to the left.
    UpperLeft,
}

impl HexSide {
    /// All six, clockwise from the top.
    pub const ALL: [HexSide; 6] = [
        HexSide::UpperRight,
        HexSide::Right,
        HexSide::LowerRight,
        HexSide::LowerLeft,
        HexSide::Left,
        HexSide::UpperLeft,
    ];
}

/// A side of a hexagonal cell in the colour of a player, to whom the edge of the board belongs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The centre of the cell.
    pub x: f32,
    /// The centre of the cell.
    pub y: f32,
    /// Which side of it.
    pub side: HexSide,
    /// Its colour.
    pub colour: Colour,
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
    /// Outline.
    pub shape: Shape,
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
    /// Sides of hexagons that belong to somebody.
    pub edges: Vec<Edge>,
    /// What stands on it.
    pub pieces: Vec<Piece>,
    /// Coordinates and other short texts.
    pub labels: Vec<Label>,
    /// Centres of highlighted cells.
    pub marks: Vec<(f32, f32)>,
    /// Drawn lines, each from one point to another. Text has no room for them.
    pub lines: Vec<[(f32, f32); 2]>,
    /// Small texts beside what lies in the middle of a cell, such as the number of a move. Text has
    /// no room for them.
    pub notes: Vec<Label>,
}

impl Picture {
    /// Adds a square cell.
    pub fn cell(&mut self, x: f32, y: f32, shade: Shade) {
        let shape = Shape::Square;
        self.cells.push(Cell { x, y, shade, shape });
    }

    /// Adds a hexagonal cell.
    pub fn hexagon(&mut self, x: f32, y: f32, shade: Shade) {
        let shape = Shape::Hexagon;
        self.cells.push(Cell { x, y, shade, shape });
    }

    /// Gives the side of a hexagonal cell a colour.
    pub fn edge(&mut self, (x, y): (f32, f32), side: HexSide, colour: Colour) {
        self.edges.push(Edge { x, y, side, colour });
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

    /// Adds a playing card in the colour of its suit.
    pub fn card(&mut self, at: (f32, f32), rank: char, suit: Suit, side: Facing) {
        self.piece(at, rank, suit.colour(), Body::Card(suit, side));
    }

    /// Adds a label.
    pub fn label(&mut self, x: f32, y: f32, text: String) {
        self.labels.push(Label { x, y, text });
    }

    /// Highlights a cell.
    pub fn mark(&mut self, at: (f32, f32)) {
        self.marks.push(at);
    }

    /// Draws a line.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32)) {
        self.lines.push([from, to]);
    }

    /// Adds a small text beside the middle of a cell.
    pub fn note(&mut self, x: f32, y: f32, text: String) {
        self.notes.push(Label { x, y, text });
    }

    /// Whether there are hexagons.
    pub fn is_hexagonal(&self) -> bool {
        self.cells.iter().any(|cell| cell.shape == Shape::Hexagon)
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
