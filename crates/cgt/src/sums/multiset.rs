//! Sums as multisets of parts and values, and the moves in them.

use tabia_game::{Combinatorial, Player, zobrist};

use super::Unsolved;
use super::parts::{self, Part, Parts};
use crate::Value;

/// A multiset of parts and values.
#[derive(Debug)]
pub struct Multiset<P> {
    /// Numbers, ups and stars, all together.
    pub cold: Value,
    /// Other values.
    pub hot: Vec<Value>,
    pub parts: Vec<Part<P>>,
}

impl<P> Default for Multiset<P> {
    fn default() -> Self {
        Multiset {
            cold: Value::ZERO,
            hot: Vec::new(),
            parts: Vec::new(),
        }
    }
}

impl<P> Multiset<P> {
    /// Whether there is nothing beside one part.
    #[inline]
    pub fn is_single(&self) -> bool {
        self.parts.len() == 1 && self.hot.is_empty() && self.cold == Value::ZERO
    }
}

impl<P: Clone> Multiset<P> {
    /// Becomes the same as another, without the part at this place if any, in the memory that it
    /// has.
    fn copy_but(&mut self, other: &Multiset<P>, place: Option<usize>) {
        self.cold = other.cold;
        self.hot.clone_from(&other.hot);
        self.parts.clear();
        for (i, part) in other.parts.iter().enumerate() {
            if Some(i) != place {
                self.parts.push(part.clone());
            }
        }
    }
}

/// What the key of a sum begins with.
pub fn key_of_mover(mover: Player) -> u128 {
    const KEYS: [u128; 2] = [
        (zobrist::number(0xc67, 0) as u128) << 64,
        (zobrist::number(0xc67, 1) as u128) << 64,
    ];
    KEYS[mover.index() & 1]
}

/// What an answer of the other player takes off a promise; see [`parts::ABOUT`].
const ANSWER: i64 = 4;

/// What changes by a move.
#[derive(Clone, Copy, Debug)]
pub enum Change<M> {
    /// This is played in the part at this place.
    Part(usize, M),
    /// The value at this place becomes its option of this number.
    Hot(usize, usize),
    /// Numbers, ups and stars become the option of this number.
    Cold(usize),
}

impl<R: Combinatorial> Parts<R> {
    /// The key of a multiset: a sum, so that the order does not matter.
    pub fn key(&mut self, sum: &Multiset<R::Position>, mover: Player) -> Result<u128, Unsolved> {
        let mut key = key_of_mover(mover).wrapping_add(self.value_fingerprint(sum.cold)?);
        for &value in &sum.hot {
            key = key.wrapping_add(self.value_fingerprint(value)?);
        }
        for part in &sum.parts {
            key = key.wrapping_add(part.fingerprint);
        }
        Ok(key)
    }

    /// Appends all moves of a player, each with what it promises.
    pub fn changes(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
        moves: &mut Vec<R::Move>,
        changes: &mut Vec<(i64, Change<R::Move>)>,
    ) -> Result<(), Unsolved> {
        let sign = if mover == Player::FIRST { 1 } else { -1 };
        for (place, part) in sum.parts.iter().enumerate() {
            let seen = &sum.parts[..place];
            if seen
                .iter()
                .any(|other| other.fingerprint == part.fingerprint)
            {
                continue;
            }
            moves.clear();
            let rules = self.rules();
            rules.moves(&part.position, mover, moves);
            let before = parts::ahead(part.mobility);
            for &mv in moves.iter() {
                let mut position = part.position.clone();
                rules.play(&mut position, mover, mv);
                let mobility = self.mobility(&position);
                let gain = sign * (parts::ahead(mobility) - before);
                // Of moves that gain as much, those come first that leave the fewest answers.
                let answers = i64::from(mobility[mover.other().index() & 1]);
                changes.push((gain - ANSWER * answers, Change::Part(place, mv)));
            }
        }
        for (place, &value) in sum.hot.iter().enumerate() {
            if sum.hot[..place].contains(&value) {
                continue;
            }
            let gains = self.value_gains(value, mover)?;
            let option = |(option, &gain): (usize, &i64)| (gain, Change::Hot(place, option));
            changes.extend(gains.iter().enumerate().map(option));
        }
        if sum.cold != Value::ZERO {
            // There is a better move than one in a number, unless all that is elsewhere is a
            // number, too (the number avoidance theorem, Siegel 2013, section II.3).
            let last = self.values().is_number(sum.cold);
            let gains = self.value_gains(sum.cold, mover)?;
            let option = |(option, &gain): (usize, &i64)| {
                let promise = if last { i64::MIN / 2 } else { gain };
                (promise, Change::Cold(option))
            };
            changes.extend(gains.iter().enumerate().map(option));
        }
        Ok(())
    }

    /// The sum after a move.
    pub fn after(
        &mut self,
        sum: &Multiset<R::Position>,
        mover: Player,
        change: Change<R::Move>,
        next: &mut Multiset<R::Position>,
    ) -> Result<(), Unsolved> {
        match change {
            Change::Part(place, mv) => {
                next.copy_but(sum, Some(place));
                let mut position = sum.parts[place].position.clone();
                self.rules().play(&mut position, mover, mv);
                self.add(next, &position)?;
            }
            Change::Hot(place, option) => {
                next.copy_but(sum, None);
                let value = next.hot.swap_remove(place);
                let option = self.values().options(value, mover)?[option];
                self.add_value(next, option)?;
            }
            Change::Cold(option) => {
                let option = self.values().options(sum.cold, mover)?[option];
                next.copy_but(sum, None);
                next.cold = Value::ZERO;
                self.add_value(next, option)?;
            }
        }
        self.recall(next);
        Ok(())
    }
}
