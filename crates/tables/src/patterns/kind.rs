//! Tables of patterns: a byte for each pattern of an abstraction.

use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;

use tabia_game::Game;

use super::verify::{check, verification_memory};
use super::{Abstraction, UNREACHED, distances, memory};
use crate::build::Building;
use crate::set;
use crate::verify::VerifyJob;
use crate::{
    BuildError, Entries, Kept, Kind, NamesError, Symmetry, TableError, TableForm, TableSet,
    VerifyError,
};

/// The tables of some abstractions of a game; `L` points to a slice of them.
pub struct PatternTables<G, L> {
    abstractions: L,
    game: PhantomData<fn(&G)>,
}

/// How many patterns are how far from the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    /// By distance, up to the largest.
    pub layers: Vec<u64>,
    /// Patterns that no move leads to.
    pub unreached: u64,
}

impl<G, L, A> PatternTables<G, L>
where
    G: Game,
    L: Deref<Target = [A]> + Send + Sync,
    A: Abstraction<G>,
{
    /// The tables of these abstractions.
    pub fn new(abstractions: L) -> PatternTables<G, L> {
        PatternTables {
            abstractions,
            game: PhantomData,
        }
    }

    /// The abstraction with this name.
    pub fn abstraction(&self, name: &str) -> Result<&A, TableError> {
        let missing = || TableError::Missing(name.to_string());
        self.find(name).ok_or_else(missing)
    }

    fn find(&self, name: &str) -> Option<&A> {
        let mut all = self.abstractions.iter();
        all.find(|abstraction| abstraction.text() == name)
    }

    /// All distances of a table, whose file must be there.
    pub fn distances(&self, name: &str, folder: &Path, spec: &str) -> Result<Vec<u8>, TableError> {
        let table = set::open(self, spec, folder, name)?;
        let missing = || TableError::Missing(name.to_string());
        table.ok_or_else(missing)?.whole()
    }

    /// Counts the patterns of a table by their distances.
    pub fn layers(&self, name: &str, folder: &Path, spec: &str) -> Result<Layers, TableError> {
        let mut layers = vec![0u64; 1 + usize::from(UNREACHED)];
        for distance in self.distances(name, folder, spec)? {
            layers[usize::from(distance)] += 1;
        }
        let unreached = layers.pop().unwrap_or(0);
        let deepest = layers.iter().rposition(|&n| n > 0).unwrap_or(0);
        layers.truncate(deepest + 1);
        Ok(Layers { layers, unreached })
    }
}

impl<G, L, A> Kind for PatternTables<G, L>
where
    G: Game,
    L: Deref<Target = [A]> + Send + Sync,
    A: Abstraction<G>,
{
    fn usual(&self) -> Kept {
        Kept::Bytes
    }

    fn named(&self, text: &str) -> Result<Vec<String>, NamesError> {
        let all: Vec<String> = self.abstractions.iter().map(A::text).collect();
        if text.trim().is_empty() {
            return Ok(all);
        }
        let mut named = Vec::new();
        for name in text.split(',').map(str::trim) {
            let there = all.iter().find(|there| *there == name).ok_or_else(|| {
                let all = all.join(", ");
                NamesError::new(format!("there is no table '{name}'; there are: {all}"))
            })?;
            if !named.contains(there) {
                named.push(there.clone());
            }
        }
        Ok(named)
    }

    fn entries(&self, name: &str, _: Symmetry) -> Entries {
        self.find(name).and_then(A::patterns).into()
    }

    fn memory(&self, group: &[String], _: TableForm) -> Option<u64> {
        crate::total(group.iter().map(|name| memory(self.find(name)?)))
    }

    fn verification_memory(&self, group: &[String], _: &TableSet) -> Option<u64> {
        crate::total(
            group
                .iter()
                .map(|name| verification_memory(self.find(name)?)),
        )
    }

    fn build(&self, group: &[String], building: Building<'_>) -> Result<(), BuildError> {
        for name in group {
            let abstraction = self.abstraction(name)?;
            let all = abstraction.patterns().unwrap_or(0);
            let told = |done| (building.progress)(done, all);
            let distances = distances(abstraction, building.cancel, &told)?;
            let entry = |index| distances[index as usize];
            building.output.write(name, distances.len() as u64, entry)?;
        }
        Ok(())
    }

    fn verify(&self, group: &[String], checking: VerifyJob<'_>) -> Result<Vec<u64>, VerifyError> {
        let verified = |name: &String| {
            let table = checking.tables.table(name)?;
            check(self.abstraction(name)?, table, checking.cancel)
        };
        group.iter().map(verified).collect()
    }
}
