//! The theory of stars for those who name them by texts: `star:3,2,1` and `path:7`.

use tabia_game::text::{place, shortened};
use tabia_game::{Meter, TextError};

use super::{Kayles, Paths, StarPeriod, Stars, Taken, Unsolved};
use crate::sums::SumError;
use crate::theory::{Asked, GROWING, MAX_SIZE, Periodic, Sequence, Theory, no_sequence};

/// From here on the period of a class is proved before a star is looked up in it.
const LONG: u32 = 2000;

/// The theory of one of the games.
pub(crate) fn theory(rules: Kayles) -> Box<dyn Theory> {
    Box::new(NamedStars {
        stars: Stars::new(rules),
        rules,
    })
}

struct NamedStars {
    rules: Kayles,
    stars: Stars,
}

impl Theory for NamedStars {
    fn nimber(&mut self, position: &str, meter: &mut Meter) -> Result<Option<u32>, SumError> {
        let Some(rays) = star(position)? else {
            return Ok(None);
        };
        let mut fixed: Vec<u32> = rays.iter().copied().filter(|&ray| ray > 0).collect();
        fixed.sort_unstable();
        if let Some(longest) = fixed.pop()
            && longest > LONG
            && fixed.len() > 1
        {
            self.stars.period(&fixed, longest, meter)?;
        }
        Ok(Some(self.stars.nimber(&rays, meter)?))
    }

    fn moves_to(
        &mut self,
        position: &str,
        nimber: u32,
        meter: &mut Meter,
    ) -> Result<Vec<String>, SumError> {
        let rays = star(position)?.unwrap_or_default();
        let moves = self.stars.moves_to(&rays, nimber, meter)?;
        let mut moves: Vec<(u32, Option<u32>)> = moves
            .into_iter()
            .map(|taken| vertices(&rays, taken))
            .collect();
        moves.sort_unstable();
        let told = moves.into_iter().map(|(one, other)| match other {
            Some(other) => format!("{one}+{other}"),
            None => one.to_string(),
        });
        Ok(told.collect())
    }

    fn sequence(
        &mut self,
        pattern: &str,
        asked: Asked,
        meter: &mut Meter,
    ) -> Result<Sequence, SumError> {
        match pattern
            .split_once(':')
            .map(|(name, rest)| (name.trim(), rest.trim()))
        {
            Some(("path", GROWING)) => Ok(paths(self.stars.paths(), asked)?),
            Some(("star", rays)) => {
                let fixed = fixed_rays(rays).ok_or_else(|| no_sequence(self, pattern))?;
                class(&mut self.stars, &fixed, asked, meter)
            }
            Some(("regular", rays)) => {
                let fixed = fixed_rays(rays).ok_or_else(|| no_sequence(self, pattern))?;
                class(
                    &mut Stars::on(Paths::regular(self.rules)),
                    &fixed,
                    asked,
                    meter,
                )
            }
            _ => Err(no_sequence(self, pattern)),
        }
    }

    fn sequence_help(&self) -> &'static str {
        "'path:_', a star with two or more fixed rays such as 'star:_,1,1', or such a star on \
         paths without exceptions to their period, 'regular:_,1,1'"
    }
}

/// The nimbers of paths and their period.
fn paths(paths: &Paths, asked: Asked) -> Result<Sequence, SumError> {
    let octal = paths.octal();
    let period = crate::octal::theory::periodic(octal, asked.verify)?;
    Ok(Sequence {
        nimbers: (1..=asked.to)
            .map(|length| paths.nimber(length.into()))
            .collect(),
        period: (period.proved_to <= asked.within).then_some(period),
    })
}

/// The nimbers of a class of stars and their period.
fn class(
    stars: &mut Stars,
    fixed: &[u32],
    asked: Asked,
    meter: &mut Meter,
) -> Result<Sequence, SumError> {
    let period = stars.period(fixed, asked.within, meter)?;
    let nimbers = stars.class(fixed, asked.to, meter)?[1..].to_vec();
    let period = period.map(|period| periodic(&period, asked.verify));
    Ok(Sequence {
        nimbers,
        period: period.transpose()?,
    })
}

fn periodic(period: &StarPeriod, verify: bool) -> Result<Periodic, SumError> {
    if verify {
        let disproved = |error: super::Disproved| SumError::Disproved(error.to_string());
        period.verify().map_err(disproved)?;
    }
    Ok(Periodic {
        period: period.period(),
        last_irregular: period.last_irregular(),
        proved_to: period.proved_to(),
        claims: period.claims.len(),
        cycle: period.cycle(),
        verified: verify,
    })
}

impl From<Unsolved> for SumError {
    fn from(error: Unsolved) -> SumError {
        match error {
            Unsolved::Stopped(stopped) => SumError::Stopped(stopped),
            other => SumError::Text(TextError::new(other.to_string())),
        }
    }
}

/// The vertices that a move takes, numbered as the rules of graphs number a star: the centre first,
/// then ray by ray.
fn vertices(rays: &[u32], taken: Taken) -> (u32, Option<u32>) {
    let before: u32 = rays[..taken.ray].iter().sum();
    let vertex = |distance: u32| match distance {
        0 => 1,
        _ => before + distance + 1,
    };
    let next = taken.pair.then(|| vertex(taken.distance + 1));
    (vertex(taken.distance), next)
}

/// The rays of a star or path by name; none of any other graph.
fn star(text: &str) -> Result<Option<Vec<u32>>, TextError> {
    let wrong = |part: &str, what: &str| {
        TextError::new(format!(
            "{}: '{}' is no {what}: a star is the lengths of its rays, such as 'star:3,2,1', and a \
             path is such as 'path:7'",
            place(text, part, |c| c.is_ascii_digit() || matches!(c, ',' | ' ')),
            shortened(text)
        ))
    };
    let rays = match text.split_once(':') {
        Some((name, vertices)) if name.trim() == "path" => {
            let number = vertices.trim().parse::<u32>().ok();
            let below = number.and_then(|vertices| vertices.checked_sub(1));
            vec![below.ok_or_else(|| wrong(vertices, "path of at least one vertex"))?]
        }
        Some((name, rays)) if name.trim() == "star" => {
            read_rays(rays).ok_or_else(|| wrong(rays, "star"))?
        }
        _ => return Ok(None),
    };
    let vertices = rays
        .iter()
        .fold(1, |sum: u32, &ray| sum.saturating_add(ray));
    match vertices > MAX_SIZE {
        true => Err(TextError::new(format!(
            "a star of more than {MAX_SIZE} vertices is too large"
        ))),
        false => Ok(Some(rays)),
    }
}

fn read_rays(text: &str) -> Option<Vec<u32>> {
    let words = text.split(',');
    words.map(|word| word.trim().parse().ok()).collect()
}

/// The fixed rays of a class, at least two.
fn fixed_rays(text: &str) -> Option<Vec<u32>> {
    let (growing, fixed): (Vec<&str>, Vec<&str>) = text
        .split(',')
        .map(str::trim)
        .partition(|&word| word == GROWING);
    let fixed: Option<Vec<u32>> = fixed
        .into_iter()
        .map(|word| word.parse().ok().filter(|&ray| ray <= MAX_SIZE))
        .collect();
    let fixed: Vec<u32> = fixed?.into_iter().filter(|&ray| ray > 0).collect();
    (growing.len() == 1 && fixed.len() > 1).then_some(fixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_game::Limits;

    #[test]
    fn stars_are_read_or_refused() {
        assert_eq!(star("star:3,2,1"), Ok(Some(vec![3, 2, 1])));
        assert_eq!(star(" star:3, 0 "), Ok(Some(vec![3, 0])));
        assert_eq!(star("path:7"), Ok(Some(vec![6])));
        for other in ["1-2,2-3", "cycle:5", "0", "wheel:3"] {
            assert_eq!(star(other), Ok(None), "{other}");
        }
        for text in [
            "star:3,,1",
            "path:0",
            "path:1,2",
            "star:-1",
            "star:",
            "star:3;1",
        ] {
            let error = star(text).unwrap_err().to_string();
            assert!(
                error.contains("3,2,1") && error.contains("path:7"),
                "{error}"
            );
        }
        for text in ["star:1000000", "star:4294967295,4294967295", "path:1000001"] {
            let error = star(text).unwrap_err().to_string();
            assert!(error.contains("too large"), "{text}");
        }
    }

    #[test]
    fn sequences_are_read_or_refused() {
        assert_eq!(fixed_rays("_,5,1"), Some(vec![5, 1]));
        assert_eq!(fixed_rays("5, _,1,0"), Some(vec![5, 1]));
        for text in [
            "",
            "_",
            "_,1",
            "_,0,1",
            "1,1",
            "_,_,1,1",
            "_,1,x",
            "_,1,1000001",
        ] {
            assert_eq!(fixed_rays(text), None, "{text}");
        }
        let asked = Asked {
            to: 10,
            within: 100,
            verify: false,
        };
        let mut stars = theory(Kayles::Node);
        for pattern in ["star:_,1", "_", "cycle:_", "path:7", "path:_,1"] {
            let error = stars.sequence(pattern, asked, &mut Limits::default().meter());
            let error = error.unwrap_err().to_string();
            assert!(error.contains("'star:_,1,1'"), "{error}");
        }
    }
}
