//! What is asked of a single value.

use std::cmp::Ordering;
use std::sync::Arc;

use tabia_game::Player;

use super::{Exceeded, Value, Values};
use crate::{Dyadic, NumberUpStar, Thermograph};

impl Values {
    /// The value as a sum of a number, ups and a nimber, if it is one.
    pub fn as_number_up_star(&self, g: Value) -> Option<NumberUpStar> {
        self.node(g).simple()
    }

    /// The number, if it is one.
    pub fn as_number(&self, g: Value) -> Option<Dyadic> {
        let node = self.node(g);
        node.is_number().then_some(node.left_stop)
    }

    /// The size of the nim heap, if it is a nimber.
    pub fn as_nimber(&self, g: Value) -> Option<u32> {
        let simple = self.node(g).simple()?;
        simple.is_nimber().then_some(simple.nimber)
    }

    /// Whether it is a number.
    pub fn is_number(&self, g: Value) -> bool {
        self.node(g).is_number()
    }

    /// Whether it is a nimber.
    pub fn is_nimber(&self, g: Value) -> bool {
        self.as_nimber(g).is_some()
    }

    /// Whether it lies between all negative and all positive numbers.
    pub fn is_infinitesimal(&self, g: Value) -> bool {
        self.left_stop(g).is_zero() && self.right_stop(g).is_zero()
    }

    /// Whether both players can move in it and in all its positions until it is zero.
    pub fn is_all_small(&self, g: Value) -> bool {
        self.node(g).is_all_small
    }

    /// The number at which play stops if Left starts.
    pub fn left_stop(&self, g: Value) -> Dyadic {
        self.node(g).left_stop
    }

    /// The number at which play stops if Right starts.
    pub fn right_stop(&self, g: Value) -> Dyadic {
        self.node(g).right_stop
    }

    /// The depth of the canonical form.
    pub fn birthday(&mut self, g: Value) -> Result<u64, Exceeded> {
        if let Some(number) = self.as_number(g) {
            return Ok(number.birthday());
        }
        if let Some(&known) = self.birthdays.get(&g) {
            return Ok(known);
        }
        if let Some(nimber) = self.as_nimber(g) {
            return Ok(nimber.into());
        }
        let mut latest = 0;
        for i in self.lefts(g)?.chain(self.rights(g)?) {
            latest = latest.max(self.birthday(self.options[i])?);
        }
        self.birthdays.insert(g, latest + 1);
        Ok(latest + 1)
    }

    /// What each option of a player gains for the player, in the order of the options.
    pub fn incentives(&mut self, g: Value, player: Player) -> Result<Vec<Value>, Exceeded> {
        let options = self.options(g, player)?.to_vec();
        options
            .into_iter()
            .map(|option| match player {
                Player::FIRST => self.difference(option, g),
                _ => self.difference(g, option),
            })
            .collect()
    }

    /// The thermograph.
    pub fn thermograph(&mut self, g: Value) -> Result<Arc<Thermograph>, Exceeded> {
        if let Some(known) = self.thermographs.get(&g) {
            return Ok(known.clone());
        }
        let graph = match self.as_number(g) {
            Some(number) if number.is_integer() => Thermograph::of_integer(number),
            _ if let Some(same) = self.like(g)? => return self.thermograph(same),
            _ => {
                let mut sides = [Vec::new(), Vec::new()];
                for (side, range) in sides.iter_mut().zip([self.lefts(g)?, self.rights(g)?]) {
                    for i in range {
                        side.push(self.thermograph(self.options[i])?);
                    }
                }
                Thermograph::of_options(&sides[0], &sides[1])?
            }
        };
        let graph = Arc::new(graph);
        self.thermographs.insert(g, graph.clone());
        Ok(graph)
    }

    /// Of a number and a nimber that is not the least, that number and the least, which has the
    /// same thermograph: both players like best to leave nothing of the nimber, or a star while
    /// moves are paid.
    fn like(&mut self, g: Value) -> Result<Option<Value>, Exceeded> {
        match self.node(g).simple() {
            Some(simple) if simple.up == 0 && simple.nimber > 2 => {
                let like = NumberUpStar {
                    nimber: 2,
                    ..simple
                };
                self.number_up_star(like).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What the value is worth on average, in a sum of many copies.
    pub fn mean(&mut self, g: Value) -> Result<Dyadic, Exceeded> {
        match self.node(g).simple() {
            Some(simple) => Ok(simple.number),
            None => Ok(self.thermograph(g)?.mean()),
        }
    }

    /// How much it is worth to move: the tax on moves at which nobody cares to. Numbers with the
    /// denominator 2^j have the temperature -1/2^j.
    pub fn temperature(&mut self, g: Value) -> Result<Dyadic, Exceeded> {
        match self.node(g).simple() {
            Some(simple) if simple.is_number() => Ok(-simple.number.step()),
            Some(_) => Ok(Dyadic::ZERO),
            None => Ok(self.thermograph(g)?.temperature()),
        }
    }

    /// The atomic weight: how many ups an all-small value is worth. `None` for other values.
    ///
    /// It is {w(G^L) - 2 | w(G^R) + 2}, unless this is an integer: then it is the integer of those
    /// that fit that is nearest to zero, or the greatest or least if the value is greater or less
    /// than a remote star (Berlekamp, Conway and Guy 1982, chapter 8).
    pub fn atomic_weight(&mut self, g: Value) -> Result<Option<Value>, Exceeded> {
        if !self.is_all_small(g) {
            return Ok(None);
        }
        self.weight(g).map(Some)
    }

    fn weight(&mut self, g: Value) -> Result<Value, Exceeded> {
        if let Some(simple) = self.node(g).simple() {
            return self.integer(simple.up);
        }
        if let Some(&known) = self.atomic_weights.get(&g) {
            return Ok(known);
        }
        let mut sides = [Vec::new(), Vec::new()];
        for (side, (range, tax)) in sides
            .iter_mut()
            .zip([(self.lefts(g)?, -2), (self.rights(g)?, 2)])
        {
            let tax = self.integer(tax)?;
            for i in range {
                let weight = self.weight(self.options[i])?;
                side.push(self.sum(weight, tax)?);
            }
        }
        let plain = self.from_options(&sides[0], &sides[1])?;
        let weight = match self.as_number(plain) {
            Some(number) if number.is_integer() => {
                let number = self.eccentric_weight(g, number, &sides)?;
                self.number(number)?
            }
            _ => plain,
        };
        self.atomic_weights.insert(g, weight);
        Ok(weight)
    }

    /// Of the integers that are confused with or above all left and below all right options, the
    /// one that the remote star asks for.
    fn eccentric_weight(
        &mut self,
        g: Value,
        nearest: Dyadic,
        [left, right]: &[Vec<Value>; 2],
    ) -> Result<Dyadic, Exceeded> {
        let remote = u32::from(self.node(g).height) + 1;
        let star = self.nimber(remote.next_power_of_two())?;
        let difference = self.compare(g, star)?;
        let (step, bound) = match difference {
            None | Some(Ordering::Equal) => return Ok(nearest),
            Some(Ordering::Greater) => (Dyadic::ONE, right),
            Some(Ordering::Less) => (-Dyadic::ONE, left),
        };
        let mut best = nearest;
        loop {
            let next = best.plus(step)?;
            let candidate = self.number(next)?;
            for &option in bound {
                let reached = match difference {
                    Some(Ordering::Greater) => self.le(option, candidate)?,
                    _ => self.le(candidate, option)?,
                };
                if reached {
                    return Ok(best);
                }
            }
            best = next;
        }
    }
}
