//! What games on squares have in common: a board of up to 128 cells as sets of bits.
//!
//! A position carries its own board, so that parts of different sizes can stand side by side. Cells
//! are numbered in rows from the top left. Each belongs to some of three sets: those that are still
//! in the game (the others are holes), Left's and Right's. What a combination means is for the game
//! to say.

use std::cmp::Ordering;
use std::ops::Range;

use tabia_game::Player;
use tabia_game::bits::Bits;
use tabia_game::grid::file_letter;

use tabia_game::SizeError;

/// The most cells that a board can have.
pub const MAX_CELLS: usize = 128;

/// A set of cells.
pub type Set = u128;

/// The size of a board. Lower boards come before higher ones, so a strip lies rather than stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    height: u8,
    width: u8,
}

/// The first cells of all rows, by the length of a row.
static FIRST_COLUMN: [Set; MAX_CELLS + 1] = first_columns();

const fn first_columns() -> [Set; MAX_CELLS + 1] {
    let mut columns = [0; MAX_CELLS + 1];
    let mut width = 1;
    while width <= MAX_CELLS {
        let mut cell = 0;
        while cell < MAX_CELLS {
            columns[width] |= 1 << cell;
            cell += width;
        }
        width += 1;
    }
    columns
}

/// Boards of this many cells are handled in one word.
const SMALL: usize = 64;

/// The bits of a row of up to eight, so far apart.
static SPREAD: [[u64; 256]; 9] = spread();

const fn spread() -> [[u64; 256]; 9] {
    let mut spread = [[0; 256]; 9];
    let mut apart = 0;
    while apart < 9 {
        let mut row = 0;
        while row < 256 {
            let mut bit = 0;
            while bit < 8 {
                if row >> bit & 1 == 1 {
                    spread[apart][row] |= 1 << (bit * apart);
                }
                bit += 1;
            }
            row += 1;
        }
        apart += 1;
    }
    spread
}

/// The cells with numbers below `end`.
#[inline]
pub(crate) fn below(end: usize) -> Set {
    match end {
        0 => 0,
        _ => Set::MAX >> (MAX_CELLS - end),
    }
}

/// What grows out of `seed` until nothing is added.
#[inline]
pub(crate) fn closure(seed: Set, grow: impl Fn(Set) -> Set) -> Set {
    let mut set = seed;
    loop {
        let more = set | grow(set);
        if more == set {
            return set;
        }
        set = more;
    }
}

impl Shape {
    /// A board of this size.
    pub fn new(width: usize, height: usize) -> Result<Shape, SizeError> {
        let fits = width.checked_mul(height).is_some_and(|n| n <= MAX_CELLS);
        if width == 0 || height == 0 || !fits {
            return Err(SizeError(format!(
                "a board of {width}x{height} is not possible: it has 1 to {MAX_CELLS} cells"
            )));
        }
        Ok(Shape {
            height: height as u8,
            width: width as u8,
        })
    }

    /// How many columns there are.
    #[inline]
    pub fn width(self) -> usize {
        usize::from(self.width)
    }

    /// How many rows there are.
    #[inline]
    pub fn height(self) -> usize {
        usize::from(self.height)
    }

    /// How many cells there are.
    #[inline]
    pub fn len(self) -> usize {
        self.width() * self.height()
    }

    /// Whether there is no cell, as after the last move of a game that takes cells away.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All cells.
    #[inline]
    pub(crate) fn full(self) -> Set {
        below(self.len())
    }

    /// The cells whose right neighbour is in a set.
    #[inline]
    pub(crate) fn left_of(self, set: Set) -> Set {
        (set & !FIRST_COLUMN[self.width()]) >> 1
    }

    /// The cells whose left neighbour is in a set.
    #[inline]
    pub(crate) fn right_of(self, set: Set) -> Set {
        (set << 1) & !FIRST_COLUMN[self.width()] & self.full()
    }

    /// The cells whose lower neighbour is in a set.
    #[inline]
    pub(crate) fn above(self, set: Set) -> Set {
        if self.height < 2 {
            0
        } else {
            set >> self.width()
        }
    }

    /// The cells whose upper neighbour is in a set.
    #[inline]
    pub(crate) fn under(self, set: Set) -> Set {
        if self.height < 2 {
            0
        } else {
            (set << self.width()) & self.full()
        }
    }

    /// The cells that share a side with one of some.
    #[inline]
    pub(crate) fn beside(self, set: Set) -> Set {
        self.left_of(set) | self.right_of(set) | self.above(set) | self.under(set)
    }

    /// What hangs together by sides with a set of cells, of those that may be entered.
    #[inline]
    pub(crate) fn flood(self, seed: Set, within: Set) -> Set {
        let width = self.width();
        if self.len() > SMALL {
            return closure(seed, |set| self.beside(set) & within);
        }
        // Half the words make for less than half the work.
        let (inner, within) = (!FIRST_COLUMN[width] as u64, within as u64);
        let mut set = seed as u64;
        loop {
            let mut more = set | (set & inner) >> 1 | (set << 1) & inner;
            if self.height > 1 {
                more |= set >> width | set << width;
            }
            more &= within | set;
            if more == set {
                return Set::from(set);
            }
            set = more;
        }
    }

    /// The image of a set under a turn by half a circle.
    #[inline]
    fn turn_round(self, set: Set) -> Set {
        match self.len() {
            0 => 0,
            cells @ ..=SMALL => Set::from((set as u64).reverse_bits() >> (SMALL - cells)),
            cells => set.reverse_bits() >> (MAX_CELLS - cells),
        }
    }

    /// The image of a set with the rows in the opposite order.
    #[inline]
    fn flip(self, set: Set) -> Set {
        let (width, height) = (self.width(), self.height());
        if height < 2 {
            return set;
        }
        if self.len() > SMALL {
            return (0..height).fold(0, |image, row| {
                image << width | set >> (row * width) & below(width)
            });
        }
        let (mut rest, row) = (set as u64, below(width) as u64);
        let mut image = 0;
        for _ in 0..height {
            image = image << width | rest & row;
            rest >>= width;
        }
        Set::from(image)
    }

    /// The board with rows and columns exchanged.
    #[inline]
    fn across(self) -> Shape {
        Shape {
            height: self.width,
            width: self.height,
        }
    }

    /// The image of a set with rows and columns exchanged.
    #[inline]
    fn transpose(self, set: Set) -> Set {
        let (width, height) = (self.width(), self.height());
        if width > 8 || height > 8 {
            return set.iter().fold(0, |image, cell| {
                let (column, row) = self.place(cell);
                image | Set::bit(column * height + row)
            });
        }
        let spread = &SPREAD[height];
        let (mut rest, mask) = (set as u64, (1 << width) - 1);
        let mut image = 0;
        for row in 0..height {
            image |= spread[(rest & mask) as usize] << row;
            rest >>= width;
        }
        Set::from(image)
    }

    /// The image of a set in one of the four attitudes that mirroring and turning by half a circle
    /// give.
    #[inline]
    fn mirror(self, set: Set, attitude: usize) -> Set {
        match attitude {
            0 => set,
            1 => self.turn_round(set),
            2 => self.flip(set),
            _ => self.turn_round(self.flip(set)),
        }
    }

    /// The cells that share a side or a corner with one of some.
    #[inline]
    pub(crate) fn around(self, set: Set) -> Set {
        let beside = self.left_of(set) | self.right_of(set);
        let row = beside | set;
        beside | self.above(row) | self.under(row)
    }

    /// Column and row, counted from the top left.
    #[inline]
    pub(crate) fn place(self, cell: usize) -> (usize, usize) {
        (cell % self.width(), cell / self.width())
    }

    /// The name of a cell, such as `c7`; the 27th column is `aa`.
    pub(crate) fn name(self, cell: usize) -> String {
        let (column, row) = self.place(cell);
        format!("{}{}", column_name(column), self.height() - row)
    }
}

/// `a` to `z`, then `aa` and so on.
pub(crate) fn column_name(column: usize) -> String {
    match column.checked_sub(26) {
        None => file_letter(column).to_string(),
        Some(more) => format!("{}{}", file_letter(more / 26), file_letter(more % 26)),
    }
}

/// A board with what lies on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cells {
    shape: Shape,
    open: Set,
    stones: [Set; 2],
}

impl Cells {
    /// A board without a stone or hole.
    pub fn new(width: usize, height: usize) -> Result<Cells, SizeError> {
        let shape = Shape::new(width, height)?;
        Ok(Cells::of(shape, shape.full(), [0; 2]))
    }

    /// A board by the cells that are still in the game and those of both players; `None` if they
    /// overlap or lie outside.
    pub fn from_sets(shape: Shape, open: Set, [left, right]: [Set; 2]) -> Option<Cells> {
        let sound = open & !shape.full() == 0 && (left | right) & !open == 0 && left & right == 0;
        sound.then(|| Cells::of(shape, open, [left, right]))
    }

    /// The cells of both players and those that are still in the game.
    #[inline]
    pub(crate) fn of(shape: Shape, open: Set, stones: [Set; 2]) -> Cells {
        Cells {
            shape,
            open,
            stones,
        }
    }

    /// The size of the board.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The cells that are still in the game, occupied ones included.
    #[inline]
    pub fn open(&self) -> Set {
        self.open
    }

    /// The cells of a player.
    #[inline]
    pub fn stones(&self, player: Player) -> Set {
        self.stones[player.index() & 1]
    }

    /// The cells of both players.
    #[inline]
    pub fn occupied(&self) -> Set {
        self.stones[0] | self.stones[1]
    }

    /// The cells in the game that belong to nobody.
    #[inline]
    pub fn empty(&self) -> Set {
        self.open & !self.occupied()
    }

    /// Adds cells to those of a player.
    #[inline]
    pub(crate) fn put(&mut self, player: Player, cells: Set) {
        self.stones[player.index() & 1] |= cells;
    }

    /// Takes cells away from both players.
    #[inline]
    pub(crate) fn lift(&mut self, cells: Set) {
        self.stones[0] &= !cells;
        self.stones[1] &= !cells;
    }

    /// Takes cells out of the game.
    #[inline]
    pub(crate) fn close(&mut self, cells: Set) {
        self.open &= !cells;
    }

    /// Left's cells become Right's and the other way round.
    pub(crate) fn swapped(&self) -> Cells {
        let [left, right] = self.stones;
        Cells::of(self.shape, self.open, [right, left])
    }

    /// What lies in a region, cropped to it; what surrounds it becomes holes.
    pub(crate) fn part(&self, region: Set) -> Cells {
        if region.is_empty() {
            return *self;
        }
        let across = self.shape.width();
        let last = MAX_CELLS - 1 - region.leading_zeros() as usize;
        let (top, bottom) = (region.first() / across, last / across);
        let columns = (top..=bottom).fold(0, |columns, row| {
            columns | (region >> (row * across)) & below(across)
        });
        let left = columns.first();
        let width = MAX_CELLS - columns.leading_zeros() as usize - left;
        let shape = Shape {
            height: (bottom + 1 - top) as u8,
            width: width as u8,
        };
        let start = top * across + left;
        self.image(shape, |set| {
            let set = (set & region) >> start;
            if width == across || top == bottom {
                return set;
            }
            if self.shape.len() > SMALL {
                let row = |row: usize| set >> (row * across) & below(width);
                return (0..shape.height()).fold(0, |cropped, y| cropped | row(y) << (y * width));
            }
            let (mut rest, row) = (set as u64, below(width) as u64);
            let mut cropped = 0;
            for y in 0..shape.height() {
                cropped |= (rest & row) << (y * width);
                rest >>= across;
            }
            Set::from(cropped)
        })
    }

    /// The board with every set replaced by its image, different cells having different images if
    /// any.
    #[inline]
    fn image(&self, shape: Shape, map: impl Fn(Set) -> Set) -> Cells {
        let open = map(self.open);
        Cells::of(shape, open, self.stones_image(open, map))
    }

    /// The images of the stones, where that of all cells is known already: often they follow from
    /// it.
    #[inline]
    fn stones_image(&self, open: Set, map: impl Fn(Set) -> Set) -> [Set; 2] {
        let [left, right] = self.stones;
        let left_image = if left == 0 { 0 } else { map(left) };
        let right_image = match right {
            0 => 0,
            _ if right == self.open & !left => open & !left_image,
            _ => map(right),
        };
        [left_image, right_image]
    }

    /// The board turned by half a circle; a strip is reversed by it.
    #[inline]
    pub(crate) fn turned_round(&self) -> Cells {
        self.image(self.shape, |set| self.shape.turn_round(set))
    }

    /// The board with rows and columns exchanged.
    pub(crate) fn transposed(&self) -> Cells {
        self.image(self.shape.across(), |set| self.shape.transpose(set))
    }

    /// The least of the board and its mirror images.
    ///
    /// Boards compare by the cells that are in the game first, so stones are mirrored only where
    /// these are least.
    pub(crate) fn least_mirror(&self) -> Cells {
        let shape = self.shape;
        // A single row has the same two images both ways.
        let attitudes = if shape.height < 2 { 2 } else { 4 };
        let flipped = shape.flip(self.open);
        let opens = [
            self.open,
            shape.turn_round(self.open),
            flipped,
            shape.turn_round(flipped),
        ];
        let opens = &opens[..attitudes];
        let least = opens.iter().fold(self.open, |least, &open| least.min(open));
        let mut stones = [Set::MAX; 2];
        for (attitude, &open) in opens.iter().enumerate() {
            if open == least {
                let image = self.stones_image(open, |set| shape.mirror(set, attitude));
                stones = stones.min(image);
            }
        }
        Cells::of(shape, least, stones)
    }

    /// The least of the board in all its eight attitudes, which lies rather than stands.
    pub(crate) fn least_image(&self) -> Cells {
        match self.shape.width.cmp(&self.shape.height) {
            Ordering::Greater => self.least_mirror(),
            Ordering::Less => self.transposed().least_mirror(),
            Ordering::Equal => self.least_mirror().min(self.transposed().least_mirror()),
        }
    }

    /// Some columns of a strip, as a strip.
    pub(crate) fn cut(&self, columns: Range<usize>) -> Cells {
        let keep = below(columns.len());
        // Nothing is kept where the shift would be as wide as the set.
        let moved = |set: Set| match keep {
            0 => 0,
            _ => set >> columns.start & keep,
        };
        let shape = Shape {
            height: 1,
            width: columns.len() as u8,
        };
        self.image(shape, moved)
    }
}

#[cfg(test)]
pub(super) mod tests;
