//! Kayles on stars (Fleischer and Trippen 2004).
//!
//! A star S(l1, ..., ld) is a centre from which paths of l1, ..., ld vertices go out, its rays;
//! rays of no length do not count, and with fewer than three rays it is a path. All moves along one
//! ray have a compact form (section 3.3): they leave `a` vertices of the ray at the star and `b`
//! beyond, and `a` = -1 means that the centre has gone, too, `a` = -2 that the other rays have lost
//! their first vertices as well. Then `a + b` is the length less 3 in Node-Kayles, less 1 or 2 in
//! Pin-Kayles.
//!
//! A class holds all stars that differ in one ray. Its nimbers are found by dynamic programming
//! over all classes with shorter fixed rays, each star once however its rays are ordered, in time
//! linear in the size of the star. Once a class is proved to be periodic it is continued by its
//! period.

mod moves;
mod period;
mod theory;

use std::iter::successors;

use rustc_hash::FxHashMap;
use tabia_cgt::impartial::{Mex, Octal, Period, find_period};
use tabia_game::{Limits, Meter, Stopped};

use super::Kayles;

pub use moves::Taken;
pub use period::{Disproved, PeriodClaim, StarPeriod};
pub(crate) use theory::theory;

/// More nimbers are not stored: 256 MiB of them.
const MAX_STORED: usize = 1 << 26;

/// What a class takes beside its nimbers, about as much as this many of them.
const CLASS_ROOM: usize = 40;

impl Kayles {
    /// The octal game that is played on paths.
    pub fn octal(self) -> Octal {
        let code = match self {
            Kayles::Node => ".137",
            Kayles::Pin => ".77",
        };
        code.parse().expect("a code of an octal game")
    }

    /// By how much the length of a ray exceeds `a + b`.
    fn gaps(self) -> &'static [i64] {
        match self {
            Kayles::Node => &[3],
            Kayles::Pin => &[1, 2],
        }
    }

    /// The least `a`: the move in the centre.
    fn innermost(self) -> i64 {
        match self {
            Kayles::Node => -2,
            Kayles::Pin => -1,
        }
    }

    /// The least `b`: below zero where the last vertex has no neighbour beyond it.
    fn outermost(self) -> i64 {
        match self {
            Kayles::Node => -1,
            Kayles::Pin => 0,
        }
    }
}

/// The nimbers of paths.
#[derive(Clone, Debug)]
pub struct Paths {
    rule: Kayles,
    octal: Period,
    /// All lengths by the period alone, if there are to be no exceptions.
    cycle: Option<Vec<u32>>,
}

impl Paths {
    /// Those of the octal game.
    pub fn new(rule: Kayles) -> Paths {
        let found = find_period(&rule.octal(), 1000, &mut Limits::default().meter());
        let octal = found
            .ok()
            .flatten()
            .expect("both games have a period below 1000");
        Paths {
            rule,
            octal,
            cycle: None,
        }
    }

    /// The regular world of section 4: the period of the octal game without its exceptions. The
    /// paper does not say what becomes of the empty path; its table 4 follows if a path of length 0
    /// counts as the period has it (8 in Node-Kayles) and negative lengths count 0.
    pub fn regular(rule: Kayles) -> Paths {
        let mut paths = Paths::new(rule);
        paths.cycle = Some(paths.octal.cycle());
        paths
    }

    /// The nimber of a path; 0 for negative lengths.
    pub fn nimber(&self, vertices: i64) -> u32 {
        let Ok(vertices) = u64::try_from(vertices) else {
            return 0;
        };
        let found = match &self.cycle {
            Some(cycle) => {
                let place = vertices % u64::from(self.octal.period);
                cycle.get(place as usize).copied()
            }
            None => self.octal.nimber(vertices),
        };
        found.expect("a proved period knows all paths")
    }

    /// The proof that the octal game is periodic.
    pub fn octal(&self) -> &Period {
        &self.octal
    }

    /// The length from which on there are no exceptions.
    fn preperiod(&self) -> u32 {
        match self.cycle {
            Some(_) => 0,
            None => self.octal.preperiod,
        }
    }
}

/// Why there is no nimber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// A limit was reached.
    #[error("stopped")]
    Stopped(#[from] Stopped),
    /// The stars that are needed do not fit.
    #[error(
        "there are more than {MAX_STORED} smaller stars to store: take fewer or shorter rays \
         beside the longest"
    )]
    TooMany,
    /// A path, about which the octal game knows all.
    #[error("a star with fewer than three rays is a path: a class has at least two fixed rays")]
    Path,
}

/// The nimbers of a class, from length -2 of the ray that varies.
#[derive(Clone, Debug, Default)]
struct Class {
    nimbers: Vec<u32>,
    claim: Option<PeriodClaim>,
}

impl Class {
    /// The nimber for a length of the ray.
    #[inline]
    fn at(&self, ray: u32) -> u32 {
        self.nimbers[ray as usize + 2]
    }

    /// The first length that is not known.
    fn next(&self) -> u32 {
        self.nimbers.len().saturating_sub(2) as u32
    }
}

/// The nimbers of stars, as far as they have been asked for.
///
/// ```
/// use tabia_combinatorial::kayles::{Kayles, stars::Stars};
/// use tabia_game::Limits;
///
/// let mut stars = Stars::new(Kayles::Node);
/// let mut meter = Limits::default().meter();
/// assert_eq!(stars.nimber(&[2, 1, 1], &mut meter), Ok(3));
/// let period = stars.period(&[1, 1], 2000, &mut meter).unwrap().unwrap();
/// assert_eq!((period.period(), period.last_irregular()), (34, Some(310)));
/// ```
#[derive(Clone, Debug)]
pub struct Stars {
    paths: Paths,
    /// The nimbers of paths from length -1.
    lookup: Vec<u32>,
    classes: FxHashMap<Vec<u32>, Class>,
    stored: usize,
}

impl Stars {
    /// Nothing is known at first.
    pub fn new(rule: Kayles) -> Stars {
        Stars::on(Paths::new(rule))
    }

    /// Stars that fall apart into these paths.
    pub fn on(paths: Paths) -> Stars {
        Stars {
            paths,
            lookup: Vec::new(),
            classes: FxHashMap::default(),
            stored: 0,
        }
    }

    /// The paths.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// The nimber of a star.
    pub fn nimber(&mut self, rays: &[u32], meter: &mut Meter) -> Result<u32, Unsolved> {
        let rays = sorted(rays);
        match rays[..] {
            [longest, ref fixed @ ..] if fixed.len() > 1 => {
                let claim = self.classes.get(fixed).and_then(|c| c.claim.as_ref());
                // A proof stores more than the preperiod and a period.
                let ray = claim.map_or(longest, |claim| claim.reduced(longest));
                self.extend(fixed, ray, meter)?;
                Ok(self.classes[fixed].at(ray))
            }
            _ => Ok(self.paths.nimber(path_length(&rays))),
        }
    }

    /// The nimbers of all stars with these fixed rays and one more, of length 0 up to this.
    pub fn class(&mut self, fixed: &[u32], to: u32, meter: &mut Meter) -> Result<&[u32], Unsolved> {
        let fixed = sorted(fixed);
        if fixed.len() < 2 {
            return Err(Unsolved::Path);
        }
        self.extend(&fixed, to, meter)?;
        Ok(&self.classes[&fixed].nimbers[2..to as usize + 3])
    }

    /// The moves from a star to positions with this nimber. They win a sum if the nimber is that of
    /// all other summands (section 3.5).
    pub fn moves_to(
        &mut self,
        rays: &[u32],
        nimber: u32,
        meter: &mut Meter,
    ) -> Result<Vec<Taken>, Unsolved> {
        let mut found = Vec::new();
        for taken in moves::all(self.paths.rule, rays) {
            let remains = moves::play(self.paths.rule, rays, taken);
            let star = match &remains.star {
                Some(rays) => self.nimber(rays, meter)?,
                None => 0,
            };
            if star ^ remains.paths(&self.paths) == nimber {
                found.push(taken);
            }
        }
        Ok(found)
    }

    /// Makes a class known up to a length, and all that it needs.
    fn extend(&mut self, fixed: &[u32], to: u32, meter: &mut Meter) -> Result<(), Unsolved> {
        let to = to.max(fixed.first().copied().unwrap_or(0));
        let known = |class: &Class| class.next() > to;
        if self.classes.get(fixed).is_some_and(known) {
            return Ok(());
        }
        if number_of_shorter(fixed).saturating_mul(to as usize + CLASS_ROOM) > MAX_STORED {
            return Err(Unsolved::TooMany);
        }
        for key in shorter(fixed) {
            self.grow(&key, to, meter)?;
        }
        Ok(())
    }

    /// Makes a class known up to a length. All classes with a shorter ray must be known so far,
    /// unless its own period is proved.
    fn grow(&mut self, key: &[u32], to: u32, meter: &mut Meter) -> Result<(), Unsolved> {
        let wanted = to as usize + 3;
        let known = |class: &Class| class.nimbers.len();
        let before = self.classes.get(key).map_or(0, known);
        if wanted <= before {
            return Ok(());
        }
        let overhead = match before {
            0 => CLASS_ROOM + key.len(),
            _ => 0,
        };
        if overhead + wanted - before > MAX_STORED - self.stored {
            return Err(Unsolved::TooMany);
        }
        let mut class = self.classes.remove(key).unwrap_or_default();
        let done = self.fill(&mut class, key, to, meter);
        self.stored += overhead + class.nimbers.len() - before;
        self.classes.insert(key.to_vec(), class);
        done
    }

    fn fill(
        &mut self,
        class: &mut Class,
        key: &[u32],
        to: u32,
        meter: &mut Meter,
    ) -> Result<(), Unsolved> {
        let rule = self.paths.rule;
        for length in self.lookup.len() as i64 - 1..=i64::from(to) {
            self.lookup.push(self.paths.nimber(length));
        }
        let path = |length: i64| self.lookup[(length + 1) as usize];
        if let &[ray] = key {
            let lengths = class.nimbers.len() as i64 - 2..=i64::from(to);
            let nimbers = lengths.map(|length| self.paths.nimber(length + i64::from(ray) + 1));
            class.nimbers.extend(nimbers);
            return Ok(());
        }
        let all = |less: i64| {
            let paths = key.iter().map(|&ray| path(i64::from(ray) - less));
            paths.fold(0, |sum, nimber| sum ^ nimber)
        };
        if class.nimbers.is_empty() {
            let without = self.classes[&key[1..]].at(key[0]);
            class.nimbers.extend([all(1), all(0), without]);
        }
        if let Some(claim) = &class.claim {
            for _ in class.next()..=to {
                let earlier = class.nimbers.len() - claim.period as usize;
                class.nimbers.push(class.nimbers[earlier]);
            }
            return Ok(());
        }
        let (cuts, shattered) = self.fixed_rays(key, all(0));
        let mut mex = Mex::new();
        for length in class.next()..=to {
            meter.tick()?;
            if length < key[0] {
                let other = replaced(key, 0, length);
                class.nimbers.push(self.classes[&other].at(key[0]));
                continue;
            }
            mex.clear();
            let ray = i64::from(length);
            for gap in rule.gaps() {
                let nearest = (rule.innermost() + 2) as usize;
                let inner = class.nimbers[nearest..].iter();
                let farthest = (rule.outermost() + 1) as usize;
                let beyond = (ray - gap - rule.innermost() + 1) as usize;
                let outer = self.lookup[farthest..=beyond].iter().rev();
                for (inner, outer) in inner.zip(outer) {
                    mex.insert(inner ^ outer);
                }
            }
            for &(nimbers, beyond) in &cuts {
                mex.insert(nimbers[length as usize + 2] ^ beyond);
            }
            let whole = self.lookup[length as usize + 1];
            for others in &shattered {
                mex.insert(others ^ whole);
            }
            class.nimbers.push(mex.least());
        }
        Ok(())
    }

    /// What moves on the fixed rays leave: nimbers of other classes with that of a path beyond, and
    /// nimbers of paths to which the whole ray that varies is to be added. The nimber of all fixed
    /// rays as paths is given.
    fn fixed_rays(&self, key: &[u32], whole: u32) -> (Vec<(&[u32], u32)>, Vec<u32>) {
        let path = |length: i64| self.lookup[(length + 1) as usize];
        let rule = self.paths.rule;
        let (mut cuts, mut shattered) = (Vec::new(), Vec::new());
        for (number, &ray) in key.iter().enumerate() {
            if number > 0 && key[number - 1] == ray {
                continue;
            }
            let ray = i64::from(ray);
            for gap in rule.gaps() {
                shattered.push(whole ^ path(ray) ^ path(ray - gap + 1));
                for inner in 0..=ray - gap - rule.outermost() {
                    let class = &self.classes[&replaced(key, number, inner as u32)];
                    cuts.push((&class.nimbers[..], path(ray - gap - inner)));
                }
            }
        }
        (cuts, shattered)
    }
}

/// Rays from the longest to the shortest, without empty ones.
fn sorted(rays: &[u32]) -> Vec<u32> {
    let mut rays: Vec<u32> = rays.iter().copied().filter(|&ray| ray > 0).collect();
    rays.sort_unstable_by(|a, b| b.cmp(a));
    rays
}

/// The rays with another length for one of them.
fn replaced(rays: &[u32], number: usize, length: u32) -> Vec<u32> {
    let mut rays = rays.to_vec();
    rays[number] = length;
    sorted(&rays)
}

/// The vertices of a star with fewer than three rays.
fn path_length(rays: &[u32]) -> i64 {
    rays.iter().map(|&ray| i64::from(ray)).sum::<i64>() + 1
}

/// All sorted rays of which none is longer than the one in its place, from the empty star's
/// successor to the rays themselves; those that come from others by shortening a ray come before
/// them.
fn shorter(rays: &[u32]) -> impl Iterator<Item = Vec<u32>> + '_ {
    let next = |now: &Vec<u32>| {
        let grows = |&place: &usize| {
            now[place] < rays[place] && place.checked_sub(1).is_none_or(|p| now[place] < now[p])
        };
        let place = (0..rays.len()).rev().find(grows)?;
        let mut next = now.clone();
        next[place] += 1;
        next[place + 1..].fill(0);
        Some(next)
    };
    successors(Some(vec![0; rays.len()]), next)
        .skip(1)
        .map(|rays| sorted(&rays))
}

/// How many there are of them.
fn number_of_shorter(rays: &[u32]) -> usize {
    let longest = rays.first().map_or(0, |&ray| ray as usize);
    // Each of that many classes would be as long.
    if longest.saturating_mul(longest) > 4 * MAX_STORED {
        return usize::MAX;
    }
    // By the length in the last place so far; the empty star begins any.
    let mut ways = vec![0usize; longest + 1];
    ways[longest] = 1;
    for &ray in rays {
        let mut longer = 0usize;
        for (length, ways) in ways.iter_mut().enumerate().rev() {
            longer = longer.saturating_add(*ways);
            *ways = if length > ray as usize { 0 } else { longer };
        }
    }
    let all = ways
        .iter()
        .fold(0usize, |sum, &ways| sum.saturating_add(ways));
    all - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_rays_are_counted_and_come_after_what_they_are_cut_to() {
        for rays in [vec![3, 2], vec![5, 5, 1], vec![4, 3, 3, 2], vec![1; 6]] {
            let all: Vec<Vec<u32>> = shorter(&rays).collect();
            assert_eq!(all.last(), Some(&rays));
            assert_eq!(number_of_shorter(&rays), all.len(), "{rays:?}");
            for (place, star) in all.iter().enumerate() {
                for (number, &ray) in star.iter().enumerate() {
                    for length in 0..ray {
                        let cut = replaced(star, number, length);
                        assert!(cut.is_empty() || all[..place].contains(&cut));
                    }
                }
            }
        }
    }
}
