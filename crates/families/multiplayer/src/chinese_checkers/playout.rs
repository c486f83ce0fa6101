//! Random games with closed side triangles, on frames alone: what only other searches need is made
//! up for at the end.
//!
//! Every piece of a player has a word of its own, and what can be said of one is said of all of
//! them at once, in one vector where the processor has such: where steps lead, where jumps lead
//! that go on as long as they can, and how many cells that makes. One number below the sum then
//! tells the piece and the cell. There is no list of moves, and there are almost no unpredictable
//! branches.

use multiversion::multiversion;
use rand::Rng;
use tabia_game::bits::Bits;
use tabia_game::{Player, Quick};

use super::star::{CELL, ELSEWHERE, FRAMES, HIGH, LOW, RHOMBUS, SHIFTS, TRIANGLES, is_filled};
use super::{ChineseCheckers, State, Target};
use tabia_game::Outcome;

/// Words for the pieces of a player; two stay empty, so that there are as many as fill a vector.
pub(super) const HAND: usize = 8;
/// Players, and then some, so that three bits are always one.
const SEATS: usize = 8;
/// Rounds of jumps between two looks at whether there was anything new: few chains are longer.
const ROUNDS: usize = 4;

/// Every byte one, and the highest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x80 * ONES;

/// What the moves of a player depend on besides the pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seat {
    pub frame: usize,
    /// Where pieces must stay that are there.
    bound: u64,
}

/// A game at random in progress.
struct Playout {
    hands: [[u64; HAND]; SEATS],
    /// All pieces in each frame, and then some, so that two bits are always one.
    occupied: [u64; FRAMES + 1],
    mover: usize,
    winner: Option<Player>,
    luck: Quick,
}

impl ChineseCheckers {
    /// Plays at random until this many plies are played or the game is over; how many were played.
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
        let mut seats = [Seat::default(); SEATS];
        let mut hands = [[0; HAND]; SEATS];
        for player in 0..self.players {
            seats[player] = self.seat(Player(player as u8));
            hands[player] = hand(state.framed[player]);
        }
        let [first, second, third] = state.occupied;
        let mut playout = Playout {
            hands,
            occupied: [first, second, third, 0],
            mover: state.mover.index() % TRIANGLES,
            winner: None,
            luck: Quick::new(rng),
        };
        let played = play_on(self, &seats, &mut playout, plies);
        let mut pieces = [0; TRIANGLES];
        for (player, own) in pieces.iter_mut().enumerate().take(self.players) {
            let cells = &CELL[seats[player].frame];
            let framed = together(&playout.hands[player]);
            let own_cells = framed.iter().map(|bit| cells[bit]);
            *own = own_cells.fold(0, |set, cell| set | 1 << cell);
        }
        let plies = state.plies + played as u16;
        *state = self.position(pieces, Player(playout.mover as u8), plies);
        state.outcome = match playout.winner {
            Some(winner) => Outcome::Won(winner),
            None if plies == self.rules.longest => Outcome::Drawn,
            None => Outcome::Open,
        };
        played
    }

    pub(super) fn seat(&self, player: Player) -> Seat {
        Seat {
            frame: usize::from(self.home(player)) % FRAMES,
            bound: match self.rules.leave {
                true => 0,
                false => self.target(player),
            },
        }
    }
}

/// The pieces of a player, each in a word of its own.
pub(super) fn hand(framed: u64) -> [u64; HAND] {
    let mut hand = [0; HAND];
    let words = hand.iter_mut().zip(framed.iter());
    words.for_each(|(word, bit)| *word = 1 << bit);
    hand
}

fn together(hand: &[u64; HAND]) -> u64 {
    hand.iter().fold(0, |all, piece| all | piece)
}

/// Plays this many plies, fewer if the game is won; how many.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+bmi1+bmi2+lzcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt"
))]
fn play_on(
    game: &ChineseCheckers,
    seats: &[Seat; SEATS],
    playout: &mut Playout,
    plies: u32,
) -> u32 {
    let strict = game.rules.target == Target::Own;
    let (hands, occupied) = (&mut playout.hands, &mut playout.occupied);
    let (mut luck, mut mover) = (playout.luck, playout.mover);
    let mut played = 0;
    while played < plies && playout.winner.is_none() {
        let seat = seats[mover % SEATS];
        let frame = seat.frame & FRAMES;
        let hand = &mut hands[mover % SEATS];
        let goals = Goals::new(hand, occupied[frame], seat);
        let total = goals.total();
        if total != 0 {
            let (piece, to) = goals.nth(below(total, &mut luck));
            let from = std::mem::replace(&mut hand[piece], 1 << to);
            let now = occupied[frame] ^ (from | 1 << to);
            occupied[frame] = now;
            if game.players > 2 {
                let elsewhere = &ELSEWHERE[frame];
                let from = from.trailing_zeros() as usize % u64::BITS as usize;
                for (on, &other) in OTHERS[frame].iter().enumerate() {
                    occupied[other & FRAMES] ^= elsewhere[from][on] ^ elsewhere[to][on];
                }
            }
            // A corner is seldom full, and only then it matters whether the piece went there.
            if !now & LOW == 0 || !now & HIGH == 0 {
                let corner = match 1 << to {
                    to if LOW & to != 0 => Some((frame + FRAMES, LOW)),
                    to if HIGH & to != 0 => Some((frame, HIGH)),
                    _ => None,
                };
                playout.winner = corner.and_then(|(triangle, corner)| {
                    let filler = game.fillers[triangle]?;
                    let own = together(&hands[filler.index() % SEATS]);
                    is_filled(corner, own, now, strict).then_some(filler)
                });
            }
        }
        played += 1;
        mover = if mover + 1 == game.players {
            0
        } else {
            mover + 1
        };
    }
    (playout.luck, playout.mover) = (luck, mover);
    played
}

/// The other frames of each, in the order of [`ELSEWHERE`].
static OTHERS: [[usize; 2]; FRAMES + 1] = [[1, 2], [2, 0], [0, 1], [0, 0]];

/// Where each piece of a player may go.
pub(super) struct Goals {
    cells: [u64; HAND],
    /// How many cells there are in each byte of these words.
    in_bytes: [u64; HAND],
    /// How many cells the pieces have, up to each of them: a byte for each piece. A jump leads two
    /// cells on, so that a piece stays among the at most 16 cells of a class however often it
    /// jumps. Six pieces have at most 15 jumps and 6 steps each, 126 moves: the highest bit of a
    /// byte is always free.
    sums: u64,
}

impl Goals {
    /// Cells that a piece jumps over are of other classes than those that it jumps to, so it does
    /// not matter that it has left its own.
    #[inline(always)]
    pub fn new(hand: &[u64; HAND], occupied: u64, seat: Seat) -> Goals {
        let empty = RHOMBUS & !occupied;
        // Where jumps in each direction may end: on an empty cell behind a piece.
        let [a, b, c] = SHIFTS.map(|shift| (occupied << shift) & empty);
        let [d, e, f] = SHIFTS.map(|shift| (occupied >> shift) & empty);
        let [one, two, three] = SHIFTS.map(|shift| 2 * shift);
        let mut cells = *hand;
        loop {
            let mut before = cells;
            for _ in 0..ROUNDS {
                before = cells;
                for set in &mut cells {
                    let from = *set;
                    *set |= (from << one) & a
                        | (from >> one) & d
                        | (from << two) & b
                        | (from >> two) & e
                        | (from << three) & c
                        | (from >> three) & f;
                }
            }
            let changes = cells.iter().zip(&before).map(|(now, before)| now ^ before);
            if changes.fold(0, |all, change| all | change) == 0 {
                break;
            }
        }
        for (set, &piece) in cells.iter_mut().zip(hand) {
            for shift in SHIFTS {
                *set |= piece << shift | piece >> shift;
            }
            let inside = match piece & seat.bound {
                0 => empty,
                _ => empty & seat.bound,
            };
            *set &= inside;
        }
        let mut counts = 0;
        for (i, set) in cells.iter().enumerate() {
            counts |= u64::from(set.count_ones()) << (8 * i);
        }
        Goals {
            cells,
            in_bytes: cells.map(ones_of_bytes),
            sums: counts.wrapping_mul(ONES),
        }
    }

    /// How many moves there are.
    #[inline(always)]
    pub fn total(&self) -> u32 {
        (self.sums >> 56) as u32
    }

    /// The move with this many before it: the place of the piece in the hand, and the bit where it
    /// goes.
    #[inline(always)]
    pub fn nth(&self, number: u32) -> (usize, usize) {
        let (piece, number) = find(self.sums, number);
        let set = self.cells[piece];
        let (byte, number) = find(self.in_bytes[piece].wrapping_mul(ONES), number);
        let place = NTH[(set >> (8 * byte) & 0xff) as usize][number as usize % 8];
        (piece, (8 * byte + usize::from(place)) % u64::BITS as usize)
    }
}

/// How many bits each byte has.
#[inline(always)]
fn ones_of_bytes(set: u64) -> u64 {
    let pairs = set - ((set >> 1) & (0x55 * ONES));
    let nibbles = (pairs & (0x33 * ONES)) + ((pairs >> 2) & (0x33 * ONES));
    (nibbles + (nibbles >> 4)) & (0x0f * ONES)
}

/// The first byte above a number, of bytes that do not fall, and what the number has in excess of
/// the byte before it (Vigna 2008).
#[inline(always)]
fn find(sums: u64, number: u32) -> (usize, u32) {
    let passed = ((u64::from(number) * ONES) | TOPS).wrapping_sub(sums) & TOPS;
    let byte = passed.count_ones() % 8;
    let before = (sums << 8) >> (8 * byte) & 0xff;
    (byte as usize, number.wrapping_sub(before as u32))
}

/// A number below another, each exactly as likely as any other (Lemire 2019).
#[inline(always)]
fn below(count: u32, luck: &mut Quick) -> u32 {
    let count = u64::from(count);
    loop {
        let product = u128::from(luck.bits()) * u128::from(count);
        let rest = product as u64;
        if rest >= count || rest >= count.wrapping_neg() % count {
            return (product >> 64) as u32;
        }
    }
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
