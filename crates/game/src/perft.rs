//! Perft: counting the leaves of the game tree, the classic test of a move generator.

use crate::{Game, Limits, Meter, Stopped};

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
