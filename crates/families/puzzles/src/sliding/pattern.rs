//! Patterns for additive pattern databases (Korf and Felner 2002): the places of some tiles, of
//! which only the moves are counted.
//!
//! Tiles are divided into disjoint groups. A move moves one tile and so counts for one group, so
//! that the distances of all groups may be added. Where the blank is decides what can be moved but
//! is not kept: the distance of a pattern is the least over all places of the blank. That makes the
//! bound inconsistent now and then, but never too large.

use tabia_tables::patterns::Abstraction;

use super::{BLANK, Blank, MAX_SQUARES, Sliding, State};

/// Tiles of a pattern at most.
const MAX_TILES: usize = MAX_SQUARES - 1;

/// Why tiles make no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// There is no tile with this number.
    #[error("there is no tile {tile}; tiles are 1 to {last}")]
    NoTile {
        /// The number.
        tile: u8,
        /// The largest number.
        last: usize,
    },
    /// A tile is there twice.
    #[error("tile {0} is there twice")]
    Twice(u8),
    /// No tiles were told.
    #[error("a pattern has at least one tile")]
    Empty,
    /// There is no diagonal to mirror the board at.
    #[error("only square boards can be mirrored")]
    NotSquare,
}

/// The places of some tiles of a puzzle.
#[derive(Clone, Debug)]
pub struct TilePattern {
    width: usize,
    height: usize,
    /// The tiles, in ascending order.
    tiles: Vec<u8>,
    /// The tiles that are looked at: the same, or their mirror images.
    seen: Vec<u8>,
    /// Where the tiles belong.
    goal: Vec<u8>,
    /// Where the blank belongs.
    blank: u8,
    /// What is seen on each place: itself, or the place across the diagonal.
    place: [u8; MAX_SQUARES],
    /// The places beside each place, as a set.
    near: [u32; MAX_SQUARES],
}

impl TilePattern {
    /// The pattern of these tiles.
    pub fn new(game: &Sliding, tiles: &[u8]) -> Result<TilePattern, PatternError> {
        let last = game.squares() - 1;
        let mut tiles = tiles.to_vec();
        tiles.sort_unstable();
        let wrong = tiles
            .iter()
            .find(|&&tile| tile == BLANK as u8 || usize::from(tile) > last);
        if let Some(&tile) = wrong {
            return Err(PatternError::NoTile { tile, last });
        }
        if let Some(pair) = tiles.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(PatternError::Twice(pair[0]));
        }
        if tiles.is_empty() {
            return Err(PatternError::Empty);
        }
        let mut near = [0; MAX_SQUARES];
        for (set, near) in near.iter_mut().zip(&game.near) {
            *set = near.iter().fold(0, |set, place| set | 1 << place);
        }
        Ok(TilePattern {
            width: game.width,
            height: game.height,
            seen: tiles.clone(),
            goal: tiles.iter().map(|&t| game.goal[usize::from(t)]).collect(),
            tiles,
            blank: game.goal[BLANK],
            place: std::array::from_fn(|place| place as u8),
            near,
        })
    }

    /// The same pattern as seen in a mirror at the diagonal of a square board: the distances are
    /// the same, but they are looked up for other tiles (Korf and Felner 2002).
    pub fn mirrored(&self, game: &Sliding) -> Result<TilePattern, PatternError> {
        if self.width != self.height {
            return Err(PatternError::NotSquare);
        }
        let mut mirrored = self.clone();
        for tile in &mut mirrored.seen {
            *tile = game.mirrored_tile(usize::from(*tile)) as u8;
        }
        mirrored.place = std::array::from_fn(|place| {
            let place = usize::from(self.place[place]);
            match place < game.squares() {
                true => game.transposed(place) as u8,
                false => place as u8,
            }
        });
        Ok(mirrored)
    }

    /// All tiles of a puzzle divided into groups of this many tiles at most: those of Korf and
    /// Felner's kind for the 15-puzzle (5-5-5, 6-6-3 and 7-8), otherwise tiles that are next to
    /// each other when they are in order.
    pub fn partition(game: &Sliding, largest: usize) -> Result<Vec<TilePattern>, PatternError> {
        // For the blank in the last corner.
        const FIVE: &[&[u8]] = &[&[1, 2, 5, 6, 9], &[3, 4, 7, 8, 12], &[10, 11, 13, 14, 15]];
        const SIX: &[&[u8]] = &[&[2, 3, 4], &[1, 5, 6, 9, 10, 13], &[7, 8, 11, 12, 14, 15]];
        const EIGHT: &[&[u8]] = &[&[1, 2, 3, 4, 5, 6, 7, 8], &[9, 10, 11, 12, 13, 14, 15]];
        let squares = game.squares();
        let consecutive: Vec<u8> = (1..squares as u8).collect();
        let groups: Vec<Vec<u8>> = match (game.width, game.height, largest) {
            (4, 4, 5) => FIVE.iter().map(|group| group.to_vec()).collect(),
            (4, 4, 6) => SIX.iter().map(|group| group.to_vec()).collect(),
            (4, 4, 8) => EIGHT.iter().map(|group| group.to_vec()).collect(),
            _ => {
                let groups = consecutive.chunks(largest.clamp(1, MAX_TILES));
                groups.map(<[u8]>::to_vec).collect()
            }
        };
        let pattern = |group: Vec<u8>| {
            // The board turned by half has the blank in the other corner.
            let turned = |&tile: &u8| squares as u8 - tile;
            match game.blank {
                Blank::First => {
                    TilePattern::new(game, &group.iter().map(turned).collect::<Vec<_>>())
                }
                Blank::Last => TilePattern::new(game, &group),
            }
        };
        groups.into_iter().map(pattern).collect()
    }

    /// The tiles of the pattern.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    fn squares(&self) -> usize {
        self.width * self.height
    }

    /// The number of a pattern: how many free places are before each tile's, as digits.
    #[inline]
    pub(super) fn rank(&self, places: impl Iterator<Item = u8>) -> u64 {
        let (mut number, mut taken) = (0, 0u32);
        for (i, place) in places.enumerate() {
            let bit = 1u32 << place;
            let before = (taken & (bit - 1)).count_ones();
            number = number * (self.squares() - i) as u64 + u64::from(u32::from(place) - before);
            taken |= bit;
        }
        number
    }

    /// The places of the tiles of a pattern, and the set of them.
    #[inline]
    pub(super) fn unrank(&self, mut number: u64) -> ([u8; MAX_TILES], u32) {
        let mut places = [0; MAX_TILES];
        for (i, digit) in places[..self.tiles.len()].iter_mut().enumerate().rev() {
            let base = (self.squares() - i) as u64;
            *digit = (number % base) as u8;
            number /= base;
        }
        let mut taken = 0u32;
        for place in &mut places[..self.tiles.len()] {
            let mut free = !taken;
            for _ in 0..*place {
                free &= free - 1;
            }
            *place = free.trailing_zeros() as u8;
            taken |= 1 << *place;
        }
        (places, taken)
    }

    /// All places beside those of a set, and these.
    #[inline]
    fn grown(&self, set: u32) -> u32 {
        let mut grown = set;
        let mut left = set;
        while left != 0 {
            grown |= self.near[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        grown
    }
}

impl Abstraction<Sliding> for TilePattern {
    /// The tiles, such as `pattern-2-3-4`.
    fn text(&self) -> String {
        let tiles = self.tiles.iter().map(|tile| format!("-{tile}"));
        format!("pattern{}", tiles.collect::<String>())
    }

    fn patterns(&self) -> Option<u64> {
        let squares = self.squares();
        let places = (0..self.tiles.len()).map(|i| (squares - i) as u64);
        places.into_iter().try_fold(1u64, u64::checked_mul)
    }

    fn rests(&self) -> u32 {
        self.squares() as u32
    }

    #[inline]
    fn pattern(&self, _: &Sliding, state: &State) -> u64 {
        self.rank(self.seen.iter().map(|&tile| {
            let place = state.places[usize::from(tile)];
            self.place[usize::from(place)]
        }))
    }

    fn goal(&self) -> (u64, u32) {
        (self.rank(self.goal.iter().copied()), 1 << self.blank)
    }

    fn expand(&self, pattern: u64, rests: u32, out: &mut Vec<(u64, u32)>) -> u32 {
        let (mut places, taken) = self.unrank(pattern);
        let tiles = self.tiles.len();
        let mut blank = rests;
        loop {
            let grown = self.grown(blank) & !taken;
            if grown == blank {
                break;
            }
            blank = grown;
        }
        for i in 0..tiles {
            let from = places[i];
            let mut to = self.near[usize::from(from)] & blank;
            while to != 0 {
                places[i] = to.trailing_zeros() as u8;
                to &= to - 1;
                out.push((self.rank(places[..tiles].iter().copied()), 1 << from));
            }
            places[i] = from;
        }
        blank
    }

    /// By the rules: the blank goes to one of four sides, and what stands there takes its place.
    fn neighbours(&self, pattern: u64, rest: u32, out: &mut Vec<(u64, u32, u8)>) {
        let squares = self.squares();
        let tiles = self.tiles.len();
        // Digit by digit, each counted among the places that the ones before it have left.
        let mut left: Vec<usize> = (0..squares).collect();
        let mut power: u64 = (0..tiles).map(|i| (squares - i) as u64).product();
        let mut number = pattern;
        let mut board: Vec<Option<usize>> = vec![None; squares];
        for tile in 0..tiles {
            power /= (squares - tile) as u64;
            let place = left.remove((number / power) as usize);
            number %= power;
            board[place] = Some(tile);
        }
        let blank = rest as usize;
        let (x, y) = (blank % self.width, blank / self.width);
        let sides = [
            (y > 0).then(|| blank - self.width),
            (x > 0).then(|| blank - 1),
            (x + 1 < self.width).then(|| blank + 1),
            (y + 1 < self.height).then(|| blank + self.width),
        ];
        for side in sides.into_iter().flatten() {
            board.swap(blank, side);
            let mut left: Vec<usize> = (0..squares).collect();
            let mut next = 0;
            for tile in 0..tiles {
                let place = board.iter().position(|&here| here == Some(tile));
                let at = left.iter().position(|&free| Some(free) == place);
                let at = at.unwrap_or(0);
                next = next * left.len() as u64 + at as u64;
                left.remove(at);
            }
            let cost = u8::from(board[blank].is_some());
            out.push((next, side as u32, cost));
            board.swap(blank, side);
        }
    }
}
