//! Tables of slices: an entry for each position of an [`Indexed`] game, or for each class of them.
//!
//! What an entry holds is a type that is [`Derived`] from those of successors; a [`SliceSolver`]
//! finds the entries of a group of slices.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::OnceLock;

use tabia_game::{Cancel, Indexed, InexactUnderRule, Probability, Symmetric, Text, TwoPlayer};

use crate::build::{Building, counter};
use crate::chances::{Descending, verify_chances};
use crate::values::{founded_bytes, verify_values};
use crate::verify::VerifyJob;
use crate::{
    BackwardInduction, BuildError, Content, Entries, Kept, Kind, NamesError, Retrograde, Symmetry,
    TableError, TableForm, TableSet, TableValue, Tables, VerifyError, below, groups, parse_slices,
    total, with_all_they_need,
};

/// The values of a slice, before they are written.
pub trait SliceValues<V = TableValue>: Sync {
    /// The value of the position with this index.
    fn get(&self, index: u64) -> V;
}

/// Computes the values of a group of slices.
pub trait SliceSolver<G: Indexed, V = TableValue>: Send + Sync {
    /// How it hands over the values of a slice.
    type Values: SliceValues<V>;

    /// The bytes of memory it takes; `None` if they cannot be counted.
    fn memory(&self, game: &G, group: &[G::Slice], form: TableForm) -> Option<u64>;

    /// The values of all entries of the group, slice by slice. `known` holds the tables of all
    /// other slices that its moves lead to. `progress` is told of the positions done so far.
    fn solve(
        &self,
        game: &G,
        group: &[G::Slice],
        known: &Tables<G>,
        form: TableForm,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<Self::Values>, BuildError>;
}

/// What the entries of slices hold: how one follows from those of its successors.
pub trait Derived<G: Indexed>: Content {
    /// What is kept of it unless told otherwise.
    const USUAL: Kept;
    /// Whether symmetric positions may share an entry.
    const USES_SYMMETRY: bool;

    /// Derives the entries of slices that moves lead back and forth between again. `tables` holds
    /// their tables and those that they rely on. `progress` is told of entries as they are done.
    fn verify(
        game: &G,
        group: &[G::Slice],
        tables: &Tables<G>,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), VerifyError>;
}

impl<G: Indexed + Symmetric + TwoPlayer + Text> Derived<G> for TableValue {
    const USUAL: Kept = Kept::Distance;
    const USES_SYMMETRY: bool = true;

    fn verify(
        game: &G,
        group: &[G::Slice],
        tables: &Tables<G>,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), VerifyError> {
        verify_values(game, group, tables, cancel, progress)
    }
}

impl<G: Descending + TwoPlayer + Text> Derived<G> for Probability {
    const USUAL: Kept = Kept::Chance;
    const USES_SYMMETRY: bool = false;

    fn verify(
        game: &G,
        group: &[G::Slice],
        tables: &Tables<G>,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), VerifyError> {
        verify_chances(game, group, tables, cancel, progress)
    }
}

/// The tables of the slices of a game; `P` points to the game.
pub struct SliceTables<P: Deref<Target: Indexed>, S, V> {
    game: P,
    solver: S,
    by_name: OnceLock<Names<P>>,
    content: PhantomData<fn() -> V>,
}

type Slice<P> = <<P as Deref>::Target as Indexed>::Slice;
type Names<P> = BTreeMap<String, Slice<P>>;

/// Tables of values: won, drawn or lost, and the distance to the end.
pub type ValueTables<P, S = Retrograde> = SliceTables<P, S, TableValue>;
/// Tables of probabilities.
pub type ChanceTables<P, S = BackwardInduction> = SliceTables<P, S, Probability>;

impl<P, G, S, V> SliceTables<P, S, V>
where
    P: Deref<Target = G>,
    G: Indexed,
{
    /// The tables of a game whose entries this solver finds.
    pub fn new(game: P, solver: S) -> Self {
        SliceTables {
            game,
            solver,
            by_name: OnceLock::new(),
            content: PhantomData,
        }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The slice with this name.
    fn slice(&self, name: &str) -> Option<G::Slice> {
        let all = || {
            let slices = self.game.slices().into_iter();
            let named = slices.map(|slice| (self.game.slice_text(slice), slice));
            named.collect()
        };
        self.by_name.get_or_init(all).get(name).copied()
    }

    /// The slices with these names.
    pub fn slices(&self, names: &[String]) -> Vec<G::Slice> {
        names.iter().filter_map(|name| self.slice(name)).collect()
    }

    fn names(&self, slices: &[G::Slice]) -> Vec<String> {
        let name = |&slice: &G::Slice| self.game.slice_text(slice);
        slices.iter().map(name).collect()
    }

    fn by_slice(&self, tables: TableSet) -> Tables<G> {
        let tables = tables.into_iter();
        Tables::of(tables.filter_map(|(name, table)| Some((self.slice(&name)?, table))))
    }
}

impl<P, G, S, V> Kind for SliceTables<P, S, V>
where
    P: Deref<Target = G> + Send + Sync,
    G: Indexed,
    S: SliceSolver<G, V>,
    V: Derived<G>,
{
    fn check_rule(&self) -> Result<(), InexactUnderRule> {
        self.game.repetition().check_endless_draw("a table")
    }

    fn usual(&self) -> Kept {
        V::USUAL
    }

    fn keeps(&self, kept: Kept) -> bool {
        V::is_in(kept)
    }

    fn uses_symmetry(&self) -> bool {
        V::USES_SYMMETRY
    }

    fn named(&self, text: &str) -> Result<Vec<String>, NamesError> {
        let slices = parse_slices(&*self.game, text)?;
        Ok(self.names(&slices))
    }

    fn groups(&self, names: &[String]) -> Vec<Vec<String>> {
        let game = &*self.game;
        let slices = with_all_they_need(game, &self.slices(names));
        let groups = groups(game, &slices).into_iter();
        groups.map(|group| self.names(&group)).collect()
    }

    fn below(&self, group: &[String]) -> Vec<String> {
        self.names(&below(&*self.game, &self.slices(group)))
    }

    fn size(&self, name: &str) -> Option<u32> {
        let slice = self.slice(name)?;
        Some(self.game.slice_size(slice))
    }

    fn entries(&self, name: &str, symmetry: Symmetry) -> Entries {
        let slice = self.slice(name);
        let entries = slice.and_then(|slice| symmetry.entries(&*self.game, slice));
        entries.into()
    }

    fn unpacked(&self, name: &str, form: TableForm) -> Option<u64> {
        form.bytes(&*self.game, self.slice(name)?)
    }

    fn memory(&self, group: &[String], form: TableForm) -> Option<u64> {
        self.solver.memory(&self.game, &self.slices(group), form)
    }

    fn verification_memory(&self, group: &[String], tables: &TableSet) -> Option<u64> {
        let all = tables.iter();
        let unpacked = all.map(|(name, table)| self.unpacked(name, table.header().form()));
        let members = group.iter().filter_map(|name| tables.get(name));
        let founded = members.map(founded_bytes);
        total([total(unpacked), total(founded.map(Some))])
    }

    fn build(&self, group: &[String], building: Building<'_>) -> Result<(), BuildError> {
        let Building {
            known,
            form,
            cancel,
            progress,
            output,
            ..
        } = building;
        let game = &*self.game;
        let slices = self.slices(group);
        let known = self.by_slice(known);
        let entries = |&slice: &G::Slice| form.symmetry.entries(game, slice);
        let all = total(slices.iter().map(entries)).unwrap_or(0);
        let told = |done| progress(done, all);
        let solved = self
            .solver
            .solve(game, &slices, &known, form, cancel, &told)?;
        for ((name, slice), values) in group.iter().zip(&slices).zip(&solved) {
            let entries = entries(slice).ok_or(TableError::Countless)?;
            output.write(name, entries, |index| values.get(index))?;
        }
        Ok(())
    }

    fn verify(&self, group: &[String], checking: VerifyJob<'_>) -> Result<Vec<u64>, VerifyError> {
        let slices = self.slices(group);
        let tables = self.by_slice(checking.tables);
        let members = slices.iter().filter_map(|&slice| tables.get(slice));
        let entries: Vec<u64> = members.map(|table| table.header().positions).collect();
        let told = counter(entries.iter().sum(), checking.progress);
        V::verify(&*self.game, &slices, &tables, checking.cancel, &told)?;
        Ok(entries)
    }
}
