//! Tables of values: won, drawn or lost, and the distance to the end.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tabia_game::{Cancel, Indexed, Player, Retro, Symmetric, Text, Turn, TwoPlayer, Wdl};
use tabia_tables::retrograde::solve_all;
use tabia_tables::{
    Kept, Kind, Retrograde, SliceValues, TableError, Tables, ValueCounts, ValueTables, grouped,
    total, with_all_they_need,
};

use super::answers::{Answered, LookedUp, fields, fields_of_tables};
use super::{AnyTables, Counted, Probed, Stats, TableJob, TableValue, TablesError};
use crate::CatalogError;

/// What a game needs to have tables of values.
pub trait Tabled: Retro + Symmetric + TwoPlayer + Text {}
impl<G: Retro + Symmetric + TwoPlayer + Text> Tabled for G {}

/// Slices with fewer positions than this, those they need included, are solved as they are asked
/// for.
const QUICK: u64 = 5_000_000;

/// The tables of values of a game.
pub(crate) struct ErasedValues<G: Indexed>(ValueTables<Arc<G>>);

impl<G: Tabled> ErasedValues<G> {
    pub(crate) fn new(game: Arc<G>) -> ErasedValues<G> {
        ErasedValues(ValueTables::new(game, Retrograde::default()))
    }
}

/// Opens what is there of the tables of some slices.
pub(super) fn open<G: Indexed>(
    game: &G,
    slices: &[G::Slice],
    job: TableJob<'_>,
) -> Result<Tables<G>, TableError> {
    Tables::open(game, job.spec, job.folder, slices, job.memory)
}

/// The slice of a position, which must be one of those that were named.
pub(super) fn slice_of<G: Indexed>(
    game: &G,
    state: &G::State,
    names: &[String],
    hint: &str,
) -> Result<G::Slice, TablesError> {
    let Some((slice, _)) = game.locate(state) else {
        let none = format!("this position is in no slice{hint}");
        return Err(CatalogError::NotOffered(none).into());
    };
    let name = game.slice_text(slice);
    if names.contains(&name) {
        return Ok(slice);
    }
    let other = format!("this position is in slice {name}, which was not named");
    Err(CatalogError::NotOffered(other).into())
}

/// Nothing is known of a finished game.
pub(super) fn over() -> TablesError {
    CatalogError::Over("there is nothing to look up".to_string()).into()
}

impl<G: Tabled> AnyTables for ErasedValues<G> {
    fn kind(&self) -> &dyn Kind {
        &self.0
    }

    /// What has no table is solved in memory if that is quickly done.
    fn stats(
        &self,
        names: &[String],
        job: TableJob<'_>,
        counted: Counted,
        cancel: &Cancel,
    ) -> Result<Stats, TablesError> {
        let game = self.0.game();
        let slices = self.0.slices(names);
        let tables = open(game, &slices, job)?;
        let is_missing = |slice: &G::Slice| tables.get(*slice).is_none();
        let missing: Vec<G::Slice> = slices.iter().copied().filter(is_missing).collect();
        let needed = with_all_they_need(game, &missing);
        let positions = total(needed.iter().map(|&slice| game.slice_len(slice)));
        let not_built = |slice| TablesError::not_built(game.slice_text(slice), job);
        let (kept, quiet) = (Kept::Distance, |_| {});
        let solved = match (missing.first(), positions) {
            (None, _) => None,
            (_, Some(0..QUICK)) => {
                Some(solve_all(game, &missing, kept, job.memory, cancel, &quiet)?)
            }
            (Some(&first), _) => return Err(not_built(first)),
        };
        let count = |&slice: &G::Slice| -> Result<(String, ValueCounts), TablesError> {
            let counts = if tables.get(slice).is_some() {
                tables.stats(game, slice, counted, cancel)?
            } else if let Some(values) = solved.as_ref().and_then(|solved| solved.slice(slice)) {
                tabia_tables::stats(game, slice, |index| Ok(values.get(index)), counted, cancel)?
            } else {
                return Err(not_built(slice));
            };
            Ok((game.slice_text(slice), counts))
        };
        let counts: Vec<_> = slices.iter().map(count).collect::<Result<_, _>>()?;
        Ok(told(counted, &counts))
    }

    fn probe(
        &self,
        names: &[String],
        position: &str,
        job: TableJob<'_>,
        _: &Cancel,
    ) -> Result<Probed, TablesError> {
        let game = self.0.game();
        let mut state = game.parse_position(position).map_err(CatalogError::Move)?;
        let Turn::Player(player) = game.turn(&state) else {
            return Err(over());
        };
        let slice = slice_of(game, &state, names, "")?;
        let mut reached = game.next_slices(slice);
        reached.push(slice);
        let tables = open(game, &reached, job)?;
        let entry = tables.entry(game, &state)?;
        let name = game.slice_text(slice);
        let entry = entry.ok_or_else(|| TablesError::not_built(&name, job))?;
        let mut listed = Vec::new();
        game.moves(&state, &mut listed);
        let mut moves = Vec::new();
        for mv in listed {
            let text = game.move_text(&state, mv);
            let token = game.play(&mut state, mv);
            let after = after(game, &state, player, &tables);
            game.undo(&mut state, token);
            moves.push((text, after?));
        }
        moves.sort_by_key(|(_, value)| std::cmp::Reverse(value.map(preference)));
        let found = LookedUp {
            slice: name,
            index: entry.number,
            content: entry.value,
            moves,
        };
        Ok(found.into())
    }
}

/// The value of a position for the player who has just moved, counted from before the move; `None`
/// if its table is not there.
fn after<G: Tabled>(
    game: &G,
    state: &G::State,
    player: Player,
    tables: &Tables<G>,
) -> Result<Option<TableValue>, TableError> {
    if game.turn(state) == Turn::Over {
        let wdl = Wdl::of_payoff(game.payoff(state, player));
        let plies = (wdl != Wdl::Draw).then_some(1);
        return Ok(Some(TableValue { wdl, plies }));
    }
    let value = tables.probe(game, state)?;
    Ok(value.map(|value| TableValue {
        wdl: value.wdl.flipped(),
        plies: value.plies.map(|plies| plies.saturating_add(1)),
    }))
}

/// What the player prefers: to win soon, to lose late.
fn preference(value: TableValue) -> (Wdl, i32) {
    let plies = value.plies.map_or(0, i32::from);
    let sooner = if value.wdl == Wdl::Win { -plies } else { plies };
    (value.wdl, sooner)
}

impl Answered for TableValue {
    fn fields(content: Option<&TableValue>) -> Map<String, Value> {
        fields(json!({
            "value": content.map(|value| value.wdl.word()),
            "plies": content.and_then(|value| value.plies),
        }))
    }
}

/// Counts as answers tell them.
fn told(counted: Counted, slices: &[(String, ValueCounts)]) -> Stats {
    let object = |(slice, counts): &(String, ValueCounts)| {
        json!({
            "slice": slice,
            "positions": counts.positions(),
            "win": counts.win,
            "draw": counts.draw,
            "loss": counts.loss,
            "max_plies": counts.max_plies,
        })
    };
    let row = |(slice, counts): &(String, ValueCounts)| {
        let numbers = [counts.positions(), counts.win, counts.draw, counts.loss];
        let plies = counts.max_plies.map(|plies| plies.to_string());
        std::iter::once(slice.clone())
            .chain(numbers.map(grouped))
            .chain([plies.unwrap_or_default()])
            .collect()
    };
    Stats {
        fields: fields_of_tables(counted, slices.iter().map(object).collect()),
        columns: ["SLICE", "POSITIONS", "WIN", "DRAW", "LOSS", "PLIES"]
            .map(str::to_string)
            .to_vec(),
        rows: slices.iter().map(row).collect(),
    }
}
