//! Thermographs: what a value is worth to either player as a function of the tax on moves.
//!
//! Moving costs a tax t; the left wall is the best that Left can get by starting, the right wall
//! the best for Right, up to the temperature at which they meet, and from there a mast goes up at
//! the mean (Berlekamp, Conway and Guy 1982, chapter 6). Taxes go down to -1, where each move is
//! paid a whole one: there integers are masts, and a number with the denominator 2^j has the
//! temperature -1/2^j (Siegel 2013, section II.5). All points are exact.
//!
//! The same construction serves canonical values and literal trees ([`Tree`](crate::Tree)), which
//! share nothing else.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::ops::Bound;

use tabia_game::Player;

use crate::{Dyadic, TooLarge};

type Point = (Dyadic, Dyadic);

/// The taxes begin here.
fn least_tax() -> Dyadic {
    -Dyadic::ONE
}

/// A function of the tax from -1 on: straight lines with slopes -1, 0 and 1 between its points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wall {
    points: Vec<Point>,
    /// The slope after the last point: 0 once the mast is drawn.
    rise: i64,
}

/// The slope between two points of a wall.
fn slope((_, from): Point, (_, to): Point) -> i64 {
    match to.cmp(&from) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

impl Wall {
    fn vertical(value: Dyadic) -> Wall {
        Wall {
            points: vec![(least_tax(), value)],
            rise: 0,
        }
    }

    /// The corners as tax and value, from tax -1 upwards; above the last the wall is vertical.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The value at a tax; at taxes below -1 the one at -1.
    pub fn at(&self, tax: Dyadic) -> Result<Dyadic, TooLarge> {
        let above = self.points.partition_point(|&(t, _)| t <= tax);
        let Some(before) = above.checked_sub(1) else {
            return Ok(self.points[0].1);
        };
        let start = self.points[before];
        match self.slope_after(before) {
            0 => Ok(start.1),
            rise => start.1.plus(tax.minus(start.0)?.times(rise)?),
        }
    }

    fn slope_after(&self, point: usize) -> i64 {
        match self.points.get(point + 1) {
            Some(&next) => slope(self.points[point], next),
            None => self.rise,
        }
    }

    /// The wall with this many taxes added to every value.
    fn taxed(&self, sign: i64) -> Result<Wall, TooLarge> {
        let mut points = self.points.clone();
        for (tax, value) in &mut points {
            *value = value.plus(tax.times(sign)?)?;
        }
        Ok(Wall {
            points,
            rise: self.rise + sign,
        })
    }

    fn negative(mut self) -> Wall {
        for (_, value) in &mut self.points {
            *value = -*value;
        }
        self.rise = -self.rise;
        self
    }

    /// The greater of both at every tax. Slopes differ by one at most, so that walls cross at their
    /// distance.
    fn max(&self, other: &Wall) -> Result<Wall, TooLarge> {
        let mut points: Vec<Point> = Vec::new();
        let mut last: Option<(Dyadic, Dyadic)> = None;
        for tax in taxes(self, other) {
            let (a, b) = (self.at(tax)?, other.at(tax)?);
            let lead = a.minus(b)?;
            if let Some((before, led)) = last
                && led.numerator().signum() * lead.numerator().signum() < 0
            {
                let crossing = before.plus(led.abs())?;
                points.push((crossing, self.at(crossing)?));
            }
            points.push((tax, a.max(b)));
            last = Some((tax, lead));
        }
        let (tax, lead) = last.expect("every wall has a point");
        let (ahead, behind) = match lead.cmp(&Dyadic::ZERO) {
            Ordering::Less => (other.rise, self.rise),
            Ordering::Equal => (self.rise.max(other.rise), i64::MIN),
            Ordering::Greater => (self.rise, other.rise),
        };
        if behind > ahead {
            let crossing = tax.plus(lead.abs())?;
            points.push((crossing, self.at(crossing)?));
        }
        let mut wall = Wall {
            points,
            rise: ahead.max(behind),
        };
        wall.straighten();
        Ok(wall)
    }

    /// Takes away the points that are no corners.
    fn straighten(&mut self) {
        let mut i = 1;
        while i < self.points.len() {
            if self.slope_after(i) == self.slope_after(i - 1) {
                self.points.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// The wall up to a tax, and a mast from there.
    fn with_mast(&self, temperature: Dyadic, mean: Dyadic) -> Wall {
        let mut points = self.points.clone();
        points.retain(|&(tax, _)| tax < temperature);
        points.push((temperature, mean));
        let mut wall = Wall { points, rise: 0 };
        wall.straighten();
        wall
    }

    /// The last tax from this one on at which the value is still the same.
    fn same_until(&self, tax: Dyadic) -> Dyadic {
        let mut i = self.points.partition_point(|&(t, _)| t <= tax) - 1;
        let mut until = tax;
        while self.slope_after(i) == 0 && i + 1 < self.points.len() {
            i += 1;
            until = self.points[i].0;
        }
        until
    }
}

/// The taxes at which one of two walls has a point.
fn taxes(a: &Wall, b: &Wall) -> Vec<Dyadic> {
    let both = a.points.iter().chain(&b.points);
    let mut taxes: Vec<Dyadic> = both.map(|&(tax, _)| tax).collect();
    taxes.sort_unstable();
    taxes.dedup();
    taxes
}

/// A thermograph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thermograph {
    left: Wall,
    right: Wall,
    temperature: Dyadic,
    mean: Dyadic,
    pseudo_temperatures: [Option<Dyadic>; 2],
}

impl Thermograph {
    /// The thermograph of an integer, at which nobody moves: a mast from tax -1 on.
    pub fn of_integer(integer: Dyadic) -> Thermograph {
        Thermograph {
            left: Wall::vertical(integer),
            right: Wall::vertical(integer),
            temperature: least_tax(),
            mean: integer,
            pseudo_temperatures: [None, None],
        }
    }

    /// The same thermograph, an integer's without the moves that cost nothing: values that are equal
    /// have equal thermographs then.
    pub fn of_value(self) -> Thermograph {
        match self.temperature == least_tax() {
            true => Thermograph::of_integer(self.mean),
            false => self,
        }
    }

    /// The thermograph of a game from those of its options.
    pub fn of_options<T: Borrow<Thermograph>>(
        left: &[T],
        right: &[T],
    ) -> Result<Thermograph, TooLarge> {
        let mut best: Option<Wall> = None;
        for option in left {
            let taxed = option.borrow().right.taxed(-1)?;
            best = Some(match best {
                Some(wall) => wall.max(&taxed)?,
                None => taxed,
            });
        }
        // Right's best is Left's best with all signs changed.
        let mut least: Option<Wall> = None;
        for option in right {
            let taxed = option.borrow().left.taxed(1)?.negative();
            least = Some(match least {
                Some(wall) => wall.max(&taxed)?,
                None => taxed,
            });
        }
        match (best, least.map(Wall::negative)) {
            (Some(left), Some(right)) if left.points[0].1 > right.points[0].1 => {
                Thermograph::of_scaffolds(&left, &right)
            }
            (left, right) => {
                let end = |wall: &Option<Wall>| match wall {
                    Some(wall) => Bound::Included(wall.points[0].1),
                    None => Bound::Unbounded,
                };
                // A wall that begins at the mast costs nothing for as long as it stays there.
                let pseudo = [&left, &right].map(|wall| {
                    let wall = wall.as_ref()?;
                    Some((wall.points[0].1, wall.same_until(least_tax())))
                });
                let integer = Dyadic::simplest_between(end(&left), end(&right))?
                    .expect("the left end is not above the right one");
                let free = |(start, until)| start == integer && until > least_tax();
                Ok(Thermograph {
                    pseudo_temperatures: pseudo.map(|known| {
                        let (_, until) = known.filter(|&known| free(known))?;
                        Some(until)
                    }),
                    ..Thermograph::of_integer(integer)
                })
            }
        }
    }

    /// Draws the mast from where the walls meet. They approach each other with slopes of 0, 1 or 2
    /// together.
    fn of_scaffolds(left: &Wall, right: &Wall) -> Result<Thermograph, TooLarge> {
        let mut base = least_tax();
        let mut width = left.at(base)?.minus(right.at(base)?)?;
        for tax in taxes(left, right) {
            let next = left.at(tax)?.minus(right.at(tax)?)?;
            if next <= Dyadic::ZERO {
                break;
            }
            (base, width) = (tax, next);
        }
        let index = |wall: &Wall| wall.points.partition_point(|&(t, _)| t <= base) - 1;
        let closing = right.slope_after(index(right)) - left.slope_after(index(left));
        let ahead = if closing == 2 { width.half()? } else { width };
        let temperature = base.plus(ahead)?;
        let mean = left.at(temperature)?;
        Ok(Thermograph {
            pseudo_temperatures: [
                Some(left.same_until(temperature)),
                Some(right.same_until(temperature)),
            ],
            left: left.with_mast(temperature, mean),
            right: right.with_mast(temperature, mean),
            temperature,
            mean,
        })
    }

    /// A thermograph by the corners of its walls, with its temperature, mean and
    /// pseudo-temperatures, such as a file holds; `None` if a wall does not begin at tax -1, has
    /// another slope than -1, 0 or 1, or does not end at the mast.
    pub fn of_points(
        [left, right]: [Vec<(Dyadic, Dyadic)>; 2],
        temperature: Dyadic,
        mean: Dyadic,
        pseudo_temperatures: [Option<Dyadic>; 2],
    ) -> Option<Thermograph> {
        let sound = |points: &[Point]| {
            let straight = |pair: &[Point]| {
                let (step, rise) = (pair[1].0.minus(pair[0].0), pair[1].1.minus(pair[0].1));
                matches!(
                    (step, rise),
                    (Ok(step), Ok(rise))
                        if step > Dyadic::ZERO && (rise.is_zero() || rise.abs() == step)
                )
            };
            points.first().is_some_and(|first| first.0 == least_tax())
                && points
                    .last()
                    .is_some_and(|last| last.0 <= temperature && last.1 == mean)
                && points.windows(2).all(straight)
        };
        (sound(&left) && sound(&right)).then_some(Thermograph {
            left: Wall {
                points: left,
                rise: 0,
            },
            right: Wall {
                points: right,
                rise: 0,
            },
            temperature,
            mean,
            pseudo_temperatures,
        })
    }

    /// The thermograph of the game with the players exchanged.
    pub fn negative(&self) -> Thermograph {
        let [left, right] = self.pseudo_temperatures;
        Thermograph {
            left: self.right.clone().negative(),
            right: self.left.clone().negative(),
            temperature: self.temperature,
            mean: -self.mean,
            pseudo_temperatures: [right, left],
        }
    }

    /// The value as a function of the tax if Left starts.
    pub fn left(&self) -> &Wall {
        &self.left
    }

    /// The value as a function of the tax if Right starts.
    pub fn right(&self) -> &Wall {
        &self.right
    }

    /// The tax from which on nobody cares to move.
    pub fn temperature(&self) -> Dyadic {
        self.temperature
    }

    /// Where the mast stands.
    pub fn mean(&self) -> Dyadic {
        self.mean
    }

    /// The largest tax at which it costs this player nothing to move: the player's side of the
    /// thermograph, wall or mast, is what the best option is worth after the tax (Müller and Li
    /// 2004). `None` if it costs something at every tax above -1, as in integers. A literal game
    /// may be worth an integer and still have moves that cost nothing: `2|0||0|-2` is worth 0, and
    /// either player can threaten to gain at any tax up to 1.
    pub fn pseudo_temperature(&self, player: Player) -> Option<Dyadic> {
        self.pseudo_temperatures[player.index() % 2]
    }
}
