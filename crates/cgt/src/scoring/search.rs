//! Alpha-beta over a sum, informed by what is known of its components.
//!
//! Moves are ordered by pseudo-temperature (TEMP) or by what was best one ply shallower (PREV), and
//! those whose incentive another move's is not below are left out (INC; Müller and Li 2004, section
//! 3). Beyond the paper there are a table, bounds, and simplification. The table knows a position
//! by the multiset of its states, so that neither the order of components nor that of moves
//! matters, and holds scores relative to the points that are settled. The bounds are those of a
//! player who pays and is paid a tax t for every move, the argument behind Thermostrat (Berlekamp,
//! Conway and Guy 1982, chapter 6); `estimates` says what they are. A move whose bound does not
//! reach into the window is not played. Simplification drops a component as soon as nobody gains by
//! moving in it, and two that cancel out: scores are stops, which infinitesimals do not change, and
//! two switches of the same width are a draw.
//!
//! A search may be bounded by depth or temperature instead; what it finds then is an estimate, and
//! none of the three is used.

use std::cmp::Reverse;

use tabia_game::{Limits, Meter, Player, Stopped};

use super::estimates::Range;
use super::incentives::Incentives;
use super::multisets::{Key, Multisets};
use super::sum::{FINISHED, MAX_COMPONENTS, Position, Sum};
use crate::{Dyadic, Exceeded};

/// What a search makes use of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// TEMP: moves in the order of the pseudo-temperatures of the mover.
    pub temperature: bool,
    /// PREV: deepening ply by ply, and the move that was best before comes first.
    pub previous: bool,
    /// INC: no moves with dominated incentives.
    pub incentives: bool,
    /// A table of multisets of states.
    pub table: bool,
    /// Bounds from thermographs.
    pub bounds: bool,
    /// No components in which nobody gains by moving, and no two that cancel out.
    pub simplify: bool,
}

impl Options {
    /// Plain alpha-beta.
    pub const NONE: Options = Options {
        temperature: false,
        previous: false,
        incentives: false,
        table: false,
        bounds: false,
        simplify: false,
    };
    /// TEMP and INC, the best of the paper.
    pub const PAPER: Options = Options {
        temperature: true,
        incentives: true,
        ..Options::NONE
    };
    /// With the table, the bounds and simplification.
    pub const BEST: Options = Options {
        table: true,
        bounds: true,
        simplify: true,
        ..Options::PAPER
    };
}

/// Where a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Where nobody can move.
    Full,
    /// After this many plies.
    Depth(u32),
    /// Where no component is hotter than this many tenths of the temperature of the hottest one at
    /// the root.
    Tenths(u32),
}

/// How a position is judged at which a search ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafEvaluation {
    /// SE: by the sum of the means.
    Means,
    /// HR: by the score when both players go on with Hotstrat+.
    Rollout,
}

/// The answer of an exact search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Points for Left under best play.
    pub score: i64,
    /// A component in which it is best to move; none if play is over.
    pub best: Option<usize>,
    /// Positions looked at.
    pub nodes: u64,
}

/// What two orders say at one position of a search.
#[derive(Clone, Copy, Debug)]
pub struct Ranked<'p> {
    /// The position.
    pub position: &'p Position,
    /// Whose move it is.
    pub mover: Player,
    /// The component that comes first by temperature.
    pub by_temperature: usize,
    /// The component that was best before.
    pub by_previous: usize,
    /// The component that the search then finds best.
    pub found: usize,
}

/// Half of the range of scores, so that windows can be negated.
const INFINITY: i64 = i64::MAX / 2;

/// Components to move in, the most promising first.
struct Moves {
    components: [u8; MAX_COMPONENTS],
    length: usize,
}

impl Moves {
    fn list(&self) -> &[u8] {
        &self.components[..self.length]
    }
}

/// Where a search ends, with the temperature in units.
#[derive(Clone, Copy)]
enum Horizon {
    None,
    Depth(u32),
    Temperature(i64),
}

type Observer<'s> = dyn FnMut(Ranked<'_>) + 's;

/// A search of one sum. What it has learnt is kept from one question to the next.
pub struct Search<'s> {
    pub(super) sum: &'s Sum,
    options: Options,
    incentives: Option<Incentives>,
    table: Multisets<Range>,
    /// The best moves of the iteration before, and of the one that goes on.
    previous: Multisets<u16>,
    current: Multisets<u16>,
    observer: Option<Box<Observer<'s>>>,
    best: Option<usize>,
    pub(super) spare: Position,
    pub(super) leaf: LeafEvaluation,
    /// Bytes for what is remembered in one list.
    memory: u64,
    meter: Meter,
}

/// Bytes for what is remembered, unless told otherwise.
const MEMORY: u64 = 512 << 20;

impl<'s> Search<'s> {
    /// A search of a sum.
    pub fn new(sum: &'s Sum, options: Options) -> Result<Search<'s>, Exceeded> {
        let incentives = match options.incentives {
            true => Some(Incentives::new(sum)?),
            false => None,
        };
        Ok(Search {
            sum,
            options,
            incentives,
            table: Multisets::new(MEMORY),
            previous: Multisets::new(MEMORY),
            current: Multisets::new(MEMORY),
            memory: MEMORY,
            observer: None,
            best: None,
            spare: Position::default(),
            leaf: LeafEvaluation::Means,
            meter: Limits::default().meter(),
        })
    }

    /// Forgets what it has learnt, and takes about this many bytes for it from now on: 512 MB
    /// unless told otherwise.
    pub fn remember(&mut self, bytes: u64) {
        // With PREV there are two lists of best moves besides the table.
        let lists = if self.options.previous { 3 } else { 1 };
        self.memory = bytes / lists;
        for best in [&mut self.previous, &mut self.current] {
            *best = Multisets::new(self.memory);
        }
        self.table = Multisets::new(self.memory);
    }

    /// From now on stops with [`Exceeded::Stopped`] at these limits.
    pub fn watch(&mut self, limits: &Limits) {
        self.meter = limits.meter();
    }

    /// Calls this after every position of a search with PREV at which a move is known to have been
    /// best before and there is a choice. The moves are then tried in the order they would have
    /// without PREV.
    pub fn observe(&mut self, observer: impl FnMut(Ranked<'_>) + 's) {
        self.observer = Some(Box::new(observer));
    }

    /// The score under best play.
    pub fn solve(&mut self, position: &Position, mover: Player) -> Result<Found, Exceeded> {
        let before = self.meter.nodes();
        let mut position = position.clone();
        self.leaf = LeafEvaluation::Means;
        if self.options.previous {
            for depth in 1..self.sum.plies(&position) {
                self.search(&mut position, mover, Horizon::Depth(depth))?;
                let new = Multisets::new(self.memory);
                self.previous = std::mem::replace(&mut self.current, new);
            }
        }
        let value = self.search(&mut position, mover, Horizon::None)?;
        Ok(Found {
            score: value >> self.sum.unit(),
            best: self.best,
            nodes: self.meter.nodes() - before,
        })
    }

    /// The estimate of a search that ends early, in points for Left, with the best move and the
    /// positions looked at. If it ends at once, the best move is the first in order.
    pub fn estimate(
        &mut self,
        position: &Position,
        mover: Player,
        control: Control,
        leaf: LeafEvaluation,
    ) -> Result<(Dyadic, Option<usize>, u64), Exceeded> {
        let before = self.meter.nodes();
        let mut position = position.clone();
        self.leaf = leaf;
        let horizon = match control {
            Control::Full => Horizon::None,
            Control::Depth(plies) => Horizon::Depth(plies),
            Control::Tenths(tenths) => {
                let hottest = self.hottest(&position).unwrap_or_default();
                let bound = (i128::from(hottest) * i128::from(tenths)).div_euclid(10);
                Horizon::Temperature(bound.min(i128::from(i64::MAX)) as i64)
            }
        };
        let value = self.search(&mut position, mover, horizon)?;
        let value = Dyadic::new(value, self.sum.unit())?;
        Ok((value, self.best, self.meter.nodes() - before))
    }

    /// The value for Left in units; leaves the best move in `best`.
    fn search(
        &mut self,
        position: &mut Position,
        mover: Player,
        horizon: Horizon,
    ) -> Result<i64, Exceeded> {
        self.best = None;
        let value = self.value(position, mover, horizon, true, -INFINITY, INFINITY)?;
        Ok(sign(mover) * value)
    }

    /// The value for the mover in units.
    fn value(
        &mut self,
        position: &mut Position,
        mover: Player,
        horizon: Horizon,
        is_root: bool,
        mut alpha: i64,
        beta: i64,
    ) -> Result<i64, Exceeded> {
        self.meter.tick().map_err(|Stopped| Exceeded::Stopped)?;
        let settled = sign(mover) * position.score;
        if position.is_over() {
            return Ok(settled);
        }
        let is_end = match horizon {
            Horizon::None => false,
            Horizon::Depth(plies) => plies == 0,
            Horizon::Temperature(bound) => self.hottest(position) <= Some(bound),
        };
        if is_end {
            if is_root {
                self.best = self
                    .moves(position, mover)?
                    .list()
                    .first()
                    .map(|&c| c.into());
            }
            return Ok(sign(mover) * self.judge(position, mover));
        }
        let is_full = matches!(horizon, Horizon::None);
        let keeps_table = self.options.table && is_full;
        let key = (keeps_table || self.options.previous).then(|| Key::of(position));
        let mut range = Range {
            low: -INFINITY,
            high: INFINITY,
        };
        // No move gets the mover more than this.
        let mut tops = [INFINITY; MAX_COMPONENTS];
        if is_full && self.options.bounds {
            let known = self.bounds(position, mover, &mut tops);
            if !is_root {
                range = known;
            }
        }
        if is_full && !is_root {
            if keeps_table
                && let Some(known) = key.as_ref().and_then(|key| self.table.get(key, mover))
            {
                range.low = range.low.max(known.low + settled);
                range.high = range.high.min(known.high + settled);
            }
            if range.low >= beta || range.low == range.high {
                return Ok(range.low);
            }
            if range.high <= alpha {
                return Ok(range.high);
            }
            alpha = alpha.max(range.low);
        }
        let mut moves = self.moves(position, mover)?;
        let previous = match &key {
            Some(key) if self.options.previous => self.remembered(key, position, mover, &moves),
            _ => None,
        };
        if let Some(place) = previous
            && self.observer.is_none()
        {
            moves.components[..=place].rotate_right(1);
        }
        let next = match horizon {
            Horizon::Depth(plies) => Horizon::Depth(plies - 1),
            other => other,
        };
        let simplify = is_full && self.options.simplify;
        let (mut best, mut best_component, mut bar) = (-INFINITY, None, alpha);
        // What the moves that are not played could get at most; it is never above the bar.
        let mut unplayed = -INFINITY;
        for &component in moves.list() {
            let component = usize::from(component);
            if tops[component] <= bar && (!is_root || best_component.is_some()) {
                unplayed = unplayed.max(tops[component]);
                continue;
            }
            let (state, score) = (position.states[component], position.score);
            self.sum.play(position, mover, component);
            let cancelled = match simplify {
                true => self.sum.simplify(position, component),
                false => None,
            };
            let value = self.value(position, mover.other(), next, false, -beta, -bar);
            if let Some((twin, state)) = cancelled {
                position.states[twin] = state;
            }
            position.states[component] = state;
            position.score = score;
            let value = -value?;
            if value > best {
                (best, best_component) = (value, Some(component));
                bar = bar.max(value);
                if bar >= beta {
                    break;
                }
            }
        }
        if is_root {
            self.best = best_component;
        }
        if let (Some(observer), Some(place), Some(found), 2..) =
            (&mut self.observer, previous, best_component, moves.length)
        {
            observer(Ranked {
                position,
                mover,
                by_temperature: moves.components[0].into(),
                by_previous: moves.components[place].into(),
                found,
            });
        }
        let best = best.max(unplayed);
        if best > alpha {
            range.low = range.low.max(best);
        }
        if best < beta {
            range.high = range.high.min(best.max(range.low));
        }
        if let Some(key) = &key {
            if self.options.previous
                && let Some(component) = best_component
            {
                let state = position.states[component];
                self.current.put(key, mover, state);
            }
            if keeps_table {
                let relative = Range {
                    low: range.low.saturating_sub(settled).max(-INFINITY),
                    high: range.high.saturating_sub(settled).min(INFINITY),
                };
                self.table.put(key, mover, relative);
            }
        }
        Ok(best.max(range.low).min(range.high))
    }

    fn hottest(&self, position: &Position) -> Option<i64> {
        let states = position.states.iter().filter(|&&state| state != FINISHED);
        states.map(|&state| self.sum.at(state).temperature).max()
    }

    /// The moves that are not pruned, in their order.
    fn moves(&mut self, position: &Position, mover: Player) -> Result<Moves, Exceeded> {
        let mut moves = Moves {
            components: [0; MAX_COMPONENTS],
            length: 0,
        };
        for component in position.moves() {
            // There are at most 64 components.
            moves.components[moves.length] = component as u8;
            moves.length += 1;
        }
        let state = |component: u8| position.states[usize::from(component)];
        // Where nothing else decides the numbers of the states do, so that the order in which the
        // components came does not matter.
        let (sum, by_heat) = (self.sum, self.options.temperature);
        let order = |c: u8| {
            let heat = match by_heat {
                true => sum.at(state(c)).pseudo_temperatures[mover.index() % 2],
                false => 0,
            };
            (Reverse(heat), state(c))
        };
        let list = &mut moves.components[..moves.length];
        for i in 1..list.len() {
            let mut j = i;
            while j > 0 && order(list[j - 1]) > order(list[j]) {
                list.swap(j - 1, j);
                j -= 1;
            }
        }
        if let Some(incentives) = &mut self.incentives {
            let all = moves.components;
            let all = &all[..moves.length];
            moves.length = 0;
            for (i, &one) in all.iter().enumerate() {
                let mut is_dominated = false;
                for (j, &other) in all.iter().enumerate() {
                    // Of equals the first stays.
                    is_dominated = i != j
                        && incentives.at_least(mover, state(other), state(one))?
                        && (j < i || !incentives.at_least(mover, state(one), state(other))?);
                    if is_dominated {
                        break;
                    }
                }
                if !is_dominated {
                    moves.components[moves.length] = one;
                    moves.length += 1;
                }
            }
        }
        Ok(moves)
    }

    /// The place of the move that was best at the position before.
    fn remembered(
        &self,
        key: &Key,
        position: &Position,
        mover: Player,
        moves: &Moves,
    ) -> Option<usize> {
        let best = self.previous.get(key, mover)?;
        let mut states = moves
            .list()
            .iter()
            .map(|&c| position.states[usize::from(c)]);
        states.position(|state| state == best)
    }
}

#[inline]
pub(super) fn sign(player: Player) -> i64 {
    match player {
        Player::FIRST => 1,
        _ => -1,
    }
}
