//! Moves on a star, one by one, as in the four cases of section 3.3.

use super::{Kayles, Paths, path_length};

/// The vertices that a move takes, named by one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Taken {
    /// The number of the ray, counted from 0; the centre alone is on ray 0.
    pub ray: usize,
    /// How far from the centre, which is 0.
    pub distance: u32,
    /// Whether the next vertex on the ray goes, too, in Pin-Kayles.
    pub pair: bool,
}

/// What a move leaves of a star.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remains {
    /// The rays, if the centre is left.
    pub(super) star: Option<Vec<u32>>,
    /// The lengths of paths. They can be 0, and less where the end of a ray had no neighbour to be
    /// taken.
    pub(super) paths: Vec<i64>,
}

impl Remains {
    /// The nimber of all paths together.
    pub(super) fn paths(&self, paths: &Paths) -> u32 {
        let nimbers = self.paths.iter().map(|&length| paths.nimber(length));
        nimbers.fold(0, |sum, nimber| sum ^ nimber)
    }
}

/// All moves.
pub(super) fn all(rule: Kayles, rays: &[u32]) -> Vec<Taken> {
    let mut moves = vec![Taken {
        ray: 0,
        distance: 0,
        pair: false,
    }];
    for (ray, &length) in rays.iter().enumerate() {
        let single = (1..=length).map(|distance| (distance, false));
        let pairs = (0..length).map(|distance| (distance, true));
        let pairs = pairs.filter(|_| rule == Kayles::Pin);
        moves.extend(single.chain(pairs).map(|(distance, pair)| Taken {
            ray,
            distance,
            pair,
        }));
    }
    moves
}

/// What is left after a move.
pub(super) fn play(rule: Kayles, rays: &[u32], taken: Taken) -> Remains {
    let lengths = || rays.iter().map(|&ray| i64::from(ray));
    let shattered = |less: &dyn Fn(usize) -> i64| Remains {
        star: None,
        paths: lengths()
            .enumerate()
            .map(|(ray, length)| length - less(ray))
            .collect(),
    };
    let on_ray = |ray: usize, vertices: i64| if ray == taken.ray { vertices } else { 0 };
    let last_left = match (rule, taken.distance) {
        (Kayles::Node, 0) => return shattered(&|_| 1),
        (Kayles::Node, 1) => return shattered(&|ray| on_ray(ray, 2)),
        (Kayles::Node, distance) => distance - 2,
        (Kayles::Pin, 0) => return shattered(&|ray| on_ray(ray, i64::from(taken.pair))),
        (Kayles::Pin, distance) => distance - 1,
    };
    let vertices = match (rule, taken.pair) {
        (Kayles::Node, _) => 3,
        (Kayles::Pin, true) => 2,
        (Kayles::Pin, false) => 1,
    };
    let mut star = rays.to_vec();
    star[taken.ray] = last_left;
    Remains {
        star: Some(star),
        paths: vec![i64::from(rays[taken.ray]) - i64::from(last_left) - vertices],
    }
}

/// The nimber of a star by its definition, given those of smaller stars; none if one is missing.
pub(super) fn defined(
    paths: &Paths,
    rays: &[u32],
    smaller: impl Fn(&[u32]) -> Option<u32>,
) -> Option<u32> {
    let mut reached = std::collections::BTreeSet::new();
    for taken in all(paths.rule, rays) {
        let remains = play(paths.rule, rays, taken);
        let star = match &remains.star {
            Some(rays) => star(paths, rays, &smaller)?,
            None => 0,
        };
        reached.insert(star ^ remains.paths(paths));
    }
    (0..).find(|nimber| !reached.contains(nimber))
}

/// The nimber of a star that may be a path.
pub(super) fn star(
    paths: &Paths,
    rays: &[u32],
    known: impl Fn(&[u32]) -> Option<u32>,
) -> Option<u32> {
    let rays = super::sorted(rays);
    match rays.len() {
        0..=2 => Some(paths.nimber(path_length(&rays))),
        _ => known(&rays),
    }
}
