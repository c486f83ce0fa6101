//! Checking tables of probabilities with the rules alone.
//!
//! Every entry is derived again from those of its successors in the files, to the last bit, and the
//! successors are found by forward generation. No order of the positions is made use of. Since
//! games come to an end and end in wins and losses, by induction over their greatest length
//! everything is right; that they end is what the falling heights prove, which are checked as well.

use tabia_game::threads;
use tabia_game::{Cancel, Player, Probability, Text, Turn, TwoPlayer, Wdl};

use crate::chances::Descending;
use crate::values::{Member, members};
use crate::{TableError, Tables, VerifyError};

/// Entries looked at between two looks at the cancel flag.
const CHUNK: u64 = 1 << 10;

/// Verifies the tables of probabilities of slices that moves lead back and forth between. The
/// tables they rely on must be among `tables`, too. `progress` is told of positions as they are
/// done.
pub(crate) fn verify_chances<G: Descending + TwoPlayer + Text>(
    game: &G,
    group: &[G::Slice],
    tables: &Tables<G>,
    cancel: &Cancel,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyError> {
    for member in members(game, group, tables)? {
        let entries = member.entries();
        threads::try_each(entries.div_ceil(CHUNK), &|chunk| {
            if cancel.is_cancelled() {
                return Err(TableError::Stopped.into());
            }
            let indices = chunk * CHUNK..entries.min((chunk + 1) * CHUNK);
            let looked_at = indices.end - indices.start;
            for index in indices {
                agrees(game, tables, &member, index)?;
            }
            progress(looked_at);
            Ok::<(), VerifyError>(())
        })?;
    }
    Ok(())
}

/// An entry follows from its successors.
fn agrees<G: Descending + TwoPlayer + Text>(
    game: &G,
    tables: &Tables<G>,
    member: &Member<'_, G>,
    index: u64,
) -> Result<(), VerifyError> {
    let before = game.position_at(member.slice, index);
    let broken = |reason| VerifyError::Rules {
        slice: game.slice_text(member.slice),
        index,
        position: game.position_text(&before),
        reason,
    };
    if game.locate(&before) != Some((member.slice, index)) {
        return Err(broken("it has another place as well"));
    }
    if game.turn(&before) != Turn::Chance {
        return Err(broken("it is not followed by a chance event"));
    }
    let mut outcomes = Vec::new();
    game.outcomes(&before, &mut outcomes);
    let throws: u128 = outcomes.iter().map(|&(_, weight)| u128::from(weight)).sum();
    if throws == 0 {
        return Err(broken("its chance event has no outcome"));
    }
    // What the opponent is left with, summed over all throws.
    let mut left = 0u128;
    let mut moves = Vec::new();
    for (outcome, weight) in outcomes {
        let mut thrown = before.clone();
        game.play(&mut thrown, outcome);
        if game.turn(&thrown) != Turn::Player(Player::FIRST) {
            return Err(broken("a turn is not a chance event and a move"));
        }
        moves.clear();
        game.moves(&thrown, &mut moves);
        let mut least = None::<u32>;
        for &mv in &moves {
            let mut after = thrown.clone();
            game.play(&mut after, mv);
            let opponent = if game.turn(&after) == Turn::Over {
                match Wdl::of_payoff(game.payoff(&after, Player::SECOND)) {
                    Wdl::Win => u32::MAX,
                    Wdl::Loss => 0,
                    Wdl::Draw => return Err(broken("a game is drawn")),
                }
            } else {
                if game.height(&after) >= game.height(&before) {
                    return Err(broken("a turn leads to a position that is no lower"));
                }
                let Some((slice, _)) = game.locate(&after) else {
                    return Err(broken("a move leads to a position without a place"));
                };
                let entry = tables.content::<Probability>(game, &after)?;
                let missing = || TableError::Missing(game.slice_text(slice));
                entry.ok_or_else(missing)?.value.bits()
            };
            least = Some(least.map_or(opponent, |least| least.min(opponent)));
        }
        let least = least.ok_or_else(|| broken("there is no move after a chance event"))?;
        left += u128::from(weight) * u128::from(least);
    }
    let found = member.table.content::<Probability>(index)?;
    let derived = derived(left, throws);
    if found != derived {
        return Err(VerifyError::Wrong {
            file: member.table.file().to_string(),
            index,
            position: game.position_text(&before),
            found: format!("{:#010x}", found.bits()),
            derived: format!("{:#010x}", derived.bits()),
        });
    }
    Ok(())
}

/// The probability that remains when the opponent has `left` over all `throws`. Halves are rounded
/// up, and a result that is not certain is never rounded to a certain one.
fn derived(left: u128, throws: u128) -> Probability {
    let all = throws * u128::from(u32::MAX);
    if left == 0 || left == all {
        let certain = if left == 0 { u32::MAX } else { 0 };
        return Probability::from_bits(certain);
    }
    let own = all - left;
    let (floor, rest) = (own / throws, own % throws);
    let nearest = floor + u128::from(2 * rest >= throws);
    Probability::from_bits((nearest as u32).clamp(1, u32::MAX - 1))
}
