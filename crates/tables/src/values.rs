//! Checking tables of values with the rules alone.
//!
//! Every entry is derived again from its successors, found by forward generation: nothing is shared
//! with the retrograde analysis that made it. What a clean verification proves:
//!
//! - Where distances are kept, everything. A loss in no plies is a finished game, and a win or loss
//!   in n plies rests on entries of fewer, so the values are right by induction over the plies.
//!   What is then called a draw is one: a draw has no lost successor and not only won ones, so
//!   whoever does not lose can stay among draws for ever.
//! - Where only won, drawn and lost are kept, agreement of neighbours proves the draws, by the same
//!   argument, but not the wins: positions on a cycle may all claim to win through each other. So
//!   wins and losses are founded as well, sweep by sweep: a win needs a founded loss among its
//!   successors, a loss has only founded wins. Finished games and other groups of slices are
//!   founded from the beginning. An entry that is never reached has no right to its claim.
//!
//! Both hold on the condition that the tables of other groups are right, which are known by their
//! checksums and are verified likewise.
//!
//! Where symmetric positions share an entry, one of them is derived, and all its images are found
//! to have the same number. So no two entries share a position, and as the images of all entries
//! are as many as the positions of the slice, none is left out.

use std::sync::atomic::{AtomicU64, Ordering};

use tabia_game::threads;
use tabia_game::{Cancel, Indexed, Player, Symmetric, Text, Turn, TwoPlayer, Wdl};

use crate::numbers::Numbers;
use crate::{Kept, Table, TableEntry, TableError, TableValue, Tables, VerifyError};

/// Positions looked at between two looks at the cancel flag.
const CHUNK: u64 = 1 << 10;

/// The bytes of memory that verifying a table takes besides its entries.
pub(crate) fn founded_bytes(table: &Table) -> u64 {
    8 * founded_words(table)
}

/// Words with a bit for each entry that must be founded.
fn founded_words(table: &Table) -> u64 {
    match table.header().values {
        Kept::Wdl => table.header().positions.div_ceil(64),
        Kept::Distance | Kept::Chance | Kept::Bytes => 0,
    }
}

/// Verifies the values of slices that moves lead back and forth between. The tables they rely on
/// must be among `tables`, too. `progress` is told of positions as they are done.
pub(crate) fn verify_values<G: Indexed + Symmetric + TwoPlayer + Text>(
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
pub(crate) struct Member<'t, G: Indexed> {
    pub slice: G::Slice,
    pub table: &'t Table,
    numbers: &'t Numbers<G>,
    /// One bit for each entry whose claim is founded.
    founded: Box<[AtomicU64]>,
}

impl<G: Indexed> Member<'_, G> {
    fn kept(&self) -> Kept {
        self.table.header().values
    }

    pub fn entries(&self) -> u64 {
        self.table.header().positions
    }

    fn is_founded(&self, index: u64) -> bool {
        let word = &self.founded[(index / 64) as usize];
        word.load(Ordering::Relaxed) >> (index % 64) & 1 == 1
    }
}

/// The tables of a group, which must be there.
pub(crate) fn members<'t, G: Indexed>(
    game: &G,
    group: &[G::Slice],
    tables: &'t Tables<G>,
) -> Result<Vec<Member<'t, G>>, VerifyError> {
    let member = |&slice: &G::Slice| {
        let missing = || TableError::Missing(game.slice_text(slice));
        let table = tables.get(slice).ok_or_else(missing)?;
        Ok(Member {
            slice,
            table,
            numbers: tables.numbers(game, slice)?,
            founded: (0..founded_words(table))
                .map(|_| AtomicU64::new(0))
                .collect(),
        })
    };
    group.iter().map(member).collect()
}

struct Verifier<'t, G: Indexed> {
    game: &'t G,
    tables: &'t Tables<G>,
    cancel: &'t Cancel,
    progress: &'t (dyn Fn(u64) + Sync),
    group: Vec<Member<'t, G>>,
}

/// A position after a move.
struct Child<S> {
    /// Its value for the player who moved, counted from before the move.
    value: TableValue,
    /// Where it lies; nowhere if the game is over.
    place: Option<(S, u64)>,
}

impl<G: Indexed + Symmetric + TwoPlayer + Text> Verifier<'_, G> {
    /// Every entry of a table follows from its successors.
    fn agrees(&self, member: &Member<'_, G>) -> Result<(), VerifyError> {
        let positions = AtomicU64::new(0);
        self.sweep(member.entries(), |index, moves| {
            let found = member.table.value(index)?;
            let state = self.position(member, index);
            positions.fetch_add(self.images(member, index, &state)?, Ordering::Relaxed);
            let derived = match self.game.turn(&state) {
                Turn::Over => over(self.game.payoff(&state, Player::FIRST), 0),
                _ => {
                    let mut best: Option<TableValue> = None;
                    self.children(member, index, state, moves, |child| {
                        best = Some(best.map_or(child.value, |best| better(best, child.value)));
                        true
                    })?;
                    best.ok_or_else(|| self.rules(member, index, "it has no move"))?
                }
            };
            let derived = TableValue {
                plies: derived.plies.filter(|_| member.kept() == Kept::Distance),
                ..derived
            };
            if derived != found {
                return Err(VerifyError::Wrong {
                    file: member.table.file().to_string(),
                    index,
                    position: self.position_text(member, index),
                    found: found.to_string(),
                    derived: derived.to_string(),
                });
            }
            Ok(())
        })?;
        let (found, all) = (positions.into_inner(), self.game.slice_len(member.slice));
        let all = all.unwrap_or(0);
        if found != all {
            return Err(VerifyError::Together {
                file: member.table.file().to_string(),
                reason: format!("has entries of {found} positions, and there are {all}"),
            });
        }
        Ok(())
    }

    /// How many positions share an entry: all images of one of them, which must have its number.
    #[inline]
    fn images(
        &self,
        member: &Member<'_, G>,
        index: u64,
        state: &G::State,
    ) -> Result<u64, VerifyError> {
        let has_number = |state: &G::State| match self.game.locate(state) {
            Some((slice, place)) => {
                slice == member.slice && member.numbers.number(state, place) == index
            }
            None => false,
        };
        if !has_number(state) {
            return Err(self.rules(member, index, "it has another place as well"));
        }
        if !member.numbers.are_shared() {
            return Ok(1);
        }
        let symmetries = self.game.symmetries();
        let mut same = 1;
        for symmetry in 1..symmetries {
            let image = self.game.map_state(state, symmetry);
            if !has_number(&image) {
                return Err(self.rules(member, index, "an image of it has another place"));
            }
            same += usize::from(image == *state);
        }
        Ok((symmetries / same) as u64)
    }

    /// Every win and loss of the group rests on the end of games or on other groups.
    fn is_founded(&self) -> Result<(), VerifyError> {
        loop {
            let fresh = AtomicU64::new(0);
            for member in &self.group {
                self.sweep(member.entries(), |index, moves| {
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
            let unfounded = (0..member.entries()).find(|&index| !member.is_founded(index));
            if let Some(index) = unfounded {
                return Err(VerifyError::Circular {
                    file: member.table.file().to_string(),
                    index,
                    position: self.position_text(member, index),
                    found: member.table.value(index)?,
                });
            }
        }
        Ok(())
    }

    fn can_be_founded(
        &self,
        member: &Member<'_, G>,
        index: u64,
        moves: &mut Vec<G::Move>,
    ) -> Result<bool, VerifyError> {
        let claim = member.table.value(index)?.wdl;
        if claim == Wdl::Draw {
            return Ok(true);
        }
        let state = self.position(member, index);
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
        member: &Member<'_, G>,
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
                    let entry = self.tables.entry(self.game, &state)?;
                    let entry = entry.ok_or_else(|| self.unknown(member, index, &state))?;
                    let TableEntry { slice, number, .. } = entry;
                    Child {
                        value: before(entry.value),
                        place: Some((slice, number)),
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

    /// Looks at this many positions, in parallel.
    fn sweep(
        &self,
        positions: u64,
        look: impl Fn(u64, &mut Vec<G::Move>) -> Result<(), VerifyError> + Sync,
    ) -> Result<(), VerifyError> {
        threads::try_each(positions.div_ceil(CHUNK), &|chunk| {
            if self.cancel.is_cancelled() {
                return Err(TableError::Stopped.into());
            }
            let first = chunk * CHUNK;
            let last = positions.min(first + CHUNK);
            let mut moves = Vec::new();
            for index in first..last {
                look(index, &mut moves)?;
            }
            (self.progress)(last - first);
            Ok(())
        })
    }

    #[inline]
    fn position(&self, member: &Member<'_, G>, index: u64) -> G::State {
        member.numbers.position(self.game, member.slice, index)
    }

    #[cold]
    fn position_text(&self, member: &Member<'_, G>, index: u64) -> String {
        self.game.position_text(&self.position(member, index))
    }

    /// Why there is no value for a position after a move.
    #[cold]
    fn unknown(&self, member: &Member<'_, G>, index: u64, state: &G::State) -> VerifyError {
        match self.game.locate(state) {
            Some((slice, _)) => TableError::Missing(self.game.slice_text(slice)).into(),
            None => self.rules(member, index, "a move leads to a position without a place"),
        }
    }

    #[cold]
    fn rules(&self, member: &Member<'_, G>, index: u64, reason: &'static str) -> VerifyError {
        VerifyError::Rules {
            slice: self.game.slice_text(member.slice),
            index,
            position: self.position_text(member, index),
            reason,
        }
    }
}

/// The value of a finished game this many plies ahead.
fn over(payoff: tabia_game::Payoff, plies: u16) -> TableValue {
    let wdl = Wdl::of_payoff(payoff);
    TableValue {
        wdl,
        plies: (wdl != Wdl::Draw).then_some(plies),
    }
}

/// A value as seen one ply before. Distances end long before `u16` does.
#[inline]
fn before(value: TableValue) -> TableValue {
    TableValue {
        wdl: value.wdl.flipped(),
        plies: value.plies.map(|plies| plies.saturating_add(1)),
    }
}

/// What the player to move prefers: to win soon, to lose late.
#[inline]
fn better(a: TableValue, b: TableValue) -> TableValue {
    let key = |value: TableValue| {
        let plies = value.plies.map_or(0, i32::from);
        (
            value.wdl,
            if value.wdl == Wdl::Win { -plies } else { plies },
        )
    };
    if key(b) > key(a) { b } else { a }
}
