//! How many parts would have to be evaluated for the value of a position, told before it is begun.
//!
//! Parts are listed by how many moves it takes to reach them, until there are many. Their number
//! grows by some factor with every further move, and this factor is assumed to keep falling as it
//! fell last. This gives the order of magnitude: for Domineering 5x6 and Amazons
//! 4x4, counted to the end, the estimate was between half the true number and five times as large.

use rustc_hash::FxHashSet;
use tabia_game::{Combinatorial, Player};

/// Parts that are listed.
const LISTED: usize = 50_000;

/// Options that are looked at. If this many lead to few parts, there are hardly any further parts.
const LOOKED_AT: usize = 2_000_000;

/// The factor falls at least this much with every move.
const FALLS: f64 = 0.95;

/// About how many parts the positions that can arise from this one have, where a part and its
/// negative count once.
pub fn parts<R: Combinatorial>(rules: &R, position: &R::Position) -> f64 {
    parts_by(rules, position, LISTED)
}

fn parts_by<R: Combinatorial>(rules: &R, position: &R::Position, listed: usize) -> f64 {
    let mut now = Vec::new();
    rules.split(position, &mut now);
    let mut seen: FxHashSet<R::Position> = now.iter().cloned().collect();
    let mut counts = Vec::new();
    let (mut moves, mut split) = (Vec::new(), Vec::new());
    let mut looked_at = 0;
    while !now.is_empty() {
        counts.push(now.len() as f64);
        let mut next = Vec::new();
        for part in &now {
            for player in [Player::FIRST, Player::SECOND] {
                moves.clear();
                rules.moves(part, player, &mut moves);
                looked_at += moves.len();
                for &mv in &moves {
                    let mut option = part.clone();
                    rules.play(&mut option, player, mv);
                    rules.split(&option, &mut split);
                    for part in split.drain(..) {
                        let negative = rules.negative(&part);
                        let part = part.min(negative);
                        if seen.insert(part.clone()) {
                            next.push(part);
                        }
                    }
                }
            }
            if seen.len() > listed {
                return extrapolated(&counts, listed as f64);
            }
            if looked_at > LOOKED_AT {
                return seen.len() as f64;
            }
        }
        now = next;
    }
    counts.iter().sum()
}

fn extrapolated(counts: &[f64], listed: f64) -> f64 {
    let known: f64 = counts.iter().sum();
    let factors: Vec<f64> = counts.windows(2).map(|pair| pair[1] / pair[0]).collect();
    let (mut factor, falls) = match factors[..] {
        [.., before, last] => (last, (last / before).min(FALLS)),
        // So many options at once that nothing is known but that they are many.
        _ => (listed, FALLS),
    };
    let (mut all, mut level) = (known, counts.last().copied().unwrap_or(1.0));
    while level >= 1.0 && all.is_finite() {
        factor *= falls;
        level *= factor;
        all += level;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluator;
    use tabia_combinatorial::amazons::combinatorial::Amazons;
    use tabia_combinatorial::clobber::Clobber;
    use tabia_combinatorial::domineering::Domineering;
    use tabia_combinatorial::nim::Nim;
    use tabia_game::Limits;

    /// How many times as large as the number of parts that are looked at.
    fn ratio<R: Combinatorial + Clone>(rules: R, text: &str, listed: usize) -> f64 {
        let position = rules.parse_position(text).unwrap();
        let mut evaluator = Evaluator::new(rules.clone());
        let mut meter = Limits::default().meter();
        evaluator.value(&position, &mut meter).unwrap();
        parts_by(&rules, &position, listed) / evaluator.looked_at() as f64
    }

    /// The evaluator looks at a part that is its own negative in another shape twice.
    #[test]
    fn small_positions_are_counted() {
        for text in ["...|...|...", "....|....|....|....|...."] {
            let ratio = ratio(Domineering, text, LISTED);
            assert!((0.9..=1.0).contains(&ratio), "{text}: {ratio}");
        }
        for (text, ratio) in [
            ("Clobber", ratio(Clobber, "XOXO|OXOX|XOXO", LISTED)),
            ("Amazons", ratio(Amazons, "X..X|....|O...", LISTED)),
        ] {
            assert!((0.5..=1.0).contains(&ratio), "{text}: {ratio}");
        }
    }

    /// Every heap can become every smaller one: 5,000 parts with 12.5 million options.
    #[test]
    fn few_parts_with_many_options_are_few() {
        let heap = Nim.parse_position("5000").unwrap();
        assert_eq!(parts(&Nim, &heap), 5000.0);
    }

    #[test]
    fn larger_ones_are_estimated() {
        let five = ["....."; 5].join("|");
        for listed in [1000, 5000] {
            let ratio = ratio(Domineering, &five, listed);
            assert!((0.1..10.0).contains(&ratio), "{listed}: {ratio}");
        }
        let ratio = ratio(Clobber, "XOXO|OXOX|XOXO|OXOX", 2000);
        assert!((0.1..10.0).contains(&ratio), "{ratio}");
        let large = vec![".".repeat(10); 8].join("|");
        let position = Domineering.parse_position(&large).unwrap();
        assert!(parts_by(&Domineering, &position, 5000) > 1e12);
    }
}
