//! What is remembered of positions, whatever the order of their components.

use rustc_hash::FxHashMap;
use tabia_game::Player;

use super::sum::{FINISHED, MAX_COMPONENTS, Position};

/// Positions that are remembered for either mover; what comes later is not.
const MAX_ENTRIES: usize = 1 << 22;

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
pub(super) struct Multisets<T>([FxHashMap<Box<[u16]>, T>; 2]);

impl<T> Default for Multisets<T> {
    fn default() -> Multisets<T> {
        Multisets(Default::default())
    }
}

impl<T: Copy> Multisets<T> {
    pub(super) fn get(&self, key: &Key, mover: Player) -> Option<T> {
        self.0[mover.index() % 2].get(key.states()).copied()
    }

    pub(super) fn put(&mut self, key: &Key, mover: Player, known: T) {
        let map = &mut self.0[mover.index() % 2];
        if let Some(place) = map.get_mut(key.states()) {
            *place = known;
        } else if map.len() < MAX_ENTRIES {
            map.insert(key.states().into(), known);
        }
    }
}
