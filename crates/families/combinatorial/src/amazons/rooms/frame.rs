//! A rectangle of squares in which rooms lie, as sets of bits, and how queens move in it.

use tabia_game::bits::Bits;

/// The most squares of a frame: tables have a place for every set of them.
pub const MAX_SQUARES: usize = 24;

/// A set of squares of a frame.
pub type Set = u32;

/// The elements of a set.
#[inline]
pub(crate) fn squares(set: Set) -> impl Iterator<Item = usize> {
    u64::from(set).iter()
}

/// A frame that lies rather than stands, with its rays.
#[derive(Clone, Debug)]
pub struct Frame {
    width: usize,
    height: usize,
    first_column: Set,
    last_column: Set,
    /// From every square in eight directions, the nearest first.
    rays: Vec<[Vec<u8>; 8]>,
}

/// A frame that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "rooms in {0}x{1} are not possible: the rectangle has 1 to {MAX_SQUARES} squares, such as 4x5"
)]
pub struct FrameError(pub usize, pub usize);

const DIRECTIONS: [(i32, i32); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

impl Frame {
    /// A frame of these dimensions, in whichever order.
    pub fn new(a: usize, b: usize) -> Result<Frame, FrameError> {
        let area = a
            .checked_mul(b)
            .filter(|area| (1..=MAX_SQUARES).contains(area));
        if area.is_none() {
            return Err(FrameError(a, b));
        }
        let (width, height) = (a.max(b), a.min(b));
        let column = |x: usize| (0..height).fold(0, |set, y| set | 1 << (y * width + x));
        let ray = |cell: usize, (dx, dy): (i32, i32)| {
            let (mut x, mut y) = ((cell % width) as i32, (cell / width) as i32);
            let mut ray = Vec::new();
            loop {
                (x, y) = (x + dx, y + dy);
                if x < 0 || y < 0 || x >= width as i32 || y >= height as i32 {
                    return ray;
                }
                ray.push((y as usize * width + x as usize) as u8);
            }
        };
        Ok(Frame {
            width,
            height,
            first_column: column(0),
            last_column: column(width - 1),
            rays: (0..width * height)
                .map(|cell| DIRECTIONS.map(|direction| ray(cell, direction)))
                .collect(),
        })
    }

    /// How many columns there are: the longer side.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many rows there are: the shorter side.
    pub fn height(&self) -> usize {
        self.height
    }

    /// How many squares there are.
    pub fn area(&self) -> usize {
        self.width * self.height
    }

    /// All squares.
    #[inline]
    pub fn full(&self) -> Set {
        Set::MAX >> (Set::BITS as usize - self.area())
    }

    /// Some squares and those that share a side or a corner with them.
    #[inline]
    fn spread(&self, set: Set) -> Set {
        let row = set | (set & !self.first_column) >> 1 | (set & !self.last_column) << 1;
        // Of a frame of 24 squares the shifts stay within 32 bits.
        (row | row >> self.width | row << self.width) & self.full()
    }

    /// What hangs together with a square among others.
    #[inline]
    pub fn component(&self, square: usize, among: Set) -> Set {
        let mut set = 1 << square;
        loop {
            let more = self.spread(set) & among;
            if more == set {
                return set;
            }
            set = more;
        }
    }

    /// The squares that a queen or an arrow reaches from a square over empty ones.
    #[inline]
    pub fn reach(&self, from: usize, empty: Set) -> Set {
        let mut reached = 0;
        for ray in &self.rays[from] {
            for &square in ray {
                let bit = 1 << square;
                if empty & bit == 0 {
                    break;
                }
                reached |= bit;
            }
        }
        reached
    }

    /// Calls `visit` with the place and the arrow of every move of a queen over empty squares,
    /// until it says stop by returning false.
    #[inline]
    pub fn moves(&self, from: usize, empty: Set, mut visit: impl FnMut(usize, usize) -> bool) {
        for to in squares(self.reach(from, empty)) {
            for arrow in squares(self.reach(to, empty | 1 << from)) {
                if !visit(to, arrow) {
                    return;
                }
            }
        }
    }
}

impl std::fmt::Display for Frame {
    /// The shorter side first, as in `4x5`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.height, self.width)
    }
}
