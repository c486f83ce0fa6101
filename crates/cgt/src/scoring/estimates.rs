//! What is said of a position without search: judgements, and bounds.
//!
//! Bounds are those of a player who pays and is paid a tax t >= 0 for every move. Let R and L be
//! the sums of the right and left walls at t, and W the greatest distance of the walls of one
//! component: if Left starts, the score is at least R + W. After a move of Left it is Right who
//! starts, so that the move gets Left at most L' - W' of what is left then, and the best of these
//! bounds bounds the score.
//!
//! All switches together count as one component, since the walls of their sum are known: at any tax
//! the players take the switches that are hotter in turn, the hottest first. That is much narrower
//! than the walls of one switch after the other. If only switches are left, the score itself is
//! known.

use std::cmp::Reverse;

use tabia_game::Player;

use super::search::{LeafEvaluation, Search, sign};
use super::sum::{FINISHED, MAX_COMPONENTS, Position, Sum, TAXES};
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
            LeafEvaluation::Means => {
                let means = position.states.iter().map(|&s| self.sum.at(s).mean);
                position.score + means.sum::<i64>()
            }
            LeafEvaluation::Rollout => {
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

    /// Bounds of the value for the mover in units, and of what the move in each component gets at
    /// most; values are whole points. If the value is known, so that no move need be looked at, the
    /// latter are left alone.
    pub(super) fn bounds(
        &self,
        position: &Position,
        mover: Player,
        tops: &mut [i64; MAX_COMPONENTS],
    ) -> Range {
        let (own, other) = (mover.index() % 2, 1 - mover.index() % 2);
        let sign = sign(mover);
        let unit = self.sum.unit();
        let taxes = self.sum.taxes();
        let mut base = sign * position.score;
        let (mut near, mut far) = ([0; TAXES], [0; TAXES]);
        // The widest and the second widest component at every tax.
        let (mut wide, mut next) = ([0; TAXES], [0; TAXES]);
        let mut switches = [0; MAX_COMPONENTS];
        let (mut hot, mut others) = (0, 0);
        for &state in &position.states {
            if state == FINISHED {
                continue;
            }
            let state = self.sum.at(state);
            if state.plies == 1 {
                base += sign * state.mean;
                switches[hot] = state.temperature.max(0);
                hot += 1;
                continue;
            }
            others += 1;
            for k in 0..TAXES {
                let (first, second) = (sign * state.walls[own][k], sign * state.walls[other][k]);
                near[k] += second;
                far[k] += first;
                let width = first - second;
                next[k] = next[k].max(width.min(wide[k]));
                wide[k] = wide[k].max(width);
            }
        }
        let switches = &mut switches[..hot];
        switches.sort_unstable_by(|a, b| b.cmp(a));
        if others == 0 {
            let value = base + in_turn(switches, 0);
            return Range {
                low: value,
                high: value,
            };
        }
        let mut turns = [0; TAXES];
        let mut low = i64::MIN;
        for k in 0..TAXES {
            let turn = in_turn(switches, taxes[k]);
            turns[k] = turn;
            near[k] -= turn;
            far[k] += turn;
            next[k] = next[k].max(wide[k].min(2 * turn));
            wide[k] = wide[k].max(2 * turn);
            low = low.max(near[k] + wide[k]);
        }
        // Larger switches are better than smaller ones.
        let mut of_switch = i64::MAX;
        if let Some(&first) = switches.first() {
            for k in 0..TAXES {
                let then = (first - taxes[k]).max(0) - turns[k];
                let rest = if 2 * turns[k] == wide[k] {
                    next[k]
                } else {
                    wide[k]
                };
                of_switch = of_switch.min(far[k] - turns[k] + then - rest.max(2 * then));
            }
            of_switch += first;
        }
        let mut high = i64::MIN;
        for (top, &state) in tops.iter_mut().zip(&position.states) {
            if state == FINISHED {
                continue;
            }
            let state = self.sum.at(state);
            let mut most = i64::MAX;
            if state.plies == 1 {
                most = of_switch;
            } else {
                let (child, points) = state.children[own];
                let child = self.sum.at(child);
                for k in 0..TAXES {
                    let (first, second) =
                        (sign * state.walls[own][k], sign * state.walls[other][k]);
                    let rest = if first - second == wide[k] {
                        next[k]
                    } else {
                        wide[k]
                    };
                    let (then, after) = (sign * child.walls[own][k], sign * child.walls[other][k]);
                    most = most.min(far[k] - first + then - rest.max(then - after));
                }
                most += sign * points;
            }
            *top = (base + most) >> unit << unit;
            high = high.max(*top);
        }
        Range {
            low: -((-(base + low)) >> unit << unit),
            high,
        }
    }

    /// Bounds of the score from thermographs alone, in points for Left.
    pub fn thermographic_bounds(
        &self,
        position: &Position,
        mover: Player,
    ) -> Result<[Dyadic; 2], TooLarge> {
        let Range { low, high } = self.bounds(position, mover, &mut [0; MAX_COMPONENTS]);
        let ends = match mover {
            Player::FIRST => [low, high],
            _ => [-high, -low],
        };
        let [low, high] = ends.map(|end| Dyadic::new(end, self.sum.unit()));
        Ok([low?, high?])
    }
}

/// The component with the highest pseudo-temperature of the mover; of equals that with the state of
/// the least number, whatever the order of components.
pub(super) fn hotstrat_plus(sum: &Sum, position: &Position, mover: Player) -> Option<usize> {
    let heat = |component: usize| {
        let state = position.states[component];
        sum.at(state).pseudo_temperatures[mover.index() % 2]
    };
    let order = |&component: &usize| (Reverse(heat(component)), position.states[component]);
    position.moves().min_by_key(order)
}

/// What switches of these temperatures, the hottest first, bring the player who starts when moves
/// cost a tax: the players take them in turn.
fn in_turn(switches: &[i64], tax: i64) -> i64 {
    let mut gain = 0;
    for &switch in switches.iter().rev().skip_while(|&&switch| switch <= tax) {
        gain = switch - tax - gain;
    }
    gain
}
