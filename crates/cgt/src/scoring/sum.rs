//! A sum, all states of its components, and the positions that come up in it.
//!
//! A component in whatever state is a state and this many points: states that differ by points
//! alone are the same, so that `114|66` and `48|0` are. All that strategies ask of a state is found
//! once. Points, means, temperatures and walls are integers in units of the least power of two that
//! any of them needs.

use rustc_hash::FxHashMap;
use tabia_game::{Player, Seed};

use super::{MAX_LEVELS, Summand};
use crate::{Dyadic, Thermograph, TooLarge};

/// Sums have at most this many components.
pub const MAX_COMPONENTS: usize = 64;

/// Leaves are at most so far from zero.
pub const MAX_LEAF: i32 = 1 << 24;

/// Components have at most this many different states together: comparisons are kept for every two.
const MAX_STATES: u16 = 4096;

/// The state of a component that is an integer.
pub(super) const FINISHED: u16 = 0;

/// Taxes at which thermographic bounds are looked at.
pub(super) const TAXES: usize = 32;

/// Why a sum is none that can be played here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Too many components.
    #[error("{0} components; there may be {MAX_COMPONENTS}")]
    Components(usize),
    /// A component is too deep.
    #[error("a component has {0} levels; it may have {MAX_LEVELS}")]
    Levels(u32),
    /// A leaf is too large.
    #[error("a leaf is {0}; leaves may be from -{MAX_LEAF} to {MAX_LEAF}")]
    Leaf(i32),
    /// Too many different states.
    #[error("the components have more than {MAX_STATES} different states")]
    States,
    /// A position in which nobody wants to move.
    #[error("in {0} both players would rather have the other move")]
    Zugzwang(String),
    /// A number is too large.
    #[error(transparent)]
    Number(#[from] TooLarge),
}

#[derive(Clone, Debug)]
pub(super) struct State {
    /// Where the moves of either player lead, and how many units they add to the score.
    pub(super) children: [(u16, i64); 2],
    pub(super) mean: i64,
    pub(super) temperature: i64,
    pub(super) pseudo_temperatures: [i64; 2],
    /// The left and the right wall at the taxes of the sum.
    pub(super) walls: [[i64; TAXES]; 2],
    pub(super) plies: u32,
    /// The points that it is worth, if nobody gains by moving in it.
    pub(super) settled: Option<i64>,
    /// The state that cancels it out, and the points that both are worth then.
    pub(super) negative: Option<(u16, i64)>,
}

/// Components to be played side by side.
#[derive(Clone, Debug)]
pub struct Sum {
    start: Position,
    components: Vec<Summand>,
    thermographs: Vec<Thermograph>,
    states: Vec<State>,
    taxes: [i64; TAXES],
    /// A point is two to this power units.
    unit: u32,
}

/// The states of the components, and the points that are out of reach of further moves.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Position {
    pub(super) states: Vec<u16>,
    /// In units.
    pub(super) score: i64,
}

impl Position {
    /// Whether nobody can move.
    pub fn is_over(&self) -> bool {
        self.states.iter().all(|&state| state == FINISHED)
    }

    /// The components in which there are moves.
    pub fn moves(&self) -> impl Iterator<Item = usize> + '_ {
        let states = self.states.iter().enumerate();
        states
            .filter(|&(_, &state)| state != FINISHED)
            .map(|(component, _)| component)
    }
}

/// What is known of a state before units are.
struct Draft {
    component: Summand,
    children: [(u16, i32); 2],
    stops: [i32; 2],
    plies: u32,
    graph: Thermograph,
}

#[derive(Default)]
struct Drafts {
    index: FxHashMap<Summand, u16>,
    drafts: Vec<Draft>,
}

impl Drafts {
    /// The state of a component, and the points on top of it.
    fn intern(&mut self, component: &Summand) -> Result<(u16, i32), Refused> {
        let points = component.rightmost();
        let lowered = component.lowered(points);
        if let Some(&known) = self.index.get(&lowered) {
            return Ok((known, points));
        }
        let draft = match &lowered {
            Summand::Integer(_) => Draft {
                component: lowered.clone(),
                children: [(FINISHED, 0); 2],
                stops: [0; 2],
                plies: 0,
                graph: Thermograph::of_integer(Dyadic::ZERO),
            },
            Summand::Options(options) => {
                let children = [self.intern(&options[0])?, self.intern(&options[1])?];
                let draft = |(state, _): (u16, i32)| &self.drafts[usize::from(state)];
                let stop = |side: usize| draft(children[side]).stops[1 - side] + children[side].1;
                let stops = [stop(0), stop(1)];
                if stops[0] < stops[1] {
                    return Err(Refused::Zugzwang(component.to_string()));
                }
                let plies = children.map(|child| draft(child).plies + 1);
                Draft {
                    stops,
                    children,
                    plies: plies[0].max(plies[1]),
                    graph: lowered.tree().thermograph()?,
                    component: lowered.clone(),
                }
            }
        };
        let state = u16::try_from(self.drafts.len()).ok();
        let state = state.filter(|&state| state < MAX_STATES);
        let state = state.ok_or(Refused::States)?;
        self.drafts.push(draft);
        self.index.insert(lowered, state);
        Ok((state, points))
    }

    /// The state that cancels out another if it comes up in the sum, and the points of both
    /// together.
    fn negative(&self, draft: &Draft) -> Option<(u16, i32)> {
        let negative = draft.component.negative();
        let points = negative.rightmost();
        let state = self.index.get(&negative.lowered(points))?;
        Some((*state, -points))
    }
}

/// A number in units of which a point has two to this power.
fn scaled(number: Dyadic, unit: u32) -> i64 {
    number.numerator() << (unit - number.exponent())
}

impl Sum {
    /// The sum of these components.
    pub fn new(components: &[Summand]) -> Result<Sum, Refused> {
        if components.len() > MAX_COMPONENTS {
            return Err(Refused::Components(components.len()));
        }
        let mut drafts = Drafts::default();
        drafts.intern(&Summand::Integer(0))?;
        for component in components {
            if component.levels() > MAX_LEVELS {
                return Err(Refused::Levels(component.levels()));
            }
            let extreme = component.extreme();
            if extreme.unsigned_abs() > MAX_LEAF.unsigned_abs() {
                return Err(Refused::Leaf(extreme));
            }
        }
        // States are numbered alike in whatever order the components come, so that searches, which
        // go by these numbers where nothing else decides, do not depend on it.
        let lowered = components
            .iter()
            .map(|component| component.lowered(component.rightmost()));
        let mut ordered: Vec<Summand> = lowered.collect();
        ordered.sort_unstable();
        for component in &ordered {
            drafts.intern(component)?;
        }
        let (mut states, mut score) = (Vec::new(), 0);
        for component in components {
            let (state, points) = drafts.intern(component)?;
            states.push(state);
            score += i64::from(points);
        }
        let unit = drafts.drafts.iter().map(|draft| finest(&draft.graph)).max();
        let unit = unit.unwrap_or_default();
        let hottest = drafts.drafts.iter().map(|draft| temperature(&draft.graph));
        let hottest = hottest.max().map_or(0, |t| scaled(t, unit));
        let mut sum = Sum {
            start: Position {
                states,
                score: score << unit,
            },
            components: Vec::new(),
            thermographs: Vec::new(),
            states: Vec::new(),
            taxes: std::array::from_fn(|k| hottest * k as i64 / (TAXES as i64 - 1)),
            unit,
        };
        let negatives: Vec<_> = drafts.drafts.iter().map(|d| drafts.negative(d)).collect();
        for (draft, negative) in drafts.drafts.into_iter().zip(negatives) {
            let state = sum.state(&draft, negative)?;
            sum.states.push(state);
            sum.components.push(draft.component);
            sum.thermographs.push(draft.graph);
        }
        Ok(sum)
    }

    /// A sum of this many random components, see [`Summand::random`].
    pub fn random(components: usize, levels: u32, size: u32, seed: Seed) -> Result<Sum, Refused> {
        let mut rng = seed.rng();
        let components: Vec<Summand> = (0..components)
            .map(|_| Summand::random(levels, size, &mut rng))
            .collect();
        Sum::new(&components)
    }

    fn state(&self, draft: &Draft, negative: Option<(u16, i32)>) -> Result<State, TooLarge> {
        let graph = &draft.graph;
        let of = |number: Dyadic| scaled(number, self.unit);
        let mut walls = [[0; TAXES]; 2];
        for (wall, points) in walls.iter_mut().zip([graph.left(), graph.right()]) {
            for (at, &tax) in wall.iter_mut().zip(&self.taxes) {
                *at = of(points.at(Dyadic::new(tax, self.unit)?)?);
            }
        }
        let pseudo = |player| {
            let known = graph.pseudo_temperature(player);
            of(known.unwrap_or(Dyadic::ZERO).max(Dyadic::ZERO))
        };
        let units = |points: i32| i64::from(points) << self.unit;
        Ok(State {
            children: draft.children.map(|(state, points)| (state, units(points))),
            mean: of(graph.mean()),
            temperature: of(temperature(graph)),
            pseudo_temperatures: [pseudo(Player::FIRST), pseudo(Player::SECOND)],
            walls,
            plies: draft.plies,
            settled: (draft.stops[0] == draft.stops[1]).then(|| units(draft.stops[0])),
            negative: negative.map(|(state, points)| (state, units(points))),
        })
    }

    /// The position before the first move.
    pub fn start(&self) -> Position {
        self.start.clone()
    }

    /// Moves in a component; nothing happens if there is no move in it.
    #[inline]
    pub fn play(&self, position: &mut Position, player: Player, component: usize) {
        if let Some(state) = position.states.get_mut(component) {
            let (child, units) = self.states[usize::from(*state)].children[player.index() % 2];
            *state = child;
            position.score += units;
        }
    }

    /// Makes an end of a component that has just changed if nobody gains by moving in it, or of it
    /// and another one if they cancel out: that one and its state are returned.
    #[inline]
    pub(super) fn simplify(
        &self,
        position: &mut Position,
        component: usize,
    ) -> Option<(usize, u16)> {
        let state = self.at(position.states[component]);
        if let Some(points) = state.settled {
            position.states[component] = FINISHED;
            position.score += points;
            return None;
        }
        let (negative, points) = state.negative?;
        let mut states = position.states.iter().enumerate();
        let (twin, _) = states.find(|&(place, &s)| place != component && s == negative)?;
        position.states[component] = FINISHED;
        position.states[twin] = FINISHED;
        position.score += points;
        Some((twin, negative))
    }

    /// The points that no move can change; all of them when play is over.
    pub fn score(&self, position: &Position) -> i64 {
        position.score >> self.unit
    }

    /// The thermograph of a component in a position, but for the points that count already.
    pub fn thermograph(&self, position: &Position, component: usize) -> Option<&Thermograph> {
        let state = position.states.get(component)?;
        self.thermographs.get(usize::from(*state))
    }

    /// The temperature of a component in a position. Points are not paid for moving, so taxes begin
    /// at 0, and so do temperatures: where the walls of a thermograph have met below, it is 0.
    pub fn temperature_of(&self, position: &Position, component: usize) -> Option<Dyadic> {
        self.thermograph(position, component).map(temperature)
    }

    /// The pseudo-temperature of a player in a component of a position, from tax 0 on.
    pub fn pseudo_temperature(
        &self,
        position: &Position,
        component: usize,
        player: Player,
    ) -> Option<Dyadic> {
        let graph = self.thermograph(position, component)?;
        let known = graph.pseudo_temperature(player);
        Some(known.unwrap_or(Dyadic::ZERO).max(Dyadic::ZERO))
    }

    /// The temperature of the hottest component in which there are moves.
    pub fn temperature(&self, position: &Position) -> Option<Dyadic> {
        let temperatures = position.moves().map(|c| self.temperature_of(position, c));
        temperatures.flatten().max()
    }

    /// The longest line of play.
    pub fn plies(&self, position: &Position) -> u32 {
        let states = position.states.iter();
        states.map(|&state| self.at(state).plies).sum()
    }

    #[inline]
    pub(super) fn at(&self, state: u16) -> &State {
        &self.states[usize::from(state)]
    }

    pub(super) fn taxes(&self) -> &[i64; TAXES] {
        &self.taxes
    }

    pub(super) fn unit(&self) -> u32 {
        self.unit
    }

    pub(super) fn states(&self) -> u16 {
        // Each state has a number of this type.
        self.states.len() as u16
    }

    pub(super) fn component(&self, state: u16) -> &Summand {
        &self.components[usize::from(state)]
    }

    /// What a component becomes by a move; itself if there is none.
    pub(super) fn option(&self, state: u16, player: Player) -> &Summand {
        match self.component(state) {
            Summand::Options(options) => &options[player.index() % 2],
            finished => finished,
        }
    }
}

/// The temperature of a thermograph from tax 0 on.
fn temperature(graph: &Thermograph) -> Dyadic {
    graph.temperature().max(Dyadic::ZERO)
}

/// The finest denominator in a thermograph, as a power of two. Values on a wall are whole taxes
/// apart, so the corners show it.
fn finest(graph: &Thermograph) -> u32 {
    let corners = graph.left().points().iter().chain(graph.right().points());
    let corners = corners.flat_map(|&(tax, value)| [tax.exponent(), value.exponent()]);
    let pseudo = [Player::FIRST, Player::SECOND].map(|player| graph.pseudo_temperature(player));
    let pseudo = pseudo.into_iter().flatten().map(Dyadic::exponent);
    corners.chain(pseudo).max().unwrap_or_default()
}
