//! Pseudo-random numbers for incremental position keys (Zobrist 1970).

use std::hash::{Hash, Hasher};

use crate::Player;
use crate::bits::Bits;

/// A bijective scrambler of 64 bits (the finalizer of SplitMix64).
#[inline]
pub const fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A table of `N` numbers, different for every `salt`, made at compile time.
///
/// ```
/// use tabia_game::zobrist;
///
/// static PIECE_ON_SQUARE: [[u64; 9]; 2] = [zobrist::table(1), zobrist::table(2)];
/// assert_ne!(PIECE_ON_SQUARE[0][4], PIECE_ON_SQUARE[1][4]);
/// ```
pub const fn table<const N: usize>(salt: u64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = number(salt, i as u64);
        i += 1;
    }
    numbers
}

/// The number at `index` of the table with this `salt`.
pub const fn number(salt: u64, index: u64) -> u64 {
    mix(
        mix(salt.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1))
            .wrapping_add(index.wrapping_mul(0xd1b5_4a32_d192_ed03)),
    )
}

/// Toggled into the key when the second player is to move.
pub const SECOND_TO_MOVE: u64 = number(0, 0);

/// The key of a position that was not reached move by move: the pieces of both sides, with one
/// table of numbers each, and the side to move.
pub fn position_key<B: Bits, const N: usize>(
    keys: &[[u64; N]; 2],
    pieces: [B; 2],
    mover: Player,
) -> u64 {
    let mut key = match mover {
        Player::FIRST => 0,
        _ => SECOND_TO_MOVE,
    };
    for (own, keys) in pieces.iter().zip(keys) {
        own.iter().for_each(|square| key ^= keys[square]);
    }
    key
}

/// A number for anything that can be hashed, the same in every run.
///
/// ```
/// use tabia_game::zobrist::hash_of;
/// assert_eq!(hash_of(1, &[1u8, 2]), hash_of(1, &[1u8, 2]));
/// assert_ne!(hash_of(1, &[1u8, 2]), hash_of(2, &[1u8, 2]));
/// ```
pub fn hash_of(salt: u64, value: &impl Hash) -> u64 {
    let mut mixer = Mixer(mix(salt));
    value.hash(&mut mixer);
    mixer.finish()
}

/// Words scrambled one after the other.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = number(self.0, word);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
