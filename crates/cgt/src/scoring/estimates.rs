//! What is said of a position without search: judgements, and bounds.

use tabia_game::Player;

use super::search::{Leaf, Search, sign};
use super::sum::{MAX_COMPONENTS, Position, Sum, TAXES};
use crate::{Dyadic, TooLarge};

/// Between which ends a value for the mover lies, in units.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Search<'_> {
    /// The judgement of a position for Left in units.
    pub(super) fn judge(&mut self, position: &Position, mover: Player) -> i64 {
        match self.leaf {
            Leaf::Means => {
                let means = position.states.iter().map(|&s| self.sum.at(s).mean);
                position.score + means.sum::<i64>()
            }
            Leaf::Rollout => {
                self.spare.states.clone_from(&position.states);
                self.spare.score = position.score;
                let mut mover = mover;
                while let Some(component) = hotstrat_plus(self.sum, &self.spare, mover) {
                    self.sum.play(&mut self.spare, mover, component);
                    mover = mover.other();
                }
                self.spare.score
            }
        }
    }

    /// Bounds of the value for the mover in units; values are whole points.
    pub(super) fn bounds(&self, position: &Position, mover: Player) -> Range {
        let (own, other) = (mover.index() % 2, 1 - mover.index() % 2);
        let sign = sign(mover);
        if position
            .states
            .iter()
            .all(|&state| self.sum.at(state).plies <= 1)
        {
            let value = self.switches(position, mover);
            return Range {
                low: value,
                high: value,
            };
        }
        let (mut means, mut hottest) = (position.score, 0);
        let (mut near, mut far, mut width) = ([0; TAXES], [0; TAXES], [0; TAXES]);
        for &state in &position.states {
            let state = self.sum.at(state);
            means += state.mean;
            hottest = hottest.max(state.temperature);
            for k in 0..TAXES {
                let (first, second) = (sign * state.walls[own][k], sign * state.walls[other][k]);
                near[k] += second;
                far[k] += first;
                width[k] = width[k].max(first - second);
            }
        }
        let (mut low, mut high) = (sign * means, sign * means + hottest);
        for (k, &tax) in self.sum.taxes().iter().enumerate() {
            low = low.max(sign * position.score + near[k] + width[k]);
            high = high.min(sign * position.score + far[k] + tax);
        }
        let unit = self.sum.unit();
        Range {
            low: -((-low) >> unit << unit),
            high: high >> unit << unit,
        }
    }

    /// The value for the mover, in units, of a position in which every component is a switch or finished: the
    /// widest switch is always the best, and is twice as wide as it is hot.
    fn switches(&self, position: &Position, mover: Player) -> i64 {
        let mut widths = [0; MAX_COMPONENTS];
        let mut total = 0;
        for (width, &state) in widths.iter_mut().zip(&position.states) {
            *width = (2 * self.sum.at(state).temperature).max(0);
            total += *width;
        }
        let widths = &mut widths[..position.states.len()];
        widths.sort_unstable_by(|a, b| b.cmp(a));
        let own: i64 = widths.iter().step_by(2).sum();
        match mover {
            Player::FIRST => position.score + own,
            _ => -(position.score + total - own),
        }
    }

    /// Bounds of the score from thermographs alone, in points for Left.
    pub fn thermographic_bounds(
        &self,
        position: &Position,
        mover: Player,
    ) -> Result<[Dyadic; 2], TooLarge> {
        let Range { low, high } = self.bounds(position, mover);
        let ends = match mover {
            Player::FIRST => [low, high],
            _ => [-high, -low],
        };
        let [low, high] = ends.map(|end| Dyadic::new(end, self.sum.unit()));
        Ok([low?, high?])
    }
}

/// The component with the highest pseudo-temperature of the mover, the first of equals.
pub(super) fn hotstrat_plus(sum: &Sum, position: &Position, mover: Player) -> Option<usize> {
    let heat = |component: usize| {
        let state = position.states[component];
        sum.at(state).pseudo_temperatures[mover.index() % 2]
    };
    let mut hottest: Option<(usize, i64)> = None;
    for component in position.moves() {
        let heat = heat(component);
        if hottest.is_none_or(|(_, most)| heat > most) {
            hottest = Some((component, heat));
        }
    }
    hottest.map(|(component, _)| component)
}
