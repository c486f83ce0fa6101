//! Canonical forms.
//!
//! Whether a set of options makes a number is seen from the stops of the options before anything
//! else: it does if the right stops on the left are below the left stops on the right, and
//! sometimes if they meet (Siegel 2013, section II.3). Everything else is simplified in the usual
//! way: dominated options are deleted, reversible ones bypassed.

use std::ops::Bound;

use super::{Exceeded, UNKNOWN, Value, Values};
use crate::{Dyadic, NumberUpStar};

/// A game by options that need not be canonical, and is no number.
struct Form<'a> {
    left: &'a [Value],
    right: &'a [Value],
    left_stop: Dyadic,
    right_stop: Dyadic,
    /// Its name in the cache of comparisons.
    name: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
}

impl Values {
    /// The value of the game with these options, in any order and with any superfluous ones.
    pub fn from_options(&mut self, left: &[Value], right: &[Value]) -> Result<Value, Exceeded> {
        let (mut lefts, mut rights) = (self.take_list(), self.take_list());
        lefts.extend_from_slice(left);
        rights.extend_from_slice(right);
        self.canonical(lefts, rights)
    }

    pub(super) fn canonical(
        &mut self,
        mut left: Vec<Value>,
        mut right: Vec<Value>,
    ) -> Result<Value, Exceeded> {
        let value = self.simplify(&mut left, &mut right)?;
        self.give_back(left);
        self.give_back(right);
        Ok(value)
    }

    fn simplify(
        &mut self,
        left: &mut Vec<Value>,
        right: &mut Vec<Value>,
    ) -> Result<Value, Exceeded> {
        left.sort_unstable();
        left.dedup();
        right.sort_unstable();
        right.dedup();
        if let Some(number) = self.number_between(left, right)? {
            return self.number(number);
        }
        self.delete_dominated(left, Side::Left)?;
        self.delete_dominated(right, Side::Right)?;
        let left_stop = left.iter().map(|&l| self.node(l).right_stop).max();
        let right_stop = right.iter().map(|&r| self.node(r).left_stop).min();
        let form = Form {
            left,
            right,
            left_stop: left_stop.expect("without left options it is a number"),
            right_stop: right_stop.expect("without right options it is a number"),
            name: self.unused_name(),
        };
        let lefts = self.bypass_reversible(&form, Side::Left)?;
        let rights = self.bypass_reversible(&form, Side::Right)?;
        let near_number = form.left_stop == form.right_stop;
        if let Some(list) = lefts {
            self.give_back(std::mem::replace(left, list));
        }
        if let Some(list) = rights {
            self.give_back(std::mem::replace(right, list));
        }
        left.sort_unstable();
        right.sort_unstable();
        if near_number && let Some(simple) = self.simple_of(left, right) {
            return self.intern_simple(simple);
        }
        self.intern(left, right)
    }

    /// The number that these options make, if it is one.
    fn number_between(
        &mut self,
        left: &[Value],
        right: &[Value],
    ) -> Result<Option<Dyadic>, Exceeded> {
        let mut lower = match left.iter().map(|&l| self.node(l).right_stop).max() {
            Some(stop) => Bound::Included(stop),
            None => Bound::Unbounded,
        };
        let mut upper = match right.iter().map(|&r| self.node(r).left_stop).min() {
            Some(stop) => Bound::Included(stop),
            None => Bound::Unbounded,
        };
        // An end is the number only if no option there is as good; ends that are not are taken
        // away, then asked again.
        loop {
            let Some(number) = Dyadic::simplest_between(lower, upper)? else {
                return Ok(None);
            };
            if lower == Bound::Included(number) && self.any_reaches(left, number, Side::Left)? {
                lower = Bound::Excluded(number);
            } else if upper == Bound::Included(number)
                && self.any_reaches(right, number, Side::Right)?
            {
                upper = Bound::Excluded(number);
            } else {
                return Ok(Some(number));
            }
        }
    }

    /// Whether one of Left's options is at least this number, or one of Right's at most.
    fn any_reaches(
        &mut self,
        options: &[Value],
        number: Dyadic,
        side: Side,
    ) -> Result<bool, Exceeded> {
        let number = self.number(number)?;
        for &option in options {
            if self.at_most(number, option, side)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether for the player of this side `a` is not better than `b`.
    #[inline]
    fn at_most(&mut self, a: Value, b: Value, side: Side) -> Result<bool, Exceeded> {
        match side {
            Side::Left => self.le(a, b),
            Side::Right => self.le(b, a),
        }
    }

    fn delete_dominated(&mut self, list: &mut Vec<Value>, side: Side) -> Result<(), Exceeded> {
        let mut kept = 0;
        'options: for i in 0..list.len() {
            let option = list[i];
            let mut j = 0;
            while j < kept {
                if self.at_most(option, list[j], side)? {
                    continue 'options;
                }
                if self.at_most(list[j], option, side)? {
                    kept -= 1;
                    list.swap(j, kept);
                } else {
                    j += 1;
                }
            }
            list[kept] = option;
            kept += 1;
        }
        list.truncate(kept);
        Ok(())
    }

    /// The options of one side after bypassing, if any was reversible.
    fn bypass_reversible(
        &mut self,
        form: &Form<'_>,
        side: Side,
    ) -> Result<Option<Vec<Value>>, Exceeded> {
        let own = match side {
            Side::Left => form.left,
            Side::Right => form.right,
        };
        let Some(first) = self.first_reversible(form, own, side)? else {
            return Ok(None);
        };
        let mut settled = self.take_list();
        settled.extend_from_slice(&own[..first]);
        let mut open = self.take_list();
        open.extend_from_slice(&own[first..]);
        while let Some(option) = open.pop() {
            match self.reversed_through(form, option, side)? {
                Some(through) => {
                    let range = match side {
                        Side::Left => self.lefts(through)?,
                        Side::Right => self.rights(through)?,
                    };
                    open.extend_from_slice(&self.options[range]);
                }
                None => settled.push(option),
            }
        }
        self.give_back(open);
        settled.sort_unstable();
        settled.dedup();
        self.delete_dominated(&mut settled, side)?;
        Ok(Some(settled))
    }

    fn first_reversible(
        &mut self,
        form: &Form<'_>,
        own: &[Value],
        side: Side,
    ) -> Result<Option<usize>, Exceeded> {
        for (i, &option) in own.iter().enumerate() {
            if self.reversed_through(form, option, side)?.is_some() {
                return Ok(Some(i));
            }
        }
        Ok(None)
    }

    /// The answer to this option that makes it reversible. A number is dominated whenever it is
    /// reversible, since the game is no number itself.
    fn reversed_through(
        &mut self,
        form: &Form<'_>,
        option: Value,
        side: Side,
    ) -> Result<Option<Value>, Exceeded> {
        if self.node(option).is_number() {
            return Ok(None);
        }
        let answers = match side {
            Side::Left => self.rights(option)?,
            Side::Right => self.lefts(option)?,
        };
        for i in answers {
            let answer = self.options[i];
            let reverses = match side {
                Side::Left => self.le_form(answer, form)?,
                Side::Right => self.form_le(form, answer)?,
            };
            if reverses {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Whether a value is at most the game of a form.
    fn le_form(&mut self, x: Value, form: &Form<'_>) -> Result<bool, Exceeded> {
        let node = self.node(x);
        if node.left_stop > form.left_stop || node.right_stop > form.right_stop {
            return Ok(false);
        }
        if node.left_stop < form.right_stop {
            return Ok(true);
        }
        if let Some(known) = self.orders.get((x.0, form.name)) {
            return Ok(known);
        }
        let answer = self.le_form_by_options(x, form)?;
        self.orders.put((x.0, form.name), answer);
        Ok(answer)
    }

    fn le_form_by_options(&mut self, x: Value, form: &Form<'_>) -> Result<bool, Exceeded> {
        for &right in form.right {
            if self.le(right, x)? {
                return Ok(false);
            }
        }
        if !self.node(x).is_number() {
            for i in self.lefts(x)? {
                if self.form_le(form, self.options[i])? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether the game of a form is at most a value.
    fn form_le(&mut self, form: &Form<'_>, x: Value) -> Result<bool, Exceeded> {
        let node = self.node(x);
        if form.left_stop > node.left_stop || form.right_stop > node.right_stop {
            return Ok(false);
        }
        if form.left_stop < node.right_stop {
            return Ok(true);
        }
        if let Some(known) = self.orders.get((form.name, x.0)) {
            return Ok(known);
        }
        let answer = self.form_le_by_options(form, x)?;
        self.orders.put((form.name, x.0), answer);
        Ok(answer)
    }

    fn form_le_by_options(&mut self, form: &Form<'_>, x: Value) -> Result<bool, Exceeded> {
        for &left in form.left {
            if self.le(x, left)? {
                return Ok(false);
            }
        }
        if !self.node(x).is_number() {
            for i in self.rights(x)? {
                if self.le_form(self.options[i], form)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The number-up-star with these canonical options, if it is one.
    fn simple_of(&self, left: &[Value], right: &[Value]) -> Option<NumberUpStar> {
        const FEW: usize = 2;
        let simple = |&option: &Value| self.node(option).simple();
        if left.len() <= FEW && right.len() <= FEW {
            let mut parts = [[NumberUpStar::default(); FEW]; 2];
            for (part, side) in parts.iter_mut().zip([left, right]) {
                for (place, option) in part.iter_mut().zip(side) {
                    *place = simple(option)?;
                }
            }
            return NumberUpStar::of_options(&parts[0][..left.len()], &parts[1][..right.len()]);
        }
        let side = |options: &[Value]| -> Option<Vec<NumberUpStar>> {
            options.iter().map(simple).collect()
        };
        NumberUpStar::of_options(&side(left)?, &side(right)?)
    }

    /// Counts down from the top, where no value is stored; the cache forgets all when the names
    /// have run out.
    fn unused_name(&mut self) -> u32 {
        if self.unnamed <= UNKNOWN >> 1 {
            self.unnamed = UNKNOWN;
            self.orders.clear();
        }
        self.unnamed -= 1;
        self.unnamed
    }
}
