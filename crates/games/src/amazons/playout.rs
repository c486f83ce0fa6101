//! Random play: a queen that can move, a place to go to and an arrow are drawn one after the other, each equally
//! likely, as programs do that know the three as three moves.
//!
//! What a queen can reach is a number of squares in each of eight directions. The state of every row, file and diagonal
//! is kept, so that these numbers come out of a table by four lookups, as the eight bytes of a word; a product sums
//! them, and sums of bytes tell where the square with a drawn number lies. There is no list of moves and no loop over
//! squares or directions.
//!
//! Each of these steps waits for the one before it, so that a processor is idle most of the time of a game. Several games
//! are played side by side, a ply of each in turn: they do not wait for each other.

use rand::Rng;
use tabia_game::bits::Bits;
use tabia_game::grid::Grid;
use tabia_game::{Player, Quick};

use super::lines::MOST;
use super::{Amazons, LONGEST, Set, State};

/// Every byte one, and the highest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = 0x80 * ONES;

/// States of a line.
const STATES: usize = 1 << LONGEST;
/// Ten rows, ten files and nineteen diagonals of both kinds, and then some, so that six bits are always one.
const TRACKS: usize = 64;
/// Games that are played side by side.
const LANES: usize = 3;

/// How many squares are free on either side of a place in a line, by the squares that are taken: downwards in the low
/// byte, upwards in the high one. Places beyond the tenth are there so that four bits are always one.
static FREE: [[u16; STATES]; 16] = {
    let mut free = [[0; STATES]; 16];
    let mut place = 0;
    while place < LONGEST {
        let mut taken = 0;
        while taken < STATES {
            let (mut down, mut up) = (0, 0);
            while down < place && taken >> (place - down - 1) & 1 == 0 {
                down += 1;
            }
            while place + up + 1 < LONGEST && taken >> (place + up + 1) & 1 == 0 {
                up += 1;
            }
            free[place][taken] = (down | up << 8) as u16;
            taken += 1;
        }
        place += 1;
    }
    free
};

/// Where a square lies: its row, its file and its diagonals, by their numbers, and its place in each and its bit in
/// their states, which on diagonals are those of the row.
#[derive(Clone, Copy, Debug, Default)]
struct Spot {
    tracks: [u8; 4],
    file: u8,
    rank: u8,
    file_bit: u16,
    rank_bit: u16,
}

impl Spot {
    #[inline(always)]
    fn numbers(&self) -> [usize; 4] {
        self.tracks.map(|track| usize::from(track) % TRACKS)
    }
}

/// What random play needs to know of a board.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    spots: [Spot; 128],
    /// From a square to the next, in the order of the bytes of [`Tracks::reach`].
    steps: [i16; 8],
    /// The board without anything on it: beyond its edges squares are taken.
    empty: [u16; TRACKS],
}

impl Tracks {
    pub fn new(Grid { width, height }: Grid) -> Tracks {
        let mut spots = [Spot::default(); 128];
        let mut empty = [(STATES - 1) as u16; TRACKS];
        for (square, spot) in spots.iter_mut().enumerate().take(width * height) {
            let (file, rank) = (square % width, square / width);
            let tracks = [
                rank,
                LONGEST + file,
                2 * LONGEST + (LONGEST - 1 - rank + file),
                4 * LONGEST - 1 + (rank + file),
            ];
            spot.tracks = tracks.map(|track| track as u8);
            (spot.file, spot.rank) = (file as u8, rank as u8);
            (spot.file_bit, spot.rank_bit) = (1 << file, 1 << rank);
            for (track, place) in tracks.into_iter().zip([file, rank, file, file]) {
                empty[track] &= !(1 << place);
            }
        }
        let width = width as i16;
        let steps = [
            -1,
            1,
            -width,
            width,
            -1 - width,
            1 + width,
            width - 1,
            1 - width,
        ];
        Tracks {
            spots,
            steps,
            empty,
        }
    }

    #[inline(always)]
    fn toggle(&self, taken: &mut [u16; TRACKS], square: u8) {
        let spot = &self.spots[usize::from(square & 127)];
        let [row, file, rising, falling] = spot.numbers();
        taken[row] ^= spot.file_bit;
        taken[file] ^= spot.rank_bit;
        taken[rising] ^= spot.file_bit;
        taken[falling] ^= spot.file_bit;
    }

    /// How far a queen can go in each direction, as eight bytes.
    #[inline(always)]
    fn reach(&self, taken: &[u16; TRACKS], square: u8) -> u64 {
        let spot = &self.spots[usize::from(square & 127)];
        let [row, file, rising, falling] = spot.numbers();
        let by_file = &FREE[usize::from(spot.file & 15)];
        let by_rank = &FREE[usize::from(spot.rank & 15)];
        let free = |free: &[u16; STATES], track: usize| {
            u64::from(free[usize::from(taken[track]) % STATES])
        };
        free(by_file, row)
            | free(by_rank, file) << 16
            | free(by_file, rising) << 32
            | free(by_file, falling) << 48
    }

    /// One of the squares within reach, all equally likely but for the share that 24 random bits cannot tell, and
    /// where the byte of its direction begins.
    #[inline(always)]
    fn draw(&self, from: u8, reach: u64, bits: u64) -> (u8, u32) {
        // Each byte holds the number of squares in its direction and in those before it.
        let sums = reach.wrapping_mul(ONES);
        let number = ((bits & 0xff_ffff) * (sums >> 56)) >> 24;
        // Sums do not fall, so that the first one above the number is where the highest bit is missing first.
        let above = ((number * ONES + HIGHEST) - sums) & HIGHEST ^ HIGHEST;
        let shift = above.trailing_zeros() & 0x38;
        let passed = (sums << 8) >> shift & 0xff;
        let steps = (number + 1 - passed) as i16;
        let direction = (shift / 8) as usize;
        let square = (i16::from(from) + self.steps[direction] * steps) as u8;
        (square, shift)
    }
}

/// A game at random in progress.
struct Playout {
    taken: [u16; TRACKS],
    /// The queens of both sides; those that are known to be stuck come last.
    queens: [[u8; MOST]; 2],
    /// How many there are, and how many may be able to move.
    counts: [usize; 2],
    awake: [usize; 2],
    /// The squares beside queens that are stuck: these can move only when a queen leaves one of them.
    beside: Set,
    mover: usize,
    luck: Quick,
    plies: u32,
}

impl Playout {
    fn new<R: Rng + ?Sized>(tracks: &Tracks, state: &State, rng: &mut R) -> Playout {
        let mut taken = tracks.empty;
        let squares = state.occupied().iter();
        squares.for_each(|square| tracks.toggle(&mut taken, square as u8));
        let queens = state.queens.map(|set| {
            let mut list = [0; MOST];
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
        }
    }

    /// Plays one ply; false if there is none.
    #[inline(always)]
    fn step(&mut self, game: &Amazons) -> bool {
        let tracks = &game.tracks;
        let mover = self.mover & 1;
        let (list, taken) = (&mut self.queens[mover], &mut self.taken);
        loop {
            let awake = self.awake[mover].min(MOST);
            if awake == 0 {
                return false;
            }
            let bits = self.luck.bits();
            let i = ((bits & 0xffff) as usize * awake) >> 16;
            let from = list[i];
            let reach = tracks.reach(taken, from);
            if reach != 0 {
                let (to, shift) = tracks.draw(from, reach, bits >> 16);
                list[i] = to;
                // The square that the queen left is free, and so are those behind it.
                let back = shift ^ 8;
                let behind = 1 + (reach >> back & 0xff);
                let reach = tracks.reach(taken, to) + (behind << back);
                let (arrow, _) = tracks.draw(to, reach, bits >> 40);
                tracks.toggle(taken, from);
                tracks.toggle(taken, to);
                tracks.toggle(taken, arrow);
                if self.beside >> from & 1 != 0 {
                    (self.beside, self.awake) = (0, self.counts);
                }
                self.mover ^= 1;
                self.plies += 1;
                return true;
            }
            self.beside |= game.lines.near[usize::from(from)][0];
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
        game.set_up(queens, occupied & !(queens[0] | queens[1]), mover)
    }
}

impl Amazons {
    /// Plays so many random plies, fewer if the game ends; how many.
    pub(super) fn random_plies<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        plies: u32,
        rng: &mut R,
    ) -> u32 {
        let mut playout = Playout::new(&self.tracks, state, rng);
        while playout.plies < plies && playout.step(self) {}
        *state = playout.state(self);
        playout.plies
    }

    /// Plays so many random plies in each of some games; how many in all.
    pub(super) fn random_games<R: Rng + ?Sized>(
        &self,
        states: &mut [State],
        plies: u32,
        rng: &mut R,
    ) -> u64 {
        let mut waiting = states.iter_mut();
        let mut begin = || {
            let state = waiting.next()?;
            let playout = Playout::new(&self.tracks, state, rng);
            Some((playout, state))
        };
        let mut lanes: [_; LANES] = std::array::from_fn(|_| begin());
        let mut played = 0;
        while lanes.iter().any(Option::is_some) {
            for lane in &mut lanes {
                let Some((playout, state)) = lane else {
                    continue;
                };
                if playout.plies >= plies || !playout.step(self) {
                    **state = playout.state(self);
                    played += u64::from(playout.plies);
                    *lane = begin();
                }
            }
        }
        played
    }
}
