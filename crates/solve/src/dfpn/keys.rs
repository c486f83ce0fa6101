//! Positions by their keys: how the table and the threads speak of them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::AtomicU16;

use tabia_game::{Key, zobrist};

use crate::Attack;

/// The key under which the table knows a position: results are those of one attack.
#[inline]
pub(super) fn salted(key: u64, attack: Attack) -> u64 {
    let salt = u64::from(attack.attacker.0) << 32 | u64::from(attack.at_least.unsigned_abs());
    key ^ zobrist::number(0xdf, salt)
}

/// By which key a search knows a position.
pub trait Keys<G: Key>: Sync {
    /// The key of a position. Positions that share one are taken for the same.
    fn key(&self, game: &G, state: &G::State) -> u64;
}

/// Every position has a key of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnKeys;

impl<G: Key> Keys<G> for OwnKeys {
    #[inline]
    fn key(&self, game: &G, state: &G::State) -> u64 {
        game.key(state)
    }
}

/// A key for all positions of a class, such as the images of one another under the symmetries of
/// the board ([`class_key`](tabia_game::Symmetric::class_key)); keys of their own if there is none.
pub type ClassKey<'a, G> =
    Option<&'a (dyn Fn(&G, &<G as tabia_game::Game>::State) -> u64 + Send + Sync)>;

impl<G: Key> Keys<G> for ClassKey<'_, G> {
    #[inline]
    fn key(&self, game: &G, state: &G::State) -> u64 {
        match self {
            Some(class_key) => class_key(game, state),
            None => game.key(state),
        }
    }
}

/// Keys are random already.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = zobrist::mix(self.0 ^ u64::from(byte));
        }
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

pub(super) type ByKey<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// Which positions other threads are at work on, roughly: their numbers are held to be a little
/// higher, so that threads part (virtual proof numbers, Kaneko 2010).
pub(super) struct Busy(Vec<AtomicU16>);

impl Busy {
    const SIZE: usize = 1 << 14;

    pub fn new() -> Busy {
        Busy(bytemuck::zeroed_vec(Self::SIZE))
    }

    /// How many threads are at work on a position, or on one of those that share its place.
    #[inline]
    pub fn at(&self, key: u64) -> &AtomicU16 {
        &self.0[key as usize % Self::SIZE]
    }
}
