//! Sums and negatives.

use super::{Exceeded, UNKNOWN, Value, Values};

impl Values {
    /// Both games side by side.
    pub fn sum(&mut self, g: Value, h: Value) -> Result<Value, Exceeded> {
        if g == Value::ZERO {
            return Ok(h);
        }
        if h == Value::ZERO {
            return Ok(g);
        }
        let (a, b) = (self.node(g), self.node(h));
        if let (Some(a), Some(b)) = (a.simple(), b.simple()) {
            return self.intern_simple(a.plus(b)?);
        }
        if a.negative == h.0 {
            return Ok(Value::ZERO);
        }
        let (g, h) = if g < h { (g, h) } else { (h, g) };
        if let Some(known) = self.sums.get((g.0, h.0)) {
            return Ok(known);
        }
        let sum = match (self.node(g).is_number(), self.node(h).is_number()) {
            (true, _) => self.translate(h, g)?,
            (_, true) => self.translate(g, h)?,
            _ => self.sum_by_options(g, h)?,
        };
        self.sums.put((g.0, h.0), sum);
        Ok(sum)
    }

    /// A value that is no number plus a number: nobody moves in the number, and the form stays
    /// canonical (Siegel 2013, section II.3).
    fn translate(&mut self, g: Value, number: Value) -> Result<Value, Exceeded> {
        let (mut left, mut right) = (self.take_list(), self.take_list());
        for i in self.lefts(g)? {
            left.push(self.sum(self.options[i], number)?);
        }
        for i in self.rights(g)? {
            right.push(self.sum(self.options[i], number)?);
        }
        left.sort_unstable();
        right.sort_unstable();
        let sum = self.intern(&left, &right)?;
        self.give_back(left);
        self.give_back(right);
        Ok(sum)
    }

    fn sum_by_options(&mut self, g: Value, h: Value) -> Result<Value, Exceeded> {
        let (mut left, mut right) = (self.take_list(), self.take_list());
        for (a, b) in [(g, h), (h, g)] {
            for i in self.lefts(a)? {
                left.push(self.sum(self.options[i], b)?);
            }
            for i in self.rights(a)? {
                right.push(self.sum(self.options[i], b)?);
            }
        }
        self.canonical(left, right)
    }

    /// The game with the players exchanged.
    pub fn negative(&mut self, g: Value) -> Result<Value, Exceeded> {
        let node = self.node(g);
        if let Some(simple) = node.simple() {
            return self.intern_simple(simple.negative());
        }
        if node.negative != UNKNOWN {
            return Ok(Value(node.negative));
        }
        let (mut left, mut right) = (self.take_list(), self.take_list());
        for i in self.rights(g)? {
            left.push(self.negative(self.options[i])?);
        }
        for i in self.lefts(g)? {
            right.push(self.negative(self.options[i])?);
        }
        left.sort_unstable();
        right.sort_unstable();
        let negative = self.intern(&left, &right)?;
        self.give_back(left);
        self.give_back(right);
        self.nodes[g.0 as usize].negative = negative.0;
        self.nodes[negative.0 as usize].negative = g.0;
        Ok(negative)
    }

    /// `g` with `h` taken away: nothing if they are equal.
    pub fn difference(&mut self, g: Value, h: Value) -> Result<Value, Exceeded> {
        let minus = self.negative(h)?;
        self.sum(g, minus)
    }

    /// This many copies of a value side by side; copies of its negative for a negative number.
    pub fn multiple(&mut self, g: Value, times: i32) -> Result<Value, Exceeded> {
        let mut power = if times < 0 { self.negative(g)? } else { g };
        let mut rest = times.unsigned_abs();
        let mut total = Value::ZERO;
        while rest > 0 {
            if rest & 1 == 1 {
                total = self.sum(total, power)?;
            }
            rest >>= 1;
            if rest > 0 {
                power = self.sum(power, power)?;
            }
        }
        Ok(total)
    }
}
