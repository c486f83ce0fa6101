//! Tables of rooms in the player of Amazons: at the leaves of the search, and for the values of
//! endgames.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::amazons::combinatorial as rooms;
use crate::amazons::rooms::RoomTables;
use crate::amazons::{Amazons, Judge, SQUARE, State};
use tabia_cgt::{Evaluator, Exceeded, Unevaluated, Value, Values};
use tabia_game::options::OptionError;
use tabia_game::{CERTAIN, Cancel, Combinatorial, Knowledge, Meter, Player};

use super::endgame::{Cells, RoomValues};

/// What a folder holds of rooms.
pub fn open(folder: &str) -> Result<RoomTables, OptionError> {
    let wrong = |why: String| OptionError::new(format!("tables={folder}: {why}"));
    let tables = RoomTables::largest(Path::new(folder), &Cancel::default());
    tables
        .map_err(|error| wrong(error.to_string()))?
        .ok_or_else(|| {
            wrong(
                "there are no territories of Amazons in this folder; 'tabia table build \
                 amazons/territory:4x5' makes them"
                    .to_string(),
            )
        })
}

/// An evaluation, and tables for rooms that are cut off.
#[derive(Clone, Debug)]
pub struct Leaves {
    judge: Judge,
    tables: Option<Arc<RoomTables>>,
}

impl Leaves {
    /// The judge's knowledge, with tables if there are any.
    pub fn new(judge: Judge, tables: Option<Arc<RoomTables>>) -> Leaves {
        Leaves { judge, tables }
    }
}

/// What a room is worth to White in half squares: a territory its moves, an area with one queen
/// each the mean of what either gets by starting.
fn halves(tables: &RoomTables, game: &Amazons, room: &State) -> Option<i64> {
    let placed = tables.place_at_sight(&game.cells(room))?;
    tables
        .scores(&placed)
        .map(|[white, black]| i64::from(white) + i64::from(black))
}

impl Knowledge<Amazons> for Leaves {
    fn evaluate(&self, game: &Amazons, state: &State, player: Player) -> i32 {
        let Some(tables) = &self.tables else {
            return self.judge.evaluate(game, state, player);
        };
        let rooms = game.rooms(state);
        let judged = |state: &State| i64::from(self.judge.evaluate(game, state, Player::FIRST));
        let worth = |room: &State| match halves(tables, game, room) {
            Some(halves) => halves * i64::from(SQUARE) / 2,
            // A room that is all there is looks as open as the board does.
            None if rooms.len() == 1 => judged(state),
            None => judged(room),
        };
        let white: i64 = rooms.iter().map(|room| worth(room.state())).sum();
        let most = i64::from(CERTAIN) - 1;
        let white = white.clamp(-most, most) as i32;
        match player {
            Player::FIRST => white,
            _ => -white,
        }
    }
}

/// Values of rooms, looked up where tables have them.
pub struct LookedUp {
    tables: RoomTables,
    evaluator: Evaluator<rooms::Amazons>,
    /// Values of the tables in the store of the evaluator.
    known: HashMap<Value, Value>,
    /// How many values were looked up.
    looked_up: u64,
}

impl LookedUp {
    /// Values from these tables, and computed where they end.
    pub fn new(tables: RoomTables) -> LookedUp {
        LookedUp {
            tables,
            evaluator: Evaluator::new(rooms::Amazons),
            known: HashMap::default(),
            looked_up: 0,
        }
    }

    /// How many values were looked up so far.
    pub fn looked_up(&self) -> u64 {
        self.looked_up
    }

    /// A part as the tables have it.
    fn look_up(&mut self, part: &Cells) -> Result<Option<Value>, Exceeded> {
        let Some(placed) = self.tables.place(part) else {
            return Ok(None);
        };
        if let Some(moves) = self.tables.territory(&placed) {
            let sign = if placed.owner() == Some(Player::FIRST) {
                1
            } else {
                -1
            };
            return self
                .evaluator
                .values_mut()
                .integer(sign * moves as i32)
                .map(Some);
        }
        match self.tables.value(&placed) {
            Some(value) => self.moved(value).map(Some),
            None => Ok(None),
        }
    }

    /// A value of the tables, made anew in the other store.
    fn moved(&mut self, value: Value) -> Result<Value, Exceeded> {
        if let Some(&known) = self.known.get(&value) {
            return Ok(known);
        }
        let Some(table) = self.tables.values_mut() else {
            return Ok(Value::ZERO);
        };
        let values = table.kind_mut().values_mut();
        let found = match values.as_number_up_star(value) {
            Some(simple) => self.evaluator.values_mut().number_up_star(simple)?,
            None => {
                let left = values.options(value, Player::FIRST)?.to_vec();
                let right = values.options(value, Player::SECOND)?.to_vec();
                let mut options = |side: Vec<Value>| {
                    side.into_iter()
                        .map(|option| self.moved(option))
                        .collect::<Result<Vec<Value>, Exceeded>>()
                };
                let (left, right) = (options(left)?, options(right)?);
                self.evaluator.values_mut().from_options(&left, &right)?
            }
        };
        self.known.insert(value, found);
        Ok(found)
    }
}

impl RoomValues for LookedUp {
    fn value(&mut self, room: &Cells, meter: &mut Meter) -> Result<Value, Unevaluated> {
        let mut parts = Vec::new();
        rooms::Amazons.split(room, &mut parts);
        let mut sum = Value::ZERO;
        for part in &parts {
            let value = match self.look_up(part)? {
                Some(value) => {
                    self.looked_up += 1;
                    value
                }
                None => self.evaluator.value(part, meter)?,
            };
            sum = self.evaluator.values_mut().sum(sum, value)?;
        }
        Ok(sum)
    }

    fn values(&mut self) -> &mut Values {
        self.evaluator.values_mut()
    }
}
