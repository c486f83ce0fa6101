//! Classes of stars that are periodic, and the proof that they are so for ever.
//!
//! Let paths be periodic after length i1, and the class repeat itself with period P after length
//! i2, where P is a multiple of the periods of paths and of all classes with a shorter fixed ray. A
//! star whose ray is longer than i1 + i2 + 2P + t, where t is the most vertices of a ray that a
//! move takes, has the same options as the one whose ray is P shorter: of each cut of the ray
//! either the inner part is beyond i2 + P or the outer one beyond i1 + P (section 3.1). That is all
//! for rays of one vertex; in general the moves on the other rays lead to other classes, so the
//! length must also exceed P and where these become regular, each of them proved likewise.

use rustc_hash::FxHashMap;
use tabia_game::Meter;

use super::moves::{defined, star};
use super::{
    Kayles, MAX_STORED, Paths, Stars, Unsolved, number_of_shorter, replaced, shorter, sorted,
};

/// That a class is periodic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodClaim {
    /// The fixed rays, the longest first.
    pub fixed: Vec<u32>,
    /// The length of the other ray from which on nimbers repeat.
    pub preperiod: u32,
    /// The length of the period.
    pub period: u32,
}

impl PeriodClaim {
    /// The shortest ray with the nimber of this one, as far as the claim tells.
    pub(super) fn reduced(&self, ray: u32) -> u32 {
        let beyond = ray.checked_sub(self.preperiod);
        let beyond = beyond.and_then(|beyond| beyond.checked_rem(self.period));
        beyond.map_or(ray, |beyond| self.preperiod + beyond)
    }
}

/// A certificate that a class of stars is periodic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StarPeriod {
    /// What a move takes.
    pub rule: Kayles,
    /// Whether paths have no exceptions, as in section 4.
    pub regular: bool,
    /// The claim for the class itself comes last, after those for all classes with shorter rays.
    pub claims: Vec<PeriodClaim>,
    /// The nimbers of the class as far as the proof needs them, from length 0 of the ray that
    /// varies.
    pub nimbers: Vec<u32>,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Disproved {
    /// There is no claim, a claim is about no class, or one is missing that another rests on.
    #[error("a claim is missing or about no class")]
    Malformed,
    /// Too few nimbers.
    #[error("the proof needs the nimbers of {needed} stars, {given} are given")]
    TooShort {
        /// How many there should be.
        needed: u64,
        /// How many there are.
        given: u64,
    },
    /// A nimber that is not the least that is no option.
    #[error("the nimber for a ray of {0} is wrong")]
    WrongNimber(u32),
    /// A star that differs from the one a period later.
    #[error("with the rays {fixed:?}, a ray of {ray} and one a period longer differ")]
    NotPeriodic {
        /// The fixed rays.
        fixed: Vec<u32>,
        /// The other.
        ray: u32,
    },
    /// The proof for paths does not hold.
    #[error("the paths: {0}")]
    Paths(#[from] tabia_cgt::impartial::Refuted),
}

/// What the proof for a class rests on.
struct Ground {
    /// A period of paths and of all classes with a shorter ray.
    period: u64,
    /// All of these are regular from this length on.
    preperiod: u64,
}

impl Ground {
    /// From the claims for the classes with a shorter ray; none if one is missing.
    fn of<'a>(
        paths: &Paths,
        fixed: &[u32],
        claim: impl Fn(&[u32]) -> Option<&'a PeriodClaim>,
    ) -> Option<Ground> {
        let mut ground = Ground {
            period: paths.octal().period.into(),
            preperiod: paths.preperiod().into(),
        };
        for key in reductions(fixed).filter(|key| key.len() > 1) {
            let claim = claim(&key)?;
            ground.period = common_multiple(ground.period, claim.period.into());
            ground.preperiod = ground.preperiod.max(claim.preperiod.into());
        }
        Some(ground)
    }

    /// The length up to which a class must be computed, with the period that both have.
    fn needed(&self, paths: &Paths, preperiod: u32, period: u32) -> u64 {
        let period = common_multiple(self.period, period.into());
        let most_taken = u64::from(paths.octal().last_place);
        let ends = u64::from(paths.preperiod()) + u64::from(preperiod);
        // Both ends are one more than the last irregularities of the paper.
        let cuts = period.saturating_mul(2).saturating_add(ends + most_taken);
        let others = period.saturating_add(self.preperiod);
        cuts.saturating_sub(2).max(others)
    }
}

/// The classes that come from one by shortening a fixed ray.
fn reductions(fixed: &[u32]) -> impl Iterator<Item = Vec<u32>> + '_ {
    let places = fixed.iter().enumerate();
    places
        .flat_map(move |(number, &ray)| (0..ray).map(move |length| replaced(fixed, number, length)))
}

fn common_multiple(a: u64, b: u64) -> u64 {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor.max(1)).saturating_mul(b)
}

impl Stars {
    /// Proves that a class is periodic, and all classes with shorter rays; none if for some of them
    /// rays up to this length are not enough.
    pub fn period(
        &mut self,
        fixed: &[u32],
        to: u32,
        meter: &mut Meter,
    ) -> Result<Option<StarPeriod>, Unsolved> {
        let fixed = sorted(fixed);
        if fixed.len() < 2 {
            return Err(Unsolved::Path);
        }
        let least = 2 * self.paths.octal().period as usize;
        if number_of_shorter(&fixed).saturating_mul(least) > MAX_STORED {
            return Err(Unsolved::TooMany);
        }
        let mut claims = Vec::new();
        for key in shorter(&fixed).filter(|key| key.len() > 1) {
            let known = self.classes.get(&key).and_then(|class| class.claim.clone());
            let claim = match known {
                Some(claim) => Some(claim),
                None => self.prove(&key, to, meter)?,
            };
            let Some(claim) = claim else {
                return Ok(None);
            };
            claims.push(claim);
        }
        let needed = match (self.ground(&fixed), claims.last()) {
            (Some(ground), Some(claim)) => {
                ground.needed(&self.paths, claim.preperiod, claim.period)
            }
            _ => return Ok(None),
        };
        let nimbers = self.class(&fixed, needed as u32, meter)?.to_vec();
        Ok(Some(StarPeriod {
            rule: self.paths.rule,
            regular: self.paths.cycle.is_some(),
            claims,
            nimbers,
        }))
    }

    /// What the claims for shorter rays are good for; none before they are all proved.
    fn ground(&self, key: &[u32]) -> Option<Ground> {
        let claim = |key: &[u32]| self.classes.get(key)?.claim.as_ref();
        Ground::of(&self.paths, key, claim)
    }

    /// Computes a class until its period is proved; none if all classes with a shorter ray are not,
    /// or rays up to this length are not enough.
    fn prove(
        &mut self,
        key: &[u32],
        to: u32,
        meter: &mut Meter,
    ) -> Result<Option<PeriodClaim>, Unsolved> {
        let Some(ground) = self.ground(key) else {
            return Ok(None);
        };
        let to = to.max(key[0]);
        let guess = ground.needed(&self.paths, ground.preperiod as u32, 1);
        let mut length = u32::try_from(guess).map_or(to, |guess| to.min(guess.max(key[0])));
        loop {
            for other in reductions(key) {
                self.grow(&other, length, meter)?;
            }
            self.grow(key, length, meter)?;
            let claim = self.claim(key, &ground);
            if let Some(class) = self.classes.get_mut(key).filter(|_| claim.is_some()) {
                class.claim.clone_from(&claim);
                return Ok(claim);
            }
            if length >= to {
                return Ok(None);
            }
            length = to.min(length.saturating_add(length / 4 + 1));
        }
    }

    /// The shortest period that is proved by what is known of a class.
    fn claim(&self, key: &[u32], ground: &Ground) -> Option<PeriodClaim> {
        let nimbers = &self.classes[key].nimbers[2..];
        let base = self.paths.octal().period;
        let periods = (1..).map(|factor| factor * base);
        periods
            .take_while(|&period| 2 * (period as usize) < nimbers.len())
            .find_map(|period| {
                let mut pairs = nimbers.iter().zip(&nimbers[period as usize..]);
                let irregular = pairs.rposition(|(one, later)| one != later);
                let preperiod = irregular.map_or(0, |last| last as u32 + 1);
                let needed = ground.needed(&self.paths, preperiod, period);
                (needed < nimbers.len() as u64).then(|| PeriodClaim {
                    fixed: key.to_vec(),
                    preperiod,
                    period,
                })
            })
    }
}

impl StarPeriod {
    /// The length of the period.
    pub fn period(&self) -> u32 {
        self.claims.last().map_or(0, |claim| claim.period)
    }

    /// The longest ray whose nimber differs from that of one a period longer.
    pub fn last_irregular(&self) -> Option<u32> {
        self.claims.last()?.preperiod.checked_sub(1)
    }

    /// The length of the ray up to which the proof looks.
    pub fn proved_to(&self) -> u32 {
        (self.nimbers.len() as u32).saturating_sub(1)
    }

    /// The nimber for any length of the ray; a certificate that verifies always knows.
    pub fn nimber(&self, ray: u64) -> Option<u32> {
        let claim = self.claims.last()?;
        let start = u64::from(claim.preperiod);
        let place = match ray.checked_sub(start) {
            Some(beyond) => start + beyond.checked_rem(claim.period.into())?,
            None => ray,
        };
        self.nimbers.get(place as usize).copied()
    }

    /// The nimbers of the period, that of the multiples of its length first.
    pub fn cycle(&self) -> Vec<u32> {
        let Some(claim) = self.claims.last() else {
            return Vec::new();
        };
        let period = u64::from(claim.period.max(1));
        let start = u64::from(claim.preperiod).next_multiple_of(period);
        let rays = start..start + period;
        rays.filter_map(|ray| self.nimber(ray)).collect()
    }

    /// Checks the proof from the list of all moves alone: every nimber of every class that it rests
    /// on is computed anew by its definition.
    pub fn verify(&self) -> Result<(), Disproved> {
        let paths = match self.regular {
            true => Paths::regular(self.rule),
            false => Paths::new(self.rule),
        };
        paths.octal().verify()?;
        let mut known: FxHashMap<&[u32], &PeriodClaim> = FxHashMap::default();
        let mut needed = Vec::new();
        for claim in &self.claims {
            let fixed = &claim.fixed[..];
            if fixed.len() < 2 || claim.period == 0 || sorted(fixed) != fixed {
                return Err(Disproved::Malformed);
            }
            let ground = Ground::of(&paths, fixed, |key| known.get(key).copied());
            let ground = ground.ok_or(Disproved::Malformed)?;
            let length = ground.needed(&paths, claim.preperiod, claim.period);
            needed.push(u32::try_from(length).map_err(|_| Disproved::Malformed)?);
            known.insert(fixed, claim);
        }
        let (last, own) = match (self.claims.last(), needed.last()) {
            (Some(claim), Some(&needed)) => (claim, u64::from(needed) + 1),
            _ => return Err(Disproved::Malformed),
        };
        let given = self.nimbers.len() as u64;
        if given < own {
            return Err(Disproved::TooShort { needed: own, given });
        }
        let given = u32::try_from(given).map_err(|_| Disproved::Malformed)?;
        let lengths = needed.iter().chain(&last.fixed).copied();
        let farthest = lengths.fold(given, u32::max);
        let mut stars: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        for claim in &self.claims {
            for ray in 1..=farthest {
                let rays = sorted(&[&claim.fixed[..], &[ray]].concat());
                if !stars.contains_key(&rays) {
                    let smaller = |rays: &[u32]| stars.get(rays).copied();
                    let nimber = defined(&paths, &rays, smaller).ok_or(Disproved::Malformed)?;
                    stars.insert(rays, nimber);
                }
            }
        }
        let nimber = |fixed: &[u32], ray: u32| {
            let known = |rays: &[u32]| stars.get(rays).copied();
            star(&paths, &[fixed, &[ray]].concat(), known).ok_or(Disproved::Malformed)
        };
        for (ray, &given) in (0..).zip(&self.nimbers) {
            if nimber(&last.fixed, ray)? != given {
                return Err(Disproved::WrongNimber(ray));
            }
        }
        for (claim, needed) in self.claims.iter().zip(needed) {
            let fixed = &claim.fixed;
            for ray in claim.preperiod..=needed.saturating_sub(claim.period) {
                if nimber(fixed, ray)? != nimber(fixed, ray + claim.period)? {
                    let fixed = fixed.clone();
                    return Err(Disproved::NotPeriodic { fixed, ray });
                }
            }
        }
        Ok(())
    }
}
