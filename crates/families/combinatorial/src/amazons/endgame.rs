//! Endgames of Amazons that have fallen apart: rooms are independent of each other, so that the
//! position is a sum.
//!
//! [`Endgame`] stands between a search and the game. While a room is too large it asks the search;
//! then it plays by the values of rooms, either exactly, trying moves in the order of Thermostrat
//! until the sum that is left is lost for the opponent, or by a thermographic strategy alone:
//! Sentestrat (Berlekamp 1996) or Thermostrat (Berlekamp, Conway and Guy 1982), as Tegos (2002,
//! chapter 4) used them. White is Left.

use std::sync::Arc;
use std::time::Instant;

use crate::amazons::combinatorial as rooms;
use crate::amazons::{Amazons, Room, Shot, State};
use tabia_cgt::sums::{Config, Solver, Sum};
use tabia_cgt::{Dyadic, Evaluator, Thermograph, TooLarge, Unevaluated, Value, Values};
use tabia_game::{Cancel, Combinatorial, Game, Limits, Meter, Player, Seed, Turn};
use tabia_search::{Choice, Counter, Engine, Listener, Past, Reading, Report, Situation};

pub(crate) type Cells = <rooms::Amazons as Combinatorial>::Position;

/// Where the values of rooms come from: computed here, or looked up.
pub trait RoomValues: Send {
    /// The value of what lies in a room.
    fn value(&mut self, room: &Cells, meter: &mut Meter) -> Result<Value, Unevaluated>;

    /// The store that the values are in.
    fn values(&mut self) -> &mut Values;
}

impl RoomValues for Evaluator<rooms::Amazons> {
    fn value(&mut self, room: &Cells, meter: &mut Meter) -> Result<Value, Unevaluated> {
        Evaluator::value(self, room, meter)
    }

    fn values(&mut self) -> &mut Values {
        self.values_mut()
    }
}

/// How endgames are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndgameStrategy {
    /// By search of the sum.
    Exact,
    /// By Sentestrat.
    Sente,
    /// By Thermostrat.
    Thermo,
}

/// Rooms with queens of one colour may be this many times as large as contested ones.
const TERRITORY: usize = 2;
/// Positions of rooms and sums that may be looked at for one move, if there is no tighter limit:
/// half of that counts.
const NODES: u64 = 1_000_000;

/// What is left of the limits of a move.
struct Budget {
    nodes: u64,
    until: Option<Instant>,
    used: u64,
    cancel: Cancel,
}

impl Budget {
    /// Half of what there is: the search needs the rest where rooms are too difficult.
    fn half(limits: &Limits) -> Budget {
        Budget {
            nodes: limits.nodes.map_or(NODES, |nodes| (nodes / 2).min(NODES)),
            until: limits
                .time
                .and_then(|time| Instant::now().checked_add(time / 2)),
            used: 0,
            cancel: limits.cancel.clone(),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            nodes: Some(self.nodes.saturating_sub(self.used)),
            time: self
                .until
                .map(|until| until.saturating_duration_since(Instant::now())),
            cancel: self.cancel.clone(),
            ..Limits::default()
        }
    }
}

/// A search with endgames.
pub struct Endgame<W> {
    inner: Box<dyn Engine<Amazons>>,
    strategy: EndgameStrategy,
    largest: usize,
    worth: W,
    solver: Solver<rooms::Amazons>,
    /// The temperature that Sentestrat plays at: it never rises.
    ambient: Option<Dyadic>,
    arrows: usize,
}

/// A room with what it is worth, and the moves in it with what they leave.
struct Valued {
    heat: Arc<Thermograph>,
    moves: Vec<(Shot, Arc<Thermograph>)>,
}

impl<W: RoomValues> Endgame<W> {
    /// Endgames whose contested rooms have at most this many squares are played by a strategy, with
    /// values from here.
    pub fn new(
        inner: Box<dyn Engine<Amazons>>,
        strategy: EndgameStrategy,
        largest: usize,
        worth: W,
    ) -> Self {
        let config = Config {
            memory: 32 << 20,
            ..Config::default()
        };
        Endgame {
            inner,
            strategy,
            largest,
            worth,
            solver: Solver::new(rooms::Amazons, config),
            ambient: None,
            arrows: 0,
        }
    }
}

/// One of the two walls at a tax, so that more is better for the player: what the player gets if
/// the other starts, or by starting.
fn at(heat: &Thermograph, tax: Dyadic, player: Player, starts: bool) -> Result<Dyadic, TooLarge> {
    match (player, starts) {
        (Player::FIRST, true) => heat.left().at(tax),
        (Player::FIRST, false) => heat.right().at(tax),
        (_, true) => heat.right().at(tax).map(|value| -value),
        (_, false) => heat.left().at(tax).map(|value| -value),
    }
}

impl<W: RoomValues> Endgame<W> {
    /// Whether all rooms are small enough.
    fn is_small(&self, rooms: &[Room]) -> bool {
        rooms.iter().all(|room| match room.is_contested() {
            true => room.size() <= self.largest,
            false => room.size() <= TERRITORY * self.largest,
        })
    }

    fn heat(
        &mut self,
        game: &Amazons,
        state: &State,
        meter: &mut Meter,
    ) -> Result<Arc<Thermograph>, Unevaluated> {
        let value = self.worth.value(&game.cells(state), meter)?;
        Ok(self.worth.values().thermograph(value)?)
    }

    fn valued(
        &mut self,
        game: &Amazons,
        rooms: &[Room],
        player: Player,
        meter: &mut Meter,
    ) -> Result<Vec<Valued>, Unevaluated> {
        let mut all = Vec::new();
        for room in rooms {
            let mut shots = Vec::new();
            game.each_move(room.state(), player, |shot| shots.push(shot));
            let heat = self.heat(game, room.state(), meter)?;
            let mut moves = Vec::new();
            for shot in shots {
                let next = game.after(room.state(), player, shot);
                moves.push((shot, self.heat(game, &next, meter)?));
            }
            all.push(Valued { heat, moves });
        }
        Ok(all)
    }

    /// The moves in the order of preference at a tax: rooms by how much starting there is worth,
    /// and of each room the moves that leave most.
    fn by_tax(rooms: &[Valued], tax: Dyadic, player: Player) -> Result<Vec<Shot>, TooLarge> {
        let mut ranked = Vec::new();
        for (number, room) in rooms.iter().enumerate() {
            let before = at(&room.heat, tax, player, false)?;
            for &(shot, ref left) in &room.moves {
                let gain = at(left, tax, player, false)?.minus(before)?;
                ranked.push((gain, number, shot));
            }
        }
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        Ok(ranked.into_iter().map(|(_, _, shot)| shot).collect())
    }

    /// The tax at which the guaranteed sum is largest: the walls of all rooms as if the other
    /// started, and the widest room on top (Thermostrat).
    fn best_tax(rooms: &[Valued], player: Player) -> Result<Dyadic, TooLarge> {
        let mut taxes = vec![Dyadic::ZERO];
        for room in rooms {
            for wall in [room.heat.left(), room.heat.right()] {
                taxes.extend(wall.points().iter().map(|&(tax, _)| tax));
            }
        }
        taxes.retain(|&tax| tax >= -Dyadic::ONE);
        taxes.sort_unstable();
        taxes.dedup();
        let mut best: Option<(Dyadic, Dyadic)> = None;
        for tax in taxes {
            let (mut sum, mut widest) = (Dyadic::ZERO, Dyadic::ZERO);
            for room in rooms.iter().filter(|room| !room.moves.is_empty()) {
                let second = at(&room.heat, tax, player, false)?;
                let first = at(&room.heat, tax, player, true)?;
                sum = sum.plus(second)?;
                widest = widest.max(first.minus(second)?);
            }
            let total = sum.plus(widest)?;
            if best.is_none_or(|(most, _)| total > most) {
                best = Some((total, tax));
            }
        }
        Ok(best.map_or(Dyadic::ZERO, |(_, tax)| tax))
    }

    /// Sentestrat: answer whatever is hotter than the ambient temperature; otherwise the hottest
    /// room sets it.
    fn sente(&mut self, rooms: &[Valued], player: Player) -> Result<Vec<Shot>, TooLarge> {
        let movable = || rooms.iter().filter(|room| !room.moves.is_empty());
        let hottest = movable().map(|room| room.heat.temperature()).max();
        let Some(hottest) = hottest else {
            return Ok(Vec::new());
        };
        let ambient = self.ambient.map_or(hottest, |ambient| ambient.min(hottest));
        self.ambient = Some(ambient);
        let first: Vec<Valued> = movable()
            .filter(|room| room.heat.temperature() == hottest)
            .map(|room| Valued {
                heat: room.heat.clone(),
                moves: room.moves.clone(),
            })
            .collect();
        Self::by_tax(&first, ambient, player)
    }

    /// The first of the moves after which the opponent, to move, loses the sum.
    fn winning(
        &mut self,
        game: &Amazons,
        state: &State,
        moves: &[Shot],
        budget: &mut Budget,
    ) -> Option<Option<Shot>> {
        for &shot in moves {
            let mut next = *state;
            game.play(&mut next, shot);
            let sum = Sum {
                positions: &[game.cells(&next)],
                values: &[],
            };
            let limits = budget.limits();
            let answer = self.solver.wins(sum, next.mover(), &limits);
            // A search that was stopped has used up what there was.
            let used = answer.as_ref().map(|answer| answer.nodes);
            budget.used += used.unwrap_or(limits.nodes.unwrap_or(0));
            if !answer.ok()?.wins {
                return Some(Some(shot));
            }
        }
        Some(None)
    }

    fn by_rooms(
        &mut self,
        game: &Amazons,
        state: &State,
        player: Player,
        budget: &mut Budget,
    ) -> Option<Choice<Shot>> {
        let rooms = game.rooms(state);
        if !self.is_small(&rooms) {
            return None;
        }
        if state.arrows() < self.arrows {
            self.ambient = None;
        }
        self.arrows = state.arrows();
        let mut meter = budget.limits().meter();
        let valued = self.valued(game, &rooms, player, &mut meter);
        let positions = meter.nodes();
        budget.used += positions;
        let valued = valued.ok()?;
        let tax = Self::best_tax(&valued, player).ok()?;
        let moves = match self.strategy {
            EndgameStrategy::Sente => self.sente(&valued, player).ok()?,
            _ => Self::by_tax(&valued, tax, player).ok()?,
        };
        let (best, value) = match self.strategy {
            EndgameStrategy::Exact => {
                let won = self.winning(game, state, &moves, budget)?;
                let value = if won.is_some() { 1.0 } else { -1.0 };
                (won.or(moves.first().copied())?, Some(value))
            }
            _ => (*moves.first()?, None),
        };
        Some(Choice {
            best: Some(best),
            value,
            reading: Reading::Own,
            solved: value.is_some(),
            plies: None,
            line: vec![best],
            depth: 0,
            nodes: budget.used,
            counters: vec![
                ("rooms", Counter::One(rooms.len() as u64)),
                ("positions", Counter::One(positions)),
                ("sums", Counter::One(budget.used - positions)),
            ],
        })
    }
}

impl<W: RoomValues> Engine<Amazons> for Endgame<W> {
    fn choose(&mut self, situation: Situation<'_, Amazons>, limits: &Limits) -> Choice<Shot> {
        let past = Past::none(situation.state);
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        self.inner.reports()
    }

    fn prepare(&mut self, game: &Amazons) {
        self.inner.prepare(game);
    }

    fn counts_playouts(&self) -> bool {
        self.inner.counts_playouts()
    }

    fn choose_reporting(
        &mut self,
        past: Past<'_, Amazons>,
        situation: Situation<'_, Amazons>,
        limits: &Limits,
        listener: &mut Listener<'_, Shot>,
    ) -> Choice<Shot> {
        let Situation { game, state, path } = situation;
        let Turn::Player(player) = game.turn(state) else {
            return self.inner.choose(Situation { game, state, path }, limits);
        };
        let started = Instant::now();
        let mut budget = Budget::half(limits);
        if let Some(choice) = self.by_rooms(game, state, player, &mut budget) {
            listener.conclude(&choice);
            return choice;
        }
        let left = Limits {
            nodes: limits
                .nodes
                .map(|nodes| nodes.saturating_sub(budget.used).max(1)),
            time: limits
                .time
                .map(|time| time.saturating_sub(started.elapsed())),
            ..limits.clone()
        };
        let (lines, interval) = (listener.lines(), listener.interval());
        let mut tell = |report: &Report<'_, Shot>| {
            listener.tell(&Report {
                nodes: budget.used + report.nodes,
                ..report.clone()
            });
        };
        let mut inner = Listener::new(lines, &mut tell).every(interval);
        let situation = Situation { game, state, path };
        let mut choice = self
            .inner
            .choose_reporting(past, situation, &left, &mut inner);
        choice.nodes += budget.used;
        choice
    }

    fn new_game(&mut self, luck: Seed) {
        self.ambient = None;
        self.arrows = 0;
        self.inner.new_game(luck);
    }

    fn estimate(&self, game: &Amazons, state: &State, player: Player) -> Option<f64> {
        self.inner.estimate(game, state, player)
    }
}
