//! Checking tables with the rules alone.
//!
//! Every entry is derived again from its successors, found by forward generation: nothing is shared
//! with the retrograde analysis that made it. What a clean verification proves:
//!
//! - Where distances are kept, everything. A loss in no plies is a finished game, and a win or loss
//!   in n plies rests on entries of fewer, so the values are right by induction over the plies. What
//!   is then called a draw is one: a draw has no lost successor and not only won ones, so whoever
//!   does not lose can stay among draws for ever.
//! - Where only won, drawn and lost are kept, agreement of neighbours proves the draws, by the same
//!   argument, but not the wins: positions on a cycle may all claim to win through each other. So
//!   wins and losses are founded as well, sweep by sweep: a win needs a founded loss among its
//!   successors, a loss has only founded wins. Finished games and other groups of slices are founded
//!   from the beginning. An entry that is never reached has no right to its claim.
//!
//! Both hold on the condition that the tables of other groups are right, which are known by their
//! checksums and are verified likewise.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tabia_game::{Cancel, Indexed, Player, Text, Turn, TwoPlayer, Wdl};

use crate::slices::below;
use crate::{Kept, Table, TableError, Tables, Value};

/// Why a table is not to be trusted, or could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A table cannot be read, or verification was stopped.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Tables that do not belong together.
    #[error("'{file}' {reason}")]
    Together {
        /// The file.
        file: String,
        /// Why not.
        reason: String,
    },
    /// An entry that does not follow from its successors.
    #[error("'{file}' has {found} at {index}, '{position}', and its successors make it {derived}")]
    Wrong {
        /// The file.
        file: String,
        /// The place of the entry.
        index: u64,
        /// The position.
        position: String,
        /// What the table says.
        found: Value,
        /// What follows from the rules and the other entries.
        derived: Value,
    },
    /// A win or loss that rests on itself.
    #[error("'{file}' has a {found} at {index}, '{position}', that rests on itself alone")]
    Circular {
        /// The file.
        file: String,
        /// The place of the entry.
        index: u64,
        /// The position.
        position: String,
        /// What the table says.
        found: Value,
    },
    /// The game breaks its contract.
    #[error("position {index} of {slice}, '{position}': {reason}")]
    Rules {
        /// The slice.
        slice: String,
        /// The place.
        index: u64,
        /// The position.
        position: String,
        /// What is wrong.
        reason: &'static str,
    },
}

/// Positions looked at between two looks at the cancel flag.
const CHUNK: u64 = 1 << 12;

/// Verifies the tables of slices that moves lead back and forth between. The tables they rely on
/// must be among `tables`, too. `progress` is told of positions as they are done.
pub fn verify<G: Indexed + TwoPlayer + Text>(
    game: &G,
    group: &[G::Slice],
    tables: &Tables<G>,
    cancel: &Cancel,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyError> {
    let verifier = Verifier {
        game,
        tables,
        cancel,
        progress,
        group: members(game, group, tables)?,
    };
    for member in &verifier.group {
        member.table.check(cancel)?;
        verifier.agrees(member)?;
    }
    if verifier
        .group
        .iter()
        .any(|member| member.kept() == Kept::Wdl)
    {
        verifier.is_founded()?;
    }
    Ok(())
}

/// A table under verification.
struct Member<'t, S> {
    slice: S,
    table: &'t Table,
    /// One bit for each entry whose claim is founded.
    founded: Box<[AtomicU64]>,
}

impl<S> Member<'_, S> {
    fn kept(&self) -> Kept {
        self.table.header().values
    }

    fn positions(&self) -> u64 {
        self.table.header().positions
    }

    fn is_founded(&self, index: u64) -> bool {
        let word = &self.founded[(index / 64) as usize];
        word.load(Ordering::Relaxed) >> (index % 64) & 1 == 1
    }
}

/// The tables of a group, if they are there, of one kind, and made from the tables at hand.
fn members<'t, G: Indexed>(
    game: &G,
    group: &[G::Slice],
    tables: &'t Tables<G>,
) -> Result<Vec<Member<'t, G::Slice>>, VerifyError> {
    let there = |slice: G::Slice| {
        let missing = || TableError::Missing(game.slice_text(slice));
        tables.get(slice).ok_or_else(missing)
    };
    for slice in below(game, group) {
        there(slice)?;
    }
    let relied = tables.relied_on(game, group);
    let mut members = Vec::new();
    for &slice in group {
        let table = there(slice)?;
        let header = table.header();
        let together = |reason: String| VerifyError::Together {
            file: table.file().to_string(),
            reason,
        };
        if let Some(first) = group.first()
            && there(*first)?.header().values != header.values
        {
            let other = game.slice_text(*first);
            return Err(together(format!("keeps other values than {other}")));
        }
        if header.relies_on != relied {
            let was = "was made from other tables of lower slices than are there now".to_string();
            return Err(together(was));
        }
        let words = match header.values {
            Kept::Wdl => header.positions.div_ceil(64),
            Kept::Distance => 0,
        };
        members.push(Member {
            slice,
            table,
            founded: (0..words).map(|_| AtomicU64::new(0)).collect(),
        });
    }
    Ok(members)
}

struct Verifier<'t, G: Indexed> {
    game: &'t G,
    tables: &'t Tables<G>,
    cancel: &'t Cancel,
    progress: &'t (dyn Fn(u64) + Sync),
    group: Vec<Member<'t, G::Slice>>,
}

/// A position after a move.
struct Child<S> {
    /// Its value for the player who moved, counted from before the move.
    value: Value,
    /// Where it lies; nowhere if the game is over.
    place: Option<(S, u64)>,
}

impl<G: Indexed + TwoPlayer + Text> Verifier<'_, G> {
    /// Every entry of a table follows from its successors.
    fn agrees(&self, member: &Member<'_, G::Slice>) -> Result<(), VerifyError> {
        self.sweep(member.positions(), |index, moves| {
            let found = member.table.value(index)?;
            let state = self.game.position_at(member.slice, index);
            if self.game.locate(&state) != Some((member.slice, index)) {
                return Err(self.rules(member, index, "it has another place as well"));
            }
            let derived = match self.game.turn(&state) {
                Turn::Over => over(self.game.payoff(&state, Player::FIRST), 0),
                _ => {
                    let mut best: Option<Value> = None;
                    self.children(member, index, state, moves, |child| {
                        best = Some(best.map_or(child.value, |best| better(best, child.value)));
                        true
                    })?;
                    best.ok_or_else(|| self.rules(member, index, "it has no move"))?
                }
            };
            let derived = Value {
                plies: derived.plies.filter(|_| member.kept() == Kept::Distance),
                ..derived
            };
            if derived != found {
                return Err(VerifyError::Wrong {
                    file: member.table.file().to_string(),
                    index,
                    position: self.position(member, index),
                    found,
                    derived,
                });
            }
            Ok(())
        })
    }

    /// Every win and loss of the group rests on the end of games or on other groups.
    fn is_founded(&self) -> Result<(), VerifyError> {
        loop {
            let fresh = AtomicU64::new(0);
            for member in &self.group {
                self.sweep(member.positions(), |index, moves| {
                    if !member.is_founded(index) && self.can_be_founded(member, index, moves)? {
                        // Bits are only ever set, after those they rest on: no order is needed.
                        let word = &member.founded[(index / 64) as usize];
                        word.fetch_or(1 << (index % 64), Ordering::Relaxed);
                        fresh.fetch_add(1, Ordering::Relaxed);
                    }
                    Ok(())
                })?;
            }
            if fresh.into_inner() == 0 {
                break;
            }
        }
        for member in &self.group {
            let unfounded = (0..member.positions()).find(|&index| !member.is_founded(index));
            if let Some(index) = unfounded {
                return Err(VerifyError::Circular {
                    file: member.table.file().to_string(),
                    index,
                    position: self.position(member, index),
                    found: member.table.value(index)?,
                });
            }
        }
        Ok(())
    }

    fn can_be_founded(
        &self,
        member: &Member<'_, G::Slice>,
        index: u64,
        moves: &mut Vec<G::Move>,
    ) -> Result<bool, VerifyError> {
        let claim = member.table.value(index)?.wdl;
        if claim == Wdl::Draw {
            return Ok(true);
        }
        let state = self.game.position_at(member.slice, index);
        if self.game.turn(&state) == Turn::Over {
            return Ok(true);
        }
        let founded = |child: &Child<G::Slice>| match child.place {
            None => true,
            Some((slice, index)) => {
                let member = self.group.iter().find(|member| member.slice == slice);
                member.is_none_or(|member| member.is_founded(index))
            }
        };
        // One founded child is enough for a win, and one that is not is too many for a loss.
        let mut found = claim == Wdl::Loss;
        self.children(member, index, state, moves, |child| {
            if claim == Wdl::Win {
                found = child.value.wdl == Wdl::Win && founded(&child);
                !found
            } else {
                found = founded(&child);
                found
            }
        })?;
        Ok(found)
    }

    /// Shows the positions after each move, until told to stop.
    #[inline]
    fn children(
        &self,
        member: &Member<'_, G::Slice>,
        index: u64,
        mut state: G::State,
        moves: &mut Vec<G::Move>,
        mut show: impl FnMut(Child<G::Slice>) -> bool,
    ) -> Result<(), VerifyError> {
        moves.clear();
        self.game.moves(&state, moves);
        for &mv in moves.iter() {
            let token = self.game.play(&mut state, mv);
            let child = match self.game.turn(&state) {
                Turn::Over => Child {
                    value: over(self.game.payoff(&state, Player::FIRST), 1),
                    place: None,
                },
                Turn::Player(Player::SECOND) => {
                    let place = self.game.locate(&state);
                    let (slice, at) = place.ok_or_else(|| {
                        self.rules(member, index, "a move leads to a position without a place")
                    })?;
                    let table = self.tables.get(slice);
                    let missing = || TableError::Missing(self.game.slice_text(slice));
                    let value = table.ok_or_else(missing)?.value(at)?;
                    Child {
                        value: before(value),
                        place,
                    }
                }
                _ => return Err(self.rules(member, index, "the players do not move in turn")),
            };
            self.game.undo(&mut state, token);
            if !show(child) {
                break;
            }
        }
        Ok(())
    }

    /// Looks at so many positions, in parallel.
    fn sweep(
        &self,
        positions: u64,
        look: impl Fn(u64, &mut Vec<G::Move>) -> Result<(), VerifyError> + Sync,
    ) -> Result<(), VerifyError> {
        (0..positions.div_ceil(CHUNK))
            .into_par_iter()
            .try_for_each_init(Vec::new, |moves, chunk| {
                if self.cancel.is_cancelled() {
                    return Err(TableError::Stopped.into());
                }
                let first = chunk * CHUNK;
                let last = positions.min(first + CHUNK);
                for index in first..last {
                    look(index, moves)?;
                }
                (self.progress)(last - first);
                Ok(())
            })
    }

    #[cold]
    fn position(&self, member: &Member<'_, G::Slice>, index: u64) -> String {
        let state = self.game.position_at(member.slice, index);
        self.game.position_text(&state)
    }

    #[cold]
    fn rules(
        &self,
        member: &Member<'_, G::Slice>,
        index: u64,
        reason: &'static str,
    ) -> VerifyError {
        VerifyError::Rules {
            slice: self.game.slice_text(member.slice),
            index,
            position: self.position(member, index),
            reason,
        }
    }
}

/// The value of a finished game so many plies ahead.
fn over(payoff: tabia_game::Payoff, plies: u16) -> Value {
    let wdl = Wdl::of_payoff(payoff);
    Value {
        wdl,
        plies: (wdl != Wdl::Draw).then_some(plies),
    }
}

/// A value as seen one ply before. Distances end long before `u16` does.
#[inline]
fn before(value: Value) -> Value {
    Value {
        wdl: value.wdl.flipped(),
        plies: value.plies.map(|plies| plies.saturating_add(1)),
    }
}

/// What the player to move prefers: to win soon, to lose late.
#[inline]
fn better(a: Value, b: Value) -> Value {
    let key = |value: Value| {
        let plies = value.plies.map_or(0, i32::from);
        (
            value.wdl,
            if value.wdl == Wdl::Win { -plies } else { plies },
        )
    };
    if key(b) > key(a) { b } else { a }
}
