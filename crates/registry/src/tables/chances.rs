//! Tables of games with chance, which keep probabilities.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tabia_game::{Cancel, Indexed, Player, Probability, Text, Turn, TwoPlayer, Wdl};
use tabia_tables::chances::Descending;
use tabia_tables::{
    BackwardInduction, ChanceTables, Kind, TableError, Tables, ValueCounts, grouped,
};

use super::answers::{Answered, LookedUp, fields, fields_of_tables};
use super::values::{open, over, slice_of};
use super::{AnyTables, Counted, Probed, Stats, TableJob, TablesError};
use crate::CatalogError;

/// What a game with chance needs to have tables of probabilities.
pub trait ChanceTabled: Descending + TwoPlayer + Text {}
impl<G: Descending + TwoPlayer + Text> ChanceTabled for G {}

/// The tables of probabilities of a game.
pub(crate) struct ErasedChances<G: Indexed>(ChanceTables<Arc<G>>);

impl<G: ChanceTabled> ErasedChances<G> {
    pub(crate) fn new(game: Arc<G>) -> ErasedChances<G> {
        ErasedChances(ChanceTables::new(game, BackwardInduction))
    }
}

impl<G: ChanceTabled> AnyTables for ErasedChances<G> {
    fn kind(&self) -> &dyn Kind {
        &self.0
    }

    /// Every position is one of its own.
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
        let count = |&slice: &G::Slice| -> Result<_, TablesError> {
            let name = game.slice_text(slice);
            if tables.get(slice).is_none() {
                return Err(TablesError::not_built(name, job));
            }
            let (counts, mean) = tables.chance_stats(game, slice, cancel)?;
            Ok((name, counts, mean))
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
        if game.turn(&state) == Turn::Over {
            return Err(over());
        }
        let hint = "; those that are come before a chance event";
        let slice = slice_of(game, &state, names, hint)?;
        let mut reached = game.next_slices(slice);
        reached.push(slice);
        let tables = open(game, &reached, job)?;
        let entry = tables.content::<Probability>(game, &state)?;
        let name = game.slice_text(slice);
        let entry = entry.ok_or_else(|| TablesError::not_built(&name, job))?;
        let mut outcomes = Vec::new();
        game.outcomes(&state, &mut outcomes);
        let mut moves = Vec::new();
        for (outcome, _) in outcomes {
            let text = game.move_text(&state, outcome);
            let token = game.play(&mut state, outcome);
            let chance = best(game, &mut state, &tables);
            game.undo(&mut state, token);
            moves.push((text, chance?.map(Wins)));
        }
        moves.sort_by_key(|(_, chance)| std::cmp::Reverse(chance.as_ref().map(|wins| wins.0)));
        let found = LookedUp {
            slice: name,
            index: entry.number,
            content: Wins(entry.value),
            moves,
        };
        Ok(found.into())
    }
}

/// The best that a player can make of the outcome of a chance event; `None` if a table is not
/// there.
fn best<G: ChanceTabled>(
    game: &G,
    state: &mut G::State,
    tables: &Tables<G>,
) -> Result<Option<Probability>, TableError> {
    let Turn::Player(player) = game.turn(state) else {
        return Ok(None);
    };
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let mut best = None;
    for mv in moves {
        let token = game.play(state, mv);
        let after = after(game, state, player, tables);
        game.undo(state, token);
        match after? {
            Some(chance) => best = best.max(Some(chance)),
            None => return Ok(None),
        }
    }
    Ok(best)
}

/// The probability that a player wins after their turn.
fn after<G: ChanceTabled>(
    game: &G,
    state: &G::State,
    player: Player,
    tables: &Tables<G>,
) -> Result<Option<Probability>, TableError> {
    if game.turn(state) == Turn::Over {
        let won = Wdl::of_payoff(game.payoff(state, player)) == Wdl::Win;
        return Ok(Some(match won {
            true => Probability::WIN,
            false => Probability::LOSS,
        }));
    }
    let entry = tables.content::<Probability>(game, state)?;
    Ok(entry.map(|entry| entry.value.flipped()))
}

/// The probability of winning.
struct Wins(Probability);

impl fmt::Display for Wins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wins {}", self.0)
    }
}

impl Answered for Wins {
    fn fields(content: Option<&Wins>) -> Map<String, Value> {
        fields(json!({ "chance": content.map(|wins| wins.0.to_f64()) }))
    }
}

/// Counts as answers tell them.
fn told(counted: Counted, slices: &[(String, ValueCounts, f64)]) -> Stats {
    let object = |(slice, counts, mean): &(String, ValueCounts, f64)| {
        json!({
            "slice": slice,
            "positions": counts.positions(),
            "win": counts.win,
            "open": counts.draw,
            "loss": counts.loss,
            "mean": mean,
        })
    };
    let row = |(slice, counts, mean): &(String, ValueCounts, f64)| {
        let numbers = [counts.positions(), counts.win, counts.draw, counts.loss];
        std::iter::once(slice.clone())
            .chain(numbers.map(grouped))
            .chain([format!("{:.4} %", 100.0 * mean)])
            .collect()
    };
    Stats {
        fields: fields_of_tables(counted, slices.iter().map(object).collect()),
        columns: ["SLICE", "POSITIONS", "WIN", "OPEN", "LOSS", "MEAN"]
            .map(str::to_string)
            .to_vec(),
        rows: slices.iter().map(row).collect(),
    }
}
