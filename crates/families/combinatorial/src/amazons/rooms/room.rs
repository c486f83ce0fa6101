//! Rooms as shapes of any dimensions, enumerated by growth.
//!
//! A room is a set of squares that hang together by sides or corners (Tegos 2002, section 3.1). Its
//! index is a bitmap of at most 56 squares with its dimensions in eight more bits (section 3.3).
//! All rooms of n + 1 squares come from those of n by adding a square; of the eight attitudes of a
//! room the one with the least index stands for all.

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use tabia_game::bits::Bits;

/// The largest area of the rectangle around a room.
pub const MAX_AREA: usize = 56;

/// A room, cropped to the rectangle around it. Squares are numbered in rows from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Room {
    height: u8,
    width: u8,
    squares: u64,
}

/// A square by column and row.
pub type Square = (u8, u8);

impl Room {
    /// The room of a single square.
    pub const SINGLE: Room = Room {
        height: 1,
        width: 1,
        squares: 1,
    };

    /// The shape of some squares, shifted into the corner; `None` of no squares, or if the
    /// rectangle around them is too large.
    pub fn of(squares: &[Square]) -> Option<Room> {
        let left = squares.iter().map(|s| s.0).min()?;
        let top = squares.iter().map(|s| s.1).min()?;
        let width = squares.iter().map(|s| s.0).max()? - left + 1;
        let height = squares.iter().map(|s| s.1).max()? - top + 1;
        if usize::from(width) * usize::from(height) > MAX_AREA {
            return None;
        }
        let bit = |&(x, y): &Square| {
            1u64 << (usize::from(y - top) * usize::from(width) + usize::from(x - left))
        };
        Some(Room {
            height,
            width,
            squares: squares.iter().fold(0, |set, square| set | bit(square)),
        })
    }

    /// How many squares it has.
    pub fn size(&self) -> usize {
        self.squares.count()
    }

    /// Columns and rows of the rectangle around it.
    pub fn dimensions(&self) -> (usize, usize) {
        (usize::from(self.width), usize::from(self.height))
    }

    /// Its squares in rows from the top left.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let width = self.width;
        let place = move |cell: usize| (cell as u8 % width, cell as u8 / width);
        self.squares.iter().map(place)
    }

    /// Whether a square belongs to it.
    pub fn has(&self, (x, y): (i8, i8)) -> bool {
        let inside = |at: i8, length: u8| u8::try_from(at).is_ok_and(|at| at < length);
        inside(x, self.width)
            && inside(y, self.height)
            && self
                .squares
                .has(y as usize * usize::from(self.width) + x as usize)
    }

    /// Whether all its squares hang together.
    pub fn is_connected(&self) -> bool {
        let squares: Vec<Square> = self.squares().collect();
        let mut reached = vec![squares[0]];
        let mut next = 0;
        while let Some(&(x, y)) = reached.get(next) {
            next += 1;
            let near = |&(a, b): &Square| a.abs_diff(x).max(b.abs_diff(y)) == 1;
            let more: Vec<Square> = squares.iter().copied().filter(near).collect();
            reached.extend(
                more.into_iter()
                    .filter(|square| !reached.contains(square))
                    .collect::<Vec<_>>(),
            );
        }
        reached.len() == squares.len()
    }

    /// The room in one of its eight attitudes: transposed (4), its columns (1) and rows (2) in the
    /// opposite order.
    fn image(&self, attitude: u8) -> Room {
        let (width, height) = match attitude & 4 {
            0 => (self.width, self.height),
            _ => (self.height, self.width),
        };
        let mut squares = 0;
        for (x, y) in self.squares() {
            let (x, y) = if attitude & 4 == 0 { (x, y) } else { (y, x) };
            let x = if attitude & 1 == 0 { x } else { width - 1 - x };
            let y = if attitude & 2 == 0 { y } else { height - 1 - y };
            squares |= 1 << (usize::from(y) * usize::from(width) + usize::from(x));
        }
        Room {
            height,
            width,
            squares,
        }
    }

    /// The attitude that stands for all eight.
    pub fn least_image(&self) -> Room {
        let images = (0..8).map(|attitude| self.image(attitude));
        images.min().unwrap_or(*self)
    }

    /// All rooms with one square more, each in the attitude that stands for all.
    fn grown(&self, fits: &impl Fn(usize, usize) -> bool, out: &mut FxHashSet<Room>) {
        // Shifted by one, so that there is room on all sides.
        let squares: Vec<Square> = self.squares().map(|(x, y)| (x + 1, y + 1)).collect();
        for y in 0..self.height + 2 {
            for x in 0..self.width + 2 {
                let near = |&(a, b): &Square| a.abs_diff(x).max(b.abs_diff(y));
                let distance = squares.iter().map(near).min();
                if distance == Some(1) {
                    let more = Room::of(&[&squares[..], &[(x, y)]].concat());
                    let more = more.filter(|room| {
                        let (width, height) = room.dimensions();
                        fits(width, height)
                    });
                    out.extend(more.map(|room| room.least_image()));
                }
            }
        }
    }
}

/// All rooms of 1, 2, … squares up to symmetry whose rectangles fit, in the order of their indices.
///
/// `fits` says of columns and rows whether there is room; a rectangle inside of one that fits must
/// fit, too, and so must one that is turned.
pub struct RoomGenerator<F> {
    fits: F,
    last: Vec<Room>,
}

impl<F: Fn(usize, usize) -> bool + Sync> RoomGenerator<F> {
    /// Begins with the room of one square.
    pub fn new(fits: F) -> RoomGenerator<F> {
        RoomGenerator {
            fits,
            last: Vec::new(),
        }
    }
}

impl<F: Fn(usize, usize) -> bool + Sync> Iterator for RoomGenerator<F> {
    type Item = Vec<Room>;

    fn next(&mut self) -> Option<Vec<Room>> {
        if self.last.is_empty() {
            self.last = vec![Room::SINGLE];
            return (self.fits)(1, 1).then(|| self.last.clone());
        }
        let grow = |mut set: FxHashSet<Room>, room: &Room| {
            room.grown(&self.fits, &mut set);
            set
        };
        let both = |mut a: FxHashSet<Room>, b: FxHashSet<Room>| {
            a.extend(b);
            a
        };
        let next = self.last.par_chunks(1 << 12);
        let next = next.map(|rooms| rooms.iter().fold(FxHashSet::default(), grow));
        let next = next.reduce(FxHashSet::default, both);
        self.last = next.into_iter().collect();
        self.last.par_sort_unstable();
        (!self.last.is_empty()).then(|| self.last.clone())
    }
}

/// The rooms of table 5.2 of Tegos (2002): on ten by ten squares, in rectangles of 56 squares at
/// most.
pub fn on_the_board(width: usize, height: usize) -> bool {
    width <= 10 && height <= 10 && width * height <= MAX_AREA
}
