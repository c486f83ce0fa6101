//! Games that are nothing but their graphs, and a slow way to solve them by the definition.

#![allow(dead_code)]

use tabia_game::{
    Cancel, Deterministic, Game, Indexed, NoClasses, Payoff, Perfect, Player, Symmetric, Text,
    TextError, Turn, TwoPlayer, Wdl, zobrist,
};
use tabia_tables::file::Heading;
use tabia_tables::{
    BuildError, Kept, SliceSolver, SliceValues, Symmetry, TableError, TableForm, TableValue, Tables,
};

/// What the files of these tests say they are of.
pub const SPEC: &str = "toy:1,2";

/// Tables of every position, since the toys know no symmetry.
pub fn form(values: Kept) -> TableForm {
    TableForm {
        values,
        symmetry: Symmetry::None,
    }
}

/// The heading of a table of 1-1.
pub fn heading(positions: u64, values: Kept) -> Heading {
    Heading {
        game: SPEC.to_string(),
        slice: "1-1".to_string(),
        positions,
        form: form(values),
        relies_on: Vec::new(),
    }
}

/// What is left of a value in a table.
pub fn as_kept(value: TableValue, kept: Kept) -> TableValue {
    TableValue {
        plies: value.plies.filter(|_| kept == Kept::Distance),
        ..value
    }
}

/// What a place is: over, with the payoff of the player who would move, or places to move to.
/// `None` stands for the loss of the player who would move, a position without a place.
pub enum Place {
    Over(Payoff),
    Moves(Vec<Option<(Slice, u64)>>),
}

/// The pieces of the mover and of the opponent.
pub type Slice = (u8, u8);

/// A game given by a function from places to places.
pub struct Graph {
    pub slices: Vec<Slice>,
    pub len: fn(Slice) -> u64,
    pub next: fn(Slice) -> Vec<Slice>,
    pub place: fn(Slice, u64) -> Place,
}

/// Every move exchanges the pieces of mover and opponent; a capture takes one. Where a
/// move leads to, and which positions are over, is a matter of luck.
pub fn captures() -> Graph {
    Graph {
        slices: vec![(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)],
        len: |(own, other)| 900 * u64::from(own) + 700 * u64::from(other),
        next: |(own, other)| {
            let capture = (other > 1).then(|| (other - 1, own));
            [(other, own)].into_iter().chain(capture).collect()
        },
        place: |slice, index| {
            let (own, other) = slice;
            let seed = 1000 * index + 10 * u64::from(own) + u64::from(other);
            let luck = |n: u64| zobrist::number(seed, n);
            match luck(0) % 24 {
                0 => return Place::Over(-1),
                1 => return Place::Over((luck(1) % 3) as i32 - 1),
                _ => {}
            }
            let len = captures().len;
            let mv = |n: u64| {
                let to = match luck(10 * n) % 12 {
                    0 if other == 1 => return None,
                    0 => (other - 1, own),
                    _ => (other, own),
                };
                Some((to, luck(10 * n + 1) % len(to)))
            };
            Place::Moves((1..=1 + luck(2) % 4).map(mv).collect())
        },
    }
}

/// Four positions on a circle, each with one move: nobody ever wins.
pub fn circle() -> Graph {
    Graph {
        slices: vec![(0, 0)],
        len: |_| 4,
        next: |slice| vec![slice],
        place: |slice, index| Place::Moves(vec![Some((slice, (index + 1) % 4))]),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pub place: Option<(Slice, u64)>,
    pub mover: Player,
}

impl Graph {
    fn look(&self, state: &State) -> Place {
        match state.place {
            None => Place::Over(-1),
            Some((slice, index)) => (self.place)(slice, index),
        }
    }
}

impl Game for Graph {
    type State = State;
    type Move = usize;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State {
            place: Some((self.slices[self.slices.len() - 1], 0)),
            mover: Player::FIRST,
        }
    }

    fn turn(&self, state: &State) -> Turn {
        match self.look(state) {
            Place::Over(_) => Turn::Over,
            Place::Moves(_) => Turn::Player(state.mover),
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<usize>) {
        if let Place::Moves(moves) = self.look(state) {
            out.extend(0..moves.len());
        }
    }

    fn play(&self, state: &mut State, mv: usize) -> State {
        let Place::Moves(moves) = self.look(state) else {
            panic!("the game is over");
        };
        let after = State {
            place: moves[mv],
            mover: state.mover.other(),
        };
        std::mem::replace(state, after)
    }

    fn undo(&self, state: &mut State, token: State) {
        *state = token;
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        match self.look(state) {
            Place::Over(payoff) if player == state.mover => payoff,
            Place::Over(payoff) => -payoff,
            Place::Moves(_) => 0,
        }
    }
}

impl TwoPlayer for Graph {}

impl Symmetric for Graph {
    fn symmetries(&self) -> usize {
        1
    }

    fn map_state(&self, state: &State, _: usize) -> State {
        state.clone()
    }

    fn map_move(&self, mv: usize, _: usize) -> usize {
        mv
    }
}

impl Indexed for Graph {
    type Slice = Slice;
    type Classes = NoClasses;

    fn slices(&self) -> Vec<Slice> {
        self.slices.clone()
    }

    fn slice_len(&self, slice: Slice) -> Option<u64> {
        Some((self.len)(slice))
    }

    fn next_slices(&self, slice: Slice) -> Vec<Slice> {
        (self.next)(slice)
    }

    fn locate(&self, state: &State) -> Option<(Slice, u64)> {
        state.place
    }

    fn position_at(&self, slice: Slice, index: u64) -> State {
        State {
            place: Some((slice, index)),
            mover: Player::FIRST,
        }
    }

    fn slice_text(&self, (own, other): Slice) -> String {
        format!("{own}-{other}")
    }

    fn slice_size(&self, (own, other): Slice) -> u32 {
        u32::from(own + other)
    }
}

impl Text for Graph {
    fn position_text(&self, state: &State) -> String {
        format!("{:?}", state.place)
    }

    fn parse_position(&self, _: &str) -> Result<State, TextError> {
        Err(TextError::new("positions are not read"))
    }

    fn move_text(&self, _: &State, mv: usize) -> String {
        mv.to_string()
    }

    fn player_name(&self, player: Player) -> String {
        player.0.to_string()
    }

    fn position_help(&self) -> &'static str {
        "nothing to be written"
    }
}

pub struct Values(pub Vec<TableValue>);

impl SliceValues for Values {
    fn get(&self, index: u64) -> TableValue {
        self.0[index as usize]
    }
}

/// Solves by the definition: for each number of plies, all positions are looked at.
pub struct ByDefinition;

impl SliceSolver<Graph> for ByDefinition {
    type Values = Values;

    fn memory(&self, game: &Graph, group: &[Slice], _: TableForm) -> Option<u64> {
        Some(group.iter().map(|&s| 16 * (game.len)(s)).sum())
    }

    fn solve(
        &self,
        game: &Graph,
        group: &[Slice],
        known: &Tables<Graph>,
        _: TableForm,
        cancel: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<Values>, BuildError> {
        let mut values: Vec<Vec<Option<TableValue>>> = group
            .iter()
            .map(|&slice| vec![None; (game.len)(slice) as usize])
            .collect();
        let deepest = known.iter().filter_map(|(_, t)| t.header().max_plies).max();
        for plies in 0..2000u16 {
            if cancel.is_cancelled() {
                return Err(TableError::Stopped.into());
            }
            let old = values.clone();
            // Before the move: `None` if not known yet.
            let after = |place: Option<(Slice, u64)>| -> Option<TableValue> {
                let Some((slice, index)) = place else {
                    return Some(TableValue::loss(0));
                };
                match group.iter().position(|&s| s == slice) {
                    Some(member) => old[member][index as usize],
                    None => {
                        let state = game.position_at(slice, index);
                        Some(known.value(game, &state).unwrap())
                    }
                }
            };
            for (&slice, values) in group.iter().zip(&mut values) {
                for (index, value) in values.iter_mut().enumerate().filter(|(_, v)| v.is_none()) {
                    *value = match (game.place)(slice, index as u64) {
                        Place::Over(payoff) if plies == 0 => Some(match payoff {
                            -1 => TableValue::loss(0),
                            0 => TableValue::DRAW,
                            _ => TableValue::win(0),
                        }),
                        Place::Over(_) => None,
                        Place::Moves(moves) => {
                            let mut after = moves.into_iter().map(after);
                            // A table without distances is as good as one where all are short.
                            let due = |v: TableValue| v.plies.is_none_or(|p| p < plies);
                            let lost = |v: TableValue| v.wdl == Wdl::Loss && due(v);
                            let won = |v: TableValue| v.wdl == Wdl::Win && due(v);
                            if plies == 0 {
                                None
                            } else if after.clone().any(|v| v.is_some_and(lost)) {
                                Some(TableValue::win(plies))
                            } else if after.all(|v| v.is_some_and(won)) {
                                Some(TableValue::loss(plies))
                            } else {
                                None
                            }
                        }
                    };
                }
            }
            progress(u64::from(plies));
            if plies > deepest.unwrap_or(0) + 1 && old == values {
                break;
            }
        }
        let drawn = |value: Option<TableValue>| value.unwrap_or(TableValue::DRAW);
        Ok(values
            .into_iter()
            .map(|values| Values(values.into_iter().map(drawn).collect()))
            .collect())
    }
}
