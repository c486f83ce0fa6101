//! Bear-off positions in slices, for tables: the checkers of the player on roll, then those of the
//! opponent, all at home and nobody without any.
//!
//! A table tells who wins, whatever the stakes. So of a player with all fifteen checkers, who could
//! still lose a gammon, it tells the probability of winning where that is all that counts. With the
//! cube, or in a match, a position is not followed by a roll or by the end; then there are no
//! slices.

use tabia_game::{Game, Indexed, NoClasses, Player};
use tabia_tables::chances::Descending;

use super::home::{Home, home_number, home_of, homes, homes_of, numbered_home, side_of};
use crate::backgammon::board::{Board, CHECKERS};
use crate::backgammon::{Backgammon, Phase, State};

/// Checkers that can be borne off in a turn.
const STEPS: u8 = 4;

/// The first number of a home of this many checkers, of which there must be at least one.
fn first_of(checkers: u8) -> usize {
    homes(checkers.saturating_sub(1))
}

/// How many checkers a home has, and its number among the homes of as many; `None` without any.
#[inline]
fn place(home: &Home) -> Option<(u8, u64)> {
    let checkers = home.iter().sum();
    let number = home_number(home)?.checked_sub(first_of(checkers))?;
    (checkers > 0).then_some((checkers, number as u64))
}

impl Indexed for Backgammon {
    type Slice = (u8, u8);
    type Classes = NoClasses;

    fn slices(&self) -> Vec<(u8, u8)> {
        if self.rules.cube || self.rules.length > 0 {
            return Vec::new();
        }
        let counts = 1..=CHECKERS;
        counts
            .clone()
            .flat_map(|own| counts.clone().map(move |other| (own, other)))
            .collect()
    }

    fn slice_len(&self, (own, other): (u8, u8)) -> Option<u64> {
        homes_of(own).checked_mul(homes_of(other))
    }

    fn next_slices(&self, (own, other): (u8, u8)) -> Vec<(u8, u8)> {
        let left = own.saturating_sub(STEPS).max(1)..=own;
        left.map(|left| (other, left)).collect()
    }

    #[inline]
    fn locate(&self, state: &State) -> Option<((u8, u8), u64)> {
        if state.phase != Phase::Roll || self.rules.cube || self.rules.length > 0 {
            return None;
        }
        let [own, other] = state.board.sides();
        let (own, number) = place(&home_of(own)?)?;
        let (other, others) = place(&home_of(other)?)?;
        Some(((own, other), number * homes_of(other) + others))
    }

    fn position_at(&self, (own, other): (u8, u8), index: u64) -> State {
        let numbers = [index / homes_of(other), index % homes_of(other)];
        let side = |checkers: u8, number: u64| {
            side_of(&numbered_home(first_of(checkers) + number as usize))
        };
        let sides = [side(own, numbers[0]), side(other, numbers[1])];
        State {
            // Sides that are at home never share a point.
            board: Board::new(sides).unwrap_or(Board::START),
            mover: Player::FIRST,
            phase: Phase::Roll,
            ..self.start()
        }
    }

    fn slice_text(&self, (own, other): (u8, u8)) -> String {
        format!("{own}-{other}")
    }

    fn slice_size(&self, (own, other): (u8, u8)) -> u32 {
        u32::from(own) + u32::from(other)
    }
}

/// The pips of both players, of which every turn takes some away.
impl Descending for Backgammon {
    #[inline]
    fn height(&self, state: &State) -> u32 {
        state.board.pips(0) + state.board.pips(1)
    }
}
