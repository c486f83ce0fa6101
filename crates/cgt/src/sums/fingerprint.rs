//! Numbers by which positions and values are known in every thread.

use std::hash::Hash;

use tabia_game::Player;
use tabia_game::zobrist::{hash_of, number};

use crate::{Exceeded, Value, Values};

/// 128 bits for anything that can be hashed.
pub fn of_hash(value: &impl Hash) -> u128 {
    u128::from(hash_of(0x5_0a, value)) << 64 | u128::from(hash_of(0x5_0b, value))
}

/// 128 bits that follow from others.
fn scrambled(salt: u64, bits: u128) -> u128 {
    let (high, low) = ((bits >> 64) as u64, bits as u64);
    let half = |salt| number(number(salt, high), low);
    u128::from(half(salt)) << 64 | u128::from(half(!salt))
}

/// 128 bits for a value, whatever else its store holds: the order of options differs from store to store.
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
