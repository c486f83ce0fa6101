//! Strategies that do without an exact search of the sum, and what they lose.
//!
//! Hotstrat, Sentestrat and Thermostrat see thermographs alone (Berlekamp, Conway and Guy 1982,
//! chapter 6). Hotstrat can lose much; the other two lose at most the temperature of the hottest
//! component (Yedwab 1985). Hotstrat+ and the bounded searches are those of Müller and Li (2004).

use tabia_game::Player;

use super::estimates::hotstrat_plus;
use super::{Control, LeafEvaluation, Options, Position, Search, Sum};
use crate::{Dyadic, Exceeded};

/// A player of one game.
pub trait SumStrategy {
    /// The component to move in; none if play is over. `last` is where the opponent has just moved.
    fn choose(
        &mut self,
        position: &Position,
        mover: Player,
        last: Option<usize>,
    ) -> Result<Option<usize>, Exceeded>;

    /// Positions that searches have looked at.
    fn nodes(&self) -> u64 {
        0
    }
}

/// The strategies there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyKind {
    /// Plays in the hottest component.
    Hotstrat,
    /// Plays where its own pseudo-temperature is highest.
    HotstratPlus,
    /// Answers in the component that the opponent has made hotter than the ambient temperature,
    /// which never rises and begins as that of the hottest component; else plays in the hottest.
    Sentestrat,
    /// Plays in the component that is widest at the tax at which Left's compound wall, the right
    /// walls and the greatest width, is best. Of equal taxes the largest, of equal widths the
    /// hottest.
    Thermostrat,
    /// Searches with TEMP and INC up to a bound.
    Bounded(Control, LeafEvaluation),
}

impl StrategyKind {
    /// A player of one game of this sum.
    pub fn player<'s>(self, sum: &'s Sum) -> Result<Box<dyn SumStrategy + 's>, Exceeded> {
        Ok(match self {
            StrategyKind::Hotstrat => Box::new(Hotstrat { sum }),
            StrategyKind::HotstratPlus => Box::new(HotstratPlus { sum }),
            StrategyKind::Sentestrat => Box::new(Sentestrat {
                sum,
                ambient: sum.temperature(&sum.start()),
            }),
            StrategyKind::Thermostrat => Box::new(Thermostrat { sum }),
            StrategyKind::Bounded(control, leaf) => Box::new(Bounded {
                search: Search::new(sum, Options::PAPER)?,
                control,
                leaf,
                nodes: 0,
            }),
        })
    }
}

struct Hotstrat<'s> {
    sum: &'s Sum,
}

/// The first of the hottest components in which there are moves.
fn hottest(sum: &Sum, position: &Position) -> Option<usize> {
    let most = sum.temperature(position);
    let mut moves = position.moves();
    moves.find(|&component| sum.temperature_of(position, component) == most)
}

impl SumStrategy for Hotstrat<'_> {
    fn choose(
        &mut self,
        position: &Position,
        _: Player,
        _: Option<usize>,
    ) -> Result<Option<usize>, Exceeded> {
        Ok(hottest(self.sum, position))
    }
}

struct HotstratPlus<'s> {
    sum: &'s Sum,
}

impl SumStrategy for HotstratPlus<'_> {
    fn choose(
        &mut self,
        position: &Position,
        mover: Player,
        _: Option<usize>,
    ) -> Result<Option<usize>, Exceeded> {
        Ok(hotstrat_plus(self.sum, position, mover))
    }
}

struct Sentestrat<'s> {
    sum: &'s Sum,
    ambient: Option<Dyadic>,
}

impl SumStrategy for Sentestrat<'_> {
    fn choose(
        &mut self,
        position: &Position,
        _: Player,
        last: Option<usize>,
    ) -> Result<Option<usize>, Exceeded> {
        let mut moves = position.moves();
        if let Some(component) = moves.find(|&component| Some(component) == last)
            && self.sum.temperature_of(position, component) > self.ambient
        {
            return Ok(Some(component));
        }
        self.ambient = self.ambient.min(self.sum.temperature(position));
        Ok(hottest(self.sum, position))
    }
}

struct Thermostrat<'s> {
    sum: &'s Sum,
}

impl SumStrategy for Thermostrat<'_> {
    fn choose(
        &mut self,
        position: &Position,
        mover: Player,
        _: Option<usize>,
    ) -> Result<Option<usize>, Exceeded> {
        let graph = |component| self.sum.thermograph(position, component);
        let graphs: Vec<_> = position
            .moves()
            .filter_map(|component| Some((component, graph(component)?)))
            .collect();
        let corners = graphs.iter().flat_map(|(_, graph)| {
            let points = graph.left().points().iter().chain(graph.right().points());
            points.map(|&(tax, _)| tax)
        });
        // Between corners the compound wall is convex, so that it is best at a corner.
        let mut taxes: Vec<Dyadic> = corners.filter(|&tax| tax > Dyadic::ZERO).collect();
        taxes.push(Dyadic::ZERO);
        taxes.sort_unstable();
        taxes.dedup();
        let mut chosen: Option<(Dyadic, usize)> = None;
        for tax in taxes {
            let mut total = Dyadic::ZERO;
            let mut widest: Option<(Dyadic, Dyadic, usize)> = None;
            for &(component, graph) in &graphs {
                let (left, right) = (graph.left().at(tax)?, graph.right().at(tax)?);
                total = total.plus(match mover {
                    Player::FIRST => right,
                    _ => -left,
                })?;
                let width = (left.minus(right)?, graph.temperature().max(Dyadic::ZERO));
                if widest.is_none_or(|(wide, hot, _)| width > (wide, hot)) {
                    widest = Some((width.0, width.1, component));
                }
            }
            let Some((width, _, component)) = widest else {
                break;
            };
            let wall = total.plus(width)?;
            if chosen.is_none_or(|(best, _)| wall >= best) {
                chosen = Some((wall, component));
            }
        }
        Ok(chosen.map(|(_, component)| component))
    }
}

struct Bounded<'s> {
    search: Search<'s>,
    control: Control,
    leaf: LeafEvaluation,
    nodes: u64,
}

impl SumStrategy for Bounded<'_> {
    fn choose(
        &mut self,
        position: &Position,
        mover: Player,
        _: Option<usize>,
    ) -> Result<Option<usize>, Exceeded> {
        let (_, best, nodes) = self
            .search
            .estimate(position, mover, self.control, self.leaf)?;
        self.nodes += nodes;
        Ok(best)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// How many points fewer than under best play a strategy gets as this player, Left moving first,
/// against an opponent whose every move is the best one that the search finds.
pub fn loss(
    sum: &Sum,
    strategy: &mut dyn SumStrategy,
    player: Player,
    search: &mut Search<'_>,
) -> Result<i64, Exceeded> {
    let (mut position, mut mover, mut last) = (sum.start(), Player::FIRST, None);
    let best = search.solve(&position, mover)?.score;
    while !position.is_over() {
        let component = match mover == player {
            true => strategy.choose(&position, mover, last)?,
            false => search.solve(&position, mover)?.best,
        };
        let Some(component) = component else {
            break;
        };
        sum.play(&mut position, mover, component);
        (mover, last) = (mover.other(), Some(component));
    }
    let points = best - sum.score(&position);
    Ok(match player {
        Player::FIRST => points,
        _ => -points,
    })
}
