//! Numbers by which positions and values are known in every thread.

use std::hash::{Hash, Hasher};

use tabia_game::Player;
use tabia_game::zobrist::{mix, number};

use crate::{Exceeded, Value, Values};

/// 128 bits for anything that can be hashed.
pub fn of_hash(value: &impl Hash) -> u128 {
    let mut lanes = Lanes(START);
    value.hash(&mut lanes);
    let [high, low] = lanes.0;
    u128::from(mix(high)) << 64 | u128::from(mix(low))
}

/// Odd numbers without a pattern: the fractions of the square roots of small primes.
const START: [u64; 2] = [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b];
const FACTORS: [u64; 2] = [0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];

/// Two hashes side by side, a multiplication for each word: every new sum needs them.
struct Lanes([u64; 2]);

impl Hasher for Lanes {
    fn finish(&self) -> u64 {
        self.0[0]
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for &word in words {
            self.write_u64(u64::from_le_bytes(word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        for (lane, factor) in self.0.iter_mut().zip(FACTORS) {
            let product = u128::from(*lane ^ word) * u128::from(factor);
            // Added, so that a lane cannot get stuck at zero.
            *lane = ((product >> 64) as u64 ^ product as u64).wrapping_add(factor);
        }
    }

    #[inline]
    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// 128 bits that follow from others.
fn scrambled(salt: u64, bits: u128) -> u128 {
    let (high, low) = ((bits >> 64) as u64, bits as u64);
    let half = |salt| number(number(salt, high), low);
    u128::from(half(salt)) << 64 | u128::from(half(!salt))
}

/// 128 bits for a value, whatever else its store holds: the order of options differs from store to
/// store.
pub fn of_value(
    values: &mut Values,
    value: Value,
    known: &mut rustc_hash::FxHashMap<Value, u128>,
) -> Result<u128, Exceeded> {
    if value == Value::ZERO {
        return Ok(0);
    }
    if let Some(&bits) = known.get(&value) {
        return Ok(bits);
    }
    let bits = match values.as_number_up_star(value) {
        Some(simple) => of_hash(&simple),
        None => {
            let mut sum = 0u128;
            for player in [Player::FIRST, Player::SECOND] {
                for option in values.options(value, player)?.to_vec() {
                    let bits = of_value(values, option, known)?;
                    sum = sum.wrapping_add(scrambled(u64::from(player.0) + 1, bits));
                }
            }
            scrambled(0x7a, sum)
        }
    };
    known.insert(value, bits);
    Ok(bits)
}
