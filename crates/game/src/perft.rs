//! Perft: counting the leaves of the game tree, the classic test of a move generator.

use std::collections::HashMap;

use crate::{Game, Key, Limits, Meter, Stopped};

/// The number of move sequences of exactly `depth` moves; games that end earlier do not count.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    match perft_limited(game, state, depth, &Limits::default()) {
        Ok(leaves) => leaves,
        Err(Stopped) => unreachable!("there was no limit"),
    }
}

/// [`perft`] that stops at a limit. Leaves are counted, not played: a node is a position whose
/// moves are generated.
pub fn perft_limited<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    limits: &Limits,
) -> Result<u64, Stopped> {
    let mut stack = Vec::new();
    count(
        game,
        &mut state.clone(),
        depth,
        &mut stack,
        &mut limits.meter(),
    )
}

fn count<G: Game>(
    game: &G,
    state: &mut G::State,
    depth: u32,
    stack: &mut Vec<G::Move>,
    meter: &mut Meter,
) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(1);
    }
    meter.tick()?;
    let base = stack.len();
    game.moves(state, stack);
    let mut leaves = (stack.len() - base) as u64;
    if depth > 1 {
        leaves = 0;
        for next in base..stack.len() {
            let token = game.play(state, stack[next]);
            let below = count(game, state, depth - 1, stack, meter);
            game.undo(state, token);
            leaves += below?;
        }
    }
    stack.truncate(base);
    Ok(leaves)
}
/// The most positions that [`distinct`] holds of one depth.
pub const MAX_DISTINCT: usize = 50_000_000;

/// Why distinct positions were not counted to the depth that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCounted {
    /// A limit stopped it.
    Stopped,
    /// There are more than [`MAX_DISTINCT`] at one depth.
    TooMany,
}

impl From<Stopped> for NotCounted {
    fn from(_: Stopped) -> NotCounted {
        NotCounted::Stopped
    }
}

/// Tells the number of distinct positions after exactly one move, two moves and so on up to `depth`;
/// games that end earlier do not count. Positions are compared whole, not by their keys alone.
pub fn distinct<G: Key>(
    game: &G,
    state: &G::State,
    depth: u32,
    limits: &Limits,
    tell: &mut dyn FnMut(u64),
) -> Result<(), NotCounted> {
    let mut meter = limits.meter();
    let mut layer = vec![state.clone()];
    let mut moves = Vec::new();
    for _ in 0..depth {
        // Where the positions with a key begin in the next layer; almost always there is one.
        let mut known: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut next: Vec<G::State> = Vec::new();
        for state in &layer {
            meter.tick()?;
            moves.clear();
            game.moves(state, &mut moves);
            for &mv in &moves {
                let mut child = state.clone();
                game.play(&mut child, mv);
                let same = known.entry(game.key(&child)).or_default();
                if same.iter().all(|&place| next[place as usize] != child) {
                    same.push(next.len() as u32);
                    next.push(child);
                }
            }
            if next.len() > MAX_DISTINCT {
                return Err(NotCounted::TooMany);
            }
        }
        tell(next.len() as u64);
        layer = next;
    }
    Ok(())
}
