//! Exact values of games with chance that are small enough to be laid out.
//!
//! All positions that can arise become one graph, which is taken apart into its strongly connected
//! components and solved from the ends of the game backwards. A game that never comes back to a
//! position, such as Dice, falls apart into single positions: layer by layer. Where a chance event
//! can leave everything as it was, as in ChanceBreakthrough (Schadd 2011, section 5.4.1), the
//! values of a component are a fixed point. It is approached by iteration; then the choices found
//! make a system of linear equations, whose solution is exact, and it is checked that nobody can do
//! better.
//!
//! Play without end is worth nothing to anybody. Games with a rule of repetition are refused:
//! chance may bring a position about again whatever the players do.

use std::collections::HashMap;
use std::hash::Hash;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use tabia_game::{Chance, Game, InexactUnderRule, Limits, Player, Stopped, Turn, TwoPlayer};

/// The value of a position for the first player, as a share of the largest payoff.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// To the precision of floating-point numbers.
    pub value: f64,
    /// As a fraction, unless that takes too many digits or positions.
    pub exact: Option<BigRational>,
    /// How many positions there are, those before and after a chance event both counted.
    pub positions: u64,
    /// How many of them lie on cycles.
    pub cyclic: u64,
}

impl Expectation {
    /// The same for the second player.
    #[must_use]
    pub fn flipped(self) -> Expectation {
        Expectation {
            value: -self.value,
            exact: self.exact.map(|exact| -exact),
            ..self
        }
    }
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpectationError {
    /// More positions than there is memory for.
    #[error("more than {0} positions can arise, which is more than there is memory for")]
    Memory(u64),
    /// A limit was reached.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A rule of repetition, which would need the path to every position.
    #[error(transparent)]
    Rule(#[from] InexactUnderRule),
    /// Chance events that cannot be enumerated.
    #[error("a chance event of this game has too many outcomes to be listed")]
    Unlisted,
}

/// Fractions are found for no more positions than this.
const MAX_EXACT: usize = 400_000;
/// Fractions longer than this are given up.
const MAX_BITS: u64 = 4096;
/// Components larger than this are solved in floating point only.
const MAX_SYSTEM: usize = 48;
/// Iterations change values by less than this when they end.
const PRECISION: f64 = 1e-16;
const MAX_ITERATIONS: usize = 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Over(i32),
    Max,
    Min,
    Chance,
}

/// Everything that can arise from a position, which has the number zero.
struct Graph {
    kinds: Vec<Kind>,
    /// Where the edges of each position begin, and the end of the last.
    starts: Vec<usize>,
    next: Vec<u32>,
    /// The weight of each outcome; zero for a move.
    weights: Vec<u64>,
}

impl Graph {
    fn lay_out<G>(
        game: &G,
        root: &G::State,
        max_positions: u64,
        limits: &Limits,
    ) -> Result<Graph, ExpectationError>
    where
        G: TwoPlayer + Chance + Game<State: Hash>,
    {
        let mut meter = limits.meter();
        let mut numbers: HashMap<G::State, u32> = HashMap::from([(root.clone(), 0)]);
        let mut states = vec![root.clone()];
        let mut graph = Graph {
            kinds: Vec::new(),
            starts: vec![0],
            next: Vec::new(),
            weights: Vec::new(),
        };
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(state) = states.get(at).cloned() {
            at += 1;
            meter.tick()?;
            moves.clear();
            outcomes.clear();
            let kind = match game.turn(&state) {
                Turn::Over => Kind::Over(game.payoff(&state, Player::FIRST)),
                Turn::Player(Player::FIRST) => Kind::Max,
                Turn::Player(_) => Kind::Min,
                Turn::Chance => Kind::Chance,
            };
            match kind {
                Kind::Chance => game.outcomes(&state, &mut outcomes),
                Kind::Over(_) => {}
                _ => {
                    game.moves(&state, &mut moves);
                    outcomes.extend(moves.iter().map(|&mv| (mv, 0)));
                }
            }
            if kind == Kind::Chance && outcomes.is_empty() {
                return Err(ExpectationError::Unlisted);
            }
            graph.kinds.push(kind);
            for &(mv, weight) in &outcomes {
                let mut child = state.clone();
                game.play(&mut child, mv);
                let new = states.len() as u32;
                let number = *numbers.entry(child.clone()).or_insert(new);
                if number == new {
                    if states.len() as u64 >= max_positions.min(u64::from(u32::MAX)) {
                        return Err(ExpectationError::Memory(max_positions));
                    }
                    states.push(child);
                }
                graph.next.push(number);
                graph.weights.push(weight);
            }
            graph.starts.push(graph.next.len());
        }
        Ok(graph)
    }

    fn len(&self) -> usize {
        self.kinds.len()
    }

    fn edges(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node]..self.starts[node + 1]
    }

    fn successors(&self, node: usize) -> &[u32] {
        &self.next[self.edges(node)]
    }

    /// Strongly connected components, each after all that can be reached from it (Tarjan 1972),
    /// without recursion.
    fn components(&self) -> Vec<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        let mut order = vec![NEW; self.len()];
        let mut low = vec![0u32; self.len()];
        let mut waiting = vec![false; self.len()];
        let (mut stack, mut found, mut counter) = (Vec::new(), Vec::new(), 0u32);
        // A position and how many of its successors were looked at.
        let mut path: Vec<(usize, usize)> = vec![(0, 0)];
        while let Some((node, looked)) = path.pop() {
            if looked == 0 {
                (order[node], low[node]) = (counter, counter);
                counter += 1;
                stack.push(node as u32);
                waiting[node] = true;
            }
            if let Some(&next) = self.successors(node).get(looked) {
                path.push((node, looked + 1));
                let next = next as usize;
                if order[next] == NEW {
                    path.push((next, 0));
                } else if waiting[next] {
                    low[node] = low[node].min(order[next]);
                }
                continue;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                let at = stack.iter().rposition(|&n| n as usize == node).unwrap_or(0);
                let component = stack.split_off(at);
                component.iter().for_each(|&n| waiting[n as usize] = false);
                found.push(component);
            }
        }
        found
    }

    fn is_cyclic(&self, component: &[u32]) -> bool {
        component.len() > 1
            || self
                .successors(component[0] as usize)
                .contains(&component[0])
    }

    /// What a position is worth if its successors are worth this.
    fn back_up(&self, node: usize, values: &[f64], largest: f64) -> f64 {
        let next = self.successors(node).iter().map(|&n| values[n as usize]);
        match self.kinds[node] {
            Kind::Over(payoff) => f64::from(payoff) / largest,
            Kind::Max => next.fold(f64::NEG_INFINITY, f64::max),
            Kind::Min => next.fold(f64::INFINITY, f64::min),
            Kind::Chance => {
                let weights = &self.weights[self.edges(node)];
                let sum: u64 = weights.iter().sum();
                let parts = next
                    .zip(weights)
                    .map(|(value, &weight)| value * weight as f64);
                parts.sum::<f64>() / sum as f64
            }
        }
    }

    fn solve(
        &self,
        components: &[Vec<u32>],
        largest: f64,
        limits: &Limits,
    ) -> Result<Vec<f64>, Stopped> {
        let mut meter = limits.meter();
        let mut values = vec![0.0; self.len()];
        for component in components {
            let cyclic = self.is_cyclic(component);
            for _ in 0..MAX_ITERATIONS {
                let mut change = 0f64;
                for &node in component {
                    meter.tick()?;
                    let value = self.back_up(node as usize, &values, largest);
                    change = change.max((value - values[node as usize]).abs());
                    values[node as usize] = value;
                }
                if !cyclic || change < PRECISION {
                    break;
                }
            }
        }
        Ok(values)
    }

    /// The same in fractions; nothing if that takes too much.
    fn solve_exactly(
        &self,
        components: &[Vec<u32>],
        near: &[f64],
        largest: i64,
    ) -> Option<BigRational> {
        if self.len() > MAX_EXACT {
            return None;
        }
        let mut values = vec![BigRational::zero(); self.len()];
        for component in components {
            if self.is_cyclic(component) {
                self.solve_system(component, near, &mut values)?;
            } else {
                let node = component[0] as usize;
                values[node] = self.exact(node, &values, largest);
            }
            let long = |&node: &u32| values[node as usize].denom().bits() > MAX_BITS;
            if component.iter().any(long) {
                return None;
            }
        }
        values.into_iter().next()
    }

    fn exact(&self, node: usize, values: &[BigRational], largest: i64) -> BigRational {
        let next = self.successors(node).iter().map(|&n| &values[n as usize]);
        let best = match self.kinds[node] {
            Kind::Over(payoff) => return BigRational::new(payoff.into(), largest.into()),
            Kind::Max => next.max().cloned(),
            Kind::Min => next.min().cloned(),
            Kind::Chance => {
                let weights = &self.weights[self.edges(node)];
                let sum: u64 = weights.iter().sum();
                let whole = BigRational::from_integer(sum.into());
                let parts = next
                    .zip(weights)
                    .map(|(value, &weight)| value * BigRational::from_integer(weight.into()));
                Some(parts.fold(BigRational::zero(), |a, b| a + b) / whole)
            }
        };
        best.unwrap_or_default()
    }

    /// Solves a component for the choices that look best, and checks that they are. Choices that
    /// prove worse than others are changed.
    fn solve_system(
        &self,
        component: &[u32],
        near: &[f64],
        values: &mut [BigRational],
    ) -> Option<()> {
        if component.len() > MAX_SYSTEM {
            return None;
        }
        let mut choices: Vec<Option<u32>> = component
            .iter()
            .map(|&node| {
                let node = node as usize;
                let next = self.successors(node).iter().copied();
                let by = |a: &u32, b: &u32| near[*a as usize].total_cmp(&near[*b as usize]);
                match self.kinds[node] {
                    Kind::Max => next.max_by(by),
                    Kind::Min => next.min_by(by),
                    _ => None,
                }
            })
            .collect();
        for _ in 0..64 {
            let found = self.equations(component, &choices, values)?;
            for (&node, value) in component.iter().zip(found) {
                values[node as usize] = value;
            }
            let mut changed = false;
            for (&node, choice) in component.iter().zip(&mut choices) {
                let node = node as usize;
                let next = self.successors(node).iter().copied();
                let best = match self.kinds[node] {
                    Kind::Max => next.max_by_key(|&n| &values[n as usize]),
                    Kind::Min => next.min_by_key(|&n| &values[n as usize]),
                    _ => None,
                };
                if let (Some(best), Some(own)) = (best, *choice)
                    && values[best as usize] != values[own as usize]
                {
                    *choice = Some(best);
                    changed = true;
                }
            }
            if !changed {
                return Some(());
            }
        }
        None
    }

    /// The values of a component if everybody keeps to these choices, by elimination. `None` if
    /// that does not determine them: then play need not end.
    fn equations(
        &self,
        component: &[u32],
        choices: &[Option<u32>],
        values: &[BigRational],
    ) -> Option<Vec<BigRational>> {
        let size = component.len();
        let place = |node: u32| component.iter().position(|&n| n == node);
        let one = || BigRational::from_integer(1.into());
        let mut rows: Vec<Vec<BigRational>> = Vec::with_capacity(size);
        for (i, (&node, choice)) in component.iter().zip(choices).enumerate() {
            let mut row = vec![BigRational::zero(); size + 1];
            row[i] = one();
            let mut term = |next: u32, share: BigRational| match place(next) {
                Some(j) => row[j] -= share,
                None => row[size] += share * &values[next as usize],
            };
            match choice {
                Some(next) => term(*next, one()),
                None => {
                    let edges = self.edges(node as usize);
                    let sum: u64 = self.weights[edges.clone()].iter().sum();
                    for edge in edges {
                        let share = BigRational::new(self.weights[edge].into(), sum.into());
                        term(self.next[edge], share);
                    }
                }
            }
            rows.push(row);
        }
        for column in 0..size {
            let pivot = (column..size).find(|&r| !rows[r][column].is_zero())?;
            rows.swap(column, pivot);
            let scale = rows[column][column].clone();
            rows[column].iter_mut().for_each(|x| *x /= &scale);
            let pivot = rows[column].clone();
            for (r, row) in rows.iter_mut().enumerate() {
                if r != column && !row[column].is_zero() {
                    let factor = row[column].clone();
                    row.iter_mut()
                        .zip(&pivot)
                        .for_each(|(x, p)| *x -= &factor * p);
                }
            }
        }
        Some(
            rows.into_iter()
                .map(|mut row| row.swap_remove(size))
                .collect(),
        )
    }
}

/// The value of a position with best play of both sides, if no more than `max_positions` positions
/// can arise from it.
pub fn expectation<G>(
    game: &G,
    state: &G::State,
    max_positions: u64,
    limits: &Limits,
) -> Result<Expectation, ExpectationError>
where
    G: TwoPlayer + Chance + Game<State: Hash>,
{
    game.repetition().check_allowed("the exact expectation")?;
    let graph = Graph::lay_out(game, state, max_positions, limits)?;
    let components = graph.components();
    let largest = game.max_payoff().max(1);
    let values = graph.solve(&components, f64::from(largest), limits)?;
    let exact = graph.solve_exactly(&components, &values, i64::from(largest));
    let cyclic = components.iter().filter(|c| graph.is_cyclic(c));
    Ok(Expectation {
        value: exact
            .as_ref()
            .and_then(BigRational::to_f64)
            .unwrap_or(values[0]),
        exact,
        positions: graph.len() as u64,
        cyclic: cyclic.map(|c| c.len() as u64).sum(),
    })
}
