//! Straight lines of the grid, the moves on them, and tables of what can be drawn.
//!
//! A direction has a number for each of its straight lines, and a place on it for each point: its
//! column, or its row on upright lines. The words of a position hold one bit for every place.

/// Points of a side of the grid.
pub(super) const SIDE: usize = 64;
/// The lowest coordinate of a dot: any line through a dot keeps within the grid.
pub(super) const LOWEST: usize = 4;
/// The highest coordinate of a dot.
pub(super) const HIGHEST: usize = SIDE - 1 - LOWEST;
/// Directions of lines.
pub(super) const DIRECTIONS: usize = 4;
/// Straight lines of a direction, at most.
pub(super) const NUMBERS: usize = 2 * SIDE;

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Level, to the right.
    Level,
    /// Upright, downwards.
    Upright,
    /// Downwards to the right.
    Falling,
    /// Upwards to the right.
    Rising,
}

/// In the order of their numbers.
pub(super) const ALL: [Direction; DIRECTIONS] = [
    Direction::Level,
    Direction::Upright,
    Direction::Falling,
    Direction::Rising,
];

impl Direction {
    /// One step along a line: to the right and downwards.
    pub fn step(self) -> (isize, isize) {
        match self {
            Direction::Level => (1, 0),
            Direction::Upright => (0, 1),
            Direction::Falling => (1, 1),
            Direction::Rising => (1, -1),
        }
    }
}

/// The straight lines through a point, one in each direction, and its place on them.
#[inline]
pub(super) fn numbered(x: usize, y: usize) -> [(usize, usize); DIRECTIONS] {
    let (x, y) = (x % SIDE, y % SIDE);
    [(y, x), (x, y), (x + SIDE - 1 - y, x), (x + y, x)]
}

/// The point at a place of a straight line, if dots may lie there.
#[inline]
fn point(direction: usize, number: usize, place: usize) -> Option<(usize, usize)> {
    let (x, y) = match direction {
        0 => (place, number),
        1 => (number, place),
        2 => (place, (place + SIDE - 1).checked_sub(number)?),
        _ => (place, number.checked_sub(place)?),
    };
    let dots = LOWEST..=HIGHEST;
    (dots.contains(&x) && dots.contains(&y)).then_some((x, y))
}

const OFFSET_BITS: u32 = 3;
const PLACE_BITS: u32 = 6;
const NUMBER_BITS: u32 = 7;
const DIRECTION_BITS: u32 = 2;
const INDEX_BITS: u32 = OFFSET_BITS + PLACE_BITS + NUMBER_BITS + DIRECTION_BITS;

/// One more than the largest index of a move.
pub(super) const MOVE_INDICES: usize = 1 << INDEX_BITS;

/// A line and the dot that it adds.
///
/// From the lowest bit: which of its dots is new, the place of its first dot, the number of its
/// straight line, its direction, and the point of the new dot, by which moves are ordered first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ((x, y), direction) = (self.dot(), self.direction());
        write!(f, "({x},{y}) {direction:?} {}", self.offset())
    }
}

impl Move {
    /// The move that adds the dot at `offset` of the line that begins at `start`; nothing if that
    /// dot would be too near to the edge of the grid.
    #[inline]
    pub(super) fn new(
        direction: usize,
        number: usize,
        start: usize,
        offset: usize,
    ) -> Option<Move> {
        let (x, y) = point(direction, number, start + offset)?;
        let cell = (SIDE * y + x) as u32;
        let line = ((direction << NUMBER_BITS | number) << PLACE_BITS | start) as u32;
        Some(Move(
            cell << INDEX_BITS | line << OFFSET_BITS | offset as u32,
        ))
    }

    /// The new dot: column and row, counted from the top.
    #[inline]
    pub fn dot(self) -> (usize, usize) {
        let cell = (self.0 >> INDEX_BITS) as usize;
        (cell % SIDE, cell / SIDE)
    }

    /// The direction of the line.
    #[inline]
    pub fn direction(self) -> Direction {
        ALL[self.direction_number()]
    }

    /// Which dot of the line is new, in its direction and from zero.
    #[inline]
    pub fn offset(self) -> usize {
        (self.0 & ((1 << OFFSET_BITS) - 1)) as usize
    }

    #[inline]
    pub(super) fn direction_number(self) -> usize {
        (self.0 >> (INDEX_BITS - DIRECTION_BITS)) as usize % DIRECTIONS
    }

    #[inline]
    pub(super) fn number(self) -> usize {
        (self.0 >> (OFFSET_BITS + PLACE_BITS)) as usize % NUMBERS
    }

    /// The place of the first dot.
    #[inline]
    pub(super) fn start(self) -> usize {
        (self.0 >> OFFSET_BITS) as usize % SIDE
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize % MOVE_INDICES
    }

    /// The line alone, as a number.
    #[inline]
    pub(super) fn line(self) -> u32 {
        (self.0 % (1 << INDEX_BITS)) >> OFFSET_BITS
    }

    /// Whether two moves add the same dot.
    #[inline]
    pub(super) fn adds_dot_of(self, other: Move) -> bool {
        (self.0 ^ other.0) >> INDEX_BITS == 0
    }

    /// Whether two lines on the same straight line are less than this many places apart.
    #[inline]
    pub(super) fn overlaps(self, other: Move, apart: usize) -> bool {
        // On one straight line the numbers of two lines differ as their places do.
        const STRAIGHT: u32 = (1 << (INDEX_BITS - OFFSET_BITS - PLACE_BITS)) - 1;
        let straight = (self.0 ^ other.0) >> (OFFSET_BITS + PLACE_BITS) & STRAIGHT;
        (straight == 0) & (self.start().abs_diff(other.start()) < apart)
    }

    /// The points of a line of this many dots.
    pub(super) fn points(self, length: usize) -> impl Iterator<Item = (usize, usize)> {
        let ((x, y), (right, down)) = (self.dot(), self.direction().step());
        let from = -(self.offset() as isize);
        (from..from + length as isize).map(move |steps| {
            let (x, y) = (x as isize + right * steps, y as isize + down * steps);
            (x as usize, y as usize)
        })
    }
}

/// For the nine places around a dot: which of the five lines through it lack exactly one dot.
static LACKING_FIVE: [u8; 1 << 9] = lacking(5);
/// The same for the seven places around a dot and lines of four.
static LACKING_FOUR: [u8; 1 << 9] = lacking(4);

const fn lacking(length: usize) -> [u8; 1 << 9] {
    let mut table = [0; 1 << 9];
    let mut dots = 0;
    while dots < table.len() {
        let mut start = 0;
        while start < length {
            let line = dots >> start & ((1 << length) - 1);
            if line.count_ones() as usize == length - 1 {
                table[dots] |= 1 << start;
            }
            start += 1;
        }
        dots += 1;
    }
    table
}

/// Which lines through the place in the middle lack exactly one dot; the dots begin where the first
/// line does.
#[inline]
pub(super) fn lacking_one(length: usize, dots: usize) -> u32 {
    u32::from(match length {
        5 => LACKING_FIVE[dots % (1 << 9)],
        _ => LACKING_FOUR[dots % (1 << 7)],
    })
}

/// Which lines would bear one of these marks, each line leaving this many.
#[inline]
pub(super) fn borne(marks: u32, each: usize) -> u32 {
    let two = marks | marks >> 1;
    match each {
        3 => two | marks >> 2,
        4 => two | two >> 2,
        _ => two | two >> 2 | marks >> 4,
    }
}
