//! Random play: a queen that can move, a place to go to and an arrow are drawn one after the other,
//! each equally likely, as programs do that know the three as three moves.
//!
//! What a queen can reach is a number of squares in each of eight directions. The state of every
//! row, file and diagonal is kept, so that these numbers come out of a table by four lookups, as
//! the eight bytes of a word; a product sums them, and sums of bytes tell where the square with a
//! drawn number lies. There is no list of moves and no loop over squares or directions.

use multiversion::multiversion;
use rand::Rng;
use tabia_game::bits::Bits;
use tabia_game::grid::Grid;
use tabia_game::{Player, Quick, zobrist};

use super::lines::MAX_SQUARES;
use super::{ARROWS, Amazons, MAX_SIDE, QUEENS, Set, State};

/// Every byte one, and the highest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = 0x80 * ONES;

/// States of a line.
const STATES: usize = 1 << MAX_SIDE;
/// Numbers of rows, files and diagonals of both kinds: ten, ten and nineteen each. As many as a
/// byte has, so that a byte is always one.
const TRACKS: usize = 256;

/// How many squares are free on either side of a place in a line, by the squares that are taken:
/// downwards in the low byte, upwards in the high one. Places beyond the tenth are there so that
/// four bits are always one.
static FREE: [[u16; STATES]; 16] = {
    let mut free = [[0; STATES]; 16];
    let mut place = 0;
    while place < MAX_SIDE {
        let mut taken = 0;
        while taken < STATES {
            let (mut down, mut up) = (0, 0);
            while down < place && taken >> (place - down - 1) & 1 == 0 {
                down += 1;
            }
            while place + up + 1 < MAX_SIDE && taken >> (place + up + 1) & 1 == 0 {
                up += 1;
            }
            free[place][taken] = (down | up << 8) as u16;
            taken += 1;
        }
        place += 1;
    }
    free
};

/// Where a square lies: its number, its row, its file and its diagonals, a byte each from the
/// lowest on. On the board none of them leaves its byte, so that a queen goes on by adding, and
/// nothing is looked up where it comes to rest.
#[derive(Clone, Copy, Debug, Default)]
struct Spot(u64);

/// Where numbers begin, those of files so that their lowest four bits are the place in a row. Rows
/// begin with 0.
const FILES: i64 = 16;
const RISING: i64 = 32 + MAX_SIDE as i64;
const FALLING: i64 = 64;

impl Spot {
    /// From one square to another, this many files and ranks away.
    fn way(square: i64, files: i64, ranks: i64) -> Spot {
        let bytes = [square, ranks, files, files - ranks, files + ranks];
        let sum = bytes.iter().rev().fold(0, |sum, byte| (sum << 8) + byte);
        Spot(sum as u64)
    }

    fn new(square: usize, file: usize, rank: usize) -> Spot {
        let first = FILES << 16 | RISING << 24 | FALLING << 32;
        let way = Spot::way(square as i64, file as i64, rank as i64);
        Spot(way.0.wrapping_add(first as u64))
    }

    #[inline(always)]
    fn square(self) -> u8 {
        self.0 as u8
    }

    /// The numbers of its row, file, rising and falling diagonal.
    #[inline(always)]
    fn tracks(self) -> [usize; 4] {
        [8, 16, 24, 32].map(|shift| usize::from((self.0 >> shift) as u8))
    }

    /// The place in a row and on diagonals, and the place in a file.
    #[inline(always)]
    fn places(self) -> [usize; 2] {
        [self.0 >> 16, self.0 >> 8].map(|place| (place & 15) as usize)
    }
}

/// What random play needs to know of a board.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    spots: [Spot; 128],
    /// From a square to the next, in the order of the bytes of [`Tracks::reach`].
    steps: [Spot; 8],
    /// The board without anything on it: beyond its edges squares are taken.
    empty: [u16; TRACKS],
}

impl Tracks {
    pub fn new(Grid { width, height }: Grid) -> Tracks {
        let mut spots = [Spot::default(); 128];
        let mut empty = [(STATES - 1) as u16; TRACKS];
        for (square, spot) in spots.iter_mut().enumerate().take(width * height) {
            let (file, rank) = (square % width, square / width);
            *spot = Spot::new(square, file, rank);
            for (track, place) in spot.tracks().into_iter().zip([file, rank, file, file]) {
                empty[track] &= !(1 << place);
            }
        }
        let ways = [
            (-1, 0),
            (1, 0),
            (0, -1),
            (0, 1),
            (-1, -1),
            (1, 1),
            (-1, 1),
            (1, -1),
        ];
        let steps =
            ways.map(|(files, ranks)| Spot::way(files + width as i64 * ranks, files, ranks));
        Tracks {
            spots,
            steps,
            empty,
        }
    }

    #[inline(always)]
    fn spot(&self, square: u8) -> Spot {
        self.spots[usize::from(square & 127)]
    }

    #[inline(always)]
    fn toggle(&self, taken: &mut [u16; TRACKS], spot: Spot) {
        let [row, file, rising, falling] = spot.tracks();
        let [in_row, in_file] = spot.places().map(|place| 1 << place);
        taken[row] ^= in_row;
        taken[file] ^= in_file;
        taken[rising] ^= in_row;
        taken[falling] ^= in_row;
    }

    /// How far a queen can go in each direction, as eight bytes.
    #[inline(always)]
    fn reach(&self, taken: &[u16; TRACKS], spot: Spot) -> u64 {
        let [row, file, rising, falling] = spot.tracks();
        let [by_file, by_rank] = spot.places().map(|place| &FREE[place]);
        let free = |free: &[u16; STATES], track: usize| {
            u64::from(free[usize::from(taken[track]) % STATES])
        };
        free(by_file, row)
            | free(by_rank, file) << 16
            | free(by_file, rising) << 32
            | free(by_file, falling) << 48
    }

    /// One of the squares within reach, all equally likely but for the share that 24 random bits
    /// cannot tell, and where the byte of its direction begins.
    #[inline(always)]
    fn draw(&self, from: Spot, reach: u64, bits: u64) -> (Spot, u32) {
        // Each byte holds the number of squares in its direction and in those before it.
        let sums = reach.wrapping_mul(ONES);
        let number = ((bits & 0xff_ffff) * (sums >> 56)) >> 24;
        // Sums do not fall, so that the first one above the number is where the highest bit is
        // missing first.
        let above = ((number * ONES + HIGHEST) - sums) & HIGHEST ^ HIGHEST;
        let shift = above.trailing_zeros() & 0x38;
        let passed = (sums << 8) >> shift & 0xff;
        let steps = number + 1 - passed;
        let Spot(step) = self.steps[(shift / 8) as usize];
        let to = Spot(from.0.wrapping_add(step.wrapping_mul(steps)));
        (to, shift)
    }
}

/// A game at random in progress.
struct Playout {
    taken: [u16; TRACKS],
    /// The queens of both sides; those that are known to be stuck come last.
    queens: [[u8; MAX_SQUARES]; 2],
    /// How many there are, and how many may be able to move.
    counts: [usize; 2],
    awake: [usize; 2],
    /// The squares beside queens that are stuck: these can move only when a queen leaves one of
    /// them.
    beside: Set,
    mover: usize,
    luck: Quick,
    plies: u32,
    /// The key of the arrows.
    key: u64,
}

impl Playout {
    fn new<R: Rng + ?Sized>(tracks: &Tracks, state: &State, rng: &mut R) -> Playout {
        let mut taken = tracks.empty;
        let squares = state.occupied().iter();
        squares.for_each(|square| tracks.toggle(&mut taken, tracks.spot(square as u8)));
        let queens = state.queens.map(|set| {
            let mut list = [0; MAX_SQUARES];
            let squares = list.iter_mut().zip(set.iter());
            squares.for_each(|(place, square)| *place = square as u8);
            list
        });
        let counts = state.queens.map(|set| set.count());
        Playout {
            taken,
            queens,
            counts,
            awake: counts,
            beside: 0,
            mover: state.mover.index() & 1,
            luck: Quick::new(rng),
            plies: 0,
            key: state.key ^ zobrist::position_key(&QUEENS, state.queens, state.mover),
        }
    }

    /// Plays one ply; false if there is none.
    #[inline(always)]
    fn step(&mut self, game: &Amazons) -> bool {
        let tracks = &game.tracks;
        let mover = self.mover & 1;
        let (list, taken) = (&mut self.queens[mover], &mut self.taken);
        loop {
            let awake = self.awake[mover].min(MAX_SQUARES);
            if awake == 0 {
                return false;
            }
            let bits = self.luck.bits();
            let i = ((bits & 0xffff) as usize * awake) >> 16;
            let square = list[i];
            let from = tracks.spot(square);
            let reach = tracks.reach(taken, from);
            if reach != 0 {
                let (to, shift) = tracks.draw(from, reach, bits >> 16);
                list[i] = to.square();
                // The square that the queen left is free, and so are those behind it.
                let back = shift ^ 8;
                let behind = 1 + (reach >> back & 0xff);
                let reach = tracks.reach(taken, to) + (behind << back);
                let (arrow, _) = tracks.draw(to, reach, bits >> 40);
                tracks.toggle(taken, from);
                tracks.toggle(taken, to);
                tracks.toggle(taken, arrow);
                self.key ^= ARROWS[usize::from(arrow.square() & 127)];
                if self.beside >> (square & 127) & 1 != 0 {
                    (self.beside, self.awake) = (0, self.counts);
                }
                self.mover ^= 1;
                self.plies += 1;
                return true;
            }
            self.beside |= game.lines.near[usize::from(square)][0];
            self.awake[mover] -= 1;
            list.swap(i, awake - 1);
        }
    }

    fn state(&self, game: &Amazons) -> State {
        let squares = |side: usize| self.queens[side].iter().take(self.counts[side]);
        let set = |side| squares(side).fold(0, |set, &square| set | Set::bit(square.into()));
        let queens = [set(0), set(1)];
        let Grid { width, height } = game.grid;
        let rows = self.taken.iter().take(height).enumerate();
        let occupied = rows.fold(0, |set, (rank, &row)| {
            set | (Set::from(row) & (Set::bit(width) - 1)) << (rank * width)
        });
        let mover = [Player::FIRST, Player::SECOND][self.mover & 1];
        let mut state = State {
            queens,
            arrows: occupied & !(queens[0] | queens[1]),
            mover,
            stuck: false,
            key: self.key ^ zobrist::position_key(&QUEENS, queens, mover),
        };
        state.stuck = !game.can_move(&state, mover);
        state
    }
}

/// Plays until this many plies are played or there is none.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt"))]
fn play_on(game: &Amazons, playout: &mut Playout, plies: u32) {
    while playout.plies < plies && playout.step(game) {}
}

impl Amazons {
    /// Plays this many random plies, fewer if the game ends; how many.
    pub(super) fn random_plies<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        plies: u32,
        rng: &mut R,
    ) -> u32 {
        let mut playout = Playout::new(&self.tracks, state, rng);
        play_on(self, &mut playout, plies);
        *state = playout.state(self);
        playout.plies
    }
}
