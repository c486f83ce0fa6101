//! Random games with closed side triangles, on frames alone: what only other searches need is made up for at the end.

use rand::{Rng, RngExt};
use tabia_game::Player;
use tabia_game::bits::Bits;

use super::star::{CELL, ELSEWHERE, FRAMES, HIGH, LOW, RHOMBUS, SHIFTS, TRIANGLES, is_filled};
use super::{ChineseCheckers, State, Target};
use crate::Outcome;

impl ChineseCheckers {
    /// Plays at random until so many plies are played or the game is over; how many were played.
    pub(super) fn play_out<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        plies: u32,
        rng: &mut R,
    ) -> u32 {
        if state.outcome != Outcome::Open {
            return 0;
        }
        let plies = plies.min(u32::from(self.rules.longest - state.plies));
        let strict = self.rules.target == Target::Own;
        let (mut framed, mut occupied) = (state.framed, state.occupied);
        let mut mover = state.mover.index() % TRIANGLES;
        let mut winner = None;
        let mut played = 0;
        while played < plies && winner.is_none() {
            let home = usize::from(self.homes[mover]);
            let (frame, target) = match home < FRAMES {
                true => (home, LOW),
                false => (home - FRAMES, HIGH),
            };
            let drawn = self.draw(framed[mover], occupied[frame], target, rng);
            if let Some((from, to)) = drawn {
                let change = 1 << from | 1 << to;
                framed[mover] ^= change;
                occupied[frame] ^= change;
                if self.players > 2 {
                    for on in 0..2 {
                        let elsewhere = &ELSEWHERE[frame];
                        occupied[(frame + 1 + on) % FRAMES] ^=
                            elsewhere[from][on] ^ elsewhere[to][on];
                    }
                }
                if (LOW | HIGH) & 1 << to != 0 {
                    let (triangle, corner) = match LOW & 1 << to {
                        0 => (frame, HIGH),
                        _ => (frame + FRAMES, LOW),
                    };
                    let filler = self.fillers[triangle].filter(|filler| {
                        let own = framed[filler.index() % TRIANGLES];
                        is_filled(corner, own, occupied[frame], strict)
                    });
                    winner = filler;
                }
            }
            played += 1;
            mover = if mover + 1 == self.players {
                0
            } else {
                mover + 1
            };
        }
        let mut pieces = [0; TRIANGLES];
        for (player, own) in pieces.iter_mut().enumerate().take(self.players) {
            let cells = &CELL[usize::from(self.homes[player]) % FRAMES];
            let own_cells = framed[player].iter().map(|bit| cells[bit]);
            *own = own_cells.fold(0, |set, cell| set | 1 << cell);
        }
        let plies = state.plies + played as u16;
        *state = self.position(pieces, Player(mover as u8), plies);
        state.outcome = match winner {
            Some(winner) => Outcome::Won(winner),
            None if plies == self.rules.longest => Outcome::Drawn,
            None => Outcome::Open,
        };
        played
    }

    /// One of a player's moves in a frame, each as likely as any other, without listing them all. `None` if there is no
    /// move.
    ///
    /// Steps are counted for all pieces together, one direction after another. A jump leads two cells on, so that
    /// a piece stays in one of four classes of cells however often it jumps, jumps over cells of other classes only, and never ends where a step
    /// would. Pieces of different classes can therefore jump at the same time in one word, and where a jump
    /// ends tells whose it was.
    #[inline]
    pub(super) fn draw<R: Rng + ?Sized>(
        &self,
        own: u64,
        occupied: u64,
        target: u64,
        rng: &mut R,
    ) -> Option<(usize, usize)> {
        let empty = RHOMBUS & !occupied;
        // Pieces that must not leave the target.
        let bound = if self.rules.leave { 0 } else { own & target };
        let free = own & !bound;
        let inside = empty & target;
        let mut jumpers = 0;
        // Where steps in each direction lead, then where pieces that jump together get to; all those before each.
        let mut sets = [0u64; SETS];
        let mut starts = [0u32; SETS + 1];
        for (pair, shift) in (0..6).step_by(2).zip(SHIFTS) {
            jumpers |= (((own << shift & occupied) << shift) & empty) >> (2 * shift);
            jumpers |= (((own >> shift & occupied) >> shift) & empty) << (2 * shift);
            sets[pair] = (free << shift) & empty | (bound << shift) & inside;
            sets[pair + 1] = (free >> shift) & empty | (bound >> shift) & inside;
            starts[pair + 1] = starts[pair] + sets[pair].count_ones();
            starts[pair + 2] = starts[pair + 1] + sets[pair + 1].count_ones();
        }
        let mut jumping = [0u64; SETS];
        let mut count = 6;
        while jumpers != 0 {
            let mut lane = 0;
            for class in CLASSES {
                let of_class = jumpers & class;
                lane |= of_class & of_class.wrapping_neg();
            }
            jumpers ^= lane;
            let mut reached = all_jumps(lane, occupied, empty);
            if lane & bound != 0 {
                for class in CLASSES {
                    if lane & bound & class != 0 {
                        reached &= !class | target;
                    }
                }
            }
            (jumping[count], sets[count]) = (lane, reached);
            starts[count + 1] = starts[count] + reached.count_ones();
            count += 1;
        }
        let total = starts[count];
        if total == 0 {
            return None;
        }
        let drawn = rng.random_range(0..total);
        // Without branches, which nobody could foretell.
        let mut chosen = 0;
        for (k, &start) in starts[1..count].iter().enumerate() {
            chosen = if start <= drawn { k + 1 } else { chosen };
        }
        let to = nth(sets[chosen], drawn - starts[chosen]);
        let from = match chosen < 6 {
            true => to.wrapping_add_signed(BACK[chosen]),
            false => {
                let class = CLASSES[(to >> 3 & 1) << 1 | to & 1];
                (jumping[chosen] & class).trailing_zeros() as usize
            }
        };
        Some((from, to))
    }
}

/// Six directions of steps, and as many sets of pieces that jump together as there can be.
const SETS: usize = 12;

/// The way back of each direction of steps.
const BACK: [isize; 6] = [-1, 1, -7, 7, -8, 8];

/// The four classes of cells, by whether rows and columns of a frame are even or odd.
const CLASSES: [u64; 4] = [
    0x0055_0055_0055_0055,
    0x00aa_00aa_00aa_00aa,
    0x0000_5500_5500_5500,
    0x0000_aa00_aa00_aa00,
];

/// Where pieces get to by jumping, at most one of each class. Cells jumped over are of other classes, so it does not
/// matter that a piece has left its own.
#[inline]
fn all_jumps(pieces: u64, occupied: u64, empty: u64) -> u64 {
    let (mut reached, mut new) = (0, pieces);
    while new != 0 {
        let mut landed = 0;
        for shift in SHIFTS {
            landed |= ((new << shift) & occupied) << shift;
            landed |= ((new >> shift) & occupied) >> shift;
        }
        new = landed & empty & !reached;
        reached |= new;
    }
    reached
}

/// The element of a set with so many before it, by the sums of elements up to each byte (Vigna 2008).
#[inline]
fn nth(set: u64, before: u32) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x80 * ONES;
    let pairs = set - ((set >> 1) & (0x55 * ONES));
    let nibbles = (pairs & (0x33 * ONES)) + ((pairs >> 2) & (0x33 * ONES));
    let sums = ((nibbles + (nibbles >> 4)) & (0x0f * ONES)).wrapping_mul(ONES);
    let over = ((u64::from(before) * ONES) | TOPS).wrapping_sub(sums) & TOPS;
    let byte = 8 * over.count_ones();
    let left = before - ((sums << 8) >> byte & 0xff) as u32;
    let place = NTH[(set >> byte & 0xff) as usize][left as usize & 7];
    byte as usize + usize::from(place)
}

/// The elements of every byte.
static NTH: [[u8; 8]; 256] = nth_of_byte();

const fn nth_of_byte() -> [[u8; 8]; 256] {
    let mut all = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                all[byte][count] = bit as u8;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    all
}
