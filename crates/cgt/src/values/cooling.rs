//! Cooling and heating (Berlekamp, Conway and Guy 1982, chapter 6; Siegel 2013, section II.5).

use rustc_hash::FxHashMap;

use super::{Exceeded, Value, Values};
use crate::Dyadic;

impl Values {
    /// The value cooled by a tax on every move, which must not be negative: `None` if it is. A
    /// value that is colder than that freezes to its mean.
    pub fn cool(&mut self, g: Value, tax: Dyadic) -> Result<Option<Value>, Exceeded> {
        if tax < Dyadic::ZERO {
            return Ok(None);
        }
        let paid = [self.number(-tax)?, self.number(tax)?];
        self.cooled(g, tax, paid, &mut FxHashMap::default())
            .map(Some)
    }

    fn cooled(
        &mut self,
        g: Value,
        tax: Dyadic,
        paid: [Value; 2],
        known: &mut FxHashMap<Value, Value>,
    ) -> Result<Value, Exceeded> {
        if self.is_number(g) {
            return Ok(g);
        }
        if let Some(&value) = known.get(&g) {
            return Ok(value);
        }
        let value = if tax > self.temperature(g)? {
            let mean = self.mean(g)?;
            self.number(mean)?
        } else {
            let mut sides = [Vec::new(), Vec::new()];
            let ranges = [self.lefts(g)?, self.rights(g)?];
            for ((side, range), paid_by) in sides.iter_mut().zip(ranges).zip(paid) {
                for i in range {
                    let option = self.cooled(self.options[i], tax, paid, known)?;
                    side.push(self.sum(option, paid_by)?);
                }
            }
            self.from_options(&sides[0], &sides[1])?
        };
        known.insert(g, value);
        Ok(value)
    }

    /// The value heated by a bonus on every move; numbers stay as they are.
    pub fn heat(&mut self, g: Value, bonus: Value) -> Result<Value, Exceeded> {
        self.heated(g, None, bonus, &mut FxHashMap::default())
    }

    /// The value overheated from `unit` to `bonus`: an integer becomes this many units, and every
    /// other move earns the bonus.
    pub fn overheat(&mut self, g: Value, unit: Value, bonus: Value) -> Result<Value, Exceeded> {
        self.heated(g, Some(unit), bonus, &mut FxHashMap::default())
    }

    fn heated(
        &mut self,
        g: Value,
        unit: Option<Value>,
        bonus: Value,
        known: &mut FxHashMap<Value, Value>,
    ) -> Result<Value, Exceeded> {
        if let Some(number) = self.as_number(g) {
            match unit {
                None => return Ok(g),
                Some(unit) if number.is_integer() => {
                    let times = i32::try_from(number.numerator()).map_err(|_| Exceeded::Number)?;
                    return self.multiple(unit, times);
                }
                Some(_) => {}
            }
        }
        if let Some(&value) = known.get(&g) {
            return Ok(value);
        }
        let mut sides = [Vec::new(), Vec::new()];
        let ranges = [self.lefts(g)?, self.rights(g)?];
        let bonuses = [bonus, self.negative(bonus)?];
        for ((side, range), earned) in sides.iter_mut().zip(ranges).zip(bonuses) {
            for i in range {
                let option = self.heated(self.options[i], unit, bonus, known)?;
                side.push(self.sum(option, earned)?);
            }
        }
        let value = self.from_options(&sides[0], &sides[1])?;
        known.insert(g, value);
        Ok(value)
    }
}
