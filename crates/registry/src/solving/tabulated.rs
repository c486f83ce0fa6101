//! A game as its tables know it, behind an object: what solving with tables asks of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tabia_game::{Cancel, Game, Retro, Wdl};
use tabia_solve::Settled;
use tabia_solve::certificate::Refusal;
use tabia_tables::retrograde::solve_all;
use tabia_tables::{Kept, TableValue, with_all_they_need};

use super::{SolveError, SolveJob};
use crate::certificates::{Relied, named_tables, table_name, unsound};

/// The value of a position.
pub(crate) type ValueOf<G> = Box<dyn Fn(&G, &<G as Game>::State) -> Option<TableValue>>;

/// The tables of a game, asked about positions of the game `G` that is searched: the same, or the
/// same behind an object.
pub(crate) trait Tabulated<G: Game>: Send + Sync {
    /// Opens the tables that are asked for.
    fn open<'a>(
        &'a self,
        job: &SolveJob<'_>,
        memory: u64,
    ) -> Result<Box<dyn OpenTables<G> + 'a>, SolveError>;

    /// How many positions can arise from a position, by the count of slices.
    fn positions(&self, state: &G::State) -> Option<u64>;

    /// The values of all positions that can arise from this one; `None` if it is in no slice.
    fn everything(
        &self,
        state: &G::State,
        memory: u64,
        cancel: &Cancel,
    ) -> Result<Option<ValueOf<G>>, SolveError>;

    /// The tables that a certificate names, as far as they are in the folder.
    fn named<'a>(
        &'a self,
        spec: &'a str,
        named: &BTreeMap<String, String>,
        folder: &Path,
    ) -> Result<Relied<'a, G>, Refusal>;
}

/// Tables in use.
pub(crate) trait OpenTables<G: Game>: Settled<G> {
    /// The same as what settles positions.
    fn settled(&self) -> &dyn Settled<G>;

    /// The name and the checksum of the table that holds a position.
    fn named(&self, spec: &str, state: &G::State) -> Option<(String, String)>;
}

/// The position of the game with tables, given one of the game that is searched.
pub(crate) type View<D, G> = for<'a> fn(&'a <D as Game>::State) -> Option<&'a <G as Game>::State>;

/// The tables of `G`, for searches of `D`.
pub(crate) struct Tables<D: Game, G: Retro> {
    game: Arc<G>,
    view: View<D, G>,
}

impl<D: Game, G: Retro> Tables<D, G> {
    pub(crate) fn new(game: Arc<G>, view: View<D, G>) -> Tables<D, G> {
        Tables { game, view }
    }
}

impl<D: Game + 'static, G: Retro + 'static> Tabulated<D> for Tables<D, G> {
    fn open<'a>(
        &'a self,
        job: &SolveJob<'_>,
        memory: u64,
    ) -> Result<Box<dyn OpenTables<D> + 'a>, SolveError> {
        let tables = match job.tables {
            None => tabia_tables::Tables::default(),
            Some(folder) => {
                let most = job.table_size.unwrap_or(u32::MAX);
                let mut slices = self.game.slices();
                slices.retain(|&slice| self.game.slice_size(slice) <= most);
                tabia_tables::Tables::open(&*self.game, job.spec, folder, &slices, memory)?
            }
        };
        Ok(Box::new(Known { of: self, tables }))
    }

    fn positions(&self, state: &D::State) -> Option<u64> {
        let (slice, _) = self.game.locate((self.view)(state)?)?;
        let slices = with_all_they_need(&*self.game, &[slice]);
        let lengths = slices.iter().map(|&slice| self.game.slice_len(slice));
        lengths
            .into_iter()
            .try_fold(0u64, |sum, n| sum.checked_add(n?))
    }

    fn everything(
        &self,
        state: &D::State,
        memory: u64,
        cancel: &Cancel,
    ) -> Result<Option<ValueOf<D>>, SolveError> {
        let (game, view) = (Arc::clone(&self.game), self.view);
        let Some((slice, _)) = view(state).and_then(|state| game.locate(state)) else {
            return Ok(None);
        };
        let solved = solve_all(&*game, &[slice], Kept::Distance, memory, cancel, &|_| {})?;
        let value = move |_: &D, state: &D::State| solved.value(&*game, view(state)?);
        Ok(Some(Box::new(value)))
    }

    fn named<'a>(
        &'a self,
        spec: &'a str,
        named: &BTreeMap<String, String>,
        folder: &Path,
    ) -> Result<Relied<'a, D>, Refusal> {
        let game = &*self.game;
        let tables = named_tables(game, spec, named, folder)?;
        let checksums = tables.checksums().into_iter();
        let checksums =
            checksums.map(|(slice, checksum)| (table_name(spec, &slice), checksum.to_string()));
        let view = self.view;
        Ok(Relied {
            checksums: checksums.collect(),
            probe: Box::new(move |state| {
                let Some(state) = view(state) else {
                    return Ok(None);
                };
                let value = tables.probe(game, state).map_err(|error| {
                    let slice = game.locate(state).map(|(slice, _)| game.slice_text(slice));
                    unsound(table_name(spec, &slice.unwrap_or_default()), error)
                })?;
                Ok(value.map(|value| value.wdl))
            }),
        })
    }
}

/// Tables that were opened.
struct Known<'a, D: Game, G: Retro> {
    of: &'a Tables<D, G>,
    tables: tabia_tables::Tables<G>,
}

impl<D: Game, G: Retro> Settled<D> for Known<'_, D, G> {
    fn value(&self, _: &D, state: &D::State) -> Option<Wdl> {
        Settled::value(&self.tables, &*self.of.game, (self.of.view)(state)?)
    }
}

impl<D: Game, G: Retro> OpenTables<D> for Known<'_, D, G> {
    fn settled(&self) -> &dyn Settled<D> {
        self
    }

    fn named(&self, spec: &str, state: &D::State) -> Option<(String, String)> {
        let game = &*self.of.game;
        let (slice, _) = game.locate((self.of.view)(state)?)?;
        let table = self.tables.get(slice)?;
        let name = table_name(spec, &game.slice_text(slice));
        Some((name, table.checksum().to_string()))
    }
}
