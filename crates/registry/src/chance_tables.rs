//! Tables of games with chance, which keep probabilities.

use std::fmt;
use std::sync::Arc;

use tabia_game::{Cancel, Descending, Game, Player, Probability, Text, Turn, TwoPlayer, Wdl};
use tabia_tables::chances::verify_chances;
use tabia_tables::patterns::UNREACHED;
use tabia_tables::{BackwardInduction, Tables, parse_slices};

use crate::CatalogError;
use crate::tables::{
    AnyTables, Counted, Kept, Probed, SliceStats, Symmetry, TableGroup, TableJob, TableProgress,
    TableValue, TablesError, Typed, VerifiedTable,
};

/// What a table holds of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableContent {
    /// Won, drawn or lost.
    Value(TableValue),
    /// The probability of winning.
    Chance(Probability),
    /// How many moves a player alone needs.
    Moves(u8),
}

impl fmt::Display for TableContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableContent::Value(value) => value.fmt(f),
            TableContent::Chance(chance) => write!(f, "wins {chance}"),
            TableContent::Moves(UNREACHED) => f.write_str("never done"),
            TableContent::Moves(1) => f.write_str("1 move"),
            TableContent::Moves(moves) => write!(f, "{moves} moves"),
        }
    }
}

/// What a game with chance needs to have tables.
pub trait ChanceTabled: Descending + TwoPlayer + Text {}
impl<G: Descending + TwoPlayer + Text> ChanceTabled for G {}

/// A typed game with chance that has tables.
pub(crate) struct TypedChances<G: Game>(Typed<G>);

impl<G: ChanceTabled> TypedChances<G> {
    pub(crate) fn new(game: Arc<G>) -> TypedChances<G> {
        TypedChances(Typed(game))
    }

    fn game(&self) -> &G {
        &self.0.0
    }
}

/// The best that a player can make of the outcome of a chance event; `None` if a table is not there.
fn best<G: ChanceTabled>(
    game: &G,
    state: &mut G::State,
    tables: &Tables<G>,
) -> Result<Option<Probability>, TablesError> {
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

/// The probability that a player wins after his turn.
fn after<G: ChanceTabled>(
    game: &G,
    state: &G::State,
    player: Player,
    tables: &Tables<G>,
) -> Result<Option<Probability>, TablesError> {
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

/// Refuses tables of classes of symmetric positions, for kinds that do not keep such.
pub fn refuse_symmetry(job: TableJob<'_>) -> Result<(), TablesError> {
    match job.form.symmetry {
        Symmetry::None => Ok(()),
        Symmetry::Orbits => {
            let none = "tables of this game make no use of symmetry".to_string();
            Err(CatalogError::NotOffered(none).into())
        }
    }
}

impl<G: ChanceTabled> AnyTables for TypedChances<G> {
    fn usual(&self) -> Kept {
        Kept::Chance
    }

    fn plan(
        &self,
        slices: &str,
        job: TableJob<'_>,
    ) -> Result<Vec<TableGroup<String>>, TablesError> {
        refuse_symmetry(job)?;
        self.0.plan_by(&BackwardInduction, slices, job)
    }

    fn build(
        &self,
        slices: &str,
        job: TableJob<'_>,
        cancel: &Cancel,
        progress: TableProgress<'_>,
    ) -> Result<Vec<Option<String>>, TablesError> {
        refuse_symmetry(job)?;
        self.0
            .build_by(&BackwardInduction, slices, job, cancel, progress)
    }

    /// Every position is one of its own.
    fn stats(
        &self,
        slices: &str,
        job: TableJob<'_>,
        _: Counted,
        cancel: &Cancel,
    ) -> Result<Vec<SliceStats>, TablesError> {
        let game = self.game();
        let slices = parse_slices(game, slices)?;
        let tables = self.0.open(&slices, job)?;
        let count = |&slice: &G::Slice| {
            if tables.get(slice).is_none() {
                return Err(self.0.not_built(slice, job));
            }
            let (counts, mean) = tables.chance_stats(game, slice, cancel)?;
            Ok(SliceStats {
                slice: game.slice_text(slice),
                counts,
                mean: Some(mean),
                layers: None,
            })
        };
        slices.iter().map(count).collect()
    }

    fn probe(&self, position: &str, job: TableJob<'_>) -> Result<Probed, TablesError> {
        let game = self.game();
        let mut state = game.parse_position(position).map_err(CatalogError::Move)?;
        if game.turn(&state) == Turn::Over {
            let nothing = "there is nothing to look up".to_string();
            return Err(CatalogError::Over(nothing).into());
        }
        let place = game.locate(&state);
        let (slice, _) = place.ok_or_else(|| {
            let none = "this position is in no slice; those that are come before a chance event";
            CatalogError::NotOffered(none.to_string())
        })?;
        let mut reached = game.next_slices(slice);
        reached.push(slice);
        let tables = self.0.open(&reached, job)?;
        let entry = tables.content::<Probability>(game, &state)?;
        let entry = entry.ok_or_else(|| self.0.not_built(slice, job))?;
        let mut outcomes = Vec::new();
        game.outcomes(&state, &mut outcomes);
        let mut moves = Vec::new();
        for (outcome, _) in outcomes {
            let text = game.move_text(&state, outcome);
            let token = game.play(&mut state, outcome);
            let chance = best(game, &mut state, &tables);
            game.undo(&mut state, token);
            moves.push((text, chance?));
        }
        moves.sort_by_key(|&(_, chance)| std::cmp::Reverse(chance));
        let moves = moves.into_iter();
        Ok(Probed {
            slice: game.slice_text(slice),
            index: entry.number,
            value: TableContent::Chance(entry.value),
            moves: moves
                .map(|(text, chance)| (text, chance.map(TableContent::Chance)))
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
        self.0
            .verify_by(slices, job, progress, |group, tables, told| {
                verify_chances(self.game(), group, tables, cancel, told)
            })
    }
}
