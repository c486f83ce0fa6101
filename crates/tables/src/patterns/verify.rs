//! Checking a pattern database by other means than it was built with.
//!
//! Distances of patterns with their rests are found move by move with [`Abstraction::neighbours`],
//! on one number for each pair, and the least over all rests must be what the table says. Going
//! outwards is all that both have in common. Without rests, each distance is compared with those of
//! where its moves lead.

use tabia_game::{Cancel, Game};

use super::layers::first_wrong;
use super::{Abstraction, MAX_DISTANCE, UNREACHED};
use crate::{Table, TableError, VerifyError};

/// The bytes of memory that a check takes: those of one distance for each pattern and rest, of the
/// table, and of what is on its way; `None` if they cannot be counted.
pub(super) fn verification_memory<G: Game>(abstraction: &impl Abstraction<G>) -> Option<u64> {
    match u64::from(abstraction.rests()) {
        1 => abstraction.patterns(),
        rests => abstraction.patterns()?.checked_mul(1 + 5 * rests),
    }
}

/// Checks every entry of the table of an abstraction; how many there are.
pub(super) fn check<G: Game>(
    abstraction: &impl Abstraction<G>,
    table: &Table,
    cancel: &Cancel,
) -> Result<u64, VerifyError> {
    let kept = table.whole()?;
    let wrong = match abstraction.rests() {
        1 => first_wrong(abstraction, &kept, cancel)?,
        rests => {
            let pairs = walk(abstraction, cancel)?;
            let least = |pairs: &[u8]| pairs.iter().min().copied().unwrap_or(UNREACHED);
            let derived = (0..).zip(pairs.chunks(rests as usize).map(least));
            let mut both = derived.zip(&kept);
            let wrong = both.find(|&((_, least), &kept)| kept != least);
            wrong.map(|(derived, _)| derived)
        }
    };
    match wrong {
        None => Ok(kept.len() as u64),
        Some((pattern, derived)) => Err(VerifyError::Wrong {
            file: table.file().to_string(),
            index: pattern,
            position: abstraction.text(),
            found: kept[pattern as usize].to_string(),
            derived: derived.to_string(),
        }),
    }
}

/// The distance of every pair of pattern and rest from the goal.
fn walk<G: Game>(
    abstraction: &impl Abstraction<G>,
    cancel: &Cancel,
) -> Result<Vec<u8>, TableError> {
    let rests = u64::from(abstraction.rests());
    let pairs = abstraction.patterns().and_then(|n| n.checked_mul(rests));
    let pairs = pairs.and_then(|n| usize::try_from(n).ok());
    let mut distances = vec![UNREACHED; pairs.ok_or(TableError::Countless)?];
    let (goal, set) = abstraction.goal();
    let goals = (0..rests).filter(|rest| set & 1 << rest != 0);
    let mut open: Vec<u64> = goals.map(|rest| goal * rests + rest).collect();
    let mut later = Vec::new();
    let mut neighbours = Vec::new();
    let mut distance = 0;
    while !open.is_empty() {
        while let Some(pair) = open.pop() {
            // What was reached already was reached at least as soon.
            if distances[pair as usize] != UNREACHED {
                continue;
            }
            distances[pair as usize] = distance;
            if pair % CHECKED == 0 && cancel.is_cancelled() {
                return Err(TableError::Stopped);
            }
            neighbours.clear();
            abstraction.neighbours(pair / rests, (pair % rests) as u32, &mut neighbours);
            for &(pattern, rest, cost) in &neighbours {
                let next = pattern * rests + u64::from(rest);
                if distances[next as usize] == UNREACHED {
                    match cost {
                        0 => open.push(next),
                        _ => later.push(next),
                    }
                }
            }
        }
        std::mem::swap(&mut open, &mut later);
        distance = (distance + 1).min(MAX_DISTANCE);
    }
    Ok(distances)
}

/// Pairs between two looks at whether the work is to stop, more or less.
const CHECKED: u64 = 1 << 10;
