//! Tables of listed games, behind the types: slices, positions and moves in words.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabia_game::{Cancel, Game, Indexed, Retro, Symmetric, Text, Turn, TwoPlayer, Wdl};
use tabia_tables::retrograde::solve_all;
use tabia_tables::{
    BuildError, Content, Counts, SliceValues, SlicesError, Solver, Tables, VerifyError, below,
    groups, parse_slices, total, verification_memory, with_all_they_need,
};

pub use tabia_tables::file::{Header as TableHeader, MAGIC as TABLE_MAGIC};
pub use tabia_tables::{
    Counted, Form as TableForm, Group as TableGroup, Job as TableJob, Kept, Retrograde, Symmetry,
    Table, TableError, Value as TableValue, size_text, table_file, table_files,
};

use crate::CatalogError;
use crate::chance_tables::TableContent;

/// Why tables cannot be built, read or verified.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// The request was at fault.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// There are no such slices.
    #[error(transparent)]
    Slices(#[from] SlicesError),
    /// Tables cannot be built.
    #[error(transparent)]
    Build(BuildError),
    /// A table is false, or could not be verified.
    #[error(transparent)]
    Verify(VerifyError),
    /// A table cannot be read.
    #[error(transparent)]
    Table(TableError),
    /// A table is asked for that was not built.
    #[error(
        "the table of {slice} is not there; 'tabia table build {game}/{slice} --tables {folder}' builds it"
    )]
    NotBuilt {
        /// The spec of the game.
        game: String,
        /// The slice.
        slice: String,
        /// The folder of tables.
        folder: String,
    },
    /// Stopped from outside.
    #[error("stopped")]
    Stopped,
}

impl TablesError {
    /// Whether the request was at fault, as opposed to a file or the system.
    pub fn is_bad_request(&self) -> bool {
        match self {
            TablesError::Catalog(error) => error.is_bad_request(),
            TablesError::Slices(_) | TablesError::NotBuilt { .. } => true,
            TablesError::Table(error) => matches!(error, TableError::Memory { .. }),
            TablesError::Build(error) => matches!(error, BuildError::Values(_)),
            _ => false,
        }
    }
}

impl From<TableError> for TablesError {
    fn from(error: TableError) -> TablesError {
        match error {
            TableError::Stopped => TablesError::Stopped,
            other => TablesError::Table(other),
        }
    }
}

impl From<BuildError> for TablesError {
    fn from(error: BuildError) -> TablesError {
        match error {
            BuildError::Table(error) => error.into(),
            other => TablesError::Build(other),
        }
    }
}

impl From<VerifyError> for TablesError {
    fn from(error: VerifyError) -> TablesError {
        match error {
            VerifyError::Table(error) => error.into(),
            other => TablesError::Verify(other),
        }
    }
}

/// The values of a slice, counted.
#[derive(Clone, Debug, PartialEq)]
pub struct SliceStats {
    /// The slice.
    pub slice: String,
    /// What was counted.
    pub counts: Counts,
    /// The mean probability of winning, where tables keep probabilities.
    pub mean: Option<f64>,
    /// How many positions are so many moves from the end, where tables keep numbers of moves.
    pub layers: Option<Vec<u64>>,
}

/// What tables say of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// The slice of the position.
    pub slice: String,
    /// Its number in the table.
    pub index: u64,
    /// Its value for the player to move.
    pub value: TableContent,
    /// Every move or roll with its value for the player who makes it; `None` if its table is not there.
    pub moves: Vec<(String, Option<TableContent>)>,
}

/// A table that was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedTable {
    /// The slice.
    pub slice: String,
    /// How many entries it has.
    pub positions: u64,
    /// What they are.
    pub form: TableForm,
    /// Its checksum.
    pub checksum: String,
}

/// Where work stands: the slices at work, positions done and positions in all.
pub type TableProgress<'a> = &'a (dyn Fn(&str, u64, u64) + Sync);

/// The tables of a game whose type is forgotten. Slices are named as [`parse_slices`] says.
pub trait AnyTables: Send + Sync {
    /// What its tables keep unless told otherwise.
    fn usual(&self) -> Kept;

    /// The spec that its tables are called by, given that of the game. Games that share tables have one in common.
    fn spec(&self, game: String) -> String {
        game
    }

    /// What it takes to build tables, with everything they need, in the order of building.
    fn plan(&self, slices: &str, job: TableJob<'_>)
    -> Result<Vec<TableGroup<String>>, TablesError>;

    /// Builds tables and everything they need. Returns for each group of the plan why it was built, or
    /// `None` if it was there.
    fn build(
        &self,
        slices: &str,
        job: TableJob<'_>,
        cancel: &Cancel,
        progress: TableProgress<'_>,
    ) -> Result<Vec<Option<String>>, TablesError>;

    /// Counts values. What has no table is solved in memory if that is quickly done.
    fn stats(
        &self,
        slices: &str,
        job: TableJob<'_>,
        counted: Counted,
        cancel: &Cancel,
    ) -> Result<Vec<SliceStats>, TablesError>;

    /// Looks a position and its moves up.
    fn probe(&self, position: &str, job: TableJob<'_>) -> Result<Probed, TablesError>;

    /// Verifies tables and everything they rely on, with the rules alone.
    fn verify(
        &self,
        slices: &str,
        job: TableJob<'_>,
        cancel: &Cancel,
        progress: TableProgress<'_>,
    ) -> Result<Vec<VerifiedTable>, TablesError>;
}

/// What a game needs to have tables.
pub trait Tabled: Retro + Symmetric + TwoPlayer + Text {}
impl<G: Retro + Symmetric + TwoPlayer + Text> Tabled for G {}

/// Slices with fewer positions than this, those they need included, are solved as they are asked for.
const QUICK: u64 = 5_000_000;

/// A typed game that has tables.
pub(crate) struct Typed<G: Game>(pub(crate) Arc<G>);

impl<G: Indexed> Typed<G> {
    pub(crate) fn open(
        &self,
        slices: &[G::Slice],
        job: TableJob<'_>,
    ) -> Result<Tables<G>, TableError> {
        Tables::open(&*self.0, job.spec, job.folder, slices, job.memory)
    }

    /// As [`AnyTables::plan`], by this solver.
    pub(crate) fn plan_by<V: Content>(
        &self,
        solver: &impl Solver<G, V>,
        slices: &str,
        job: TableJob<'_>,
    ) -> Result<Vec<TableGroup<String>>, TablesError> {
        let slices = parse_slices(&*self.0, slices)?;
        let plan = tabia_tables::plan(&*self.0, &slices, job, solver)?;
        let in_words = |group: TableGroup<G::Slice>| TableGroup {
            slices: group.slices.iter().map(|&s| self.0.slice_text(s)).collect(),
            text: group.text,
            positions: group.positions,
            memory: group.memory,
            disk: group.disk,
            wanted: group.wanted,
        };
        Ok(plan.into_iter().map(in_words).collect())
    }

    /// As [`AnyTables::build`], by this solver.
    pub(crate) fn build_by<V: Content>(
        &self,
        solver: &impl Solver<G, V>,
        slices: &str,
        job: TableJob<'_>,
        cancel: &Cancel,
        progress: TableProgress<'_>,
    ) -> Result<Vec<Option<String>>, TablesError> {
        let slices = parse_slices(&*self.0, slices)?;
        let plan = tabia_tables::plan(&*self.0, &slices, job, solver)?;
        let told = |group: &TableGroup<G::Slice>, done| {
            progress(&group.text, done, group.positions.unwrap_or(0));
        };
        let built = tabia_tables::build(&*self.0, &plan, job, solver, cancel, &told);
        Ok(built?)
    }

    /// As [`AnyTables::verify`], by this way to verify a group.
    pub(crate) fn verify_by(
        &self,
        slices: &str,
        job: TableJob<'_>,
        progress: TableProgress<'_>,
        verify: impl Fn(&[G::Slice], &Tables<G>, &(dyn Fn(u64) + Sync)) -> Result<(), VerifyError>,
    ) -> Result<Vec<VerifiedTable>, TablesError> {
        let game = &*self.0;
        let groups = groups(
            game,
            &with_all_they_need(game, &parse_slices(game, slices)?),
        );
        // What is not there or does not fit is told before any work.
        for group in &groups {
            self.open_to_verify(group, job)?;
        }
        let mut verified = Vec::new();
        for group in groups {
            let tables = self.open_to_verify(&group, job)?;
            let text = self.group_text(&group);
            let there = group.iter().filter_map(|&slice| tables.get(slice));
            let all: u64 = there.clone().map(|table| table.header().positions).sum();
            let done = std::sync::atomic::AtomicU64::new(0);
            let told = |more: u64| {
                let before = done.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
                progress(&text, before + more, all);
            };
            verify(&group, &tables, &told)?;
            verified.extend(there.map(|table| VerifiedTable {
                slice: table.header().slice.clone(),
                positions: table.header().positions,
                form: table.header().form(),
                checksum: table.checksum().to_string(),
            }));
        }
        Ok(verified)
    }

    /// The tables of a group and those below it, all unpacked at once: they are looked into at random.
    fn open_to_verify(
        &self,
        group: &[G::Slice],
        job: TableJob<'_>,
    ) -> Result<Tables<G>, TablesError> {
        let game = &*self.0;
        let all = [group, &below(game, group)].concat();
        let tables = self.open(&all, job)?;
        if let Some(&slice) = all.iter().find(|&&slice| tables.get(slice).is_none()) {
            return Err(self.not_built(slice, job));
        }
        let needed = verification_memory(game, group, &tables);
        if needed.is_none_or(|needed| needed > job.memory) {
            return Err(TablesError::Table(TableError::Memory {
                slices: self.group_text(group),
                needed,
                given: job.memory,
                fitting: None,
            }));
        }
        Ok(tables)
    }

    fn group_text(&self, group: &[G::Slice]) -> String {
        let names: Vec<String> = group.iter().map(|&s| self.0.slice_text(s)).collect();
        names.join(",")
    }

    pub(crate) fn not_built(&self, slice: G::Slice, job: TableJob<'_>) -> TablesError {
        TablesError::NotBuilt {
            game: job.spec.to_string(),
            slice: self.0.slice_text(slice),
            folder: quoted(job.folder),
        }
    }
}

/// A path as a shell takes it.
pub fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,@".contains(c);
    match path.chars().all(plain) {
        true => path,
        false => format!("\"{path}\""),
    }
}

impl<G: Tabled> AnyTables for Typed<G> {
    fn usual(&self) -> Kept {
        Kept::Distance
    }

    fn plan(
        &self,
        slices: &str,
        job: TableJob<'_>,
    ) -> Result<Vec<TableGroup<String>>, TablesError> {
        self.plan_by(&Retrograde::default(), slices, job)
    }

    fn build(
        &self,
        slices: &str,
        job: TableJob<'_>,
        cancel: &Cancel,
        progress: TableProgress<'_>,
    ) -> Result<Vec<Option<String>>, TablesError> {
        self.build_by(&Retrograde::default(), slices, job, cancel, progress)
    }

    fn stats(
        &self,
        slices: &str,
        job: TableJob<'_>,
        counted: Counted,
        cancel: &Cancel,
    ) -> Result<Vec<SliceStats>, TablesError> {
        let game = &*self.0;
        let slices = parse_slices(game, slices)?;
        let tables = self.open(&slices, job)?;
        let missing: Vec<G::Slice> = slices
            .iter()
            .copied()
            .filter(|&s| tables.get(s).is_none())
            .collect();
        let needed = with_all_they_need(game, &missing);
        let positions = total(needed.iter().map(|&slice| game.slice_len(slice)));
        let solved = match (missing.first(), positions) {
            (None, _) => None,
            (_, Some(0..QUICK)) => {
                let quiet = |_| {};
                Some(solve_all(
                    game,
                    &missing,
                    Kept::Distance,
                    job.memory,
                    cancel,
                    &quiet,
                )?)
            }
            (Some(&first), _) => return Err(self.not_built(first, job)),
        };
        let count = |&slice: &G::Slice| {
            let counts = if tables.get(slice).is_some() {
                tables.stats(game, slice, counted, cancel)?
            } else if let Some(values) = solved.as_ref().and_then(|solved| solved.slice(slice)) {
                tabia_tables::stats(game, slice, |index| Ok(values.get(index)), counted, cancel)?
            } else {
                return Err(self.not_built(slice, job));
            };
            Ok(SliceStats {
                slice: game.slice_text(slice),
                counts,
                mean: None,
                layers: None,
            })
        };
        slices.iter().map(count).collect()
    }

    fn probe(&self, position: &str, job: TableJob<'_>) -> Result<Probed, TablesError> {
        let game = &*self.0;
        let mut state = game.parse_position(position).map_err(CatalogError::Move)?;
        let Turn::Player(player) = game.turn(&state) else {
            let nothing = "there is nothing to look up".to_string();
            return Err(CatalogError::Over(nothing).into());
        };
        let place = game.locate(&state);
        let (slice, _) = place.ok_or_else(|| {
            let none = "this position is in no slice".to_string();
            CatalogError::NotOffered(none)
        })?;
        let mut reached = game.next_slices(slice);
        reached.push(slice);
        let tables = self.open(&reached, job)?;
        let entry = tables.entry(game, &state)?;
        let entry = entry.ok_or_else(|| self.not_built(slice, job))?;
        let mut listed = Vec::new();
        game.moves(&state, &mut listed);
        let mut moves = Vec::new();
        for mv in listed {
            let text = game.move_text(&state, mv);
            let token = game.play(&mut state, mv);
            let after = match game.turn(&state) {
                Turn::Over => {
                    let wdl = Wdl::of_payoff(game.payoff(&state, player));
                    let plies = (wdl != Wdl::Draw).then_some(1);
                    Some(TableValue { wdl, plies })
                }
                _ => tables.probe(game, &state)?.map(|value| TableValue {
                    wdl: value.wdl.flipped(),
                    plies: value.plies.map(|plies| plies.saturating_add(1)),
                }),
            };
            game.undo(&mut state, token);
            moves.push((text, after));
        }
        moves.sort_by_key(|(_, value)| std::cmp::Reverse(value.map(preference)));
        let moves = moves.into_iter();
        Ok(Probed {
            slice: game.slice_text(slice),
            index: entry.number,
            value: TableContent::Value(entry.value),
            moves: moves
                .map(|(text, value)| (text, value.map(TableContent::Value)))
                .collect(),
        })
    }

    fn verify(
        &self,
        slices: &str,
        job: TableJob<'_>,
        cancel: &Cancel,
        progress: TableProgress<'_>,
    ) -> Result<Vec<VerifiedTable>, TablesError> {
        self.verify_by(slices, job, progress, |group, tables, told| {
            tabia_tables::verify(&*self.0, group, tables, cancel, told)
        })
    }
}

/// What the player prefers: to win soon, to lose late.
fn preference(value: TableValue) -> (Wdl, i32) {
    let plies = value.plies.map_or(0, i32::from);
    let sooner = if value.wdl == Wdl::Win { -plies } else { plies };
    (value.wdl, sooner)
}

/// The folder of tables that a table file lies in, if it has the name that its header asks for.
pub fn folder_of(file: &Path, header: &TableHeader) -> Option<PathBuf> {
    let folder = file.parent()?.parent()?;
    let named = table_file(folder, &header.game, &header.slice);
    (named == file).then(|| folder.to_path_buf())
}
