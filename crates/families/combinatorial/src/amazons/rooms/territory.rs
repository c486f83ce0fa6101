//! Territories: how many moves queens of one colour have in a room of their own (Tegos 2002,
//! chapter 5).
//!
//! A territory is k-defective if the best play leaves k of its empty squares unused. Few are: only
//! those are kept, and what is not found fills its room. A move shoots one square away, so that
//! rooms are looked at by size: what a move leaves consists of smaller rooms, which are known.
//! Squares that no queen reaches any more are lost.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tabia_game::Cancel;

use crate::amazons::rooms::Stopped;
use crate::amazons::rooms::atlas::{Atlas, RoomNumber};
use crate::amazons::rooms::frame::{Set, squares};

/// The most queens of one colour on a board.
pub const MAX_QUEENS: usize = 4;

/// A territory that cannot be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Defective {
    /// The room.
    pub room: RoomNumber,
    /// Its queens: of all sets that the symmetries of the room map to each other the least.
    pub queens: Set,
    /// How many empty squares stay unused.
    pub defects: u8,
}

/// The defective territories of all rooms of an atlas with up to this many queens.
#[derive(Clone, Debug, Default)]
pub struct Territories {
    queens: usize,
    /// One of each class, in order.
    listed: Vec<Defective>,
    /// All of them.
    defects: FxHashMap<(RoomNumber, Set), u8>,
    /// By room: whether it occurs at all.
    is_listed: Vec<bool>,
}

impl Territories {
    /// The territories of an atlas with 1 to `queens` queens.
    pub fn build(
        atlas: &Atlas,
        queens: usize,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Territories, Stopped> {
        let mut territories = Territories {
            queens,
            is_listed: vec![false; atlas.rooms().len()],
            ..Territories::default()
        };
        for size in 1..=atlas.frame().area() {
            let found: Vec<Defective> = atlas
                .of_size(size)
                .into_par_iter()
                .with_max_len(64)
                .flat_map_iter(|room| {
                    let mut found = Vec::new();
                    if !cancel.is_cancelled() {
                        territories.examine(atlas, room as RoomNumber, &mut found);
                        progress(1);
                    }
                    found
                })
                .collect();
            if cancel.is_cancelled() {
                return Err(Stopped);
            }
            for defective in found {
                territories.insert(atlas, defective);
            }
        }
        territories.listed.sort_unstable();
        Ok(territories)
    }

    /// The territories of a list, such as a file holds.
    pub fn of_list(atlas: &Atlas, queens: usize, listed: &[Defective]) -> Option<Territories> {
        let mut territories = Territories {
            queens,
            is_listed: vec![false; atlas.rooms().len()],
            ..Territories::default()
        };
        for &defective in listed {
            let room = *atlas.rooms().get(defective.room as usize)?;
            let placed = defective.queens.count_ones() as usize;
            let sound = defective.queens & !room == 0
                && (1..=queens).contains(&placed)
                && (1..=room.count_ones() as usize - placed)
                    .contains(&usize::from(defective.defects))
                && least(atlas, defective.room, defective.queens) == defective.queens;
            if !sound {
                return None;
            }
            territories.insert(atlas, defective);
        }
        // A list in its order has every class once.
        let ordered = listed
            .windows(2)
            .all(|pair| (pair[0].room, pair[0].queens) < (pair[1].room, pair[1].queens));
        ordered.then_some(territories)
    }

    fn insert(&mut self, atlas: &Atlas, defective: Defective) {
        let Defective {
            room,
            queens,
            defects,
        } = defective;
        for symmetry in atlas.symmetries(room) {
            self.defects
                .insert((room, symmetry.squares(queens)), defects);
        }
        self.is_listed[room as usize] = true;
        self.listed.push(defective);
    }

    /// The most queens of the territories that are known.
    pub fn queens(&self) -> usize {
        self.queens
    }

    /// One of each class of defective territories, by room.
    pub fn listed(&self) -> &[Defective] {
        &self.listed
    }

    /// How many empty squares stay unused in a room of the atlas with these queens.
    #[inline]
    pub fn defects(&self, room: RoomNumber, queens: Set) -> u32 {
        if !self.is_listed[room as usize] {
            return 0;
        }
        u32::from(self.defects.get(&(room, queens)).copied().unwrap_or(0))
    }

    /// How many moves queens of one colour have among squares that hang together, wherever they lie
    /// in the frame.
    #[inline]
    pub(crate) fn moves(&self, atlas: &Atlas, set: Set, queens: Set) -> u32 {
        let empty = (set & !queens).count_ones();
        let Some((room, turned)) = atlas.find(set) else {
            return 0;
        };
        match self.is_listed[room as usize] {
            true => empty - self.defects(room, turned.squares(queens)),
            false => empty,
        }
    }

    /// Finds the defective territories of a room, the smaller ones being known.
    fn examine(&self, atlas: &Atlas, room: RoomNumber, out: &mut Vec<Defective>) {
        let set = atlas.rooms()[room as usize];
        let symmetries = atlas.symmetries(room);
        for placed in 1..=self.queens.min(set.count_ones() as usize - 1) {
            subsets(set, placed, |queens| {
                let is_least = |turned: &crate::amazons::rooms::atlas::Turned<'_>| {
                    turned.squares(queens) >= queens
                };
                if !symmetries.iter().all(is_least) {
                    return;
                }
                let defects = self.least_loss(atlas, set, queens);
                if defects > 0 {
                    out.push(Defective {
                        room,
                        queens,
                        defects: defects as u8,
                    });
                }
            });
        }
    }

    /// How many empty squares are lost at least.
    fn least_loss(&self, atlas: &Atlas, set: Set, queens: Set) -> u32 {
        let frame = atlas.frame();
        let empty = set & !queens;
        let mut least = empty.count_ones();
        for from in squares(queens) {
            frame.moves(from, empty, |to, arrow| {
                let queens = queens & !(1 << from) | 1 << to;
                let rest = set & !(1 << arrow);
                let mut lost = 0;
                let mut seen = 0;
                for queen in squares(queens) {
                    if seen >> queen & 1 == 0 {
                        let room = frame.component(queen, rest);
                        seen |= room;
                        let kept = self.moves(atlas, room, queens & room);
                        lost += (room & !queens).count_ones() - kept;
                    }
                }
                lost += (rest & !seen).count_ones();
                least = least.min(lost);
                least > 0
            });
            if least == 0 {
                break;
            }
        }
        least
    }
}

/// Of all sets of queens that the symmetries of a room map to each other the least.
pub(crate) fn least(atlas: &Atlas, room: RoomNumber, queens: Set) -> Set {
    let images = atlas.symmetries(room).into_iter();
    images
        .map(|turned| turned.squares(queens))
        .min()
        .unwrap_or(queens)
}

/// Calls `visit` with every subset of a size.
pub(crate) fn subsets(set: Set, size: usize, mut visit: impl FnMut(Set)) {
    fn choose(rest: Set, chosen: Set, size: usize, visit: &mut impl FnMut(Set)) {
        if size == 0 {
            return visit(chosen);
        }
        let mut rest = rest;
        while rest.count_ones() as usize >= size {
            let bit = rest & rest.wrapping_neg();
            rest &= !bit;
            choose(rest, chosen | bit, size - 1, visit);
        }
    }
    choose(set, 0, size, &mut visit);
}
