//! A set of positions: found by their keys, told apart by equality.

use std::collections::HashMap;

use tabia_game::Key;

/// Positions numbered in the order in which they came.
pub(crate) struct Positions<G: Key> {
    states: Vec<G::State>,
    first: HashMap<u64, u32>,
    /// Those whose key another position had before them.
    others: HashMap<u64, Vec<u32>>,
}

/// There are no numbers left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl<G: Key> Positions<G> {
    pub(crate) fn new() -> Positions<G> {
        Positions {
            states: Vec::new(),
            first: HashMap::new(),
            others: HashMap::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn get(&self, number: u32) -> &G::State {
        &self.states[number as usize]
    }

    pub(crate) fn find(&self, game: &G, state: &G::State) -> Option<u32> {
        let key = game.key(state);
        let same = |&number: &u32| self.get(number) == state;
        let first = *self.first.get(&key)?;
        if same(&first) {
            return Some(first);
        }
        self.others.get(&key)?.iter().copied().find(same)
    }

    /// Adds a position that is not there yet.
    pub(crate) fn add(&mut self, game: &G, state: G::State) -> Result<u32, Full> {
        let number = u32::try_from(self.states.len()).map_err(|_| Full)?;
        let key = game.key(&state);
        self.states.push(state);
        if *self.first.entry(key).or_insert(number) != number {
            self.others.entry(key).or_default().push(number);
        }
        Ok(number)
    }
}
