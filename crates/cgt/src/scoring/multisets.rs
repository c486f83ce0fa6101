//! What is remembered of positions, whatever the order of their components.

use rustc_hash::FxHashMap;
use tabia_game::Player;

use super::sum::{FINISHED, MAX_COMPONENTS, Position};

/// About what an entry of a map takes besides its states, in bytes, while the map grows.
const ENTRY: usize = 96;

/// The states of a position in order, without those that are finished.
pub(super) struct Key {
    states: [u16; MAX_COMPONENTS],
    length: usize,
}

impl Key {
    pub(super) fn of(position: &Position) -> Key {
        let mut key = Key {
            states: [FINISHED; MAX_COMPONENTS],
            length: 0,
        };
        for &state in &position.states {
            if state != FINISHED {
                key.states[key.length] = state;
                key.length += 1;
            }
        }
        key.states[..key.length].sort_unstable();
        key
    }

    fn states(&self) -> &[u16] {
        &self.states[..self.length]
    }
}

/// Something for every multiset of states and mover, by the states themselves.
pub(super) struct Multisets<T> {
    maps: [FxHashMap<Box<[u16]>, T>; 2],
    /// Bytes that may still be taken; what comes when there are too few is not remembered.
    room: u64,
}

impl<T: Copy> Multisets<T> {
    /// Nothing yet, and room for about this many bytes.
    pub(super) fn new(bytes: u64) -> Multisets<T> {
        Multisets {
            maps: Default::default(),
            room: bytes,
        }
    }

    pub(super) fn get(&self, key: &Key, mover: Player) -> Option<T> {
        self.maps[mover.index() % 2].get(key.states()).copied()
    }

    pub(super) fn put(&mut self, key: &Key, mover: Player, known: T) {
        let map = &mut self.maps[mover.index() % 2];
        if let Some(place) = map.get_mut(key.states()) {
            *place = known;
            return;
        }
        let bytes = (ENTRY + size_of_val(key.states())) as u64;
        if let Some(room) = self.room.checked_sub(bytes)
            && map.try_reserve(1).is_ok()
        {
            self.room = room;
            map.insert(key.states().into(), known);
        }
    }
}
