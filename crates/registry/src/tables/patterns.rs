//! Tables of patterns: how many moves a player alone needs.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tabia_game::{Cancel, Game, Player, Text, Turn};
use tabia_tables::patterns::{Abstraction, PatternTables, UNREACHED};
use tabia_tables::{Kind, TableError, grouped};

use super::answers::{Answered, LookedUp, fields, fields_of_tables};
use super::values::over;
use super::{AnyTables, Counted, Probed, Stats, TableJob, TablesError};
use crate::CatalogError;

/// The tables of patterns of a game.
pub struct ErasedPatterns<G: Game, A> {
    game: Arc<G>,
    spec: String,
    kind: PatternTables<G, Vec<A>>,
    view: fn(&A, Player) -> A,
}

impl<G: Game + Text, A: Abstraction<G>> ErasedPatterns<G, A> {
    /// Tables that are called by `spec`, whichever variant of the game they are asked for.
    /// `view` gives an abstraction with the same table as another player sees the board.
    pub fn new(
        game: &Arc<G>,
        spec: String,
        abstractions: Vec<A>,
        view: fn(&A, Player) -> A,
    ) -> ErasedPatterns<G, A> {
        ErasedPatterns {
            game: Arc::clone(game),
            spec,
            kind: PatternTables::new(abstractions),
            view,
        }
    }
}

impl<G: Game + Text, A: Abstraction<G>> AnyTables for ErasedPatterns<G, A> {
    fn kind(&self) -> &dyn Kind {
        &self.kind
    }

    fn spec(&self, _: String) -> String {
        self.spec.clone()
    }

    /// Patterns by their distances. There are no symmetries to count by.
    fn stats(
        &self,
        names: &[String],
        job: TableJob<'_>,
        counted: Counted,
        cancel: &Cancel,
    ) -> Result<Stats, TablesError> {
        let mut objects = Vec::new();
        let (mut layers, mut rows) = (Vec::new(), Vec::new());
        for name in names {
            if cancel.is_cancelled() {
                return Err(TablesError::Stopped);
            }
            let found = self.kind.layers(name, job.folder, job.spec);
            let found = found.map_err(|error| TablesError::from(error).of_job(job))?;
            let positions: u64 = found.layers.iter().sum::<u64>() + found.unreached;
            let deepest = found.layers.len().saturating_sub(1);
            objects.push(json!({
                "slice": name,
                "positions": positions,
                "unreached": found.unreached,
                "deepest": deepest,
                "layers": found.layers,
            }));
            rows.push(vec![
                name.clone(),
                grouped(positions),
                grouped(found.unreached),
                deepest.to_string(),
            ]);
            layers = found.layers;
        }
        let mut columns = vec!["SLICE", "POSITIONS", "UNREACHED", "DEEPEST"];
        if names.len() == 1 {
            let numbered = layers.iter().enumerate();
            let row = |(moves, &n): (usize, &u64)| vec![moves.to_string(), grouped(n)];
            rows = numbered.map(row).collect();
            columns = vec!["MOVES", "POSITIONS"];
        }
        Ok(Stats {
            fields: fields_of_tables(counted, objects),
            columns: columns.into_iter().map(str::to_string).collect(),
            rows,
        })
    }

    /// What the player to move has still to do, and after each move.
    fn probe(
        &self,
        names: &[String],
        position: &str,
        job: TableJob<'_>,
        _: &Cancel,
    ) -> Result<Probed, TablesError> {
        let game = &*self.game;
        let mut state = game.parse_position(position).map_err(CatalogError::Move)?;
        let Turn::Player(player) = game.turn(&state) else {
            return Err(over());
        };
        let [name] = names else {
            let several = format!("name one of the tables: {}", names.join(", "));
            return Err(CatalogError::NotOffered(several).into());
        };
        let wrong = |error: TableError| TablesError::from(error).of_job(job);
        let distances = self.kind.distances(name, job.folder, job.spec);
        let distances = distances.map_err(wrong)?;
        let abstraction = (self.view)(self.kind.abstraction(name).map_err(wrong)?, player);
        let look_up = |state: &G::State| {
            let number = abstraction.pattern(game, state);
            let moves = distances.get(number as usize).copied();
            (number, MovesToGo(moves.unwrap_or(UNREACHED)))
        };
        let (index, content) = look_up(&state);
        let mut listed = Vec::new();
        game.moves(&state, &mut listed);
        let mut moves = Vec::new();
        for mv in listed {
            let text = game.move_text(&state, mv);
            let token = game.play(&mut state, mv);
            let (_, after) = look_up(&state);
            game.undo(&mut state, token);
            moves.push((text, Some(after)));
        }
        moves.sort_by_key(|(_, after)| after.as_ref().map_or(UNREACHED, |moves| moves.0));
        let found = LookedUp {
            slice: name.clone(),
            index,
            content,
            moves,
        };
        Ok(found.into())
    }
}

/// How many moves a player alone needs.
struct MovesToGo(u8);

impl fmt::Display for MovesToGo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            UNREACHED => f.write_str("never done"),
            1 => f.write_str("1 move"),
            moves => write!(f, "{moves} moves"),
        }
    }
}

impl Answered for MovesToGo {
    fn fields(content: Option<&MovesToGo>) -> Map<String, Value> {
        fields(json!({ "moves_to_go": content.map(|moves| moves.0) }))
    }
}
