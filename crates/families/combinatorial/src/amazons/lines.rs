//! What is in sight on a board of at most 128 squares.
//!
//! Of a set of blockers on a ray that leads to higher squares, `b ^ (b - 1)` holds everything up to
//! the first of them, and everything if there is none. Rays that lead to lower squares are kept
//! with their bits in reverse, so that the same subtraction serves them, and a slide takes no loop
//! and no branch.

use tabia_game::grid::Grid;

/// A set of squares, numbered rank by rank from `a1`.
pub(crate) type Set = u128;

/// Squares at most.
pub(crate) const MAX_SQUARES: usize = 100;

/// What blocks: the set, and its bits in reverse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocked {
    pub set: Set,
    reversed: Set,
}

impl Blocked {
    #[inline]
    pub fn new(set: Set) -> Blocked {
        Blocked {
            set,
            reversed: set.reverse_bits(),
        }
    }
}

/// The rays from every square, and the edges of the board.
#[derive(Clone, Debug)]
pub(crate) struct Rays {
    grid: Grid,
    /// Right, left up, up, right up.
    ahead: Vec<[Set; 4]>,
    /// The opposite rays, bits in reverse.
    back: Vec<[Set; 4]>,
    pub full: Set,
    not_first_file: Set,
    not_last_file: Set,
    /// What is at most one and at most two steps away from each square.
    pub near: Vec<[Set; 2]>,
}

const STEPS: [(isize, isize); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

impl Rays {
    pub fn new(grid: Grid) -> Rays {
        let Grid { width, height } = grid;
        let ray = |square: usize, (dx, dy): (isize, isize)| {
            let (mut x, mut y) = ((square % width) as isize, (square / width) as isize);
            let mut set = 0;
            loop {
                (x, y) = (x + dx, y + dy);
                if x < 0 || y < 0 || x >= width as isize || y >= height as isize {
                    return set;
                }
                set |= 1 << (y as usize * width + x as usize);
            }
        };
        let squares = 0..width * height;
        let back = |square| STEPS.map(|(dx, dy)| Set::reverse_bits(ray(square, (-dx, -dy))));
        let file = |file: usize| (0..height).fold(0, |set, rank| set | 1 << (rank * width + file));
        let full = Set::MAX >> (128 - width * height);
        let mut lines = Rays {
            grid,
            ahead: squares
                .clone()
                .map(|s| STEPS.map(|step| ray(s, step)))
                .collect(),
            back: squares.map(back).collect(),
            full,
            not_first_file: full & !file(0),
            not_last_file: full & !file(width - 1),
            near: Vec::new(),
        };
        let near = |square| {
            let one = lines.around(Set::from(1u8) << square);
            [one, lines.around(one)]
        };
        lines.near = (0..width * height).map(near).collect();
        lines
    }

    /// The squares in sight of one, in two sets: those with higher numbers, and those with lower
    /// ones, bits in reverse.
    #[inline]
    pub fn halves(&self, from: usize, blocked: Blocked) -> [Set; 2] {
        let half = |rays: &[Set; 4], blocked: Set| {
            let seen = |ray: Set| {
                let before = ray & blocked;
                (before ^ before.wrapping_sub(1)) & ray
            };
            (seen(rays[0]) | seen(rays[1]) | seen(rays[2]) | seen(rays[3])) & !blocked
        };
        [
            half(&self.ahead[from], blocked.set),
            half(&self.back[from], blocked.reversed),
        ]
    }

    /// The squares in sight of one.
    #[inline]
    pub fn sight(&self, from: usize, blocked: Blocked) -> Set {
        let [ahead, back] = self.halves(from, blocked);
        ahead | back.reverse_bits()
    }

    /// The squares one step away from some, and those themselves.
    #[inline]
    pub fn around(&self, set: Set) -> Set {
        let row = set | (set & self.not_last_file) << 1 | (set & self.not_first_file) >> 1;
        (row | row << self.grid.width | row >> self.grid.width) & self.full
    }

    /// The squares in sight of any of some, over empty squares.
    #[inline]
    pub fn sight_of_all(&self, from: Set, empty: Set) -> Set {
        let width = self.grid.width;
        let (right, left) = (empty & self.not_first_file, empty & self.not_last_file);
        up(from, right, 1)
            | up(from, left, width - 1)
            | up(from, empty, width)
            | up(from, right, width + 1)
            | down(from, left, 1)
            | down(from, right, width - 1)
            | down(from, empty, width)
            | down(from, left, width + 1)
    }
}

/// Slides of at most fifteen steps of one stride, by doubling (Kogge and Stone 1973).
#[inline]
fn up(from: Set, open: Set, stride: usize) -> Set {
    let (mut set, mut open) = ((from << stride) & open, open);
    for doubled in [stride, 2 * stride, 4 * stride] {
        set |= (set << doubled) & open;
        open &= open << doubled;
    }
    set | (set << (8 * stride)) & open
}

#[inline]
fn down(from: Set, open: Set, stride: usize) -> Set {
    let (mut set, mut open) = ((from >> stride) & open, open);
    for doubled in [stride, 2 * stride, 4 * stride] {
        set |= (set >> doubled) & open;
        open &= open >> doubled;
    }
    set | (set >> (8 * stride)) & open
}
